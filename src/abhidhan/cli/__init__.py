"""The abhidhan command: one module for each group of commands, put together here."""

import sys
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from abhidhan.cli import articles, backup, data, look, people, review, serve, transfer
from abhidhan.errors import FULL, UNWRITABLE, AbhidhanError, cannot_be_written

EXIT_PROBLEM = 2
"""The exit status after an error that a sentence explains."""

program = typer.Typer(
    name="abhidhan",
    help="Abhidhan (অভিধান): a dictionary and language look-up service.",
    epilog="Settings come from ABHIDHAN_... variables and abhidhan.toml; docs/settings.md lists them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for group in (serve, look, data, transfer, articles, people, review, backup):
    group.register(program)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # Typer hands the option's value over
    if wanted:
        typer.echo(f"abhidhan {version('abhidhan')}")
        raise typer.Exit


@program.callback()
def _options(
    _version: Annotated[  # noqa: FBT002  # the default of an option stands with it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Take the options that stand before any command; the help text is the program's own."""


def main() -> None:
    """Run the command, and tell errors as sentences."""
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
    Console(stderr=True).print(
        f"[bold red]abhidhan:[/] {escape(str(error))}", markup=True, highlight=False, soft_wrap=True
    )
    sys.exit(EXIT_PROBLEM)
