"""`abhidhan export`: write the dictionary to a file for other programs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from abhidhan.app.cli.common import STANDARD_OUTPUT, check_output_file, interruptible, load_command_settings
from abhidhan.records.errors import InputError, pluralize

if TYPE_CHECKING:
    from abhidhan.exchange.model import ExportSelection
    from abhidhan.exchange.service.exporting import ExportedFile
    from abhidhan.exchange.service.recording_exports import RecordingOptions
    from abhidhan.platform.database.database import Database

FormatArgument = Annotated[str, typer.Argument(metavar="FORMAT", help="The format of the file; see below.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="The file or folder to write to, or - for standard output; by default, the usual file name.",
    ),
]
LanguagesOption = Annotated[
    list[str] | None, typer.Option("--language", "-l", help="The languages of the words; by default, all.")
]
OtherLanguagesOption = Annotated[
    list[str] | None, typer.Option(help="The other languages whose words are included too, with --language.")
]
SourcesOption = Annotated[list[str] | None, typer.Option(help="The sources of the ideas; by default, all.")]
ContextsOption = Annotated[
    list[str] | None, typer.Option(help="The contexts of the ideas, with the contexts under them; by default, all.")
]
PartsOfSpeechOption = Annotated[
    list[str] | None, typer.Option(help="The parts of speech of the ideas; by default, all.")
]
SoundsOption = Annotated[
    str,
    typer.Option(
        "--sounds",
        help="The place of recordings: inside the file or none (cldf, lift, anki), or linked to the server (cldf). "
        "By default inside; linked in cldf if they have more than 256 MiB and ABHIDHAN_BASE_URL is set.",
    ),
]


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command("export", cls=ExportCommand)(export_file)


class ExportCommand(TyperCommand):
    """Command whose help ends with the list of formats."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  # Typer names no types for them
        """Write the list of formats."""
        from abhidhan.formats.registry import EXPORTERS

        self.epilog = "\n\n".join(["Formats:", *(f"{name}: {each.about}" for name, each in EXPORTERS.items())])
        super().format_epilog(ctx, formatter)


def export_file(  # noqa: PLR0913  # each is an option of the command
    file_format: FormatArgument,
    *,
    output: OutputOption = None,
    language: LanguagesOption = None,
    beside: OtherLanguagesOption = None,
    source: SourcesOption = None,
    context: ContextsOption = None,
    pos: PartsOfSpeechOption = None,
    sounds: SoundsOption = "",
) -> None:
    """Export the dictionary, or part of it, for other programs."""
    from abhidhan.app.cli import recording_exports
    from abhidhan.app.database import open_dictionary
    from abhidhan.app.wiring import open_recording_reader
    from abhidhan.exchange.service import exporting
    from abhidhan.exchange.service.recording_exports import RecordingOptions, parse_placement
    from abhidhan.formats.registry import RECORDINGS_FORMAT

    if file_format == RECORDINGS_FORMAT:
        if beside or source or context or pos or sounds:
            raise InputError.of("format", "Recordings can only be selected by --language.")
        recording_exports.export_zip(output, language or ())
        return
    settings = load_command_settings()
    default_name = exporting.find_exporter(file_format).file
    placement = parse_placement(sounds, file_format)
    target = output or Path(default_name)
    if target != STANDARD_OUTPUT:
        target = target / default_name if target.is_dir() else target
        check_output_file(target, settings)
    if file_format == "anki" and (language or beside or source or context or pos):
        raise InputError.of("format", "anki exports all flashcards: leave out --language and the other filters.")
    with interruptible("Stopped. No file was written."), open_dictionary(settings) as database:
        catalogue = database.read_now(lambda reader: reader.catalogue)
        selection = exporting.build_selection(
            catalogue,
            languages=language or (),
            extra_languages=beside or (),
            sources=source or (),
            contexts=context or (),
            parts_of_speech=pos or (),
        )
        recording_options = RecordingOptions(open_recording_reader(settings, database), settings.base_url, placement)
        if target == STANDARD_OUTPUT:
            result = _export_to_stdout(database, file_format, selection, recording_options)
        else:
            result = exporting.export(database, file_format, target, selection, recording_options)
    summary = f"{target}: {pluralize(result.size, 'byte')}, SHA-256 {result.sha256}. Licences: {result.licences}."
    typer.echo(summary, err=target == STANDARD_OUTPUT)


def _export_to_stdout(
    database: "Database", file_format: str, selection: "ExportSelection", recording_options: "RecordingOptions"
) -> "ExportedFile":
    """Export to a temporary file, and copy it to standard output when it is complete."""
    import shutil
    from tempfile import TemporaryDirectory

    from abhidhan.exchange.service import exporting

    with TemporaryDirectory() as folder:
        file = Path(folder) / "export"
        result = exporting.export(database, file_format, file, selection, recording_options)
        with file.open("rb") as stream:
            shutil.copyfileobj(stream, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return result
