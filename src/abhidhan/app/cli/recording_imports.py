"""`abhidhan import recordings`: import a folder of recordings with a list of their texts."""

from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from abhidhan.app.cli import import_errors
from abhidhan.app.cli.common import interruptible
from abhidhan.app.cli.people import CommandServices, open_services
from abhidhan.formats.cldf.recordings import MediaRecordings, unpack_recordings
from abhidhan.media.service.recording_imports import (
    RecordingImport,
    RecordingList,
    RecordingReport,
    import_list,
    import_recordings,
)
from abhidhan.media.service.recording_manifest import RecordingDefaults
from abhidhan.records.errors import InputError, pluralize
from abhidhan.records.people import Person

MAX_NAMED = 5
"""Maximum number of unlisted files that are printed."""

NO_PERSON = (
    "Which account submits these recordings, and can withdraw them? Give it with --by NAME; only --dry-run needs none."
)


class RecordingImportOptions(NamedTuple):
    """Options of an import of recordings: the account, the encoding of the list, a dry run, and approval."""

    by: str
    encoding: str
    dry_run: bool
    approve: bool


def import_folder(
    paths: list[Path], texts: tuple[str, str, str, str], options: RecordingImportOptions, errors: Path | None
) -> None:
    """Import recordings, and print the report. Importing the same list again changes nothing.

    `texts` is the language, speaker, place and licence of all recordings; an empty text leaves it to the list.
    """
    if len(paths) != 1:
        raise InputError.of("file", "Recordings are imported from one folder, or one list, at a time.")
    if not (options.by or options.dry_run):
        raise InputError.of("by", NO_PERSON)
    advice = "The dictionary has not changed." if options.dry_run else "Run the same import again to import the rest."
    with (
        interruptible(f"Stopped. {advice}"),
        import_errors.fault_writer(errors, []) as on_reject,
        open_services() as services,
    ):
        person = services.person(options.by) if options.by else None
        defaults = RecordingDefaults(*(text or None for text in texts))
        recording_import = RecordingImport(
            paths[0], person, defaults, options.encoding or None, options.dry_run, options.approve
        )
        report = _with_progress(services, recording_import)
        for fault in report.faults:
            on_reject(fault)
    _show_report(report, person, dry_run=options.dry_run, errors=errors)


def import_media(
    paths: list[Path],
    media: MediaRecordings,
    defaults: RecordingDefaults,
    options: RecordingImportOptions,
    errors: Path | None,
) -> None:
    """Import the recordings of a data set whose words are already imported, and print the report."""
    advice = "Run the same import again to import the rest."
    with (
        interruptible(f"Stopped. {advice}"),
        import_errors.fault_writer(errors, [], append=True) as on_reject,
        unpack_recordings(paths, media.rows) as (folder, rows),
        open_services() as services,
    ):
        person = services.person(options.by)
        recording_import = RecordingImport(folder, person, defaults, approve=options.approve)
        recording_list = RecordingList(media.list_name, folder, rows)
        report = _with_progress(services, recording_import, recording_list)
        for fault in report.faults:
            on_reject(fault)
    typer.echo("Recordings:")
    _show_report(report, person, dry_run=False, errors=errors)


def _with_progress(
    services: CommandServices, recording_import: RecordingImport, recording_list: RecordingList | None = None
) -> RecordingReport:
    console = Console(stderr=True)
    columns = (TextColumn("recordings"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("recordings", total=None)

        def on_progress(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        parts = (services.database, services.recordings, recording_import)
        if recording_list is not None:
            return services.run(import_list(*parts, recording_list, on_progress))
        return services.run(import_recordings(*parts, on_progress))


def _show_report(report: RecordingReport, person: Person | None, *, dry_run: bool, errors: Path | None) -> None:
    import_errors.show_faults(report.faults, len(report.faults), errors)
    if report.left_out:
        names = ", ".join(report.left_out[:MAX_NAMED]) + ", …" * (len(report.left_out) > MAX_NAMED)
        typer.echo(f"No row names {len(report.left_out):,} of the recordings in the folder: {names}", err=True)
    if report.clipped:
        typer.echo(f"{report.clipped:,} of the new recordings {'is' if report.clipped == 1 else 'are'} overdriven.")
    if dry_run and person is None:
        typer.echo("With --by, the program also reports which of them were imported before.")
    typer.echo(_last_line(report, dry_run=dry_run))


def _last_line(report: RecordingReport, *, dry_run: bool) -> str:
    new, length = pluralize(report.new, "new one"), f"({report.milliseconds / 1000:,.0f} s)"
    if report.approved:
        summary = f"{new} {length}; {report.approved:,} approved"
    else:
        summary = f"{new} {'would wait' if dry_run else 'waits' if report.new == 1 else 'wait'} for review {length}"
    existing = pluralize(report.before, "was there before", "were there before")
    parts = (pluralize(report.rows, "row"), summary, existing, f"{len(report.faults):,} rejected")
    return "; ".join(parts) + "."
