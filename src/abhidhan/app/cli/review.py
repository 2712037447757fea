"""`abhidhan review`: submissions, and whether the files of photos and recordings agree with the database."""

from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import GREATEST_ID
from abhidhan.app.cli.people import open_services
from abhidhan.records.errors import InputError, counted

if TYPE_CHECKING:
    from abhidhan.media.service.upload_cleanup import Checked
    from abhidhan.records.submissions import Status

MOST_SHOWN = 1000
EXIT_FOUND = 1
"""The exit status of a check that has found something, and has not mended it."""

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
    group.command("check")(check)
    program.add_typer(group, name="review")


def list_submissions(status: StatusName = "pending_review") -> None:
    """List submitted words, corrections, proverbs, examples, flashcards and reports; by default, those waiting."""
    import json

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    with open_services() as services:
        found = services.run(services.submissions.list_all(status_named(status), MOST_SHOWN))
    table = Table("ID", "Status", "Kind", "By", "What", "Reason")
    for one in found.items:
        what = json.dumps(one.data, ensure_ascii=False)
        table.add_row(
            str(one.submission_id), one.status, one.kind, one.submitter or "", escape(what), escape(one.reason or "")
        )
    Console().print(table)
    typer.echo(f"{found.total} in all.")


def approve(submission_id: SubmissionID, by: By, photos: Photos = None) -> None:
    """Approve a submission as it is."""
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
            "--mend", help="Delete files that belong to nothing, and reject photos and recordings whose file is lost."
        ),
    ] = False,
) -> None:
    """Check that the files of photos and recordings agree with the database; repair them with --mend."""
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
    """Find a status by its name; `all` is none. Raises InputError that lists them."""
    from abhidhan.records.submissions import Status

    if name == "all":
        return None
    try:
        return Status(name)
    except ValueError:
        raise InputError.of("--status", f"--status must be one of {', '.join(Status)}, all.") from None
