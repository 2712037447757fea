"""`abhidhan review`: decide on submissions, and check that the files of photos and recordings match the database."""

from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import MAX_ID
from abhidhan.app.cli.people import open_command_services
from abhidhan.records.errors import InputError, pluralize, quoted

if TYPE_CHECKING:
    from abhidhan.contributions.service.submission_views import Submission
    from abhidhan.media.service.upload_cleanup import CleanupCheck
    from abhidhan.records.catalogue import Catalogue
    from abhidhan.records.submissions import Status

MAX_SHOWN = 1000
EXIT_PROBLEMS = 1
"""The exit status of a check that found problems and did not fix them."""

SubmissionIDArgument = Annotated[int, typer.Argument(help="The ID of a submission.", metavar="ID", min=1, max=MAX_ID)]
ReasonOption = Annotated[str, typer.Option(help="The reason, which the sender can read.")]
StatusOption = Annotated[
    str, typer.Option("--status", help="The status: pending_review, approved, rejected, withdrawn or all.")
]
PhotosOption = Annotated[
    list[int] | None,
    typer.Option("--photo", help="The photo submitted with the word, to approve with it.", min=1, max=MAX_ID),
]
ReviewerOption = Annotated[str, typer.Option("--by", help="The editor or administrator who decides.")]


def register(program: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Decide on submissions: list, approve or reject them.", no_args_is_help=True)
    group.command("list")(list_submissions)
    group.command("approve")(approve)
    group.command("reject")(reject)
    group.command("check")(check)
    program.add_typer(group, name="review")


def list_submissions(status: StatusOption = "pending_review") -> None:
    """List submissions; by default, those that wait for review.

    Each begins with its ID, which `approve` and `reject` take. Photos and recordings are reviewed on the website.
    """
    with open_command_services() as services:
        page = services.run(services.submissions.list_all(parse_status(status), MAX_SHOWN))
        subjects = services.run(services.submissions.load_subjects(page.items))
        catalogue = services.database.read_now(lambda reader: reader.catalogue)
    for submission in page.items:
        _show_submission(submission, subjects.get(submission.submission_id, ""), catalogue)
    if len(page.items) < page.total:
        typer.echo(f"Only the first {len(page.items):,} are shown.")
    typer.echo(f"{page.total:,} in all.")


def _show_submission(submission: "Submission", subject: str, catalogue: "Catalogue") -> None:
    """Print a submission: a heading, a line for each field, and the decision."""
    from datetime import UTC, datetime

    from abhidhan.contributions.service.submission_texts import build_sent_submission, flatten_fields, make_readable

    sent = build_sent_submission(submission, subject, catalogue)
    data = submission.data if isinstance(submission.data, dict) else {}
    day = datetime.fromtimestamp(submission.submitted, UTC).strftime("%Y-%m-%d")
    about = f" of {subject}" if subject else ""
    typer.echo(f"{submission.submission_id}  {submission.kind}{about} by {submission.submitter or 'a visitor'}, {day}")
    for name, text in sent.fields or flatten_fields(make_readable(data, catalogue)):
        typer.echo(f"    {_format_field_name(name)}: {quoted(text)[1:-1] or '(removed)'}")
    if submission.hidden:
        typer.echo(f"    Hidden: {submission.hidden}")
    if submission.status != "pending_review":
        typer.echo(f"    {submission.status.capitalize()}{f': {submission.reason}' if submission.reason else '.'}")


def _format_field_name(name: str) -> str:
    """Put the language of a field into brackets: `definitions:English` becomes `definitions (English)`."""
    field, _, language = name.partition(":")
    return f"{field} ({language})" if language else field


def approve(submission_id: SubmissionIDArgument, by: ReviewerOption, photos: PhotosOption = None) -> None:
    """Approve a submission unchanged."""
    from abhidhan.media.service.photos import ReviewedPhotos

    reviewed_photos = ReviewedPhotos(frozenset(photos or ()))
    with open_command_services() as services:
        submission = services.run(
            services.submissions.review.approve(
                services.find_person(by), submission_id, reviewed_photos=reviewed_photos
            )
        )
    typer.echo(f"Submission {submission.submission_id} is {submission.status}: {submission.result}.")


def reject(submission_id: SubmissionIDArgument, by: ReviewerOption, reason: ReasonOption) -> None:
    """Reject a submission, with a reason."""
    with open_command_services() as services:
        submission = services.run(services.submissions.review.reject(services.find_person(by), submission_id, reason))
    typer.echo(f"Submission {submission.submission_id} is {submission.status}.")


def check(
    *,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend", help="Delete files without a record, and reject photos and recordings whose file is lost."
        ),
    ] = False,
) -> None:
    """Check that the files of photos and recordings match the database."""
    with open_command_services() as services:
        results = [
            _print_check("photo", services.run(services.photos.cleanup.check(mend=mend))),
            _print_check("recording", services.run(services.recordings.cleanup.check(mend=mend))),
        ]
    if any(result.orphans or result.lost for result in results) and not mend:
        raise typer.Exit(EXIT_PROBLEMS)


def _print_check(kind: str, result: "CleanupCheck") -> "CleanupCheck":
    for name in result.orphans:
        typer.echo(f"{name}: belongs to no {kind}{'; removed' if result.mended else ''}.")
    for number in result.lost:
        typer.echo(f"{kind.capitalize()} {number}: its file is lost{'; rejected' if result.mended else ''}.")
    files, lost = pluralize(result.files, "file"), pluralize(len(result.lost), kind)
    typer.echo(f"{files}, {len(result.orphans):,} without a {kind}, {lost} without a file.")
    return result


def parse_status(name: str) -> "Status | None":
    """Parse a status; None for `all`. Raises InputError, which lists the possible statuses."""
    from abhidhan.records.submissions import Status

    if name == "all":
        return None
    try:
        return Status(name)
    except ValueError:
        raise InputError.of("--status", f"--status must be one of {', '.join(Status)}, all.") from None
