"""`abhidhan import`: files of many formats into the dictionary."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.cli import faults, guesses, media_recordings
from abhidhan.cli.import_progress import showing_phases
from abhidhan.cli.import_report import show_report
from abhidhan.cli.ownership import settings_of_command
from abhidhan.cli.targets import refuse_database, stoppable
from abhidhan.domain.counted import counted
from abhidhan.domain.incoming import Policy
from abhidhan.domain.records import SourceRecord
from abhidhan.errors import InputError
from abhidhan.formats import mapping, recording_lists
from abhidhan.formats.importers import IMPORTERS
from abhidhan.formats.reading import Options
from abhidhan.services.exchange import importing, incoming_files
from abhidhan.services.exchange.importing import Import, Report
from abhidhan.storage.engine.database import Database

FORMATS_HELP = "\n\n".join(
    [f"{name}: {one.about}" for name, one in IMPORTERS.items()] + [f"{recording_lists.FORMAT}: {recording_lists.ABOUT}"]
)

ADDRESSES = ("http:/", "https:/", "ftp:/")
"""Prefixes of addresses, after a path has collapsed their two slashes into one."""


Format = Annotated[str, typer.Argument(metavar="FORMAT", help="The format of the files; see below.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files and folders, compressed or not.")]
SourceCode = Annotated[str, typer.Option(help="A short code for the source, such as hemkosh.")]
SourceName = Annotated[str, typer.Option(help="The full name of the source.")]
LicenceName = Annotated[
    str, typer.Option(help="The licence of the source, preferably its SPDX name, such as CC-BY-4.0.")
]
Address = Annotated[str, typer.Option(help="The web address of the source.")]
Attribution = Annotated[str, typer.Option(help="Whom to credit.")]
Headwords = Annotated[str, typer.Option("--language", "-l", help="The language of the headwords, as a code.")]
Translations = Annotated[str, typer.Option("--target", "-t", help="The language of the translations, as a code.")]
MappingFile = Annotated[
    Path | None, typer.Option("--mapping", help="A TOML file that says what the columns and values mean.")
]
Maps = Annotated[
    list[str] | None,
    typer.Option("--map", help="What a value means here, such as language:ast=as or pos:noun='Common Noun'."),
]
Columns = Annotated[
    str,
    typer.Option(help="Tables without a row of headings: what each column holds, such as word:en,word:as,note."),
]
Encoding = Annotated[str, typer.Option(help="The encoding of the files, if it is not detected.")]
Category = Annotated[str, typer.Option(help="The category (FJCAT) of proverbs that have none of their own.")]
OnConflict = Annotated[
    Policy,
    typer.Option(
        help="If a record exists already: update what an earlier import gave, keep it, fill its gaps, or replace it."
    ),
]
Batch = Annotated[int | None, typer.Option(min=1, help="New words per transaction; chosen automatically by default.")]
ForReview = Annotated[
    bool, typer.Option("--review", help="Send the records to the review queue instead, a thousand at a time.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; change nothing.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Import nothing, and exit with status 1, if anything is rejected.")
]
Speaker = Annotated[str, typer.Option(help="Recordings: who speaks, to be named with each.")]
SpokenAt = Annotated[str, typer.Option("--place", help="Recordings: the place whose speech it is.")]
By = Annotated[str, typer.Option("--by", help="Recordings: the account that brings them.")]
Approve = Annotated[bool, typer.Option("--approve", help="Recordings: approve them too, by the same account.")]
Mirror = Annotated[
    bool, typer.Option("--mirror", help="Remove what the file does not have of its own sources; see the manual.")
]
Yes = Annotated[bool, typer.Option("--yes", help="With --mirror: even if more than a tenth of a source is removed.")]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        "--errors",
        help="Write to this file (.csv: as a table) all that is rejected, not kept, changed, kept or removed.",
    ),
]


NOT_OF_RECORDINGS = (
    "Recordings have no source and always wait for review: name whom to credit with --speaker, and their licence with "
    "--licence. Of the other options they take --language, --encoding, --dry-run and --report."
)
OF_RECORDINGS_ONLY = "--speaker, --place, --by and --approve are for recordings and for those of cldf and lift."


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command("import", epilog=f"Formats:\n\n{FORMATS_HELP}")(import_files)


def import_files(  # noqa: PLR0913  # each is an option of the command
    file_format: Format,
    files: Files,
    *,
    source: SourceCode = "",
    source_name: SourceName = "",
    licence: LicenceName = "",
    url: Address = "",
    attribution: Attribution = "",
    language: Headwords = "",
    target: Translations = "",
    mapping_file: MappingFile = None,
    maps: Maps = None,
    columns: Columns = "",
    encoding: Encoding = "",
    category: Category = "",
    on_conflict: OnConflict = Policy.UPDATE,
    batch: Batch = None,
    review: ForReview = False,
    dry_run: DryRun = False,
    strict: Strict = False,
    speaker: Speaker = "",
    place: SpokenAt = "",
    by: By = "",
    approve: Approve = False,
    report: ReportFile = None,
    mirror: Mirror = False,
    yes: Yes = False,
) -> None:
    """Import files into the dictionary. Importing the same file again changes nothing."""
    if file_format == recording_lists.FORMAT:
        _refuse_given(NOT_OF_RECORDINGS, source, source_name, url, attribution, target, category, maps, columns)
        _refuse_given(NOT_OF_RECORDINGS, review, strict)
        _import_recordings(files, (language, speaker, place, licence), (by, encoding, dry_run, approve), report)
        return
    if file_format not in media_recordings.READERS:
        _refuse_given(OF_RECORDINGS_ONLY, speaker, place, by, approve)
    described = SourceRecord(source, source_name or source, licence, url or None, attribution or None)
    options = _options(described, mapping_file, maps, columns, (language, target, encoding, category))
    wanted = Import(file_format, tuple(files), options, on_conflict, dry_run, batch, review, strict, mirror, yes)
    _import(wanted, report, (speaker, place, licence), (by, approve))


def _import_recordings(
    files: list[Path], told: tuple[str, str, str, str], how: tuple[str, str, bool, bool], file: Path | None
) -> None:
    # Only here: loading what people do takes a third of a second, and no other import needs it.
    from abhidhan.cli import recording_imports  # noqa: PLC0415

    recording_imports.import_folder(files, told, recording_imports.How(*how), file)


def _refuse_given(sentence: str, *options: object) -> None:
    """Refuse options that mean nothing for what is imported. Raises InputError when any of them is given."""
    if any(options):
        raise InputError.of("format", sentence)


def _options(
    described: SourceRecord,
    mapping_file: Path | None,
    maps: list[str] | None,
    columns: str,
    texts: tuple[str, str, str, str],
) -> Options:
    """Put together what the person says of the files; an empty text says nothing. Raises InputError."""
    read = mapping.read_mapping(mapping_file, maps or [], columns)
    language, target, encoding, category = (text or None for text in texts)
    return Options(
        source=_source(described),
        language=language,
        target=target,
        encoding=encoding,
        category=category,
        header=read.header,
        columns=read.columns,
        values=read.values,
    )


def _tell(report: Report, wanted: Import, file: Path | None) -> None:
    """Print what an import brought; end with status 1 where nothing may be rejected and something was."""
    show_report(report, dry_run=wanted.dry_run or report.refused, file=file)
    if (wanted.strict and report.loaded.rejected) or report.updated.refused:
        raise typer.Exit(1)


def _import(wanted: Import, file: Path | None, said: tuple[str, str, str], how: tuple[str, bool]) -> None:
    """Import files, with the recordings that belong to them, and print what they brought.

    Of recordings, `said` is their speaker, place and licence, `how` by whom they come and whether they are approved.
    Raises InputError, ConflictError.
    """
    _refuse_addresses(wanted.paths)
    if wanted.mirror and wanted.review:
        raise InputError.of("mirror", "--mirror is not for --review: nothing is removed by review.")
    settings = settings_of_command()
    if file is not None:
        refuse_database(file, settings)
    with stoppable(_left_by(wanted)):
        if wanted.dry_run:
            guesses.show_guesses(incoming_files.guess_columns(wanted))
        with open_dictionary(settings, with_lists=wanted.review) as database:
            report = _with_progress(database, wanted, file)
    _tell(report, wanted, file)
    if wanted.format in media_recordings.READERS:
        media_recordings.bring_recordings(wanted, report, said, how, file)


def _refuse_addresses(files: Iterable[Path]) -> None:
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


def _with_progress(database: Database, wanted: Import, file: Path | None) -> Report:
    incoming_files.importer_of(wanted)
    with faults.fault_writer(file, wanted.paths) as write, showing_phases() as shown:
        return importing.import_files(
            database,
            wanted,
            now=int(time.time()),
            on_phase=shown.begin,
            on_progress=lambda done: shown.tell(counted(done.counts.get("word", 0), "new word")),
            on_reject=write,
            on_told=write,
            on_left_out=write,
            on_lost=write,
            may_remove=shown.asking(_may_remove),
        )


def _may_remove(gone: int, there: int) -> bool:
    """Ask whether a mirror may remove so much; where nobody can answer, it may not."""
    if not sys.stdin.isatty():
        return False
    lacking = f"{gone:,} of {counted(there, 'record')} of a source"
    question = f"{lacking} are not in the file, or only in part. Remove what is lacking?"
    return typer.confirm(question, err=True)
