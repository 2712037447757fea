"""Mutants are changes of one place that leave valid Python."""

import ast
from pathlib import Path

import pytest

from tools import mutation

SOURCE = '''"""A module."""


def price(count: int, member: bool) -> int:
    if count > 10 and not member:
        return count * 3
    return count + 1 if member is not None else 0
'''


def test_each_kind_of_place_gets_one_change_that_is_valid_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    path = tmp_path / "prices.py"
    path.write_text(SOURCE, encoding="utf-8")
    changes: dict[str, set[str]] = {}
    for mutant in mutation.find_mutants(path):
        changed = SOURCE[: mutant.start] + mutant.replacement + SOURCE[mutant.end :]
        ast.parse(changed)
        assert changed.splitlines()[mutant.line - 1] != SOURCE.splitlines()[mutant.line - 1]
        changes.setdefault(mutant.original.strip(), set()).add(mutant.replacement.strip())
    assert changes == {
        "count > 10 and not member": {"not (count > 10 and not member)"},
        ">": {">="},
        "and": {"or"},
        "not member": {"bool(member)"},
        "10": {"11"},
        "count * 3": {"None"},
        "*": {"//"},
        "3": {"4"},
        "count + 1 if member is not None else 0": {"None"},
        "member is not None": {"not (member is not None)"},
        "is not": {"is"},
        "+": {"-"},
        "1": {"2"},
        "0": {"1"},
    }
