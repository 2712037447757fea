"""Tests of the import contracts in pyproject.toml, which `lint-imports` checks, and of the docstrings of packages."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ROOT / "src" / "abhidhan"

MAX_DOCSTRING_LINES: Final = 10
"""Maximum number of lines of a package's docstring."""


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(settings["tool"]["importlinter"]["contracts"])


def test_the_contracts_ignore_no_import() -> None:
    assert not [contract for contract in contracts() if contract.get("ignore_imports")]


def test_the_order_of_packages_is_total() -> None:
    (order,) = (contract["layers"] for contract in contracts() if contract.get("containers") == ["abhidhan"])

    folders = {path.name for path in PACKAGES.iterdir() if (path / "__init__.py").exists()}
    assert set(order) == folders | {"__main__"}
    assert not [layer for layer in order if not layer.isidentifier()], "each layer is one package"


def test_the_architecture_lists_the_packages_in_their_order() -> None:
    (order,) = (contract["layers"] for contract in contracts() if contract.get("containers") == ["abhidhan"])

    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == [layer for layer in order if layer != "__main__"][::-1]


def test_each_package_has_a_short_docstring() -> None:
    for path in [*PACKAGES.rglob("__init__.py"), *(ROOT / "packages" / "assamese" / "src").rglob("__init__.py")]:
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert docstring, f"{path} has no docstring"
        assert "TODO" not in docstring, path
        assert len(docstring.splitlines()) <= MAX_DOCSTRING_LINES, path
