"""Pages of review: pending submissions with similar records, and decisions: approve, change and approve, or reject."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.review_edit import (
    build_edit_form,
    is_editable,
    list_candidate_ideas,
    list_editable_fields,
    parse_submission,
)
from abhidhan.contributions.service.submission_review import PendingSubmission
from abhidhan.contributions.service.submission_texts import flatten_fields, make_readable
from abhidhan.contributions.service.submission_views import Similar, Submission
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.browse import get_word
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, load_first_idea, read_idea
from abhidhan.editing.pages.differences import FieldDifference, compare_states
from abhidhan.editing.pages.record_fields import PATH_BY_KIND, build_choices
from abhidhan.editing.service.editing import Editing
from abhidhan.media.pages.upload_review import NOTHING_TO_UNDO
from abhidhan.media.service.photos import ReviewedPhotos
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.platform.http.urls import add_query, word_address
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import RecordRef, SenseState
from abhidhan.records.ids import MAX_ID, parse_number
from abhidhan.records.languages import Language
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import MAX_REASON_LENGTH, Status

CASES_PER_PAGE: Final = 20
QUEUE_PATH: Final = "/review/submissions"
PHOTO_PREFIX: Final = "photo_"
EXCLUDED_PHOTO_PREFIX: Final = "without_"
"""Prefixes of the fields for photos that were shown, and for those that are left out; the ID of the photo follows."""

KINDS_BY_GROUP: Final[Mapping[str, frozenset[Kind]]] = {
    "words": frozenset({Kind.WORD, Kind.EXAMPLE, Kind.MISSING}),
    "proverbs": frozenset({Kind.PROVERB}),
    "corrections": frozenset({Kind.CORRECTION, Kind.REPORT}),
    "others": frozenset({Kind.CARD, Kind.RECORD}),
}
"""The kinds shown on each tab of the queue, as reviewers specialise; without a tab, all kinds are shown."""

QueryText = Annotated[str, QueryParameter(max_length=100)]
StartParam = Annotated[int, QueryParameter(ge=0, le=10_000_000)]


# --- the view of a submission -------------------------------------------------------------------------------------


class ReviewCase(msgspec.Struct, frozen=True):
    """A submission to review, with its fields, similar records, changes, and the idea that it concerns."""

    waiting: PendingSubmission
    fields: tuple[tuple[str, str], ...]
    differences: tuple[FieldDifference, ...]
    duplicates: tuple[tuple[Similar, Language], ...]
    shown: IdeaView | None
    mends: bool


async def load_case(dictionary: Dictionary, pending: PendingSubmission) -> ReviewCase:
    """Load the context of a pending submission."""
    data = pending.submission.data if isinstance(pending.submission.data, dict) else {}
    catalogue = await dictionary.catalogue()
    return ReviewCase(
        pending,
        tuple(flatten_fields(make_readable(data, catalogue))),
        await _list_differences(dictionary, pending),
        tuple((similar, catalogue.language(similar.language_id)) for similar in pending.similar),
        await _load_idea(dictionary, data),
        is_editable(pending.data),
    )


async def _list_differences(dictionary: Dictionary, pending: PendingSubmission) -> tuple[FieldDifference, ...]:
    """Return the differences that a correction makes, including the removal of a word from an idea."""
    change, catalogue = pending.change, await dictionary.catalogue()
    if change is None:
        return ()
    if change.proposed is None and isinstance(change.current, SenseState):
        word = await dictionary.read(get_word, change.current.word_id)
        return (FieldDifference("word", "", word.word, ""),)
    return tuple(compare_states(change.current, change.proposed, catalogue))


async def _load_idea(dictionary: Dictionary, data: Mapping[str, Any]) -> IdeaView | None:
    if data.get("idea_id"):
        return await dictionary.read(read_idea, str(data["idea_id"]))
    return await dictionary.read(load_first_idea, int(data["word_id"])) if data.get("word_id") else None


# --- the queue ----------------------------------------------------------------------------------------------------


@get(QUEUE_PATH, include_in_schema=False)
async def show_queue(  # noqa: PLR0913 (query parameters and injected dependencies)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    kind: QueryText = "",
    done: QueryText = "",
    decided: Annotated[int, QueryParameter(ge=0, le=MAX_ID, name="id")] = 0,
    start: StartParam = 0,
) -> Response[str]:
    """List the pending submissions, or those of one group."""
    staff = await require_staff(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    last = await _read_decided_submission(staff, decided) if decided else None
    return await _show_queue_page(staff, kind, start=start, done=done, last=last)


async def _show_queue_page(  # noqa: PLR0913 (parts of the page)
    staff: StaffContext,
    group: str,
    *,
    start: int = 0,
    done: str = "",
    last: "DecidedSubmission | None" = None,
    error: AbhidhanError | None = None,
) -> Response[str]:
    group = group if group in KINDS_BY_GROUP else ""
    kinds = KINDS_BY_GROUP.get(group, frozenset())
    pending = await staff.service(Submissions).review.list_pending(staff.person, CASES_PER_PAGE, start, kinds)
    values = {
        "cases": [await load_case(staff.dictionary, submission) for submission in pending.items],
        "groups": {name: staff.pending_counts.count_submissions(of_group) for name, of_group in KINDS_BY_GROUP.items()}
        if staff.pending_counts
        else {},
        "group": group,
        "total": pending.total,
        "start": start,
        "many": CASES_PER_PAGE,
        "done": done,
        "last": last,
        "form": Form().with_error(error) if error else Form(),
        "longest_reason": MAX_REASON_LENGTH,
    }
    return staff.show("review-submissions.html", values, error)


class DecidedSubmission(msgspec.Struct, frozen=True):
    """The last decided submission, with the URL and display name of its result."""

    submission: Submission
    address: str = ""
    text: str = ""


async def _read_decided_submission(staff: StaffContext, submission_id: int) -> DecidedSubmission | None:
    """Return a decided submission with a link to its result; None if it is pending or does not exist."""
    try:
        submission = await staff.service(Submissions).show_to(staff.person, submission_id)
    except NotFoundError:
        return None
    if submission.status not in {Status.APPROVED, Status.REJECTED}:
        return None
    result = RecordRef.parse(submission.result or "")
    if submission.status is Status.REJECTED or result.kind not in PATH_BY_KIND:
        return DecidedSubmission(submission)
    if result.kind == "word":
        try:
            text = (await staff.dictionary.read(get_word, result.number)).word
        except NotFoundError:
            return DecidedSubmission(submission)
        return DecidedSubmission(submission, word_address(text), text)
    return DecidedSubmission(submission, f"{PATH_BY_KIND[result.kind]}/{result.id}")


# --- one submission -----------------------------------------------------------------------------------------------


@get(f"{QUEUE_PATH}/{{submission_id:int}}", include_in_schema=False)
async def show_case(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, submission_id: PathID
) -> Response[str]:
    """Show a submission with the form to edit it."""
    staff = await require_staff(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    return await _show_case_page(staff, submission_id)


async def _show_case_page(
    staff: StaffContext, submission_id: int, form: Form | None = None, error: AbhidhanError | None = None
) -> Response[str]:
    pending = await staff.service(Submissions).review.show_pending(staff.person, submission_id)
    catalogue = await staff.dictionary.catalogue()
    filled_form = form if form is not None and form.value("decision") == "mend" else build_edit_form(pending, catalogue)
    values = {
        "case": await load_case(staff.dictionary, pending),
        "form": filled_form.with_error(error) if error else filled_form,
        "names": list_editable_fields(pending.data),
        "meanings": await list_candidate_ideas(staff.dictionary, pending),
        "choices": build_choices(catalogue),
        "codes": {language.code: language for language in catalogue.languages},
        "group": "",
        "waits": pending.submission.status is Status.PENDING,
        "longest_reason": MAX_REASON_LENGTH,
    }
    return staff.show("review-submission.html", values, error)


# --- deciding -----------------------------------------------------------------------------------------------------


@post(f"{QUEUE_PATH}/{{submission_id:int}}", include_in_schema=False)
async def decide(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, submission_id: PathID
) -> Response[str]:
    """Approve a submission, unchanged or edited, or reject it."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        decision = form.value("decision")
        try:
            await _decide(staff, submission_id, decision, form)
        except (ConflictError, InputError) as error:
            changed = isinstance(error, ConflictError) and error.current is not None
            if decision == "mend" or changed:
                return await _show_case_page(staff, submission_id, form, error)
            return await _show_queue_page(staff, form.value("kind"), error=error)
        done = "rejected" if decision == "reject" else "approved"
        return redirect_to(_build_queue_url(form, done, submission_id), headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, process_form)


def _build_queue_url(form: Form, done: str, submission_id: int) -> str:
    """Return the URL of the queue from which the form was sent, with a message about the decision."""
    return add_query(QUEUE_PATH, kind=form.value("kind"), done=done, id=submission_id)


async def _decide(staff: StaffContext, submission_id: int, decision: str, form: Form) -> None:
    submissions = staff.service(Submissions)
    match decision:
        case "approve":
            await submissions.review.approve(staff.person, submission_id, reviewed_photos=_parse_reviewed_photos(form))
        case "mend":
            submission = (await submissions.review.show_pending(staff.person, submission_id)).data
            await submissions.review.approve(
                staff.person, submission_id, parse_submission(submission, form), _parse_reviewed_photos(form)
            )
        case "reject":
            await submissions.review.reject(staff.person, submission_id, form.value("reason"))
        case _:
            raise InputError.of("decision", sentence("Choose “Approve” or “Reject”."))


def _parse_reviewed_photos(form: Form) -> ReviewedPhotos:
    """Return the photos that the form has shown to the editor, and those to leave out."""
    return ReviewedPhotos(_parse_ids(PHOTO_PREFIX, form), _parse_ids(EXCLUDED_PHOTO_PREFIX, form))


def _parse_ids(prefix: str, form: Form) -> frozenset[int]:
    names = (name.removeprefix(prefix) for name in form.fields if name.startswith(prefix))
    return frozenset(filter(None, map(parse_number, names)))


@post(f"{QUEUE_PATH}/{{submission_id:int}}/undo", include_in_schema=False)
async def undo_decision(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, submission_id: PathID
) -> Response[str]:
    """Undo a decision: the submission is pending again, and its result is removed."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        editing, group = staff.service(Editing), form.value("kind")
        try:
            _check_decided((await staff.service(Submissions).show_to(staff.person, submission_id)).status)
            newest = await editing.list_history(RecordRef("submission", str(submission_id)), 1)
            await editing.undo(staff.person, newest[0].id)
        except ConflictError as error:
            return await _show_queue_page(staff, group, error=error)
        return redirect_to(_build_queue_url(form, "undone", submission_id), headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, process_form)


def _check_decided(status: Status) -> None:
    """Check that there is a decision to undo. Raises ConflictError."""
    if status not in {Status.APPROVED, Status.REJECTED}:
        raise ConflictError(NOTHING_TO_UNDO)


REVIEW_HANDLERS = (show_queue, show_case, decide, undo_decision)
