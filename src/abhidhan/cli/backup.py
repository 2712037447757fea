"""`abhidhan backup`, `restore`, `check` and `reindex`: looking after the data."""

import time
from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.cli.targets import refuse_database, stoppable
from abhidhan.errors import SettingError
from abhidhan.services import checking
from abhidhan.services.dictionary import statistics
from abhidhan.services.exchange import backup
from abhidhan.settings import Settings, read_settings

MEBIBYTE = 1024 * 1024


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.command("backup")(back_up)
    program.command("restore")(restore)
    program.command("check")(check)
    program.command("reindex")(reindex)


def back_up(
    target: Annotated[
        Path | None, typer.Argument(help="The archive to write, or its folder; left out: a new one in the backups.")
    ] = None,
) -> None:
    """Copy database and photos into one archive with checksums, while the server serves."""
    settings = read_settings()
    moment = int(time.time())
    usual = f"abhidhan-{datetime.fromtimestamp(moment, tz=UTC):%Y%m%dT%H%M%SZ}.tar.gz"
    file = target / usual if target and target.is_dir() else target or settings.backups / usual
    refuse_database(file, settings)
    program = f"abhidhan {version('abhidhan')}"
    with stoppable("Stopped. No backup was written."):
        manifest = backup.back_up(settings.database_url, _photos(settings), file, now=moment, program=program)
    size = file.stat().st_size / MEBIBYTE
    typer.echo(f"{file}: {len(manifest.files):,} files, {size:,.1f} MiB, verified.")


def restore(
    archive: Annotated[Path, typer.Argument(help="A backup.")],
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Put it in the place of the dictionary that is there.")
    ] = False,
    verify_only: Annotated[bool, typer.Option("--verify-only", help="Only compare the checksums.")] = False,
) -> None:
    """Put a backup in its place, after all of it was verified. Stop the server first."""
    settings = read_settings()
    if verify_only:
        manifest = backup.verify(archive)
        typer.echo(f"{archive} is whole: {len(manifest.files):,} files, made by {manifest.program}.")
        return
    with stoppable("Stopped. Look with `abhidhan stats` which dictionary is there; start the same again to restore."):
        manifest = backup.restore(archive, settings.database_url, _photos(settings), overwrite=force)
    with open_dictionary(settings) as database:
        counts = database.read_now(statistics.count)
    typer.echo(f"Restored {len(manifest.files):,} files: {counts.ideas:,} ideas, {counts.words:,} words.")


def check(
    *,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend", help="Renew what is derived (E201 to E301, W203); let nobody else read what is private."
        ),
    ] = False,
) -> None:
    """Look for what is wrong with the data; exit with status 1 when something breaks answers, and is not mended."""
    settings = read_settings()
    counts: Counter[str] = Counter()
    private = [settings.backups, *([] if "://" in settings.photos else [_photos(settings)])]
    with stoppable("Stopped before everything was looked at."), open_dictionary(settings) as database:
        for finding in chain(checking.check(database), checking.check_modes(database, private, mend=mend)):
            counts[finding.code] += 1
            typer.echo(str(finding))
        renewed = checking.mend(database, counts.keys()) if mend else 0
    for code, times in sorted(counts.items()):
        typer.echo(f"{code}: {times:,}")
    if not counts:
        typer.echo("Nothing is wrong.")
    if renewed:
        typer.echo(f"What is derived of {renewed:,} records was renewed.")
    mended = checking.MENDED if mend else frozenset()
    if any(code.startswith("E") for code in counts.keys() - mended):
        raise typer.Exit(1)


def reindex() -> None:
    """Make all keys anew by the rules of this version, while the server serves."""
    console = Console(stderr=True)
    with (
        stoppable("Stopped. The keys that were made stay; start it again to make the rest."),
        open_dictionary(read_settings()) as database,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        total = database.read_now(statistics.count).words
        task = progress.add_task("reindexing", total=total)
        changed = checking.reindex(database, lambda seen: progress.advance(task, seen))
    typer.echo(f"{changed:,} records had other keys.")


def _photos(settings: Settings) -> Path:
    if "://" in settings.photos:
        raise SettingError(
            "ABHIDHAN_PHOTOS is a store of its own: back it up with its own tools. This command copies only folders."
        )
    return Path(settings.photos) if settings.photos else settings.photo_folder
