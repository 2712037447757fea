"""What is written when something is submitted or decided on: each one transaction."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from abhidhan.contributions.service.corrections import ProposedChange, apply_correction, corrected_record, weigh
from abhidhan.editing.service.cards import place_card
from abhidhan.editing.service.editor import Editor, open_editor
from abhidhan.editing.service.words import place_proverb, place_word
from abhidhan.editing.store.history import Entry, write_entry
from abhidhan.editing.store.records import words
from abhidhan.exchange.service.pending_list_values import place_record
from abhidhan.media.service.photos import NO_PHOTO, Looked, approve_photos, close_photos
from abhidhan.platform.database.database import Writer
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, Problem, sentence
from abhidhan.records.history import (
    Action,
    AnyState,
    Change,
    IdeaState,
    RecordName,
    SubmissionState,
    decode_state,
    encode_state,
)
from abhidhan.records.people import Person
from abhidhan.records.submission_payloads import (
    AnySubmission,
    CardSubmission,
    CorrectionData,
    CorrectionSubmission,
    ExampleData,
    ExampleSubmission,
    Kind,
    MissingData,
    MissingSubmission,
    ProverbSubmission,
    RecordSubmission,
    ReportData,
    ReportSubmission,
    WordData,
    WordSubmission,
    decode_submission,
    encode_submission,
    kind_of,
)
from abhidhan.records.submissions import MARK_OF_KEY, Quotas, Status, Step, next_status
from abhidhan.submissions import store as stored
from abhidhan.submissions.service import allow, allow_report, earlier
from abhidhan.submissions.store import NewSubmission, PendingKind, SubmissionRow

_SUBMITTED: Final[Mapping[Kind, Action]] = {
    Kind.WORD: Action.WORD_SUBMITTED,
    Kind.PROVERB: Action.PROVERB_SUBMITTED,
    Kind.REPORT: Action.CHALLENGED,
}
_APPROVED: Final[Mapping[Kind, Action]] = {
    Kind.WORD: Action.WORD_APPROVED,
    Kind.PROVERB: Action.PROVERB_APPROVED,
    Kind.REPORT: Action.CHALLENGE_RESOLVED,
}
_REJECTED: Final[Mapping[Kind, Action]] = {
    Kind.WORD: Action.WORD_REJECTED,
    Kind.REPORT: Action.CHALLENGE_RESOLVED,
}


class Case(NamedTuple):
    """A submission that somebody decides about: which, with which languages and lists, who, and when."""

    submission_id: int
    catalogue: Catalogue
    person: Person
    now: int


def store_submission(connection: Writer, *, new: NewSubmission, now: int, quotas: Quotas | None) -> int:
    """Let a submission wait, unless the same one waits already, and return its ID."""
    known = earlier(connection, new.once, PendingKind.SUBMISSION) if new.once.startswith(MARK_OF_KEY) else None
    known = known or stored.find_marked(connection, new.once)
    if known is not None:
        if new.times is not None:
            stored.count_once_more(connection, known)
        return known
    if quotas and new.person_id is not None:
        allow(connection, PendingKind.SUBMISSION, new.person_id, quotas)
    elif quotas:
        allow_report(connection, quotas)
    submission_id, fresh = stored.add_submission(connection, new, now)
    if fresh:
        name = RecordName("submission", str(submission_id))
        change = Change(name, None, SubmissionState(str(Status.PENDING)))
        action = _SUBMITTED.get(Kind(new.kind), Action.SUBMITTED)
        write_entry(connection, Entry(action, new.person_id, now, name), [change])
    return submission_id


def check_submission(
    connection: Writer, *, submission: AnySubmission, catalogue: Catalogue, person: Person
) -> str | None:
    """Find everything that is wrong with a submission: by approving it, and taking that back at once.

    Gives what the record of a correction holds now, as it is kept.
    """
    trial = connection.begin_nested()
    try:
        editor, seen = open_editor(connection, catalogue, person, 0), None
        if isinstance(submission, CorrectionSubmission):
            seen = editor.ledger.current(corrected_record(editor, submission.data))
        if isinstance(submission, MissingSubmission):
            refuse_known(editor, submission.data)
            return None
        # That it is there already is for the editor to judge; the submitter is warned.
        with suppress(ConflictError):
            _placed(editor, submission)
        return encode_state(seen)
    finally:
        trial.rollback()


def propose_change(
    connection: Writer, *, case: Case, data: CorrectionData, seen: AnyState | None
) -> ProposedChange | None:
    """Return what a correction would change; None when its record is gone, or does not take it any more."""
    try:
        editor = open_editor(connection, case.catalogue, case.person, case.now)
        name, current, rebased = weigh(editor, data, seen)
    except InputError:
        return None
    return ProposedChange(str(name), current, rebased.after, rebased.clashes)


def approve_submission(
    connection: Writer, *, case: Case, instead: AnySubmission | None, looked: Looked = NO_PHOTO
) -> None:
    """Put a submission into the dictionary, as it is or as the editor has changed it.

    The photos that came with a word go with it, but for those that the editor has left out. Raises ConflictError when
    there is one that the editor has not looked at.
    """
    row, editor = _case_and_editor(connection, case)
    status = next_status(Status(row.status), Step.APPROVE)
    submission = instead or decode_submission(row.payload)
    is_made_a_word = row.kind == Kind.MISSING and kind_of(submission) is Kind.WORD
    if kind_of(submission) != row.kind and not is_made_a_word:
        raise InputError.of(
            "kind", sentence("This submission is a %(kind)s; it cannot be approved as another kind.", kind=row.kind)
        )
    # What an editor has mended was held against the record as it is now, not as the submitter saw it.
    placed = _placed(editor, submission, None if instead else decode_state(row.seen), row.licence)
    result = placed.name
    own = RecordName("submission", str(row.id))
    editor.ledger.put(own, SubmissionState(str(status), None, str(result)))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    approve_photos(editor, row.id, placed.idea_id, looked)
    mended = instead is not None and encode_submission(instead) != row.payload
    action = Action.APPROVED_WITH_CHANGES if mended else _APPROVED.get(Kind(row.kind), Action.APPROVED)
    editor.entry(action, result)


class _Placed(NamedTuple):
    """The record that came of a submission; of a word its idea too, which its photos show."""

    name: RecordName
    idea_id: int | None = None


def _placed(  # noqa: PLR0911  # one for each kind
    editor: Editor, submission: AnySubmission, seen: AnyState | None = None, licence: str | None = None
) -> _Placed:
    """Put what was submitted into the dictionary, and name the record that came of it.

    `seen` is what the record of a correction held when it was sent; what is new comes under the `licence`.
    """
    match submission:
        case WordSubmission(data):
            return _Placed(*place_word(editor, data, licence))
        case ProverbSubmission(data):
            return _Placed(place_proverb(editor, data, licence))
        case CardSubmission(data):
            return _Placed(place_card(editor, data))
        case ExampleSubmission(data):
            return _Placed(_with_example(editor, data))
        case CorrectionSubmission(data):
            return _Placed(apply_correction(editor, data, seen))
        case ReportSubmission(data):
            return _Placed(_challenged(editor, data))
        case RecordSubmission(data):
            return _Placed(place_record(editor, data))
        case MissingSubmission(data):
            return _Placed(_added_since(editor, data))


def _with_example(editor: Editor, data: ExampleData) -> RecordName:
    name = RecordName("idea", str(data.idea_id))
    state = editor.ledger.current(name)
    if not isinstance(state, IdeaState):
        raise InputError.of("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
    after = editor.draft.with_example(state, data)
    editor.draft.finish()
    editor.ledger.put(name, after)
    return name


def _challenged(editor: Editor, data: ReportData) -> RecordName:
    """Name the word that a report is about: an editor mends it by hand, and then closes the report."""
    name = RecordName("word", str(data.word_id))
    editor.draft.comment("text", data.text)
    if editor.ledger.current(name) is None:
        editor.draft.problems.append(
            Problem("word_id", sentence("There is no word with the ID %(word_id)s.", word_id=data.word_id))
        )
    editor.draft.finish()
    return name


def _known_word(editor: Editor, data: MissingData) -> int | None:
    """Find a word that was missing. Raises InputError for what can be no word of the dictionary."""
    state = editor.draft.word(WordData(data.language, data.word))
    editor.draft.finish()
    return words.find_word(editor.edit, state.language_id, state.text)


def refuse_known(editor: Editor, data: MissingData) -> None:
    """Make sure that a word is missing. Raises InputError."""
    if _known_word(editor, data) is not None:
        raise InputError.of("word", sentence("This word is in the dictionary already: look it up."))


def _added_since(editor: Editor, data: MissingData) -> RecordName:
    """Name the word that was missing, which somebody has added meanwhile. Raises InputError."""
    known = _known_word(editor, data)
    if known is None:
        raise InputError.of(
            "word", sentence("This word is not in the dictionary yet: change and approve it to add it.")
        )
    return RecordName("word", str(known))


def decide_submission(connection: Writer, *, case: Case, step: Step, reason: str | None) -> None:
    """Reject or withdraw a submission."""
    row, editor = _case_and_editor(connection, case)
    status = next_status(Status(row.status), step)
    own = RecordName("submission", str(row.id))
    editor.ledger.put(own, SubmissionState(str(status), reason))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    close_photos(editor, row.id, status, reason)
    kind = Kind(row.kind)
    editor.entry(Action.WITHDRAWN if step is Step.WITHDRAW else _REJECTED.get(kind, Action.REJECTED), own)


def _case_and_editor(connection: Writer, case: Case) -> tuple[SubmissionRow, Editor]:
    row = stored.read_submission(connection, case.submission_id)
    if row is None:
        raise NotFoundError(
            sentence("There is no submission with the ID %(submission_id)s.", submission_id=case.submission_id)
        )
    return row, open_editor(connection, case.catalogue, case.person, case.now)
