"""`abhidhan import`, `export` and `downloads`: files of many formats into the dictionary, and out of it."""

import shutil
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.cli import faults, guesses
from abhidhan.cli.targets import STANDARD_OUTPUT, refuse_database, stoppable
from abhidhan.domain.incoming import Policy
from abhidhan.domain.records import SourceRecord
from abhidhan.errors import InputError, quoted
from abhidhan.formats import mapping
from abhidhan.formats.exporters import EXPORTERS
from abhidhan.formats.files import plain_files, size_of
from abhidhan.formats.importers import IMPORTERS
from abhidhan.formats.reading import Options
from abhidhan.services import checking
from abhidhan.services.exchange import downloads, exporting, importing
from abhidhan.services.exchange.exporting import Exported
from abhidhan.services.exchange.importing import Import, Report
from abhidhan.services.exchange.review import LeftOut, Reviewed
from abhidhan.settings import read_settings
from abhidhan.storage.dump import Choice
from abhidhan.storage.engine.database import Database
from abhidhan.storage.loading import Loaded

MOST_SHOWN = 20
"""How many names that mean nothing are shown."""

FORMATS_HELP = "\n\n".join(f"{name}: {one.about}" for name, one in IMPORTERS.items())

ADDRESSES = ("http:/", "https:/", "ftp:/")
"""How addresses begin, once a slash of two is taken for one of a path."""

KINDS = {
    "idea": "ideas",
    "word": "words",
    "sense": "meanings",
    "definition": "definitions",
    "example": "examples",
    "idea_relation": "relations",
    "idea_context": "contexts",
    "word_form": "forms",
    "phrase": "proverbs and idioms",
    "card_set": "card sets",
    "card": "cards",
    "language": "languages",
    "list_item": "list items",
    "source": "sources",
    "filled": "records filled",
    "replaced": "records replaced",
}
"""What the report counts, in its order."""


EXPORTS_HELP = "\n\n".join(
    [f"{name}: {one.about}" for name, one in EXPORTERS.items()] + ["sqlite: a read-only SQLite database"]
)


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.command("import", epilog=f"Formats:\n\n{FORMATS_HELP}")(import_files)
    program.command("export", epilog=f"Formats:\n\n{EXPORTS_HELP}")(export_file)
    program.command("downloads")(make_downloads)


def import_files(  # noqa: PLR0913  # each is an option of the command
    file_format: Annotated[str, typer.Argument(metavar="FORMAT", help="The format of the files; see below.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files and folders, compressed or not.")],
    *,
    source: Annotated[str, typer.Option(help="A short code for the source, such as hemkosh.")] = "",
    source_name: Annotated[str, typer.Option(help="The full name of the source.")] = "",
    licence: Annotated[
        str, typer.Option(help="The licence of the source, preferably its SPDX name, such as CC-BY-4.0.")
    ] = "",
    url: Annotated[str, typer.Option(help="The web address of the source.")] = "",
    attribution: Annotated[str, typer.Option(help="Whom to credit.")] = "",
    language: Annotated[str, typer.Option("--language", "-l", help="The language of the headwords, as a code.")] = "",
    target: Annotated[str, typer.Option("--target", "-t", help="The language of the translations, as a code.")] = "",
    mapping_file: Annotated[
        Path | None, typer.Option("--mapping", help="A TOML file that says what the columns and values mean.")
    ] = None,
    maps: Annotated[
        list[str] | None,
        typer.Option("--map", help="What a value means here, such as language:ast=as or pos:noun='Common Noun'."),
    ] = None,
    encoding: Annotated[str, typer.Option(help="The encoding of the files, if it is not detected.")] = "",
    category: Annotated[str, typer.Option(help="The category (FJCAT) of proverbs that have none of their own.")] = "",
    on_conflict: Annotated[
        Policy,
        typer.Option(help="If a record exists already: keep it, fill its gaps, or replace it."),
    ] = Policy.FILL,
    batch: Annotated[
        int | None, typer.Option(min=1, help="New words per transaction; chosen automatically by default.")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Send the records to the review queue instead, a thousand at a time.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done; change nothing.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Import nothing, and exit with status 1, if anything is rejected.")
    ] = False,
    errors: Annotated[Path | None, typer.Option(help="Write everything that is rejected to this file.")] = None,
) -> None:
    """Import files into the dictionary. Importing the same file again changes nothing."""
    _refuse_addresses(files)
    read = mapping.read_mapping(mapping_file, maps or [])
    options = Options(
        source=_source(SourceRecord(source, source_name or source, licence, url or None, attribution or None)),
        language=language or None,
        target=target or None,
        encoding=encoding or None,
        category=category or None,
        columns=read.columns,
        values=read.values,
    )
    wanted = Import(file_format, tuple(files), options, on_conflict, dry_run, batch, review, strict)
    report = _import(wanted, errors)
    _tell(report, dry_run=dry_run or report.refused, errors=errors)
    if strict and report.loaded.rejected:
        raise typer.Exit(1)


def _import(wanted: Import, errors: Path | None) -> Report:
    settings = read_settings()
    if errors is not None:
        refuse_database(errors, settings)
    with stoppable(_left_by(wanted)):
        if wanted.dry_run:
            guesses.tell(importing.guess_columns(wanted))
        with open_dictionary(settings) as database:
            return _with_progress(database, wanted, errors)


def _refuse_addresses(files: list[Path]) -> None:
    for file in files:
        if str(file).startswith(ADDRESSES) and not file.exists():
            raise InputError.of(
                "file", "Files are not fetched over the network: download it first, then import the file."
            )


def _left_by(wanted: Import) -> str:
    """Say what an import leaves behind that is stopped midway."""
    if wanted.dry_run:
        return "Stopped. The dictionary has not changed."
    if wanted.review:
        return "Stopped. What was sent for review stays; run the same import again to send the rest."
    return "Stopped. What was imported so far stays; run the same import again to finish it."


def _source(described: SourceRecord) -> SourceRecord | None:
    """Take the source that the options describe; None when they describe none. Raises InputError for half of one."""
    if described.code:
        return described
    if described.licence or described.name:
        raise InputError.of("source", "--licence and --source-name need a source: give its code with --source.")
    return None


def export_file(  # noqa: PLR0913  # each is an option of the command
    file_format: Annotated[str, typer.Argument(metavar="FORMAT", help="The format of the file; see below.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The file or folder to write to; - for standard output. By default, the usual file name.",
        ),
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", "-l", help="Only words of these languages.")
    ] = None,
    beside: Annotated[
        list[str] | None, typer.Option(help="With --language: also include words of these other languages.")
    ] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only ideas from these sources.")] = None,
    context: Annotated[
        list[str] | None, typer.Option(help="Only ideas in these contexts and the contexts under them.")
    ] = None,
    pos: Annotated[list[str] | None, typer.Option(help="Only ideas with these parts of speech.")] = None,
) -> None:
    """Export the dictionary, or part of it, to a file that other programs can open."""
    settings = read_settings()
    usual = exporting.file_name(file_format)
    target = output / usual if output and output.is_dir() else output or Path(usual)
    refuse_database(target, settings)
    with stoppable("Stopped. No file was written."), open_dictionary(settings) as database:
        catalogue = database.read_now(lambda reader: reader.catalogue)
        choice = exporting.choose(
            catalogue,
            languages=language or (),
            beside=beside or (),
            sources=source or (),
            contexts=context or (),
            parts_of_speech=pos or (),
        )
        if target == STANDARD_OUTPUT:
            written = _write_out(database, file_format, choice)
        else:
            written = exporting.export(database, file_format, target, choice)
    said = f"{target}: {written.size:,} bytes, SHA-256 {written.sha256}. Licences: {written.licences}."
    typer.echo(said, err=target == STANDARD_OUTPUT)


def _write_out(database: Database, file_format: str, choice: Choice) -> Exported:
    """Write a file to the standard output, once all of it is there."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "export"
        written = exporting.export(database, file_format, file, choice)
        with file.open("rb") as stream:
            shutil.copyfileobj(stream, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return written


def make_downloads() -> None:
    """Make the files that everyone can download, unless they are up to date."""
    settings = read_settings()
    with stoppable("Stopped. The files offered before stay."), open_dictionary(settings) as database:
        checking.fill_idea_cache(database)
        made = downloads.make_downloads(
            database, settings.downloads, now=int(time.time()), languages=settings.languages_of_downloads
        )
    for code in settings.languages_of_downloads:
        if not any(one.language.casefold() == code.casefold() for one in made.files):
            typer.echo(f"There are no words in {code}, so it gets no files of its own.", err=True)
    for one in made.files:
        typer.echo(f"{one.sha256}  {one.file}")


def _with_progress(database: Database, wanted: Import, errors: Path | None) -> Report:
    importing.importer_named(wanted.format)
    size = sum(size_of(file) for file in plain_files(wanted.paths))
    console = Console(stderr=True)
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with (
        faults.written(errors, wanted.paths) as rejected,
        Progress(
            TextColumn("{task.description}"),
            *columns,
            console=console,
            transient=True,
            disable=not console.is_terminal,
        ) as progress,
    ):
        task = progress.add_task("reading", total=size)

        def told(done: Loaded) -> None:
            progress.update(task, description=f"{done.counts.get('word', 0):,} new words")

        return importing.import_files(
            database,
            wanted,
            now=int(time.time()),
            read=lambda count: progress.advance(task, count),
            told=told,
            rejected=rejected,
        )


def _tell(report: Report, *, dry_run: bool, errors: Path | None) -> None:
    console = Console(highlight=False)
    loaded = report.loaded
    table = Table(show_header=False, title="Would be new" if dry_run else "New", title_justify="left")
    for name, shown in KINDS.items():
        if loaded.counts.get(name):
            table.add_row(shown, f"{loaded.counts[name]:,}")
    if table.row_count:
        console.print(table)
    if loaded.brought or loaded.same:
        more = "would bring" if dry_run else "brought"
        console.print(
            f"Of existing ideas and phrases: {loaded.brought:,} records {more} something new, "
            f"{loaded.same:,} were the same.",
            soft_wrap=True,
        )
    for language in report.languages:
        console.print(f"New language: {language.code} {language.name}", markup=False)
    for (kind, name), times in sorted(report.unknown.items())[:MOST_SHOWN]:
        said = f"Unknown {kind} {quoted(name)}, {times:,} times: left out. Map it with --map '{kind}:{name}=…'."
        console.print(said, markup=False, soft_wrap=True)
    faults.tell(loaded.faults, loaded.rejected, errors)
    for line in (*_finished(report, dry_run=dry_run), *_left_out(report.reviewed)):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_last_line(report, dry_run=dry_run), soft_wrap=True)


def _finished(report: Report, *, dry_run: bool) -> Iterator[str]:
    for one in report.finished:
        named = f" of {', '.join(one.sources)}" if one.sources else ""
        ends = "would be finished" if dry_run else "is finished"
        yield f"The import{named} that was interrupted on {datetime.fromtimestamp(one.at, tz=UTC):%Y-%m-%d} {ends} now."


LEFT_OUT = {
    LeftOut.THERE: "{count:,} records are already there, complete.",
    LeftOut.NO_WORD: "{count:,} sets of inflected forms belong to words that are not there: "
    "run the same import again once their words are approved.",
    LeftOut.LIST_VALUE: "{count:,} list values cannot be reviewed: import them without --review, "
    "or add them at /edit/lists.",
}
"""What is said of records that do not wait for review."""


def _left_out(reviewed: Reviewed | None) -> Iterator[str]:
    for reason, said in LEFT_OUT.items():
        count = reviewed.left_out.get(reason, 0) if reviewed else 0
        if count:
            yield said.format(count=count)


def _last_line(report: Report, *, dry_run: bool) -> str:
    loaded, reviewed = report.loaded, report.reviewed
    if report.refused:
        return f"Nothing was imported, since {loaded.rejected:,} would be rejected: fix them, or leave out --strict."
    if reviewed is not None:
        waiting = f"{reviewed.waiting:,} records {'would wait' if dry_run else 'wait'} for review now"
        before = f"; {reviewed.before:,} were sent before" if reviewed.before else ""
        left = f"; {reviewed.left:,} are left: run the same import again once these have been reviewed" * bool(
            reviewed.left
        )
        return f"{waiting}{before}{left}; {loaded.rejected:,} rejected."
    done = "would be imported" if dry_run else "imported"
    if not loaded.changed:
        done = "Nothing new"
    else:
        done = f"{loaded.counts.get('idea', 0):,} ideas and {loaded.counts.get('word', 0):,} words {done}"
    return f"{done}; {loaded.rejected:,} rejected."
