"""`abhidhan review` and `abhidhan check`: what waits for a decision, and whether files and rows agree."""

import json
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from abhidhan.cli.people import open_services
from abhidhan.domain.counted import counted
from abhidhan.domain.ids import GREATEST_ID
from abhidhan.domain.submissions import Status
from abhidhan.errors import InputError
from abhidhan.services.contributions.photo_views import AlikePhoto, PhotoSubmission
from abhidhan.services.contributions.photos_of_words import Looked
from abhidhan.services.contributions.recording_views import AlikeRecording, RecordingSubmission
from abhidhan.services.contributions.sent_file_house import Checked

MOST_SHOWN = 1000
EXIT_FOUND = 1
"""The exit status of a check that has found something, and has not mended it."""

PhotoID = Annotated[int, typer.Argument(help="The ID of a submitted photo.", metavar="ID", min=1, max=GREATEST_ID)]
RecordingID = Annotated[
    int, typer.Argument(help="The ID of a submitted recording.", metavar="ID", min=1, max=GREATEST_ID)
]
SubmissionID = Annotated[int, typer.Argument(help="The ID of a submission.", metavar="ID", min=1, max=GREATEST_ID)]
Reason = Annotated[str, typer.Option(help="The reason, which the sender can read.")]
StatusName = Annotated[str, typer.Option("--status", help="pending_review, approved, rejected, withdrawn or all.")]
Photos = Annotated[
    list[int] | None,
    typer.Option("--photo", help="A photo that came with the word, approved with it.", min=1, max=GREATEST_ID),
]
By = Annotated[str, typer.Option("--by", help="The editor or administrator who decides.")]


def register(program: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Submissions: list them, approve them, reject them.", no_args_is_help=True)
    group.command("list")(list_submissions)
    group.command("approve")(approve)
    group.command("reject")(reject)
    group.command("photos")(list_photos)
    group.command("approve-photo")(approve_photo)
    group.command("reject-photo")(reject_photo)
    group.command("recordings")(list_recordings)
    group.command("approve-recording")(approve_recording)
    group.command("reject-recording")(reject_recording)
    group.command("check")(check)
    program.add_typer(group, name="review")


def list_submissions(status: StatusName = "pending_review") -> None:
    """List submitted words, corrections, proverbs, examples, flashcards and reports; by default, those waiting."""
    with open_services() as services:
        submissions, total = services.run(services.submissions.list_all(status_named(status), MOST_SHOWN))
    table = Table("ID", "Status", "Kind", "By", "What", "Reason")
    for one in submissions:
        what = json.dumps(one.data, ensure_ascii=False)
        table.add_row(
            str(one.submission_id), one.status, one.kind, one.submitter or "", escape(what), escape(one.reason or "")
        )
    Console().print(table)
    typer.echo(f"{total} in all.")


def approve(submission_id: SubmissionID, by: By, photos: Photos = None) -> None:
    """Approve a submission as it is."""
    looked = Looked(frozenset(photos or ()))
    with open_services() as services:
        one = services.run(services.submissions.approve(services.person(by), submission_id, looked=looked))
    typer.echo(f"Submission {one.submission_id} is {one.status}: {one.result}.")


def reject(submission_id: SubmissionID, by: By, reason: Reason) -> None:
    """Reject a submission, with a reason."""
    with open_services() as services:
        one = services.run(services.submissions.reject(services.person(by), submission_id, reason))
    typer.echo(f"Submission {one.submission_id} is {one.status}.")


def list_photos(status: StatusName = "pending_review") -> None:
    """List submitted photos; by default, those waiting."""
    with open_services() as services:
        photos, total = services.run(services.photos.list_all(status_named(status), MOST_SHOWN))
    table = Table("ID", "Status", "Idea", "Credit", "Size", "Like", "Reason")
    for photo in photos:
        table.add_row(*_photo(photo))
    Console().print(table)
    typer.echo(f"{total} in all.")


def approve_photo(photo_id: PhotoID, by: By) -> None:
    """Approve a photo, so that everyone can see it."""
    with open_services() as services:
        photo = services.run(services.photos.approve(services.person(by), photo_id))
    typer.echo(f"Photo {photo.submission_id} of {_shown(photo)} is {photo.status}.")


def reject_photo(photo_id: PhotoID, by: By, reason: Reason) -> None:
    """Reject a photo, with a reason."""
    with open_services() as services:
        photo = services.run(services.photos.reject(services.person(by), photo_id, reason))
    typer.echo(f"Photo {photo.submission_id} of {_shown(photo)} is {photo.status}.")


def list_recordings(status: StatusName = "pending_review") -> None:
    """List submitted recordings; by default, those waiting."""
    with open_services() as services:
        recordings, total = services.run(services.recordings.list_all(status_named(status), MOST_SHOWN))
    table = Table("ID", "Status", "Says", "Speaker", "Place", "Seconds", "Like", "Reason")
    for one in recordings:
        table.add_row(*_recording(one))
    Console().print(table)
    typer.echo(f"{total} in all.")


def approve_recording(recording_id: RecordingID, by: By) -> None:
    """Approve a recording, so that everyone can hear it."""
    with open_services() as services:
        one = services.run(services.recordings.approve(services.person(by), recording_id))
    typer.echo(f"Recording {one.submission_id} of {one.spoken} is {one.status}.")


def reject_recording(recording_id: RecordingID, by: By, reason: Reason) -> None:
    """Reject a recording, with a reason."""
    with open_services() as services:
        one = services.run(services.recordings.reject(services.person(by), recording_id, reason))
    typer.echo(f"Recording {one.submission_id} of {one.spoken} is {one.status}.")


def check(
    *,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend", help="Delete files that belong to nothing, and reject photos and recordings whose file is lost."
        ),
    ] = False,
) -> None:
    """Check that the files of photos and recordings agree with the database; repair them with --mend."""
    with open_services() as services:
        found = [
            _told("photo", services.run(services.photos.check(mend=mend))),
            _told("recording", services.run(services.recordings.check(mend=mend))),
        ]
    if any(each.orphans or each.lost for each in found) and not mend:
        raise typer.Exit(EXIT_FOUND)


def _told(kind: str, found: Checked) -> Checked:
    for name in found.orphans:
        typer.echo(f"{name}: belongs to no {kind}{'; removed' if found.mended else ''}.")
    for number in found.lost:
        typer.echo(f"{kind.capitalize()} {number}: its file is lost{'; rejected' if found.mended else ''}.")
    files, lost = counted(found.files, "file"), counted(len(found.lost), kind)
    typer.echo(f"{files}, {len(found.orphans):,} without a {kind}, {lost} without a file.")
    return found


def _recording(one: RecordingSubmission) -> tuple[str, ...]:
    return (
        str(one.submission_id),
        one.status,
        escape(one.spoken),
        escape(one.speaker or ""),
        escape(one.place or ""),
        f"{one.milliseconds / 1000:.1f}{' (clipped)' if one.clipped else ''}",
        _alike(one.duplicates),
        escape(one.reason or ""),
    )


def _alike(duplicates: Iterable[AlikePhoto | AlikeRecording]) -> str:
    return ", ".join(f"{other.submission_id}{'=' if other.exact else '~'}" for other in duplicates)


def _shown(photo: PhotoSubmission) -> str:
    return f"the idea {photo.idea_id}" if photo.idea_id else f"the submission {photo.word_submission_id}"


def _photo(photo: PhotoSubmission) -> tuple[str, ...]:
    return (
        str(photo.submission_id),
        photo.status,
        str(photo.idea_id or f"submission {photo.word_submission_id}"),
        escape(photo.credit),
        f"{photo.width} × {photo.height}",
        _alike(photo.duplicates),
        escape(photo.reason or ""),
    )


def status_named(name: str) -> Status | None:
    """Find a status by its name; `all` is none. Raises InputError that lists them."""
    if name == "all":
        return None
    try:
        return Status(name)
    except ValueError:
        raise InputError.of("--status", f"--status must be one of {', '.join(Status)}, all.") from None
