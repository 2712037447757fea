"""The abhidhan command. Each group of commands is a module of its own, imported when one of them is run."""

import sys
from typing import Annotated, NoReturn

import typer

from abhidhan.cli.lazily import LazyGroup, list_commands
from abhidhan.errors import FULL, UNWRITABLE, AbhidhanError, cannot_be_written

EXIT_PROBLEM = 2
"""The exit status after an error that a sentence explains."""

program = typer.Typer(
    name="abhidhan",
    cls=LazyGroup,
    help="Abhidhan (অভিধান): a dictionary and language look-up service.",
    epilog="Settings come from ABHIDHAN_... variables and abhidhan.toml; docs/settings.md lists them.",
    no_args_is_help=True,
    # The list of commands in plain text: boxes and colours took longer to import than all else that it needs.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

list_commands(program)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  # Typer hands the option's value over
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415  # it takes as long as all else here; help needs it not

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
    from rich.console import Console  # noqa: PLC0415  # only what fails needs it
    from rich.markup import escape  # noqa: PLC0415  # the same

    Console(stderr=True).print(
        f"[bold red]abhidhan:[/] {escape(str(error))}", markup=True, highlight=False, soft_wrap=True
    )
    sys.exit(EXIT_PROBLEM)
