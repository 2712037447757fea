"""`abhidhan export recordings`: write the approved recordings to a zip file with a list."""

from collections.abc import Sequence
from pathlib import Path

import typer

from abhidhan.app.cli.common import STANDARD_OUTPUT, check_output_file, interruptible, load_command_settings
from abhidhan.app.database import open_dictionary
from abhidhan.app.wiring import open_recording_reader
from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.recording_exports import export_recordings
from abhidhan.formats.registry import EXPORTERS, RECORDINGS_FORMAT
from abhidhan.records.errors import InputError, pluralize

MAX_SHOWN_IDS = 20


def export_zip(output: Path | None, languages: Sequence[str]) -> None:
    """Write the recordings atomically, and print the result."""
    default_name = EXPORTERS[RECORDINGS_FORMAT].file
    target = output / default_name if output and output.is_dir() else output or Path(default_name)
    if target == STANDARD_OUTPUT:
        raise InputError.of("output", "Recordings are written to a file: give its name with -o.")
    settings = load_command_settings()
    check_output_file(target, settings)
    with interruptible("Stopped. No file was written."), open_dictionary(settings) as database:
        catalogue = database.read_now(lambda reader: reader.catalogue)
        selection = exporting.build_selection(catalogue, languages=languages)
        with exporting.atomic_write(target) as temporary_file, database.snapshot() as reader:
            result = export_recordings(
                reader, open_recording_reader(settings, database), temporary_file, selection.languages
            )
            size, digest = temporary_file.stat().st_size, exporting.compute_sha256(temporary_file)
    if result.lost_ids:
        names = ", ".join(map(str, result.lost_ids[:MAX_SHOWN_IDS])) + ", …" * (len(result.lost_ids) > MAX_SHOWN_IDS)
        typer.echo(
            pluralize(
                len(result.lost_ids),
                "is left out because its file is lost",
                "are left out because their files are lost",
            )
            + f": {names}. See `abhidhan review check`.",
            err=True,
        )
    totals = f"{pluralize(result.written, 'recording')}, {pluralize(size, 'byte')}"
    typer.echo(f"{target}: {totals}, SHA-256 {digest}. Licences: {result.licences or 'none'}.")
