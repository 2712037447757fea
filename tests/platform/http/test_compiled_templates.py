"""Templates are compiled once for every language, worker and start, and pages do not depend on where that is stored."""

from pathlib import Path

import pytest
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


def test_nothing_that_depends_on_the_language_is_compiled_into_a_template() -> None:
    environment = get_environment("en")
    assert environment.loader
    for name in environment.list_templates():
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        for used in tree.find_all(nodes.Filter):
            # The result of a filter of a constant is compiled in, for every language.
            assert used.name in OF_JINJA or not (used.node and is_constant(used.node)), (name, used.lineno)


@pytest.mark.parametrize("folder", ["there", "not-there"])
def test_templates_are_stored_for_all_languages_where_that_is_possible(folder: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    compiled = CompiledTemplateCache(str(tmp_path / folder), "template-%s.cache")

    for language in INTERFACE_LANGUAGES:
        environment = get_environment.__wrapped__(language)
        environment.bytecode_cache = compiled
        assert environment.get_template("macros.html").name == "macros.html"

    assert len([*tmp_path.glob("there/*.cache")]) == (folder == "there")
