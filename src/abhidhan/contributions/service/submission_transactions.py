"""Transactions that store, check and decide submissions."""

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
    """Context of a decision: the submission, the catalogue, the user and the time."""

    submission_id: int
    catalogue: Catalogue
    person: Person
    now: int


def store_submission(connection: Writer, *, new: NewSubmission, now: int, quotas: Quotas | None) -> int:
    """Store a submission as pending and return its ID; for a repeated one, return the ID of the first."""
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
    """Check a submission by approving it in a savepoint that is rolled back. Raises InputError with all problems.

    Returns the encoded current state of the record of a correction, or None.
    """
    trial = connection.begin_nested()
    try:
        editor, seen = open_editor(connection, catalogue, person, 0), None
        if isinstance(submission, CorrectionSubmission):
            seen = editor.ledger.current(corrected_record(editor, submission.data))
        if isinstance(submission, MissingSubmission):
            refuse_known(editor, submission.data)
            return None
        # Duplicates are for the editor to judge; the submitter gets a warning.
        with suppress(ConflictError):
            _placed(editor, submission)
        return encode_state(seen)
    finally:
        trial.rollback()


def propose_change(
    connection: Writer, *, case: Case, data: CorrectionData, seen: AnyState | None
) -> ProposedChange | None:
    """Return the changes of a correction; None if its record was deleted or the correction is no longer valid."""
    try:
        editor = open_editor(connection, case.catalogue, case.person, case.now)
        name, current, rebased = weigh(editor, data, seen)
    except InputError:
        return None
    return ProposedChange(str(name), current, rebased.after, rebased.clashes)


def approve_submission(
    connection: Writer, *, case: Case, instead: AnySubmission | None, looked: Looked = NO_PHOTO
) -> None:
    """Approve a submission; `instead` is the data as changed by the editor, if any.

    The photos of a word are approved with it, except those that the editor has left out. Raises ConflictError if there
    is one that the editor has not seen.
    """
    row, editor = _case_and_editor(connection, case)
    status = next_status(Status(row.status), Step.APPROVE)
    submission = instead or decode_submission(row.payload)
    is_made_a_word = row.kind == Kind.MISSING and kind_of(submission) is Kind.WORD
    if kind_of(submission) != row.kind and not is_made_a_word:
        raise InputError.of(
            "kind", sentence("This submission is a %(kind)s; it cannot be approved as another kind.", kind=row.kind)
        )
    # An edited correction is based on the current state of the record, not on the state that the submitter saw.
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
    """The resulting record of a submission; for a word, also its idea, to which its photos are linked."""

    name: RecordName
    idea_id: int | None = None


def _placed(  # noqa: PLR0911  # one for each kind
    editor: Editor, submission: AnySubmission, seen: AnyState | None = None, licence: str | None = None
) -> _Placed:
    """Apply a submission to the dictionary, and return the resulting record.

    `seen` is the state of the record when a correction was submitted; `licence` is stored with new records.
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
    """Return the word of a report. Approving a report only closes it: an editor corrects the word by hand."""
    name = RecordName("word", str(data.word_id))
    editor.draft.comment("text", data.text)
    if editor.ledger.current(name) is None:
        editor.draft.problems.append(
            Problem("word_id", sentence("There is no word with the ID %(word_id)s.", word_id=data.word_id))
        )
    editor.draft.finish()
    return name


def _known_word(editor: Editor, data: MissingData) -> int | None:
    """Return the ID of a reported word, or None. Raises InputError if it is not a valid word."""
    state = editor.draft.word(WordData(data.language, data.word))
    editor.draft.finish()
    return words.find_word(editor.edit, state.language_id, state.text)


def refuse_known(editor: Editor, data: MissingData) -> None:
    """Raise InputError if a word reported as missing is already in the dictionary."""
    if _known_word(editor, data) is not None:
        raise InputError.of("word", sentence("This word is already in the dictionary."))


def _added_since(editor: Editor, data: MissingData) -> RecordName:
    """Return the word added since it was reported as missing. Raises InputError if there is none."""
    known = _known_word(editor, data)
    if known is None:
        raise InputError.of(
            "word", sentence("This word is not in the dictionary yet: change and approve it to add it.")
        )
    return RecordName("word", str(known))


def decide_submission(connection: Writer, *, case: Case, step: Step, reason: str | None) -> None:
    """Reject or withdraw a submission and its photos."""
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
