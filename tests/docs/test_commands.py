"""The commands that documents name are there, with their options, and nothing is installed from nowhere."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from abhidhan.app.cli import program

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])

COMMAND: Final = re.compile(r"^(?:\S+=\S+ |sudo |[^`|]*\| )*(?:\.venv/bin/)?abhidhan ([a-z][^#>|]*)")
COMMANDS: Final[Mapping[str, Any]] = typer.main.get_group(program).commands
INSTALLED: Final = re.compile(r"pip install [^`\n]*")


def code_of(document: Path) -> Iterator[str]:
    """Yield the lines of code of a document, and what stands between backticks in its text."""
    for at, part in enumerate(document.read_text(encoding="utf-8").split("\n```")):
        yield from part.splitlines()[1:] if at % 2 else re.findall(r"`([^`\n]+)`", part)


def commands_of(document: Path) -> list[list[str]]:
    """List the words of each command of ours that a document names."""
    return [found[1].split() for line in code_of(document) if (found := COMMAND.match(line))]


def options_of(words: list[str]) -> set[str]:
    """Return the options of a command, or of the one of a group that the words name. Raises KeyError."""
    command = COMMANDS[words[0]]
    if hasattr(command, "commands") and len(words) > 1 and words[1][0].islower():
        command = command.commands[words[1]]
    return {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_command_is_there_with_its_options(document: Path) -> None:
    for words in commands_of(document):
        assert words[0] in COMMANDS, words
        named = {word.strip("[]").partition("=")[0] for word in words if word.strip("[]").startswith("--")}
        assert named <= options_of(words), words


def test_there_are_commands_to_look_for() -> None:
    assert sum(len(commands_of(document)) for document in DOCUMENTS) > 50


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_nothing_is_installed_by_a_name_that_another_may_take(document: Path) -> None:
    """The program is not on PyPI, so that `pip install abhidhan` would bring whatever somebody else puts there."""
    for line in INSTALLED.findall(document.read_text(encoding="utf-8")):
        last = line.split()[-1].strip("'")
        assert last.startswith("requirements/") or last == ".", line
