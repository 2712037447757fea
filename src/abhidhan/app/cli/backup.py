"""`abhidhan backup`, `restore`, `check` and `reindex`: maintenance of the data."""

import time
from collections import Counter
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import refuse_database, settings_of_command, stoppable
from abhidhan.records.errors import counted

if TYPE_CHECKING:
    from abhidhan.exchange.service import backup
    from abhidhan.platform.sandbox.object_store import Contents, FileStore
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
        typer.Argument(help="The file to write, or a folder for it; by default, a new file in the backups folder."),
    ] = None,
) -> None:
    """Copy the database, photos and recordings into one archive. It has checksums. The server can keep running."""
    from importlib.metadata import version

    from abhidhan.exchange.service import backup

    settings = settings_of_command()
    moment = int(time.time())
    usual = f"abhidhan-{datetime.fromtimestamp(moment, tz=UTC):%Y%m%dT%H%M%SZ}.tar.gz"
    file = target / usual if target and target.is_dir() else target or settings.backups / usual
    refuse_database(file, settings)
    program = f"abhidhan {version('abhidhan')}"
    with stoppable("Stopped. No backup was written."):
        manifest = backup.back_up(settings.direct_url, _places(settings), file, now=moment, program=program)
    backup.note_backup(settings.backups, moment)
    size = file.stat().st_size / MEBIBYTE
    typer.echo(f"{file}: {counted(len(manifest.files), 'file')}, {size:,.1f} MiB, verified.")


def restore(
    archive: Annotated[Path, typer.Argument(help="The backup file.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace the existing dictionary.")] = False,
    verify_only: Annotated[bool, typer.Option("--verify-only", help="Check the backup, and change nothing.")] = False,
) -> None:
    """Restore a backup, after checking all of it. Stop the server first."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.dictionary.service import statistics
    from abhidhan.exchange.service import backup

    settings = settings_of_command()
    if verify_only:
        manifest = backup.verify(archive)
        typer.echo(f"{archive} is intact: {counted(len(manifest.files), 'file')}, made by {manifest.program}.")
        return
    with stoppable("Stopped. `abhidhan stats` shows the current dictionary; run the same command again to restore."):
        manifest = backup.restore(archive, settings.direct_url, _places(settings), settings.home, overwrite=force)
    with open_dictionary(settings) as database:
        counts = database.read_now(statistics.count)
    held = f"{counted(counts.ideas, 'idea')}, {counted(counts.words, 'word')}"
    typer.echo(f"Restored {counted(len(manifest.files), 'file')}: {held}.")


def check(
    *,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend",
            help="Rebuild derived data (E201 to E301, W203 to W218), and make private files private.",
        ),
    ] = False,
) -> None:
    """Check the data. Exit with status 1 if something that affects answers is wrong."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.exchange.service import maintenance

    settings = settings_of_command()
    counts: Counter[str] = Counter()
    private = [settings.backups, *settings.sent_folders]
    with stoppable("Stopped before everything was checked."), open_dictionary(settings) as database:
        for finding in chain(maintenance.check(database), maintenance.check_modes(database, private, mend=mend)):
            counts[finding.code] += 1
            typer.echo(str(finding))
        renewed = maintenance.mend(database, counts.keys()) if mend else 0
    for code, times in sorted(counts.items()):
        typer.echo(f"{code}: {times:,}")
    if not counts:
        typer.echo("No problems found.")
    if renewed:
        typer.echo(f"The derived data of {counted(renewed, 'record')} was rebuilt.")
    mended = maintenance.MENDED if mend else frozenset()
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
        stoppable("Stopped. The keys computed so far are kept; run the command again to compute the rest."),
        open_dictionary(settings_of_command()) as database,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        total = database.read_now(statistics.count).words
        task = progress.add_task("reindexing", total=total)
        changed = maintenance.reindex(database, lambda seen: progress.advance(task, seen))
    typer.echo(f"{counted(changed, 'record has', 'records have')} new keys.")


def _places(settings: "Settings") -> "backup.Places":
    from abhidhan.exchange.service import backup
    from abhidhan.platform.sandbox.object_store import PHOTOS, RECORDINGS

    return backup.Places(
        _place(settings.photos, settings.photo_folder, PHOTOS),
        _place(settings.recordings, settings.recording_folder, RECORDINGS),
    )


def _place(address: str, folder: Path, contents: "Contents") -> "Path | FileStore":
    from abhidhan.platform.sandbox.object_store import open_files

    if "://" in address:
        return open_files(address, folder, contents)
    return Path(address) if address else folder
