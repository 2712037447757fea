"""The abhidhan command.

The modules import the dependencies of a command inside its function, so that `abhidhan --help` is fast.
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
from abhidhan.records.errors import DISK_FULL_ERRNOS, UNWRITABLE_ERRNOS, AbhidhanError, unwritable_error

EXIT_ERROR = 2
"""The exit status after an error with a message."""

GC_THRESHOLD = 10_000
"""Number of new objects between two runs of the garbage collector; the default of 700 costs a tenth of the start."""


class SortedGroup(TyperGroup):
    """Command group in alphabetical order; Typer would list subgroups first."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401  # Typer names no type for it
        """Return the sorted names."""
        del ctx
        return sorted(self.commands)


program = typer.Typer(
    name="abhidhan",
    cls=SortedGroup,
    help="Run and manage Abhidhan (অভিধান), a dictionary and language look-up service.",
    epilog="Settings come from ABHIDHAN_... variables and abhidhan.toml: see `abhidhan settings` and docs/settings.md.",
    no_args_is_help=True,
    # Plain text: importing the code for boxes and colours took longer than everything else for the list of commands.
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


def _print_version(value: bool) -> None:  # noqa: FBT001  # Typer passes the option's value by position
    if value:
        from abhidhan.platform.runtime.build_info import format_version

        typer.echo(f"abhidhan {format_version()}")
        raise typer.Exit


@program.callback()
def _options(
    _version: Annotated[  # noqa: FBT002  # Typer requires the default here
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Define the options before the command; the help text is that of `program`."""


def main() -> None:
    """Run the command, and print errors as messages."""
    gc.set_threshold(GC_THRESHOLD)
    try:
        program()
    except OSError as error:
        _exit_with_error(_format_os_error(error))
    except AbhidhanError as error:
        _exit_with_error(error)


def _format_os_error(error: OSError) -> object:
    """Return a message with the file and its problem; re-raise errors without a file, which are bugs."""
    if error.errno in DISK_FULL_ERRNOS | UNWRITABLE_ERRNOS:
        return unwritable_error(error.filename or "A file", error)
    if error.filename is None:
        raise error
    return f"{error.filename}: {error.strerror}."


def _exit_with_error(error: object) -> NoReturn:
    from rich.console import Console
    from rich.markup import escape

    Console(stderr=True).print(
        f"[bold red]abhidhan:[/] {escape(str(error))}", markup=True, highlight=False, soft_wrap=True
    )
    sys.exit(EXIT_ERROR)
