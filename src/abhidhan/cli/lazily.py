"""The commands by name: which module each is in, and what the list of commands says of it.

A module, and all the libraries behind it, is imported when one of its commands is run or asked for its own help. To
list the commands, or to tell the version, none of them is needed.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol, cast

import typer
from typer.core import TyperGroup


class Listed(NamedTuple):
    """A command, or a group of commands, as the list of commands shows it."""

    name: str
    module: str
    summary: str


LISTED: Final = (
    Listed("serve", "serve", "Serve the dictionary over HTTP until Ctrl+C. Creates the database if there is none."),
    Listed("look", "look", "Look up a word, as /api/dic.php does."),
    Listed(
        "init",
        "data",
        "Create the database with the starter dictionary, or --empty. An existing one is upgraded and kept.",
    ),
    Listed(
        "stats", "data", "Show how much is in the dictionary: ideas, words by language, proverbs, flashcards, sources."
    ),
    Listed(
        "import",
        "imports",
        "Import files into the dictionary. Importing the same file again changes nothing.",
    ),
    Listed(
        "starter",
        "starter",
        "The starter dictionary: bring it up to date with the one that comes with this version.",
    ),
    Listed("export", "exports", "Export the dictionary, or part of it, to a file that other programs can open."),
    Listed(
        "downloads",
        "downloads",
        "Make the files that everyone can download, and the packs for phones, unless they are up to date.",
    ),
    Listed(
        "check",
        "backup",
        """Check the data; exit with status 1 if something that affects answers is wrong.""",
    ),
    Listed(
        "backup",
        "backup",
        "Copy the database, photos and recordings into one archive with checksums. The server can keep running.",
    ),
    Listed("restore", "backup", "Restore a backup, after checking all of it. Stop the server first."),
    Listed(
        "copy",
        "copy",
        "Copy everything, people and history included, into another database. The server can keep running.",
    ),
    Listed("reindex", "backup", "Rebuild all search keys by the rules of this version. The server can keep running."),
    Listed("articles", "articles", "Fetch encyclopedia articles in advance, or clear the cache."),
    Listed("people", "people", "Accounts: who may sign in, and what they may do."),
    Listed(
        "history",
        "history",
        "Hide what entries of the history hold, or bring back what an import has replaced and removed.",
    ),
    Listed("review", "review", "Submissions: list them, approve them, reject them."),
)


class _Commands(Protocol):
    """A module of commands."""

    def register(self, program: typer.Typer) -> None:
        """Add the commands of the module."""


def list_commands(program: typer.Typer, listed: Iterable[Listed] = LISTED) -> None:
    """Put commands on the list of a program, each under its summary."""
    for one in listed:
        program.command(one.name, help=one.summary)(_never_run)


def _never_run() -> None:
    """Stand for a command on the list."""


def load(name: str) -> Any:  # noqa: ANN401  # a command of the library below Typer, which names no type for it
    """Import the module of a command, and make the command."""
    module = next(one.module for one in LISTED if one.name == name)
    program = typer.Typer()
    cast("_Commands", import_module(f"abhidhan.cli.{module}")).register(program)
    return typer.main.get_group(program).commands[name]


class LazyGroup(TyperGroup):
    """Commands of which only the one that is run is imported."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401  # as above
        """Find the command that is meant, and import what it needs."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(name) if name is not None else None, rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  # as above
        """Write each command with all of its summary, on several lines where it needs them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.commands[name].help or "") for name in self.list_commands(ctx)])
