"""Names and docstrings use the terms of the field (`CONTRIBUTING.md`, "Words in code")."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("src", "packages", "tools", "bench") for path in (ROOT / folder).rglob("*.py"))
FORBIDDEN = re.compile(
    "_*(?:ahead|around|aside|asked|begun|beside|decided|done|each|ended|few|filling|found|given|going_on|handed_over"
    "|heard|held|kept|known|listed|looked|many|most|noted|one|others|own|placed|rest|said|shared|shown|some|spoken"
    "|taken|told|wanted|whoever|somebody|nobody)"
)
CONSTANT = re.compile(r"_?(?:MOST|LONGEST|GREATEST|FEWEST)_\w+|\w+_AT_ONCE")
FIRST_WORD = re.compile(r"(?:Say|Tell|Let|Name(?! of)|Take|Begin)\b(?!:)")
PRONOUN = re.compile(r"\b(?:whoever|somebody|nobody)\b", re.IGNORECASE)


def find_faults() -> Iterator[str]:
    """Yield a line for each name and docstring that breaks a rule."""
    classes: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        path = str(file.relative_to(ROOT))
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = [file.stem, *find_names(tree)]
        yield from (f"{path}: name {name}" for name in names if is_forbidden(name))
        for text in find_docstrings(tree):
            if FIRST_WORD.match(text) or PRONOUN.search(text):
                yield f"{path}: text “{text.splitlines()[0]}”"
        if "/formats/" not in path:
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    classes[node.name].append(path)
    for name, paths in classes.items():
        if len(paths) > 1:
            yield f"class {name} in {', '.join(paths)}"


def is_forbidden(name: str) -> bool:
    return bool(CONSTANT.fullmatch(name) if name.isupper() else FORBIDDEN.fullmatch(name[0].lower() + name[1:]))


def find_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes, functions and constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper():
            yield node.id


def find_docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings, those of constants too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def test_names_and_docstrings_use_the_terms_of_the_field() -> None:
    assert sorted({*find_faults()}) == []
