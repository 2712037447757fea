"""Import of the recordings of a CLDF data set or a LIFT folder, after its words."""

from pathlib import Path

import typer

from abhidhan.exchange.service.importing import Import, Report
from abhidhan.formats.cldf.recordings import MediaRecordings
from abhidhan.formats.registry import IMPORTERS
from abhidhan.records.errors import counted


def bring_recordings(
    wanted: Import, report: Report, said: tuple[str, str, str], how: tuple[str, bool], errors: Path | None
) -> None:
    """Import the recordings of files if an account is given; print which are not imported, and why.

    `said` is the speaker, place and licence of all of them; `how` is the account, and whether they are approved.
    """
    found = IMPORTERS[wanted.format].read_recordings(wanted.paths, wanted.options)
    _tell_left_out(found)
    if not found.rows:
        return
    if wanted.dry_run or wanted.review or report.refused or not how[0]:
        typer.echo(
            f"{counted(len(found.rows), 'recording was', 'recordings were')} not imported: {_why(wanted, report)}",
            err=True,
        )
        return
    # Imported late: these modules take a third of a second to load, and few data sets have recordings.
    from abhidhan.app.cli import recording_imports
    from abhidhan.media.service.recording_manifest import Told

    speaker, place, licence = said
    told = Told(None, speaker or None, place or None, licence or found.licence or None)
    by = recording_imports.How(how[0], encoding="", dry_run=False, approve=how[1])
    recording_imports.import_media(list(wanted.paths), found, told, by, errors)


def _why(wanted: Import, report: Report) -> str:
    if wanted.dry_run or report.refused:
        return "import their words first."
    if wanted.review:
        return "their words are waiting for review. Run the same import again with --by NAME once they are approved."
    return "give the account that submits them with --by NAME."


def _tell_left_out(found: MediaRecordings) -> None:
    if found.elsewhere:
        typer.echo(
            counted(
                found.elsewhere,
                "recording is on a server and is not fetched: download it",
                "recordings are on a server and are not fetched: download them",
            )
            + ", and see `abhidhan import recordings`.",
            err=True,
        )
    if found.without_word:
        without = counted(
            found.without_word,
            "recording is left out: no entry or form refers to it.",
            "recordings are left out: no entry or form refers to them.",
        )
        typer.echo(without, err=True)
