"""Pages of review: pending submissions with similar records, and decisions: approve, change and approve, or reject."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.contributions.pages.mending import can_be_mended, meanings_for, mended, mending_form, names_to_mend
from abhidhan.contributions.service.submission_review import PendingSubmission
from abhidhan.contributions.service.submission_texts import fields_of, in_words
from abhidhan.contributions.service.submission_views import Similar, Submission
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.browse import look_up_one
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import ShownIdea, first_idea_of_word, read_idea
from abhidhan.editing.pages.differences import Difference, compare
from abhidhan.editing.pages.record_fields import ADDRESS_OF_KIND, choices_of
from abhidhan.editing.service.editing import Editing
from abhidhan.media.pages.upload_review import NOTHING_TO_UNDO
from abhidhan.media.service.photos import Looked
from abhidhan.people.pages.staff import NOT_KEPT, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to
from abhidhan.platform.http.urls import with_query, word_address
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import RecordName, SenseState
from abhidhan.records.ids import GREATEST_ID, read_number
from abhidhan.records.languages import Language
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import LONGEST_REASON, Status

WAITING_ON_A_PAGE: Final = 20
QUEUE: Final = "/review/submissions"
PHOTO: Final = "photo_"
WITHOUT: Final = "without_"
"""Prefixes of the fields for photos that were shown, and for those that are left out; the ID of the photo follows."""

GROUPS: Final[Mapping[str, frozenset[Kind]]] = {
    "words": frozenset({Kind.WORD, Kind.EXAMPLE, Kind.MISSING}),
    "proverbs": frozenset({Kind.PROVERB}),
    "corrections": frozenset({Kind.CORRECTION, Kind.REPORT}),
    "others": frozenset({Kind.CARD, Kind.RECORD}),
}
"""Tabs of the queue, as reviewers specialise. Without a tab, all submissions are shown."""

Given = Annotated[str, QueryParameter(max_length=100)]
Start = Annotated[int, QueryParameter(ge=0, le=10_000_000)]


# --- the view of a submission -------------------------------------------------------------------------------------


class Case(msgspec.Struct, frozen=True):
    """A submission to review, with its fields, similar records, changes, and the idea that it concerns."""

    waiting: PendingSubmission
    fields: tuple[tuple[str, str], ...]
    differences: tuple[Difference, ...]
    duplicates: tuple[tuple[Similar, Language], ...]
    shown: ShownIdea | None
    mends: bool


async def read_case(dictionary: Dictionary, waiting: PendingSubmission) -> Case:
    """Load the context of a pending submission."""
    data = waiting.submission.data if isinstance(waiting.submission.data, dict) else {}
    catalogue = await dictionary.catalogue()
    return Case(
        waiting,
        tuple(fields_of(in_words(data, catalogue))),
        await _differences(dictionary, waiting),
        tuple((each, catalogue.language(each.language_id)) for each in waiting.similar),
        await _idea_about(dictionary, data),
        can_be_mended(waiting.given),
    )


async def _differences(dictionary: Dictionary, waiting: PendingSubmission) -> tuple[Difference, ...]:
    """Return the differences that a correction makes, including the removal of a word from an idea."""
    change, catalogue = waiting.change, await dictionary.catalogue()
    if change is None:
        return ()
    if change.proposed is None and isinstance(change.current, SenseState):
        word = await dictionary.read(look_up_one, change.current.word_id)
        return (Difference("word", "", word.word, ""),)
    return tuple(compare(change.current, change.proposed, catalogue))


async def _idea_about(dictionary: Dictionary, data: Mapping[str, Any]) -> ShownIdea | None:
    if data.get("idea_id"):
        return await dictionary.read(read_idea, str(data["idea_id"]))
    return await dictionary.read(first_idea_of_word, int(data["word_id"])) if data.get("word_id") else None


# --- the queue ----------------------------------------------------------------------------------------------------


@get(QUEUE, include_in_schema=False)
async def show_queue(  # noqa: PLR0913 (query parameters and injected dependencies)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    kind: Given = "",
    done: Given = "",
    decided: Annotated[int, QueryParameter(ge=0, le=GREATEST_ID, name="id")] = 0,
    start: Start = 0,
) -> Response[str]:
    """List the pending submissions, or those of one group."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    last = await _read_decided(staff, decided) if decided else None
    return await _queue_page(staff, kind, start=start, done=done, last=last)


async def _queue_page(  # noqa: PLR0913 (parts of the page)
    staff: StaffContext,
    group: str,
    *,
    start: int = 0,
    done: str = "",
    last: "Decided | None" = None,
    error: AbhidhanError | None = None,
) -> Response[str]:
    group = group if group in GROUPS else ""
    kinds = GROUPS.get(group, frozenset())
    found = await staff.service(Submissions).review.list_pending(staff.person, WAITING_ON_A_PAGE, start, kinds)
    values = {
        "cases": [await read_case(staff.dictionary, each) for each in found.items],
        "groups": {name: staff.waiting.of(of_group) for name, of_group in GROUPS.items()} if staff.waiting else {},
        "group": group,
        "total": found.total,
        "start": start,
        "many": WAITING_ON_A_PAGE,
        "done": done,
        "last": last,
        "form": Form().refused(error) if error else Form(),
        "longest_reason": LONGEST_REASON,
    }
    return staff.show("review-submissions.html", values, error)


class Decided(msgspec.Struct, frozen=True):
    """The last decided submission, with the URL and display name of its result."""

    submission: Submission
    address: str = ""
    text: str = ""


async def _read_decided(staff: StaffContext, submission_id: int) -> Decided | None:
    """Return a decided submission with a link to its result; None if it is pending or does not exist."""
    try:
        submission = await staff.service(Submissions).show_to(staff.person, submission_id)
    except NotFoundError:
        return None
    if submission.status not in {Status.APPROVED, Status.REJECTED}:
        return None
    result = RecordName.parse(submission.result or "")
    if submission.status is Status.REJECTED or result.kind not in ADDRESS_OF_KIND:
        return Decided(submission)
    if result.kind == "word":
        try:
            text = (await staff.dictionary.read(look_up_one, result.number)).word
        except NotFoundError:
            return Decided(submission)
        return Decided(submission, word_address(text), text)
    return Decided(submission, f"{ADDRESS_OF_KIND[result.kind]}/{result.id}")


# --- one submission -----------------------------------------------------------------------------------------------


@get(f"{QUEUE}/{{submission_id:int}}", include_in_schema=False)
async def show_case(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Show a submission with the form to edit it."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    return await _case_page(staff, submission_id)


async def _case_page(
    staff: StaffContext, submission_id: int, form: Form | None = None, error: AbhidhanError | None = None
) -> Response[str]:
    waiting = await staff.service(Submissions).review.show_pending(staff.person, submission_id)
    catalogue = await staff.dictionary.catalogue()
    shown = form if form is not None and form.value("decision") == "mend" else mending_form(waiting, catalogue)
    values = {
        "case": await read_case(staff.dictionary, waiting),
        "form": shown.refused(error) if error else shown,
        "names": names_to_mend(waiting.given),
        "meanings": await meanings_for(staff.dictionary, waiting),
        "choices": choices_of(catalogue),
        "codes": {language.code: language for language in catalogue.languages},
        "group": "",
        "waits": waiting.submission.status is Status.PENDING,
        "longest_reason": LONGEST_REASON,
    }
    return staff.show("review-submission.html", values, error)


# --- deciding -----------------------------------------------------------------------------------------------------


@post(f"{QUEUE}/{{submission_id:int}}", include_in_schema=False)
async def decide(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Approve a submission, unchanged or edited, or reject it."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        decision = form.value("decision")
        try:
            await _decide(staff, submission_id, decision, form)
        except (ConflictError, InputError) as error:
            changed = isinstance(error, ConflictError) and error.current is not None
            if decision == "mend" or changed:
                return await _case_page(staff, submission_id, form, error)
            return await _queue_page(staff, form.value("kind"), error=error)
        done = "rejected" if decision == "reject" else "approved"
        return lead_to(_queue_address(form, done, submission_id), headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)


def _queue_address(form: Form, done: str, submission_id: int) -> str:
    """Return the URL of the queue from which the form was sent, with a message about the decision."""
    return with_query(QUEUE, kind=form.value("kind"), done=done, id=submission_id)


async def _decide(staff: StaffContext, submission_id: int, decision: str, form: Form) -> None:
    submissions = staff.service(Submissions)
    match decision:
        case "approve":
            await submissions.review.approve(staff.person, submission_id, looked=_looked(form))
        case "mend":
            given = (await submissions.review.show_pending(staff.person, submission_id)).given
            await submissions.review.approve(staff.person, submission_id, mended(given, form), _looked(form))
        case "reject":
            await submissions.review.reject(staff.person, submission_id, form.value("reason"))
        case _:
            raise InputError.of("decision", sentence("Choose “Approve” or “Reject”."))


def _looked(form: Form) -> Looked:
    """Return the photos that the form has shown to the editor, and those to leave out."""
    return Looked(_numbers_after(PHOTO, form), _numbers_after(WITHOUT, form))


def _numbers_after(prefix: str, form: Form) -> frozenset[int]:
    names = (name.removeprefix(prefix) for name in form.fields if name.startswith(prefix))
    return frozenset(filter(None, map(read_number, names)))


@post(f"{QUEUE}/{{submission_id:int}}/undo", include_in_schema=False)
async def undo_decision(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Undo a decision: the submission is pending again, and its result is removed."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        editing, group = staff.service(Editing), form.value("kind")
        try:
            _check_decided((await staff.service(Submissions).show_to(staff.person, submission_id)).status)
            newest = await editing.history_of(RecordName("submission", str(submission_id)), 1)
            await editing.undo(staff.person, newest[0].id)
        except ConflictError as error:
            return await _queue_page(staff, group, error=error)
        return lead_to(_queue_address(form, "undone", submission_id), headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)


def _check_decided(status: Status) -> None:
    """Raise ConflictError if there is no decision to undo."""
    if status not in {Status.APPROVED, Status.REJECTED}:
        raise ConflictError(NOTHING_TO_UNDO)


REVIEW_HANDLERS = (show_queue, show_case, decide, undo_decision)
