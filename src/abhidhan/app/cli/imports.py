"""`abhidhan import`: import files of many formats."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from abhidhan.app.cli.common import DryRunOption, ReportOption
from abhidhan.records.errors import InputError

FormatArgument = Annotated[str, typer.Argument(metavar="FORMAT", help="The format of the files; see below.")]
FilesArgument = Annotated[list[Path], typer.Argument(metavar="FILE", help="The files and folders, compressed or not.")]
SourceOption = Annotated[str, typer.Option(help="The short code of the source, such as hemkosh.")]
SourceNameOption = Annotated[str, typer.Option(help="The full name of the source.")]
LicenceOption = Annotated[
    str, typer.Option(help="The licence of the source, preferably its SPDX name, such as CC-BY-4.0.")
]
UrlOption = Annotated[str, typer.Option(help="The web address of the source.")]
AttributionOption = Annotated[str, typer.Option(help="The person or institution to credit.")]
LanguageOption = Annotated[str, typer.Option("--language", "-l", help="The language of the headwords, as a code.")]
TargetOption = Annotated[str, typer.Option("--target", "-t", help="The language of the translations, as a code.")]
MappingFileOption = Annotated[
    Path | None, typer.Option("--mapping", help="The TOML file with the meaning of columns and values.")
]
MapsOption = Annotated[
    list[str] | None,
    typer.Option("--map", help="The meaning of a value, such as language:ast=as or pos:noun='Common Noun'."),
]
ColumnsOption = Annotated[
    str,
    typer.Option(help="The contents of the columns of a table without headings, such as word:en,word:as,note."),
]
EncodingOption = Annotated[str, typer.Option(help="The encoding of the files, if it is not detected.")]
CategoryOption = Annotated[str, typer.Option(help="The category (FJCAT) of proverbs without one.")]
OnConflictOption = Annotated[
    Literal["update", "keep", "fill", "replace"],
    typer.Option(
        help="The action on an existing record: update the values of an earlier import, keep it, fill its gaps, or "
        "replace it."
    ),
]
BatchOption = Annotated[
    int | None, typer.Option(min=1, help="The number of new words per transaction; by default, chosen automatically.")
]
ReviewOption = Annotated[
    bool, typer.Option("--review", help="Send the records to the review queue instead, a thousand at a time.")
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Import nothing, and exit with status 1, if anything is rejected.")
]
SpeakerOption = Annotated[str, typer.Option(help="The speaker of the recordings, credited with each.")]
PlaceOption = Annotated[str, typer.Option("--place", help="The place whose speech was recorded.")]
AccountOption = Annotated[str, typer.Option("--by", help="The name of the account that submits the recordings.")]
ApproveOption = Annotated[bool, typer.Option("--approve", help="Also approve the recordings with the same account.")]
MirrorOption = Annotated[
    bool, typer.Option("--mirror", help="Remove records of the file's sources that the file lacks (docs/importing.md).")
]
YesOption = Annotated[
    bool, typer.Option("--yes", help="Do not ask for confirmation if --mirror removes more than a tenth of a source.")
]

SOURCE_OPTIONS_MESSAGE = (
    "Recordings have no source and are always reviewed: give the person to credit with --speaker, and the licence "
    "with --licence. Their other options are --language, --encoding, --dry-run and --report."
)
RECORDING_OPTIONS_MESSAGE = (
    "--speaker, --place, --by and --approve are only for recordings, also those in cldf and lift."
)


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command("import", cls=ImportCommand)(import_files)


class ImportCommand(TyperCommand):
    """Command whose help ends with the list of formats."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  # Typer names no types for them
        """Write the list of formats."""
        from abhidhan.formats.registry import IMPORTERS

        self.epilog = "\n\n".join(["Formats:", *(f"{name}: {each.about}" for name, each in IMPORTERS.items())])
        super().format_epilog(ctx, formatter)


def import_files(  # noqa: PLR0913  # each is an option of the command
    file_format: FormatArgument,
    files: FilesArgument,
    *,
    source: SourceOption = "",
    source_name: SourceNameOption = "",
    licence: LicenceOption = "",
    url: UrlOption = "",
    attribution: AttributionOption = "",
    language: LanguageOption = "",
    target: TargetOption = "",
    mapping_file: MappingFileOption = None,
    maps: MapsOption = None,
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    category: CategoryOption = "",
    on_conflict: OnConflictOption = "update",
    batch: BatchOption = None,
    review: ReviewOption = False,
    dry_run: DryRunOption = False,
    strict: StrictOption = False,
    speaker: SpeakerOption = "",
    place: PlaceOption = "",
    by: AccountOption = "",
    approve: ApproveOption = False,
    report: ReportOption = None,
    mirror: MirrorOption = False,
    yes: YesOption = False,
) -> None:
    """Import files into the dictionary. Importing the same file again changes nothing."""
    from abhidhan.app.cli import file_imports
    from abhidhan.exchange.service.importing import ImportRequest
    from abhidhan.formats.registry import IMPORTERS, RECORDINGS_FORMAT
    from abhidhan.records.import_records import ConflictPolicy
    from abhidhan.records.kinds import SourceRecord

    if file_format == RECORDINGS_FORMAT:
        _refuse_options(SOURCE_OPTIONS_MESSAGE, source, source_name, url, attribution, target, category, maps, columns)
        _refuse_options(SOURCE_OPTIONS_MESSAGE, review, strict)
        # Imported late: it takes a third of a second to load, and no other import needs it.
        from abhidhan.app.cli import recording_imports

        recording_options = recording_imports.RecordingImportOptions(by, encoding, dry_run, approve)
        recording_imports.import_folder(files, (language, speaker, place, licence), recording_options, report)
        return
    if file_format in IMPORTERS and not IMPORTERS[file_format].recordings:
        _refuse_options(RECORDING_OPTIONS_MESSAGE, speaker, place, by, approve)
    source_record = SourceRecord(source, source_name or source, licence, url or None, attribution or None)
    options = file_imports.build_options(
        source_record, mapping_file, maps, columns, (language, target, encoding, category)
    )
    request = ImportRequest(
        file_format, tuple(files), options, ConflictPolicy(on_conflict), dry_run, batch, review, strict, mirror, yes
    )
    file_imports.import_files(request, report, (speaker, place, licence), (by, approve))


def _refuse_options(message: str, *options: object) -> None:
    """Check that none of the options is given, because they do not apply to the format. Raises InputError."""
    if any(options):
        raise InputError.of("format", message)
