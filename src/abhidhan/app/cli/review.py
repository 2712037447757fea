"""`abhidhan review`: decide on submissions, and check that the files of photos and recordings match the database."""

from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import GREATEST_ID
from abhidhan.app.cli.people import open_services
from abhidhan.records.errors import InputError, counted, quoted

if TYPE_CHECKING:
    from abhidhan.contributions.service.submission_views import Submission
    from abhidhan.media.service.upload_cleanup import Checked
    from abhidhan.records.catalogue import Catalogue
    from abhidhan.records.submissions import Status

MOST_SHOWN = 1000
EXIT_FOUND = 1
"""The exit status of a check that found problems and did not fix them."""

SubmissionID = Annotated[int, typer.Argument(help="The ID of a submission.", metavar="ID", min=1, max=GREATEST_ID)]
Reason = Annotated[str, typer.Option(help="The reason, which the sender can read.")]
StatusName = Annotated[
    str, typer.Option("--status", help="The status: pending_review, approved, rejected, withdrawn or all.")
]
Photos = Annotated[
    list[int] | None,
    typer.Option("--photo", help="The photo submitted with the word, to approve with it.", min=1, max=GREATEST_ID),
]
By = Annotated[str, typer.Option("--by", help="The editor or administrator who decides.")]


def register(program: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Decide on submissions: list, approve or reject them.", no_args_is_help=True)
    group.command("list")(list_submissions)
    group.command("approve")(approve)
    group.command("reject")(reject)
    group.command("check")(check)
    program.add_typer(group, name="review")


def list_submissions(status: StatusName = "pending_review") -> None:
    """List submissions; by default, those that wait for review.

    Each begins with its ID, which `approve` and `reject` take. Photos and recordings are reviewed on the website.
    """
    with open_services() as services:
        found = services.run(services.submissions.list_all(status_named(status), MOST_SHOWN))
        subjects = services.run(services.submissions.subjects_of(found.items))
        catalogue = services.database.read_now(lambda reader: reader.catalogue)
    for one in found.items:
        _show_submission(one, subjects.get(one.submission_id, ""), catalogue)
    if len(found.items) < found.total:
        typer.echo(f"Only the first {len(found.items):,} are shown.")
    typer.echo(f"{found.total:,} in all.")


def _show_submission(one: "Submission", subject: str, catalogue: "Catalogue") -> None:
    """Print a submission: a heading, a line for each field, and the decision."""
    from datetime import UTC, datetime

    from abhidhan.contributions.service.submission_texts import fields_of, in_words, sent_of

    sent = sent_of(one, subject, catalogue)
    data = one.data if isinstance(one.data, dict) else {}
    day = datetime.fromtimestamp(one.submitted, UTC).strftime("%Y-%m-%d")
    about = f" of {subject}" if subject else ""
    typer.echo(f"{one.submission_id}  {one.kind}{about} by {one.submitter or 'somebody without an account'}, {day}")
    for name, text in sent.fields or fields_of(in_words(data, catalogue)):
        typer.echo(f"    {name}: {quoted(text)[1:-1] or '(removed)'}")
    if one.hidden:
        typer.echo(f"    Hidden: {one.hidden}")
    if one.status != "pending_review":
        typer.echo(f"    {one.status.capitalize()}{f': {one.reason}' if one.reason else '.'}")


def approve(submission_id: SubmissionID, by: By, photos: Photos = None) -> None:
    """Approve a submission unchanged."""
    from abhidhan.media.service.photos import Looked

    looked = Looked(frozenset(photos or ()))
    with open_services() as services:
        one = services.run(services.submissions.review.approve(services.person(by), submission_id, looked=looked))
    typer.echo(f"Submission {one.submission_id} is {one.status}: {one.result}.")


def reject(submission_id: SubmissionID, by: By, reason: Reason) -> None:
    """Reject a submission, with a reason."""
    with open_services() as services:
        one = services.run(services.submissions.review.reject(services.person(by), submission_id, reason))
    typer.echo(f"Submission {one.submission_id} is {one.status}.")


def check(
    *,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend", help="Delete files without a record, and reject photos and recordings whose file is lost."
        ),
    ] = False,
) -> None:
    """Check that files and the database agree. These are the files of photos and recordings."""
    with open_services() as services:
        found = [
            _told("photo", services.run(services.photos.cleanup.check(mend=mend))),
            _told("recording", services.run(services.recordings.cleanup.check(mend=mend))),
        ]
    if any(each.orphans or each.lost for each in found) and not mend:
        raise typer.Exit(EXIT_FOUND)


def _told(kind: str, found: "Checked") -> "Checked":
    for name in found.orphans:
        typer.echo(f"{name}: belongs to no {kind}{'; removed' if found.mended else ''}.")
    for number in found.lost:
        typer.echo(f"{kind.capitalize()} {number}: its file is lost{'; rejected' if found.mended else ''}.")
    files, lost = counted(found.files, "file"), counted(len(found.lost), kind)
    typer.echo(f"{files}, {len(found.orphans):,} without a {kind}, {lost} without a file.")
    return found


def status_named(name: str) -> "Status | None":
    """Return the status of a name; None for `all`. Raises InputError, which lists the names."""
    from abhidhan.records.submissions import Status

    if name == "all":
        return None
    try:
        return Status(name)
    except ValueError:
        raise InputError.of("--status", f"--status must be one of {', '.join(Status)}, all.") from None
