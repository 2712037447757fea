"""`abhidhan backup`, `restore`, `check` and `reindex`: maintenance of the data."""

import time
from collections import Counter
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import check_output_file, interruptible, load_command_settings
from abhidhan.records.errors import pluralize

if TYPE_CHECKING:
    from abhidhan.exchange.service import backup
    from abhidhan.platform.sandbox.object_store import FileStore, StoreDescription
    from abhidhan.records.settings import Settings

MEBIBYTE = 1024 * 1024


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.command("backup")(back_up)
    program.command("restore")(restore)
    program.command("check")(check)
    program.command("reindex")(reindex)


def back_up(
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="The file to write, or a folder for it; by default, a new file in the backups folder."
        ),
    ] = None,
) -> None:
    """Copy the database, photos and recordings into one archive. The server can keep running."""
    from importlib.metadata import version

    from abhidhan.exchange.service import backup

    settings = load_command_settings()
    moment = int(time.time())
    default_name = f"abhidhan-{datetime.fromtimestamp(moment, tz=UTC):%Y%m%dT%H%M%SZ}.tar.gz"
    file = target / default_name if target and target.is_dir() else target or settings.backup_folder / default_name
    check_output_file(file, settings)
    program = f"abhidhan {version('abhidhan')}"
    with interruptible("Stopped. No backup was written."):
        manifest = backup.back_up(
            settings.direct_url, _open_file_locations(settings), file, now=moment, program=program
        )
    backup.record_backup_time(settings.direct_url, settings.backup_folder, moment)
    size = file.stat().st_size / MEBIBYTE
    typer.echo(f"{file}: {pluralize(len(manifest.files), 'file')}, {size:,.1f} MiB, verified.")


def restore(
    archive: Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace the existing dictionary.")] = False,
    verify_only: Annotated[bool, typer.Option("--verify-only", help="Check the backup, and change nothing.")] = False,
) -> None:
    """Check a backup completely, and restore it. Stop the server first."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.dictionary.service import statistics
    from abhidhan.exchange.service import backup

    settings = load_command_settings()
    if verify_only:
        manifest = backup.verify(archive)
        typer.echo(f"{archive} is intact: {pluralize(len(manifest.files), 'file')}, made by {manifest.program}.")
        return
    with interruptible(
        "Stopped. `abhidhan stats` shows the current dictionary; run the same command again to restore."
    ):
        manifest = backup.restore(
            archive, settings.direct_url, _open_file_locations(settings), settings.home, overwrite=force
        )
    with open_dictionary(settings) as database:
        counts = database.read_now(statistics.count_records)
    totals = f"{pluralize(counts.ideas, 'idea')}, {pluralize(counts.words, 'word')}"
    typer.echo(f"Restored {pluralize(len(manifest.files), 'file')}: {totals}.")


def check(
    *,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend",
            help="Rebuild derived data (E201 to E301, W203 to W218), and make files readable by this account only.",
        ),
    ] = False,
) -> None:
    """Check the data. Exit with status 1 if an error affects answers."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.exchange.service import maintenance

    settings = load_command_settings()
    counts: Counter[str] = Counter()
    private = [settings.backup_folder, *settings.upload_folders]
    with interruptible("Stopped before everything was checked."), open_dictionary(settings) as database:
        for finding in chain(maintenance.check(database), maintenance.check_file_modes(database, private, repair=mend)):
            counts[finding.code] += 1
            typer.echo(str(finding))
        renewed = maintenance.repair_findings(database, counts.keys()) if mend else 0
    for code, count in sorted(counts.items()):
        typer.echo(f"{code}: {count:,}")
    if not counts:
        typer.echo("No problems found.")
    if renewed:
        typer.echo(f"The derived data of {pluralize(renewed, 'record')} was rebuilt.")
    mended = maintenance.REPAIRABLE_CODES if mend else frozenset()
    if any(code.startswith("E") for code in counts.keys() - mended):
        raise typer.Exit(1)


def reindex() -> None:
    """Rebuild all search keys by the rules of this version. The server can keep running."""
    from rich.console import Console
    from rich.progress import Progress

    from abhidhan.app.database import open_dictionary
    from abhidhan.dictionary.service import statistics
    from abhidhan.exchange.service import maintenance

    console = Console(stderr=True)
    with (
        interruptible("Stopped. The keys computed so far are kept; run the command again to compute the rest."),
        open_dictionary(load_command_settings()) as database,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        total = database.read_now(statistics.count_records).words
        task = progress.add_task("reindexing", total=total)
        changed = maintenance.reindex(database, lambda seen: progress.advance(task, seen))
    typer.echo(f"{pluralize(changed, 'record has', 'records have')} new keys.")


def _open_file_locations(settings: "Settings") -> "backup.FileLocations":
    from abhidhan.exchange.service import backup
    from abhidhan.platform.sandbox.object_store import PHOTO_STORE, RECORDING_STORE

    return backup.FileLocations(
        _open_location(settings.photos, settings.photo_folder, PHOTO_STORE),
        _open_location(settings.recordings, settings.recording_folder, RECORDING_STORE),
    )


def _open_location(address: str, folder: Path, contents: "StoreDescription") -> "Path | FileStore":
    from abhidhan.platform.sandbox.object_store import open_file_store

    if "://" in address:
        return open_file_store(address, folder, contents)
    return Path(address) if address else folder
