"""Review: what waits for an editor, what is like it already, and deciding: as it is, with changes, or not at all."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.drafts import (
    AnySubmission,
    CardSubmission,
    CorrectionSubmission,
    DefinitionData,
    ExampleSubmission,
    IdeaChanges,
    IdeaData,
    ProverbSubmission,
    Submitted,
    WordData,
    WordSubmission,
)
from abhidhan.domain.history import IdeaState
from abhidhan.domain.languages import Language
from abhidhan.domain.people import Permission
from abhidhan.domain.records.fields import names
from abhidhan.domain.records.word import DETAILS, REMARKS
from abhidhan.domain.submissions import LONGEST_REASON, Status
from abhidhan.errors import AbhidhanError, ConflictError, InputError
from abhidhan.services.contributions.duplicates import Similar
from abhidhan.services.contributions.submissions import PendingSubmission
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.dictionary.views.ideas import ShownIdea
from abhidhan.web.arguments import GivenDictionary, PathID
from abhidhan.web.pages.differences import Difference, compare
from abhidhan.web.pages.forms import Form, number_in
from abhidhan.web.pages.record_fields import choices_of, typed
from abhidhan.web.pages.rendering import GivenPages, PageRequest, lead_to
from abhidhan.web.pages.sent import fields_of, in_words
from abhidhan.web.pages.staff import NOT_KEPT, StaffContext, handle_staff_form, staff_or_redirect

WAITING_ON_A_PAGE: Final = 20
MOST_MEANINGS: Final = 6
QUEUE: Final = "/review/submissions"

Given = Annotated[str, QueryParameter(max_length=100)]
Start = Annotated[int, QueryParameter(ge=0, le=10_000_000)]

FIELDS: Final[Mapping[type[Any], tuple[str, ...]]] = {
    WordSubmission: (
        "word",
        "language",
        *(field.name for field in DETAILS if field.name != "variant"),
        *names(REMARKS),
    ),
    ProverbSubmission: ("text", "language", "roman", "meaning", "category"),
    ExampleSubmission: ("text", "language", "translation"),
    CardSubmission: ("clue", "roman", "answer", "picture"),
}
"""The fields of what was sent that an editor can mend, by its kind."""

DEFINITION: Final = "definition_"


# --- what is shown of a submission --------------------------------------------------------------------------------


class Case(msgspec.Struct, frozen=True):
    """A submission to review: what it says, what is like it, what it would change, and the idea that it is about."""

    waiting: PendingSubmission
    fields: tuple[tuple[str, str], ...]
    differences: tuple[Difference, ...]
    duplicates: tuple[tuple[Similar, Language], ...]
    shown: ShownIdea | None


async def read_case(dictionary: Dictionary, waiting: PendingSubmission) -> Case:
    """Read what stands round a submission."""
    data = waiting.submission.data if isinstance(waiting.submission.data, dict) else {}
    catalogue, change = await dictionary.catalogue(), waiting.change
    return Case(
        waiting,
        tuple(fields_of(in_words(data, catalogue))),
        tuple(compare(change.current, change.proposed, catalogue)) if change else (),
        tuple((each, catalogue.language(each.language_id)) for each in waiting.similar),
        await _idea_about(dictionary, data),
    )


async def _idea_about(dictionary: Dictionary, data: Mapping[str, Any]) -> ShownIdea | None:
    if data.get("idea_id"):
        return await dictionary.shown_idea(str(data["idea_id"]))
    return await dictionary.first_idea_of_word(int(data["word_id"])) if data.get("word_id") else None


# --- the queue ----------------------------------------------------------------------------------------------------


@get(QUEUE, include_in_schema=False)
async def show_queue(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, done: Given = "", start: Start = 0
) -> Response[str]:
    """Show the words, proverbs and reports that wait for a decision."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    return await _queue_page(staff, start=start, done=done)


async def _queue_page(
    staff: StaffContext, *, start: int = 0, done: str = "", error: AbhidhanError | None = None
) -> Response[str]:
    found = await staff.services.submissions.list_pending(staff.person, WAITING_ON_A_PAGE, start)
    values = {
        "cases": [await read_case(staff.dictionary, each) for each in found.pending],
        "total": found.total,
        "start": start,
        "many": WAITING_ON_A_PAGE,
        "done": done,
        "form": Form().refused(error) if error else Form(),
        "longest_reason": LONGEST_REASON,
    }
    return staff.show("review-submissions.html", values, error)


# --- one submission -----------------------------------------------------------------------------------------------


@get(f"{QUEUE}/{{submission_id:int}}", include_in_schema=False)
async def show_case(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Show one submission with the form to mend it."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.REVIEW)
    if isinstance(staff, Response):
        return staff
    return await _case_page(staff, submission_id)


async def _case_page(
    staff: StaffContext, submission_id: int, form: Form | None = None, error: AbhidhanError | None = None
) -> Response[str]:
    waiting = await staff.services.submissions.show_pending(staff.person, submission_id)
    catalogue = await staff.dictionary.catalogue()
    shown = form if form is not None and form.value("decision") == "mend" else mending_form(waiting, catalogue)
    values = {
        "case": await read_case(staff.dictionary, waiting),
        "form": shown.refused(error) if error else shown,
        "names": FIELDS.get(type(waiting.given), ()),
        "meanings": await _meanings(staff.dictionary, waiting),
        "choices": choices_of(catalogue),
        "codes": {language.code: language for language in catalogue.languages},
        "waits": waiting.submission.status is Status.PENDING,
        "longest_reason": LONGEST_REASON,
    }
    return staff.show("review-submission.html", values, error)


async def _meanings(dictionary: Dictionary, waiting: PendingSubmission) -> list[ShownIdea]:
    """Read the meanings that a word could have: the one it was sent for, and those of words that are like it."""
    if not isinstance(waiting.given, WordSubmission):
        return []
    like = [each.id for each in waiting.similar]
    return await dictionary.ideas_of_words(waiting.given.data.idea_id, like, MOST_MEANINGS)


def mending_form(waiting: PendingSubmission, catalogue: Catalogue) -> Form:
    """Write what was sent into the fields of the form that mends it."""
    given, change = waiting.given, waiting.change
    fields = {name: _text(getattr(given.data, name)) for name in FIELDS.get(type(given), ())}
    if isinstance(given, WordSubmission):
        meaning = given.data.meaning
        fields |= {"idea_id": _text(given.data.idea_id), "pos": _text(meaning.pos) if meaning else ""}
        texts = [(str(one.language), one.text) for one in meaning.definitions] if meaning else []
        fields |= _definition_fields(texts, catalogue)
    if "language" in fields:
        language = catalogue.find_language(fields["language"])
        fields["language"] = language.code if language else fields["language"]
    if isinstance(given, CorrectionSubmission) and change:
        fields |= _correction_fields(given, change.proposed, catalogue)
    return Form(fields)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _definition_fields(texts: list[tuple[str, str]], catalogue: Catalogue) -> dict[str, str]:
    fields = {}
    for place, (name, text) in enumerate(texts):
        language = catalogue.find_language(name)
        fields[f"{DEFINITION}{place}_{language.code if language else name}"] = text
    used = {name.rpartition("_")[2] for name in fields}
    return fields | {f"{DEFINITION}new_{code}": "" for code in ("as", "en") if code not in used}


def _correction_fields(given: CorrectionSubmission, proposed: object, catalogue: Catalogue) -> dict[str, str]:
    """Write the fields that a correction changes as they would be."""
    if isinstance(proposed, IdeaState):
        texts = [(str(language_id), text) for language_id, text in proposed.definitions]
        return {"glyph": proposed.glyph or "", **_definition_fields(texts, catalogue)}
    changes = given.data.word or given.data.phrase
    return {name: _text(value) for name, value in _touched(changes).items()}


def _touched(changes: object) -> dict[str, Any]:
    given = {name: getattr(changes, name) for name in getattr(changes, "__struct_fields__", ())}
    return {name: value for name, value in given.items() if value is not msgspec.UNSET}


def mended(given: AnySubmission, form: Form) -> Submitted:
    """Read what an editor has made of a submission. Raises InputError."""
    match given:
        case WordSubmission(data):
            return WordSubmission(_mended_word(data, form))
        case CorrectionSubmission():
            return _mended_correction(given, form)
        case ProverbSubmission() | ExampleSubmission() | CardSubmission():
            values = typed(FIELDS[type(given)], form)
            return msgspec.structs.replace(given, data=msgspec.structs.replace(given.data, **values))
        case _:
            raise InputError.of("decision", "This cannot be changed here: approve it as it is, or reject it.")


def _mended_word(data: WordData, form: Form) -> WordData:
    idea_id = number_in(form, "idea_id")
    meaning = data.meaning or IdeaData(0)
    if not idea_id:
        meaning = msgspec.structs.replace(meaning, pos=form.value("pos"), definitions=_definitions(form))
    values = typed(FIELDS[WordSubmission], form)
    return msgspec.structs.replace(data, idea_id=idea_id, meaning=None if idea_id else meaning, **values)


def _definitions(form: Form) -> tuple[DefinitionData, ...]:
    return tuple(
        DefinitionData(name.rpartition("_")[2], text)
        for name, text in form.fields.items()
        if name.startswith(DEFINITION) and text
    )


def _mended_correction(given: CorrectionSubmission, form: Form) -> CorrectionSubmission:
    data = given.data
    if data.idea is not None:
        touched = _touched(data.idea) | {"definitions": _definitions(form), "glyph": form.value("glyph") or None}
        return CorrectionSubmission(msgspec.structs.replace(data, idea=IdeaChanges(**touched)))
    field = "word" if data.word is not None else "phrase"
    changes = getattr(data, field)
    values = typed(_touched(changes), form)
    changed = msgspec.structs.replace(changes, **values) if changes is not None else None
    return CorrectionSubmission(msgspec.structs.replace(data, **{field: changed}))


# --- deciding -----------------------------------------------------------------------------------------------------


@post(f"{QUEUE}/{{submission_id:int}}", include_in_schema=False)
async def decide(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, submission_id: PathID
) -> Response[str]:
    """Approve a submission as it is or as the editor has mended it, or reject it."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        decision = form.value("decision")
        try:
            await _decide(staff, submission_id, decision, form)
        except (ConflictError, InputError) as error:
            changed = isinstance(error, ConflictError) and error.current is not None
            if decision == "mend" or changed:
                return await _case_page(staff, submission_id, form, error)
            return await _queue_page(staff, error=error)
        return lead_to(f"{QUEUE}?done={'rejected' if decision == 'reject' else 'approved'}", headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)


async def _decide(staff: StaffContext, submission_id: int, decision: str, form: Form) -> None:
    submissions = staff.services.submissions
    match decision:
        case "approve":
            await submissions.approve(staff.person, submission_id)
        case "mend":
            given = (await submissions.show_pending(staff.person, submission_id)).given
            await submissions.approve(staff.person, submission_id, mended(given, form))
        case "reject":
            await submissions.reject(staff.person, submission_id, form.value("reason"))
        case _:
            raise InputError.of("decision", "Choose to approve or to reject.")


REVIEW_HANDLERS = (show_queue, show_case, decide)
