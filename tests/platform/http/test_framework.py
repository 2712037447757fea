"""The program uses only the documented interface of Litestar."""

import ast
import re
from pathlib import Path
from typing import Final

from litestar import Litestar, Request, Response
from litestar.response.streaming import ASGIStreamingResponse

import abhidhan

UPON: Final = re.compile(r"Request|Response|Litestar|Pieces")
BUILT_UPON: Final = (Request, Response, ASGIStreamingResponse, Litestar)


def private_names() -> set[str]:
    """List the private members of the classes that ours derive from."""
    return {
        name
        for each in BUILT_UPON
        for base in each.__mro__
        if base.__module__.startswith("litestar")
        for name in (*vars(base), *getattr(base, "__slots__", ()))
        if name.startswith("_") and not name.startswith("__")
    }


def members_used(tree: ast.Module) -> set[str]:
    """List the members that a module uses of others, and that classes upon the framework's use of themselves."""
    ours = [each for each in tree.body if isinstance(each, ast.ClassDef) and not UPON.search(bases_of(each))]
    own = {node for each in ours for node in ast.walk(each) if isinstance(node, ast.Attribute) and of_itself(node)}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node not in own}
    return attributes | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def bases_of(one: ast.ClassDef) -> str:
    return " ".join(map(ast.unparse, one.bases))


def of_itself(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}


def test_no_private_member_of_the_framework_is_used() -> None:
    private = private_names()
    package = Path(abhidhan.__path__[0])
    files = [*package.rglob("http/*.py"), *package.rglob("api/**/*.py"), *package.rglob("pages/*.py")]
    trees = {str(file): ast.parse(file.read_text(encoding="utf-8")) for file in files}

    assert {"_parsed_query", "_should_set_content_length"} <= private
    assert {name: found for name, tree in trees.items() if (found := members_used(tree) & private)} == {}
