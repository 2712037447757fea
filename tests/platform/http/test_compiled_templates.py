"""Templates are compiled once for every language, worker and start, and pages do not depend on where that is stored."""

from pathlib import Path

from jinja2 import Environment, nodes

from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES
from abhidhan.platform.http.rendering import CompiledTemplateCache, get_environment

OF_JINJA = frozenset(Environment().filters)  # noqa: S701  # it writes nothing


def is_constant(node: nodes.Expr) -> bool:
    try:
        node.as_const()
    except nodes.Impossible:
        return False
    return True


def test_templates_do_not_contain_compiled_text_of_one_language() -> None:
    environment = get_environment("en")
    assert environment.loader
    names = environment.list_templates()
    assert "macros.html" in names
    for name in names:
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        for used in tree.find_all(nodes.Filter):
            # The result of a filter of a constant is compiled in, for every language.
            assert used.name in OF_JINJA or not (used.node and is_constant(used.node)), (name, used.lineno)


def test_templates_are_stored_once_for_all_languages_if_the_folder_exists(tmp_path: Path) -> None:
    (tmp_path / "existing").mkdir()
    for folder in ("existing", "missing"):
        compiled = CompiledTemplateCache(str(tmp_path / folder), "template-%s.cache")
        for language in INTERFACE_LANGUAGES:
            environment = get_environment.__wrapped__(language)
            environment.bytecode_cache = compiled
            assert environment.get_template("macros.html").name == "macros.html"

    assert [path.parent.name for path in tmp_path.glob("*/*.cache")] == ["existing"]
