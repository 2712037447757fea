"""Counts in sentences of commands: one is said of one, and every other count is several."""

import re
from pathlib import Path
from typing import Final

import pytest

import abhidhan.app.cli
from abhidhan.records.errors import pluralize

FIXED_PLURAL: Final = re.compile(r"\{[^{}]*(?::,|len\([^{}]*)\} (?!of )(?:[a-z]+ ){0,2}[a-z]{2,}s\b")
"""A count written into a sentence with the plural behind it, whatever the count is."""


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 faults"), (1, "1 fault"), (2, "2 faults"), (21, "21 faults"), (1_234, "1,234 faults")]
)
def test_what_is_counted_is_named_by_its_number(count: int, said: str) -> None:
    assert pluralize(count, "fault") == said


def test_a_plural_of_its_own_is_given() -> None:
    assert [pluralize(count, "entry was", "entries were") for count in (1, 3)] == ["1 entry was", "3 entries were"]


def test_no_command_writes_a_plural_behind_any_count() -> None:
    commands = Path(abhidhan.app.cli.__file__).parent.glob("*.py")
    found = [f"{file.name}: {each}" for file in commands for each in FIXED_PLURAL.findall(file.read_text("utf-8"))]

    assert found == []
