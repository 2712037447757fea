"""`abhidhan copy`: copy all data to another database, for example from SQLite to PostgreSQL."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import interruptible, load_command_settings
from abhidhan.records.errors import InputError, SettingError, pluralize

if TYPE_CHECKING:
    from abhidhan.exchange.service.copying import DictionaryCopyResult
    from abhidhan.platform.database.copying.copy import ChangedTable
    from abhidhan.platform.sandbox.object_store import FileStore, StoreDescription
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
            "PGPASSWORD, not into the address.",
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
    """Copy everything into another database, with people and history. The server can keep running."""
    from abhidhan.platform.sandbox.object_store import PHOTO_STORE, RECORDING_STORE

    settings = load_command_settings()
    _check_target_url(to)
    # Check the targets first, so that hours of copying do not end with an invalid one.
    for address, contents in ((photos_to, PHOTO_STORE), (recordings_to, RECORDING_STORE)):
        if address:
            _open_target(address, contents)
    with interruptible(
        "Stopped. Run the same command again to continue: the copy cannot be served until it is complete."
    ):
        copied = _copy_tables(settings, to, is_final=not stays_open)
        _print_tables(copied)
        _copy_uploads(settings.photos, settings.photo_folder, photos_to, PHOTO_STORE)
        _copy_uploads(settings.recordings, settings.recording_folder, recordings_to, RECORDING_STORE)
    if stays_open:
        typer.echo("The copy is open. Stop the server, and run the same command without --open.")
    elif copied.changed:
        _print_changed_tables(copied.changed)
        raise typer.Exit(1)
    else:
        typer.echo("Now set ABHIDHAN_DATABASE to the new URL, and start the server.")


def _check_target_url(url: str) -> None:
    from abhidhan.platform.database.connections import parse_url

    try:
        parse_url(url, "--to")
    except SettingError as error:
        raise InputError.of("to", str(error)) from error


def _copy_tables(settings: "Settings", target_url: str, *, is_final: bool) -> "DictionaryCopyResult":
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
        return copying.copy_dictionary(settings.direct_url, target_url, finish=is_final, progress=copy_progress)


def _print_tables(copied: "DictionaryCopyResult") -> None:
    rows = sum(checksum.rows for checksum in copied.checksums.values())
    resumed = " An unfinished copy was continued." if copied.was_resumed else ""
    tables = pluralize(len(copied.checksums), "table")
    typer.echo(f"{pluralize(rows, 'row')} of {tables} have been copied and verified.{resumed}")


def _copy_uploads(address: str, folder: Path, target_address: str, contents: "StoreDescription") -> None:
    from abhidhan.exchange.service import copying
    from abhidhan.platform.sandbox.object_store import open_file_store

    if not target_address:
        advice = "" if address else f" If you move the data folder, set {contents.setting} to {folder}."
        typer.echo(f"The {contents.label} stay in {address or folder}.{advice}")
        return
    source = open_file_store(address, folder, contents)
    target = _open_target(target_address, contents)
    copied = copying.copy_files(source, target, _build_file_progress(contents.label))
    typer.echo(
        f"{contents.label.capitalize()}: {pluralize(copied.copied, 'file')} copied and verified, "
        f"{pluralize(copied.existing, 'was', 'were')} already there."
    )


def _open_target(address: str, contents: "StoreDescription") -> "FileStore":
    """Open the folder or object store given by `--photos-to` or `--recordings-to`. Raises SettingError."""
    from abhidhan.platform.sandbox.object_store import open_file_store

    return open_file_store(address, Path(address), contents._replace(setting=f"--{contents.label}-to"))


def _build_file_progress(label: str) -> Callable[[int, int], None]:
    is_terminal = sys.stderr.isatty()

    def show_progress(done: int, total: int) -> None:
        if is_terminal:
            typer.echo(f"\r{label}: {done:,} of {pluralize(total, 'file')}", err=True, nl=done == total)

    return show_progress


def _print_changed_tables(changed_tables: "tuple[ChangedTable, ...]") -> None:
    tables = ", ".join(
        f"{table.table} ({table.row_delta:+,} {'row' if abs(table.row_delta) == 1 else 'rows'})"
        if table.row_delta
        else table.table
        for table in changed_tables
    )
    typer.echo(
        f"The dictionary has changed since the copy started, and the copy lacks these changes: {tables}. To copy "
        "everything, run the command with --open while the server runs, stop the server, and run the command "
        "without --open.",
        err=True,
    )
