"""`abhidhan import recordings`: import a folder of recordings with a list of their texts."""

from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from abhidhan.app.cli import import_errors
from abhidhan.app.cli.common import interruptible
from abhidhan.app.cli.people import CommandServices, open_command_services
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

MAX_SHOWN_FILES = 5
"""Maximum number of unlisted files that are printed."""

ACCOUNT_MISSING_MESSAGE = (
    "Which account submits these recordings, and can withdraw them? Give it with --by NAME; only --dry-run needs none."
)


class RecordingImportOptions(NamedTuple):
    """Options of an import of recordings: the account, the encoding of the list, a dry run, and approval."""

    account: str
    encoding: str
    dry_run: bool
    approve: bool


def import_folder(
    paths: list[Path], texts: tuple[str, str, str, str], options: RecordingImportOptions, report_file: Path | None
) -> None:
    """Import recordings, and print the report. Importing the same list again changes nothing.

    `texts` is the language, speaker, place and licence of all recordings; an empty text leaves it to the list.
    """
    if len(paths) != 1:
        raise InputError.of("file", "Recordings are imported from one folder, or one list, at a time.")
    if not (options.account or options.dry_run):
        raise InputError.of("by", ACCOUNT_MISSING_MESSAGE)
    advice = "The dictionary has not changed." if options.dry_run else "Run the same import again to import the rest."
    with (
        interruptible(f"Stopped. {advice}"),
        import_errors.open_error_report(report_file, []) as on_reject,
        open_command_services() as services,
    ):
        person = services.find_person(options.account) if options.account else None
        defaults = RecordingDefaults(*(text or None for text in texts))
        recording_import = RecordingImport(
            paths[0], person, defaults, options.encoding or None, options.dry_run, options.approve
        )
        report = _import_with_progress(services, recording_import)
        for fault in report.errors:
            on_reject(fault)
    _show_report(report, person, dry_run=options.dry_run, report_file=report_file)


def import_media(
    paths: list[Path],
    media: MediaRecordings,
    defaults: RecordingDefaults,
    options: RecordingImportOptions,
    report_file: Path | None,
) -> None:
    """Import the recordings of a data set whose words are already imported, and print the report."""
    advice = "Run the same import again to import the rest."
    with (
        interruptible(f"Stopped. {advice}"),
        import_errors.open_error_report(report_file, [], append=True) as on_reject,
        unpack_recordings(paths, media.rows) as (folder, rows),
        open_command_services() as services,
    ):
        person = services.find_person(options.account)
        recording_import = RecordingImport(folder, person, defaults, approve=options.approve)
        recording_list = RecordingList(media.table_file, folder, rows)
        report = _import_with_progress(services, recording_import, recording_list)
        for fault in report.errors:
            on_reject(fault)
    typer.echo("Recordings:")
    _show_report(report, person, dry_run=False, report_file=report_file)


def _import_with_progress(
    services: CommandServices, recording_import: RecordingImport, recording_list: RecordingList | None = None
) -> RecordingReport:
    console = Console(stderr=True)
    columns = (TextColumn("recordings"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("recordings", total=None)

        def on_progress(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        arguments = (services.database, services.recordings, recording_import)
        if recording_list is not None:
            return services.run(import_list(*arguments, recording_list, on_progress))
        return services.run(import_recordings(*arguments, on_progress))


def _show_report(report: RecordingReport, person: Person | None, *, dry_run: bool, report_file: Path | None) -> None:
    import_errors.show_errors(report.errors, len(report.errors), report_file)
    if report.unlisted_files:
        names = ", ".join(report.unlisted_files[:MAX_SHOWN_FILES]) + ", …" * (
            len(report.unlisted_files) > MAX_SHOWN_FILES
        )
        typer.echo(f"No row names {len(report.unlisted_files):,} of the recordings in the folder: {names}", err=True)
    if report.clipped:
        typer.echo(f"{report.clipped:,} of the new recordings {'is' if report.clipped == 1 else 'are'} overdriven.")
    if dry_run and person is None:
        typer.echo("With --by, the program also reports which of them were imported before.")
    typer.echo(_format_summary(report, dry_run=dry_run))


def _format_summary(report: RecordingReport, *, dry_run: bool) -> str:
    new, length = pluralize(report.new, "new one"), f"({report.milliseconds / 1000:,.0f} s)"
    if report.approved:
        summary = f"{new} {length}; {report.approved:,} approved"
    else:
        summary = f"{new} {'would wait' if dry_run else 'waits' if report.new == 1 else 'wait'} for review {length}"
    existing = pluralize(report.already_imported, "was there before", "were there before")
    parts = (pluralize(report.rows, "row"), summary, existing, f"{len(report.errors):,} rejected")
    return "; ".join(parts) + "."
