"""Counts in sentences of commands: one is said of one, and every other count is several."""

import re
from pathlib import Path
from typing import Final

import abhidhan.app.cli
from abhidhan.records.errors import pluralize

FIXED_PLURAL: Final = re.compile(r"\{[^{}]*(?::,|len\([^{}]*)\} (?!of )(?:[a-z]+ ){0,2}[a-z]{2,}s\b")
"""A count written into a sentence with the plural behind it, whatever the count is."""


def test_a_noun_has_the_number_of_its_count() -> None:
    assert [pluralize(count, "fault") for count in (0, 1, 2, 21, 1_234)] == [
        "0 faults",
        "1 fault",
        "2 faults",
        "21 faults",
        "1,234 faults",
    ]
    assert [pluralize(count, "entry was", "entries were") for count in (1, 3)] == ["1 entry was", "3 entries were"]


def test_no_command_writes_a_fixed_plural_after_a_count() -> None:
    commands = Path(abhidhan.app.cli.__file__).parent.glob("*.py")
    fixed = [f"{file.name}: {each}" for file in commands for each in FIXED_PLURAL.findall(file.read_text("utf-8"))]

    assert fixed == []
