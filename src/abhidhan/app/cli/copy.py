"""`abhidhan copy`: copy all data to another database, for example from SQLite to PostgreSQL."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import interruptible, load_command_settings
from abhidhan.records.errors import InputError, SettingError, pluralize

if TYPE_CHECKING:
    from abhidhan.exchange.service.copying import CopiedDictionary
    from abhidhan.platform.database.copying.copy import ChangedTable
    from abhidhan.platform.sandbox.object_store import Contents, FileStore
    from abhidhan.records.settings import Settings


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command("copy")(copy)


def copy(
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="The database to copy into: postgresql://user@host/name or sqlite:////path/to/file. It must be "
            "empty, or contain an unfinished copy of this dictionary. Put the password into ~/.pgpass or "
            "PGPASSWORD instead.",
        ),
    ],
    photos_to: Annotated[
        str, typer.Option("--photos-to", help="The folder or store (s3://bucket/photos) to copy the photos into.")
    ] = "",
    recordings_to: Annotated[
        str, typer.Option("--recordings-to", help="The folder or store to copy the recordings into.")
    ] = "",
    *,
    stays_open: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Leave the copy open: it cannot be served until this command has run again without this option, "
            "which copies the tables that have changed since.",
        ),
    ] = False,
) -> None:
    """Copy everything into another database, also people and history. The server can keep running."""
    from abhidhan.platform.sandbox.object_store import PHOTOS, RECORDINGS

    settings = load_command_settings()
    _refuse_address(to)
    # Check the targets first, so that hours of copying do not end with an invalid one.
    for address, contents in ((photos_to, PHOTOS), (recordings_to, RECORDINGS)):
        if address:
            _open_target(address, contents)
    with interruptible(
        "Stopped. Run the same command again to continue: the copy cannot be served until it is complete."
    ):
        copied = _copy_tables(settings, to, finishes=not stays_open)
        _print_tables(copied)
        _copy_sent(settings.photos, settings.photo_folder, photos_to, PHOTOS)
        _copy_sent(settings.recordings, settings.recording_folder, recordings_to, RECORDINGS)
    if stays_open:
        typer.echo("The copy is open. Stop the server, and run the same command without --open.")
    elif copied.lacks:
        _print_changed_tables(copied.lacks)
        raise typer.Exit(1)
    else:
        typer.echo("Now set ABHIDHAN_DATABASE to the new URL, and start the server.")


def _refuse_address(to: str) -> None:
    from abhidhan.platform.database.connections import parse_url

    try:
        parse_url(to, "--to")
    except SettingError as error:
        raise InputError.of("to", str(error)) from error


def _copy_tables(settings: "Settings", to: str, *, finishes: bool) -> "CopiedDictionary":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from abhidhan.exchange.service import copying
    from abhidhan.platform.database.copying.copy import CopyProgress

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("counting", total=None)
        copy_progress = CopyProgress(
            lambda rows: progress.update(task, total=rows),
            lambda table, rows: progress.update(task, advance=rows, description=table.replace("_", " ")),
        )
        return copying.copy_dictionary(settings.direct_url, to, finishes=finishes, hearing=copy_progress)


def _print_tables(copied: "CopiedDictionary") -> None:
    rows = sum(checksum.rows for checksum in copied.sums.values())
    resumed = " An unfinished copy was continued." if copied.resumed else ""
    typer.echo(
        f"{pluralize(rows, 'row')} of {pluralize(len(copied.sums), 'table')} have been copied and verified.{resumed}"
    )


def _copy_sent(address: str, folder: Path, to: str, contents: "Contents") -> None:
    from abhidhan.exchange.service import copying
    from abhidhan.platform.sandbox.object_store import open_files

    if not to:
        typer.echo(f"The {contents.label} stay in {address or folder}: set {contents.setting} to that place.")
        return
    source = open_files(address, folder, contents)
    target = _open_target(to, contents)
    copied = copying.copy_files(source, target, _file_progress(contents.label))
    typer.echo(
        f"{contents.label.capitalize()}: {pluralize(copied.copied, 'file')} copied and verified, "
        f"{pluralize(copied.existing, 'was', 'were')} already there."
    )


def _open_target(to: str, contents: "Contents") -> "FileStore":
    """Open the folder or object store given by `--photos-to` or `--recordings-to`. Raises SettingError."""
    from abhidhan.platform.sandbox.object_store import open_files

    return open_files(to, Path(to), contents._replace(setting=f"--{contents.label}-to"))


def _file_progress(label: str) -> Callable[[int, int], None]:
    shows = sys.stderr.isatty()

    def tell(done: int, of: int) -> None:
        if shows:
            typer.echo(f"\r{label}: {done:,} of {pluralize(of, 'file')}", err=True, nl=done == of)

    return tell


def _print_changed_tables(lacks: "tuple[ChangedTable, ...]") -> None:
    tables = ", ".join(
        f"{table.table} ({table.row_delta:+,} {'row' if abs(table.row_delta) == 1 else 'rows'})"
        if table.row_delta
        else table.table
        for table in lacks
    )
    typer.echo(
        f"The dictionary has changed since the copy started, and the copy lacks these changes: {tables}. To copy "
        "everything, run the command with --open while the server runs, stop the server, and run the command "
        "without --open.",
        err=True,
    )
