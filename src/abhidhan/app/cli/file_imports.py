"""Implementation of `abhidhan import`, with progress display and report."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from abhidhan.app.cli import dataset_recordings, import_errors, import_report
from abhidhan.app.cli.common import check_output_file, interruptible, load_command_settings
from abhidhan.app.cli.import_report import show_report
from abhidhan.app.database import open_dictionary
from abhidhan.exchange.model import OnStep, Phase
from abhidhan.exchange.service import import_files as incoming_files
from abhidhan.exchange.service import importing
from abhidhan.exchange.service.importing import ImportReport, ImportRequest
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import IMPORTERS
from abhidhan.formats.tables.columns import read_mapping
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError, pluralize
from abhidhan.records.kinds import SourceRecord

URL_PREFIXES = ("http:/", "https:/", "ftp:/")
"""Prefixes of URLs after `Path` has collapsed their two slashes into one."""


def build_options(
    source_record: SourceRecord,
    mapping_file: Path | None,
    maps: list[str] | None,
    columns: str,
    texts: tuple[str, str, str, str],
) -> ImportOptions:
    """Build the import options from the command's options. Raises InputError.

    `texts` is the language, target, encoding and category; an empty text counts as not given.
    """
    mapping = read_mapping(mapping_file, maps or [], columns)
    language, target, encoding, category = (text or None for text in texts)
    return ImportOptions(
        source=_parse_source(source_record),
        language=language,
        target=target,
        encoding=encoding,
        category=category,
        header=mapping.header,
        columns=mapping.columns,
        values=mapping.values,
    )


def _print_result(report: ImportReport, request: ImportRequest, report_file: Path | None) -> None:
    """Print the report; exit with status 1 if --strict found rejected records or a removal was refused."""
    show_report(report, dry_run=request.dry_run or report.refused, report_file=report_file)
    if request.strict and request.dry_run and report.loaded.rejected:
        typer.echo("With --strict, nothing would be imported.")
    if (request.strict and report.loaded.rejected) or report.update_counts.refused:
        raise typer.Exit(1)


def import_files(
    request: ImportRequest,
    report_file: Path | None,
    recording_texts: tuple[str, str, str],
    account_options: tuple[str, bool],
) -> None:
    """Import files and their recordings, and print the report.

    For recordings, `recording_texts` is the speaker, place and licence, and `account_options` the name of the account
    and whether it also approves them. Raises InputError, ConflictError.
    """
    _refuse_urls(request.paths)
    if request.mirror and request.review:
        raise InputError.of("mirror", "--mirror cannot be used with --review: a review removes nothing.")
    settings = load_command_settings()
    if report_file is not None:
        check_output_file(report_file, settings)
    with interruptible(_format_interrupt_message(request)):
        if request.dry_run:
            import_report.show_column_guesses(incoming_files.guess_columns(request))
        with open_dictionary(settings, with_lists=request.review) as database:
            report = _import_with_progress(database, request, report_file)
    _print_result(report, request, report_file)
    if IMPORTERS[request.format].recordings:
        dataset_recordings.import_dataset_recordings(request, report, recording_texts, account_options, report_file)


def _refuse_urls(files: Iterable[Path]) -> None:
    for file in files:
        if str(file).startswith(URL_PREFIXES) and not file.exists():
            raise InputError.of(
                "file", "Files are not fetched over the network: download it first, then import the file."
            )


def _format_interrupt_message(request: ImportRequest) -> str:
    """Return the message for Ctrl+C, which says what the import has changed so far."""
    if request.dry_run:
        return "Stopped. The dictionary has not changed."
    if request.review:
        return "Stopped. The submissions sent so far stay; run the same import again to send the rest."
    return "Stopped. The records imported so far stay; run the same import again to finish it."


def _parse_source(source_record: SourceRecord) -> SourceRecord | None:
    """Return the source of the options; None if none describes one. Raises InputError if only its code is missing."""
    if source_record.code:
        return source_record
    if source_record.licence or source_record.name:
        raise InputError.of("source", "--licence and --source-name need a source: give its code with --source.")
    return None


def _import_with_progress(database: Database, request: ImportRequest, report_file: Path | None) -> ImportReport:
    incoming_files.find_importer(request)
    with import_errors.open_error_report(report_file, request.paths) as write, show_phase_progress() as phases:
        return importing.import_files(
            database,
            request,
            now=int(time.time()),
            on_phase=phases.start_phase,
            on_progress=lambda done: phases.show_result(pluralize(done.counts.get("word", 0), "new word")),
            on_reject=write,
            on_report=write,
            on_left_out=write,
            on_lost=write,
            may_remove=phases.hide_during(_confirm_removal),
        )


def _confirm_removal(missing: int, total: int) -> bool:
    """Ask for confirmation of a large removal by --mirror; without a terminal, refuse it."""
    if not sys.stdin.isatty():
        return False
    share = f"{missing:,} of {pluralize(total, 'record')} of a source"
    question = f"{share} are missing from the file, at least in part. Remove the missing data?"
    return typer.confirm(question, err=True)


PHASE_LABELS = {
    Phase.COPYING: "Copying the dictionary for a trial",
    Phase.CHECKING: "Checking packed files",
    Phase.READING: "Reading and storing",
    Phase.LINKING: "Storing relations and flashcards",
    Phase.IDEA_CACHE: "Preparing answers",
    Phase.SOUND_INDEX: "Indexing words by sound",
    Phase.PREFIX_LISTS: "Indexing words by prefix",
}
"""Labels of the phases of an import."""


class PhaseProgress:
    """Progress display of an import, with one line for each phase; only the last line is still running."""

    def __init__(self, progress: Progress) -> None:
        """Show the lines in a progress display."""
        self._progress = progress
        self._task: TaskID | None = None
        self._result = ""

    def start_phase(self, phase: Phase, total: int | None) -> OnStep:
        """Start a phase on a new line; return the function that advances it. Without a total there is no percentage."""
        self._finish_phase()
        task = self._progress.add_task(PHASE_LABELS[phase], total=total, said="")
        self._task = task
        self.show_result(self._result if phase is Phase.READING else "")
        return lambda count: self._progress.advance(task, count)

    def show_result(self, result: str) -> None:
        """Show the result so far on the current line."""
        self._result = result or self._result
        if self._task is not None:
            self._progress.update(self._task, said=result)

    def hide_during(self, ask: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
        """Wrap a function that asks the user, so that the progress lines are hidden while it runs."""

        def ask_without_progress(missing: int, total: int) -> bool:
            self._progress.stop()
            try:
                return ask(missing, total)
            finally:
                self._progress.start()

        return ask_without_progress

    def _finish_phase(self) -> None:
        """Mark the current line as finished."""
        if self._task is not None:
            total = self._progress.tasks[self._task].total or 1
            self._progress.update(self._task, total=total, completed=total)
            self._progress.stop_task(self._task)


@contextmanager
def show_phase_progress() -> Iterator[PhaseProgress]:
    """Show progress lines of the phases during the block, if standard error is a terminal."""
    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("{task.fields[said]}"))
    with Progress(
        TextColumn("{task.description}"), *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        yield PhaseProgress(progress)
