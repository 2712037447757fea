"""`abhidhan export recordings`: write the approved recordings to a zip file with a list."""

from collections.abc import Sequence
from pathlib import Path

import typer

from abhidhan.app.cli.common import STANDARD_OUTPUT, refuse_database, settings_of_command, stoppable
from abhidhan.app.database import open_dictionary
from abhidhan.app.wiring import open_sounds
from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.recording_exports import export_recordings
from abhidhan.formats.registry import EXPORTERS, RECORDINGS
from abhidhan.records.errors import InputError, counted

MOST_NAMED = 20


def export_zip(output: Path | None, languages: Sequence[str]) -> None:
    """Write the recordings atomically, and print the result."""
    usual = EXPORTERS[RECORDINGS].file
    target = output / usual if output and output.is_dir() else output or Path(usual)
    if target == STANDARD_OUTPUT:
        raise InputError.of("output", "Recordings are written to a file: give its name with -o.")
    settings = settings_of_command()
    refuse_database(target, settings)
    with stoppable("Stopped. No file was written."), open_dictionary(settings) as database:
        catalogue = database.read_now(lambda reader: reader.catalogue)
        choice = exporting.choose(catalogue, languages=languages)
        with exporting.written(target) as unfinished, database.snapshot() as reader:
            found = export_recordings(reader, open_sounds(settings, database), unfinished, choice.languages)
            size, digest = unfinished.stat().st_size, exporting.digest_of(unfinished)
    if found.lost:
        named = ", ".join(map(str, found.lost[:MOST_NAMED])) + ", …" * (len(found.lost) > MOST_NAMED)
        typer.echo(
            counted(
                len(found.lost), "is left out because its file is lost", "are left out because their files are lost"
            )
            + f": {named}. See `abhidhan review check`.",
            err=True,
        )
    held = f"{counted(found.written, 'recording')}, {counted(size, 'byte')}"
    typer.echo(f"{target}: {held}, SHA-256 {digest}. Licences: {found.licences or 'none'}.")
