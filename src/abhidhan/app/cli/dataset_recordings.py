"""Import of the recordings of a CLDF data set or a LIFT folder, after its words."""

from pathlib import Path

import typer

from abhidhan.exchange.service.importing import ImportReport, ImportRequest
from abhidhan.formats.cldf.recordings import MediaRecordings
from abhidhan.formats.registry import IMPORTERS
from abhidhan.records.errors import pluralize


def import_dataset_recordings(
    request: ImportRequest,
    report: ImportReport,
    texts: tuple[str, str, str],
    account_options: tuple[str, bool],
    report_file: Path | None,
) -> None:
    """Import the recordings of a data set if an account is given; print the number of others, and the reason.

    `texts` is the speaker, place and licence of all recordings. `account_options` is the name of the account, and
    whether it also approves the recordings.
    """
    media = IMPORTERS[request.format].read_recordings(request.paths, request.options)
    _report_omitted(media)
    if not media.rows:
        return
    if request.dry_run or request.review or report.refused or not account_options[0]:
        recordings = pluralize(len(media.rows), "recording was", "recordings were")
        typer.echo(f"{recordings} not imported: {_explain_refusal(request, report)}", err=True)
        return
    # Imported late: these modules take a third of a second to load, and few data sets have recordings.
    from abhidhan.app.cli import recording_imports
    from abhidhan.media.service.recording_manifest import RecordingDefaults

    speaker, place, licence = texts
    defaults = RecordingDefaults(None, speaker or None, place or None, licence or media.licence or None)
    options = recording_imports.RecordingImportOptions(
        account_options[0], encoding="", dry_run=False, approve=account_options[1]
    )
    recording_imports.import_media(list(request.paths), media, defaults, options, report_file)


def _explain_refusal(request: ImportRequest, report: ImportReport) -> str:
    if request.dry_run or report.refused:
        return "import their words first."
    if request.review:
        return "their words are waiting for review. Run the same import again with --by NAME once they are approved."
    return "give the account that submits them with --by NAME."


def _report_omitted(media: MediaRecordings) -> None:
    if media.remote_count:
        typer.echo(
            pluralize(
                media.remote_count,
                "recording is on a server and is not fetched: download it",
                "recordings are on a server and are not fetched: download them",
            )
            + ", and see `abhidhan import recordings`.",
            err=True,
        )
    if media.unlinked_count:
        without = pluralize(
            media.unlinked_count,
            "recording is left out: no entry or form refers to it.",
            "recordings are left out: no entry or form refers to them.",
        )
        typer.echo(without, err=True)
