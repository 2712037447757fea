"""`abhidhan validate`: what an import would reject of files, as a report for whoever made them."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.cli.import_progress import showing_phases
from abhidhan.cli.import_report import lost_line
from abhidhan.cli.imports import Columns, Encoding, Files, Headwords, MappingFile, Maps, Translations
from abhidhan.cli.ownership import settings_of_command
from abhidhan.cli.targets import refuse_database, stoppable
from abhidhan.domain.counted import counted
from abhidhan.domain.fault_reports import kind_of, rows_of
from abhidhan.domain.incoming import Fault
from abhidhan.domain.records import SourceRecord
from abhidhan.errors import InputError, cannot_be_written, quoted
from abhidhan.formats import mapping, recording_lists
from abhidhan.formats.guessing import guess_format
from abhidhan.formats.reading import Options
from abhidhan.formats.writing.fault_files import FaultFile, form_of
from abhidhan.services.exchange import importing, incoming_files
from abhidhan.services.exchange.importing import Import, Report

SHOWN: Final = 20
"""Maximum number of faults, and of names that mean nothing, that the terminal shows."""

MOST_KINDS: Final = 1000
"""Maximum number of kinds that are told apart; there are some sixty."""

EXIT_FAULTS: Final = 1

NAMELESS: Final = frozenset({"csv", "dictd", "dictpress", "dsl", "lift", "pairs", "proverbs", "stardict", "tei"})
"""Formats whose files do not say where they come from."""

UNNAMED: Final = SourceRecord("validated", "The file", "CC0-1.0")
"""Stands for the source of such files: to check them, it is not needed."""

COULD_COME: Final = (("idea", "idea"), ("word", "word"), ("phrase", "proverb"))
"""What the last line counts: the kinds of records, and what one of each is called."""

FileFormat = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help="The format, as of `abhidhan import`.", show_default="told by the files"
    ),
]
ReportFile = Annotated[
    Path | None, typer.Option(help="Write everything that is wrong to this file: .txt, .csv or .json.")
]
WithDictionary = Annotated[
    bool, typer.Option("--with-dictionary", help="Check them against a copy of the dictionary, too.")
]


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command()(validate)


def validate(  # noqa: PLR0913  # each is an option of the command
    files: Files,
    *,
    file_format: FileFormat = "",
    report: ReportFile = None,
    with_dictionary: WithDictionary = False,
    language: Headwords = "",
    target: Translations = "",
    mapping_file: MappingFile = None,
    maps: Maps = None,
    columns: Columns = "",
    encoding: Encoding = "",
) -> None:
    """Check files without importing them, and write a report to send back to whoever made them."""
    name = _format_of(files, file_format)
    read = mapping.read_mapping(mapping_file, maps or [], columns)
    options = Options(
        source=UNNAMED if name in NAMELESS else None,
        language=language or None,
        target=target or None,
        encoding=encoding or None,
        header=read.header,
        columns=read.columns,
        values=read.values,
    )
    wanted = Import(name, tuple(files), options)
    with stoppable("Stopped. Nothing was imported."), _report_writer(report, files) as writer:
        found = _Findings(writer, is_alone=not with_dictionary)
        tried = _try(wanted, found, with_dictionary=with_dictionary)
        if writer is not None:
            writer.end(found.kinds)
    _tell(tried, found, report)
    if found.rejected:
        raise typer.Exit(EXIT_FAULTS)


def _format_of(files: list[Path], told: str) -> str:
    """Return the format: that which is told, else that which the files look like. Raises InputError."""
    if told == recording_lists.FORMAT:
        raise InputError.of(
            "format", "Recordings are checked as they are imported: abhidhan import recordings … --dry-run."
        )
    if told:
        incoming_files.importer_named(told)
        return told
    guessed = guess_format(files)
    typer.echo(f"Read as {guessed}; --format names another format.")
    return guessed


def _try(wanted: Import, found: "_Findings", *, with_dictionary: bool) -> Report:
    with ExitStack() as stack:
        database = stack.enter_context(open_dictionary(settings_of_command())) if with_dictionary else None
        shown = stack.enter_context(showing_phases())
        return importing.try_files(
            database,
            wanted,
            now=int(time.time()),
            on_phase=shown.begin,
            on_reject=found.take,
            on_left_out=found.take,
        )


class _Findings:
    """What is found wrong: the first of it to show, all of it counted, and written where a file is wanted."""

    def __init__(self, writer: FaultFile | None, *, is_alone: bool) -> None:
        self.first: list[Fault] = []
        self.kinds: Counter[str] = Counter()
        self.rejected = 0
        self.of_dictionary = 0
        """How much could only be told by a dictionary, which was not looked into."""
        self._writer = writer
        self._is_alone = is_alone

    def take(self, fault: Fault) -> None:
        """Take the next fault."""
        if fault.is_of_dictionary and self._is_alone:
            self.of_dictionary += 1
            return
        self.rejected += 1
        if len(self.first) < SHOWN:
            self.first.append(fault)
        for row in rows_of(fault):
            kind = kind_of(row.what)
            self.kinds[kind if kind in self.kinds or len(self.kinds) < MOST_KINDS else "Other faults."] += 1
            if self._writer is not None:
                self._writer.add(row)


@contextmanager
def _report_writer(file: Path | None, checked: list[Path]) -> Iterator[FaultFile | None]:
    """Open the file of the report. Raises InputError for one that is no place for it, UnwritableError."""
    if file is None:
        yield None
        return
    form = form_of(file)
    if any(file.resolve().is_relative_to(each.resolve()) for each in checked):
        raise InputError.of("report", f"{file} is one of the files to be checked: choose another one for --report.")
    refuse_database(file, settings_of_command())
    try:
        with file.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            yield form(stream)
    except OSError as error:
        raise cannot_be_written(file, error) from error


def _tell(tried: Report, found: _Findings, file: Path | None) -> None:
    """Print what was found: the first faults, the counts, what means nothing here, and a last line."""
    for fault in found.first:
        typer.echo(str(fault), err=True)
    if found.rejected > SHOWN:
        typer.echo(f"... and {found.rejected - SHOWN:,} more.", err=True)
    for kind, count in found.kinds.most_common(SHOWN):
        typer.echo(f"{count:>9,}  {kind}")
    for (kind, name), times in sorted(tried.unknown.items())[:SHOWN]:
        typer.echo(f"Unknown {kind} {quoted(name)}, {counted(times, 'time')}: an import would leave it out.")
    for field in tried.lost:
        typer.echo(lost_line(field))
    if found.of_dictionary:
        needs = counted(found.of_dictionary, "record needs", "records need")
        typer.echo(f"{needs} others to be there: --with-dictionary checks whether they are.")
    counts = tried.loaded.counts
    ideas, words, proverbs = (counted(counts.get(name, 0), said) for name, said in COULD_COME)
    lost = sum(field.times for field in tried.lost)
    not_kept = f"; {counted(lost, 'value')} would not be kept" if lost else ""
    typer.echo(f"{counted(found.rejected, 'fault')}; {ideas}, {words} and {proverbs} could be imported{not_kept}.")
    if file is not None:
        typer.echo(f"{file} has the report.")
