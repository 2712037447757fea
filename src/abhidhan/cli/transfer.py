"""`abhidhan import`, `export` and `downloads`: files of many formats into the dictionary, and out of it."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from abhidhan.cli import guesses
from abhidhan.domain.incoming import Policy
from abhidhan.domain.records import SourceRecord
from abhidhan.errors import InputError
from abhidhan.formats import mapping
from abhidhan.formats.exporters import EXPORTERS
from abhidhan.formats.files import plain_files
from abhidhan.formats.importers import IMPORTERS
from abhidhan.formats.reading import Options
from abhidhan.opening import open_dictionary
from abhidhan.services import downloads, exchange, exporting
from abhidhan.services.exchange import Import, Report
from abhidhan.settings import read_settings
from abhidhan.storage.database import Database
from abhidhan.storage.loading import Loaded

SHOWN_FAULTS = 20
"""How many faults are shown; all of the first thousand with --errors."""

FORMATS_HELP = "\n\n".join(f"{name}: {one.about}" for name, one in IMPORTERS.items())

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
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files and folders, packed or not.")],
    *,
    source: Annotated[str, typer.Option(help="The code of the source: a short name, such as hemkosh.")] = "",
    source_name: Annotated[str, typer.Option(help="Its name in full.")] = "",
    licence: Annotated[str, typer.Option(help="Its licence, best by its SPDX name, such as CC-BY-4.0.")] = "",
    url: Annotated[str, typer.Option(help="Its address.")] = "",
    attribution: Annotated[str, typer.Option(help="Whom to name.")] = "",
    language: Annotated[str, typer.Option("--language", "-l", help="The language of the headwords: a code.")] = "",
    target: Annotated[str, typer.Option("--target", "-t", help="The language of the translations.")] = "",
    mapping_file: Annotated[
        Path | None, typer.Option("--mapping", help="A TOML file that says what the columns and values mean.")
    ] = None,
    maps: Annotated[
        list[str] | None,
        typer.Option("--map", help="What a value means here, such as language:ast=as or pos:noun='Common Noun'."),
    ] = None,
    encoding: Annotated[str, typer.Option(help="The encoding of the files, where it is not seen by itself.")] = "",
    category: Annotated[str, typer.Option(help="The category (FJCAT) of proverbs that have none of their own.")] = "",
    on_conflict: Annotated[
        Policy,
        typer.Option(help="What becomes of a record that is there: it is kept, its gaps are filled, or replaced."),
    ] = Policy.FILL,
    batch: Annotated[
        int | None, typer.Option(min=1, help="New words that one transaction holds; left out, what suits.")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Let ideas and proverbs wait for an editor instead; some at a time.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be done; keep nothing.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 when anything was rejected.")] = False,
    errors: Annotated[Path | None, typer.Option(help="Write every line that was rejected to this file.")] = None,
) -> None:
    """Import files into the dictionary. What is there already is never lost; the same file again changes nothing."""
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
    wanted = Import(file_format, tuple(files), options, on_conflict, dry_run, batch, review)
    if dry_run:
        guesses.tell(exchange.guess_columns(wanted))
    with open_dictionary(read_settings()) as database:
        report = _with_progress(database, wanted)
    _tell(report, dry_run=dry_run, errors=errors)
    if strict and report.loaded.rejected:
        raise typer.Exit(1)


def _source(described: SourceRecord) -> SourceRecord | None:
    """Take the source that the options describe; None when they describe none. Raises InputError for half of one."""
    if described.code:
        return described
    if described.licence or described.name:
        raise InputError.of("source", "--licence and --source-name belong to a source: name it with --source.")
    return None


def export_file(  # noqa: PLR0913  # each is an option of the command
    file_format: Annotated[str, typer.Argument(metavar="FORMAT", help="The format of the file; see below.")],
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; left out, its usual name.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", "-l", help="Only words of these languages.")
    ] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only ideas of these sources.")] = None,
    context: Annotated[
        list[str] | None, typer.Option(help="Only ideas of these contexts and those under them.")
    ] = None,
    pos: Annotated[list[str] | None, typer.Option(help="Only ideas of these parts of speech.")] = None,
) -> None:
    """Write the dictionary, or what is chosen of it, into a file that other programs open."""
    target = output or Path(exporting.file_name(file_format))
    with open_dictionary(read_settings()) as database:
        catalogue = database.read_now(lambda reader: reader.catalogue)
        choice = exporting.choose(
            catalogue,
            languages=language or (),
            sources=source or (),
            contexts=context or (),
            parts_of_speech=pos or (),
        )
        written = exporting.export(database, file_format, target, choice)
    typer.echo(f"{target}: {written.size:,} bytes, SHA-256 {written.sha256}. Licences: {written.licences}.")


def make_downloads() -> None:
    """Make the files that anybody may download, unless they are of the present data already."""
    settings = read_settings()
    with open_dictionary(settings) as database:
        made = downloads.make_downloads(database, settings.downloads, now=int(time.time()))
    for one in made.files:
        typer.echo(f"{one.sha256}  {one.file}")


def _with_progress(database: Database, wanted: Import) -> Report:
    size = sum(file.stat().st_size for file in plain_files(wanted.paths))
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("reading", total=size)

        def told(done: Loaded) -> None:
            progress.update(task, description=f"{done.counts.get('word', 0):,} new words")

        return exchange.import_files(
            database, wanted, now=int(time.time()), read=lambda count: progress.advance(task, count), told=told
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
            f"Of ideas and phrases that were there: {loaded.brought:,} records {more} something new, "
            f"{loaded.same:,} were the same.",
            soft_wrap=True,
        )
    for language in report.languages:
        console.print(f"New language: {language.code} {language.name}", markup=False)
    for (kind, name), times in sorted(report.unknown.items())[:SHOWN_FAULTS]:
        said = f"Unknown {kind} {name!r}, {times:,} times: left out. Map it with --map '{kind}:{name}=…'."
        console.print(said, markup=False, soft_wrap=True)
    if errors is not None:
        errors.write_text("".join(f"{fault}\n" for fault in loaded.faults), "utf-8")
    for fault in loaded.faults[: 0 if errors else SHOWN_FAULTS]:
        typer.echo(str(fault), err=True)
    left = loaded.rejected - min(len(loaded.faults), SHOWN_FAULTS)
    if left > 0 and errors is None:
        typer.echo(f"... and {left:,} more. --errors FILE writes the first thousand into a file.", err=True)
    console.print(_last_line(report, dry_run=dry_run), soft_wrap=True)


def _last_line(report: Report, *, dry_run: bool) -> str:
    loaded, reviewed = report.loaded, report.reviewed
    if reviewed is not None:
        waiting = f"{reviewed.waiting:,} records {'would wait' if dry_run else 'wait'} for review now"
        before = f"; {reviewed.before:,} were sent before" if reviewed.before else ""
        left = f"; {reviewed.left:,} are left: start the same import again when these are decided" * bool(reviewed.left)
        return f"{waiting}{before}{left}; {loaded.rejected:,} rejected."
    done = "would be imported" if dry_run else "imported"
    if not loaded.changed:
        done = "Nothing new"
    else:
        done = f"{loaded.counts.get('idea', 0):,} ideas and {loaded.counts.get('word', 0):,} words {done}"
    return f"{done}; {loaded.rejected:,} rejected."
