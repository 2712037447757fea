"""The commands that documents name exist with their options, and no package is installed by its name alone."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

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
    return [match[1].split() for line in code_of(document) if (match := COMMAND.match(line))]


def options_of(words: list[str]) -> set[str]:
    """Return the options of a command, or of the one of a group that the words name. Raises KeyError."""
    command = COMMANDS[words[0]]
    if hasattr(command, "commands") and len(words) > 1 and words[1][0].islower():
        command = command.commands[words[1]]
    return {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}


def test_documented_commands_exist_with_their_options() -> None:
    commands = [words for document in DOCUMENTS for words in commands_of(document)]
    assert len(commands) > 50
    for words in commands:
        assert words[0] in COMMANDS, words
        options = {word.strip("[]").partition("=")[0] for word in words if word.strip("[]").startswith("--")}
        assert options <= options_of(words), words


def test_no_document_installs_a_package_by_its_name_alone() -> None:
    """The program is not on PyPI, so that `pip install abhidhan` would bring whatever another person puts there."""
    for document in DOCUMENTS:
        for line in INSTALLED.findall(document.read_text(encoding="utf-8")):
            last = line.split()[-1].strip("'")
            assert last.startswith("requirements/") or last == ".", line
