"""The abhidhan command.

Each module of commands imports what a command needs inside of it, so that `abhidhan --help` is quick.
"""

import gc
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from abhidhan.app.cli import (
    articles,
    backup,
    copy,
    dictionary,
    downloads,
    exports,
    history,
    imports,
    lookup,
    people,
    review,
    serve,
    settings,
    starter,
)
from abhidhan.records.errors import FULL, UNWRITABLE, AbhidhanError, cannot_be_written

EXIT_PROBLEM = 2
"""The exit status after an error that a sentence explains."""

BETWEEN_COLLECTIONS = 10_000
"""New objects between two runs of the garbage collector; with the default of 700 it takes a tenth of a start."""


class Commands(TyperGroup):
    """The commands by the alphabet, since Typer would list groups of commands first."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401  # Typer names no type for it
        """Sort the names."""
        del ctx
        return sorted(self.commands)


program = typer.Typer(
    name="abhidhan",
    cls=Commands,
    help="Run and look after Abhidhan (অভিধান), a dictionary and language look-up service.",
    epilog="Settings come from ABHIDHAN_... variables and abhidhan.toml: see `abhidhan settings` and docs/settings.md.",
    no_args_is_help=True,
    # The list of commands in plain text: boxes and colours took longer to import than all else that it needs.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for module in (
    serve,
    lookup,
    dictionary,
    imports,
    starter,
    exports,
    downloads,
    backup,
    copy,
    articles,
    people,
    history,
    review,
    settings,
):
    module.register(program)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # Typer hands the option's value over
    if wanted:
        from importlib.metadata import version

        typer.echo(f"abhidhan {version('abhidhan')}")
        raise typer.Exit


@program.callback()
def _options(
    _version: Annotated[  # noqa: FBT002  # the default of an option stands with it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that stand before any command; the help text is the program's own."""


def main() -> None:
    """Run the command, and tell errors as sentences."""
    gc.set_threshold(BETWEEN_COLLECTIONS)
    try:
        program()
    except OSError as error:
        _fail(_in_words(error))
    except AbhidhanError as error:
        _fail(error)


def _in_words(error: OSError) -> object:
    """Say which file is meant and what is wrong with it; what no file explains is a bug, and keeps its traceback."""
    if error.errno in FULL | UNWRITABLE:
        return cannot_be_written(error.filename or "A file", error)
    if error.filename is None:
        raise error
    return f"{error.filename}: {error.strerror}."


def _fail(error: object) -> NoReturn:
    from rich.console import Console
    from rich.markup import escape

    Console(stderr=True).print(
        f"[bold red]abhidhan:[/] {escape(str(error))}", markup=True, highlight=False, soft_wrap=True
    )
    sys.exit(EXIT_PROBLEM)
