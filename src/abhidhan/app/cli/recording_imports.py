"""`abhidhan import recordings`: import a folder of recordings with a list of their texts."""

from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from abhidhan.app.cli import import_errors
from abhidhan.app.cli.common import stoppable
from abhidhan.app.cli.people import CommandServices, open_services
from abhidhan.formats.cldf.recordings import MediaRecordings, unpacked
from abhidhan.media.service.recording_imports import (
    RecordingImport,
    RecordingList,
    RecordingReport,
    import_listed,
    import_recordings,
)
from abhidhan.media.service.recording_manifest import Told
from abhidhan.records.errors import InputError, counted
from abhidhan.records.people import Person

MOST_NAMED = 5
"""Maximum number of unlisted files that are printed."""

NO_PERSON = (
    "Which account submits these recordings, and can withdraw them? Give it with --by NAME; only --dry-run needs none."
)


class How(NamedTuple):
    """Options of an import of recordings: the account, the encoding of the list, a dry run, and approval."""

    by: str
    encoding: str
    dry_run: bool
    approve: bool


def import_folder(paths: list[Path], said: tuple[str, str, str, str], how: How, errors: Path | None) -> None:
    """Import recordings, and print the report. Importing the same list again changes nothing.

    `said` is the language, speaker, place and licence of all recordings; an empty text leaves it to the list.
    """
    if len(paths) != 1:
        raise InputError.of("file", "Recordings are imported from one folder, or one list, at a time.")
    if not (how.by or how.dry_run):
        raise InputError.of("by", NO_PERSON)
    left = "The dictionary has not changed." if how.dry_run else "Run the same import again to import the rest."
    with (
        stoppable(f"Stopped. {left}"),
        import_errors.fault_writer(errors, []) as on_reject,
        open_services() as services,
    ):
        person = services.person(how.by) if how.by else None
        told = Told(*(each or None for each in said))
        wanted = RecordingImport(paths[0], person, told, how.encoding or None, how.dry_run, how.approve)
        report = _with_progress(services, wanted)
        for fault in report.faults:
            on_reject(fault)
    _show_report(report, person, dry_run=how.dry_run, errors=errors)


def import_media(paths: list[Path], found: MediaRecordings, told: Told, how: How, errors: Path | None) -> None:
    """Import the recordings of a data set whose words are already imported, and print the report."""
    left = "Run the same import again to import the rest."
    with (
        stoppable(f"Stopped. {left}"),
        import_errors.fault_writer(errors, [], after_others=True) as on_reject,
        unpacked(paths, found.rows) as (folder, rows),
        open_services() as services,
    ):
        person = services.person(how.by)
        wanted = RecordingImport(folder, person, told, approve=how.approve)
        listed = RecordingList(found.list_name, folder, rows)
        report = _with_progress(services, wanted, listed)
        for fault in report.faults:
            on_reject(fault)
    typer.echo("Recordings:")
    _show_report(report, person, dry_run=False, errors=errors)


def _with_progress(
    services: CommandServices, wanted: RecordingImport, listed: RecordingList | None = None
) -> RecordingReport:
    console = Console(stderr=True)
    columns = (TextColumn("recordings"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("recordings", total=None)

        def on_progress(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        parts = (services.database, services.recordings, wanted)
        if listed is not None:
            return services.run(import_listed(*parts, listed, on_progress))
        return services.run(import_recordings(*parts, on_progress))


def _show_report(report: RecordingReport, person: Person | None, *, dry_run: bool, errors: Path | None) -> None:
    import_errors.show_faults(report.faults, len(report.faults), errors)
    if report.left_out:
        named = ", ".join(report.left_out[:MOST_NAMED]) + ", …" * (len(report.left_out) > MOST_NAMED)
        typer.echo(f"No row names {len(report.left_out):,} of the recordings in the folder: {named}", err=True)
    if report.clipped:
        typer.echo(f"{report.clipped:,} of the new recordings {'is' if report.clipped == 1 else 'are'} overdriven.")
    if dry_run and person is None:
        typer.echo("With --by, the program also reports which of them were imported before.")
    typer.echo(_last_line(report, dry_run=dry_run))


def _last_line(report: RecordingReport, *, dry_run: bool) -> str:
    new, length = counted(report.new, "new one"), f"({report.milliseconds / 1000:,.0f} s)"
    if report.approved:
        told = f"{new} {length}; {report.approved:,} approved"
    else:
        told = f"{new} {'would wait' if dry_run else 'waits' if report.new == 1 else 'wait'} for review {length}"
    before = counted(report.before, "was there before", "were there before")
    parts = (counted(report.rows, "row"), told, before, f"{len(report.faults):,} rejected")
    return "; ".join(parts) + "."
