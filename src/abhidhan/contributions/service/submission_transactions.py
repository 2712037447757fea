"""Transactions that store, check and decide submissions."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from abhidhan.contributions.service.corrections import (
    ProposedChange,
    apply_correction,
    corrected_record,
    merge_correction,
)
from abhidhan.editing.service.cards import insert_card
from abhidhan.editing.service.editor import EditSession, open_editor
from abhidhan.editing.service.words import insert_proverb, insert_word
from abhidhan.editing.store.history import HistoryEntry, write_entry
from abhidhan.editing.store.records import words
from abhidhan.exchange.service.pending_list_values import add_record
from abhidhan.media.service.photos import NO_REVIEWED_PHOTOS, ReviewedPhotos, approve_photos, close_photos
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, Problem, sentence
from abhidhan.records.history import (
    Change,
    HistoryAction,
    IdeaState,
    RecordRef,
    RecordState,
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
from abhidhan.records.submissions import KEY_MARK_PREFIX, Quotas, ReviewStep, Status, next_status
from abhidhan.submissions import store as stored
from abhidhan.submissions.service import check_quota, check_report_quota, find_repeated
from abhidhan.submissions.store import NewSubmission, PendingKind, SubmissionRow

_SUBMITTED: Final[Mapping[Kind, HistoryAction]] = {
    Kind.WORD: HistoryAction.WORD_SUBMITTED,
    Kind.PROVERB: HistoryAction.PROVERB_SUBMITTED,
    Kind.REPORT: HistoryAction.CHALLENGED,
}
_APPROVED: Final[Mapping[Kind, HistoryAction]] = {
    Kind.WORD: HistoryAction.WORD_APPROVED,
    Kind.PROVERB: HistoryAction.PROVERB_APPROVED,
    Kind.REPORT: HistoryAction.CHALLENGE_RESOLVED,
}
_REJECTED: Final[Mapping[Kind, HistoryAction]] = {
    Kind.WORD: HistoryAction.WORD_REJECTED,
    Kind.REPORT: HistoryAction.CHALLENGE_RESOLVED,
}


class DecisionContext(NamedTuple):
    """Context of a decision: the submission, the catalogue, the user and the time."""

    submission_id: int
    catalogue: Catalogue
    person: Person
    now: int


def store_submission(connection: WriteConnection, *, new: NewSubmission, now: int, quotas: Quotas | None) -> int:
    """Store a submission as pending and return its ID; for a repeated one, return the ID of the first."""
    existing_id = (
        find_repeated(connection, new.once, PendingKind.SUBMISSION) if new.once.startswith(KEY_MARK_PREFIX) else None
    )
    existing_id = existing_id or stored.find_by_mark(connection, new.once)
    if existing_id is not None:
        if new.times is not None:
            stored.count_repetition(connection, existing_id)
        return existing_id
    if quotas and new.person_id is not None:
        check_quota(connection, PendingKind.SUBMISSION, new.person_id, quotas)
    elif quotas:
        check_report_quota(connection, quotas)
    submission_id, fresh = stored.add_submission(connection, new, now)
    if fresh:
        name = RecordRef("submission", str(submission_id))
        change = Change(name, None, SubmissionState(str(Status.PENDING)))
        action = _SUBMITTED.get(Kind(new.kind), HistoryAction.SUBMITTED)
        write_entry(connection, HistoryEntry(action, new.person_id, now, name), [change])
    return submission_id


def check_submission(
    connection: WriteConnection, *, submission: AnySubmission, catalogue: Catalogue, person: Person
) -> str | None:
    """Check a submission by approving it in a savepoint that is rolled back. Raises InputError with all problems.

    Returns the encoded current state of the record of a correction, or None.
    """
    trial = connection.begin_nested()
    try:
        editor, seen = open_editor(connection, catalogue, person, 0), None
        if isinstance(submission, CorrectionSubmission):
            seen = editor.recorder.current(corrected_record(editor, submission.data))
        if isinstance(submission, MissingSubmission):
            refuse_existing(editor, submission.data)
            return None
        # Duplicates are for the editor to judge; the submitter gets a warning.
        with suppress(ConflictError):
            _apply(editor, submission)
        return encode_state(seen)
    finally:
        trial.rollback()


def propose_change(
    connection: WriteConnection, *, case: DecisionContext, data: CorrectionData, seen: RecordState | None
) -> ProposedChange | None:
    """Return the changes of a correction; None if its record was deleted or the correction is no longer valid."""
    try:
        editor = open_editor(connection, case.catalogue, case.person, case.now)
        name, current, rebased = merge_correction(editor, data, seen)
    except InputError:
        return None
    return ProposedChange(str(name), current, rebased.after, rebased.clashes)


def approve_submission(
    connection: WriteConnection,
    *,
    case: DecisionContext,
    instead: AnySubmission | None,
    reviewed_photos: ReviewedPhotos = NO_REVIEWED_PHOTOS,
) -> None:
    """Approve a submission; `replacement` is the data as changed by the editor, if any.

    The photos of a word are approved with it, except those that the editor has left out. Raises ConflictError if there
    is one that the editor has not seen.
    """
    row, editor = _case_and_editor(connection, case)
    status = next_status(Status(row.status), ReviewStep.APPROVE)
    submission = instead or decode_submission(row.payload)
    is_made_a_word = row.kind == Kind.MISSING and kind_of(submission) is Kind.WORD
    if kind_of(submission) != row.kind and not is_made_a_word:
        raise InputError.of(
            "kind", sentence("This submission is a %(kind)s; it cannot be approved as another kind.", kind=row.kind)
        )
    # An edited correction is based on the current state of the record, not on the state that the submitter saw.
    applied = _apply(editor, submission, None if instead else decode_state(row.seen), row.licence)
    result = applied.name
    submission_name = RecordRef("submission", str(row.id))
    editor.recorder.apply(submission_name, SubmissionState(str(status), None, str(result)))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    approve_photos(editor, row.id, applied.idea_id, reviewed_photos)
    is_edited = instead is not None and encode_submission(instead) != row.payload
    action = HistoryAction.APPROVED_WITH_CHANGES if is_edited else _APPROVED.get(Kind(row.kind), HistoryAction.APPROVED)
    editor.commit(action, result)


class _AppliedSubmission(NamedTuple):
    """The resulting record of a submission; for a word, also its idea, to which its photos are linked."""

    name: RecordRef
    idea_id: int | None = None


def _apply(  # noqa: PLR0911  # one for each kind
    editor: EditSession, submission: AnySubmission, seen: RecordState | None = None, licence: str | None = None
) -> _AppliedSubmission:
    """Apply a submission to the dictionary, and return the resulting record.

    `seen_state` is the state of the record when a correction was submitted; `licence` is stored with new records.
    """
    match submission:
        case WordSubmission(data):
            return _AppliedSubmission(*insert_word(editor, data, licence))
        case ProverbSubmission(data):
            return _AppliedSubmission(insert_proverb(editor, data, licence))
        case CardSubmission(data):
            return _AppliedSubmission(insert_card(editor, data))
        case ExampleSubmission(data):
            return _AppliedSubmission(_add_example(editor, data))
        case CorrectionSubmission(data):
            return _AppliedSubmission(apply_correction(editor, data, seen))
        case ReportSubmission(data):
            return _AppliedSubmission(_reported_word(editor, data))
        case RecordSubmission(data):
            return _AppliedSubmission(add_record(editor, data))
        case MissingSubmission(data):
            return _AppliedSubmission(_require_added_word(editor, data))


def _add_example(editor: EditSession, data: ExampleData) -> RecordRef:
    name = RecordRef("idea", str(data.idea_id))
    state = editor.recorder.current(name)
    if not isinstance(state, IdeaState):
        raise InputError.of("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
    after = editor.draft.with_example(state, data)
    editor.draft.finish()
    editor.recorder.apply(name, after)
    return name


def _reported_word(editor: EditSession, data: ReportData) -> RecordRef:
    """Return the word of a report. Approving a report only closes it: an editor corrects the word by hand."""
    name = RecordRef("word", str(data.word_id))
    editor.draft.comment("text", data.text)
    if editor.recorder.current(name) is None:
        editor.draft.problems.append(
            Problem("word_id", sentence("There is no word with the ID %(word_id)s.", word_id=data.word_id))
        )
    editor.draft.finish()
    return name


def _find_word(editor: EditSession, data: MissingData) -> int | None:
    """Return the ID of a reported word, or None. Raises InputError if it is not a valid word."""
    state = editor.draft.word(WordData(data.language, data.word))
    editor.draft.finish()
    return words.find_word(editor.edit, state.language_id, state.text)


def refuse_existing(editor: EditSession, data: MissingData) -> None:
    """Raise InputError if a word reported as missing is already in the dictionary."""
    if _find_word(editor, data) is not None:
        raise InputError.of("word", sentence("This word is already in the dictionary."))


def _require_added_word(editor: EditSession, data: MissingData) -> RecordRef:
    """Return the word added since it was reported as missing. Raises InputError if there is none."""
    word_id = _find_word(editor, data)
    if word_id is None:
        raise InputError.of(
            "word", sentence("This word is not in the dictionary yet: change and approve it to add it.")
        )
    return RecordRef("word", str(word_id))


def decide_submission(
    connection: WriteConnection, *, case: DecisionContext, step: ReviewStep, reason: str | None
) -> None:
    """Reject or withdraw a submission and its photos."""
    row, editor = _case_and_editor(connection, case)
    status = next_status(Status(row.status), step)
    submission_name = RecordRef("submission", str(row.id))
    editor.recorder.apply(submission_name, SubmissionState(str(status), reason))
    stored.note_decision(connection, row.id, case.person.id, case.now)
    close_photos(editor, row.id, status, reason)
    kind = Kind(row.kind)
    editor.commit(
        HistoryAction.WITHDRAWN if step is ReviewStep.WITHDRAW else _REJECTED.get(kind, HistoryAction.REJECTED),
        submission_name,
    )


def _case_and_editor(connection: WriteConnection, case: DecisionContext) -> tuple[SubmissionRow, EditSession]:
    row = stored.read_submission(connection, case.submission_id)
    if row is None:
        raise NotFoundError(
            sentence("There is no submission with the ID %(submission_id)s.", submission_id=case.submission_id)
        )
    return row, open_editor(connection, case.catalogue, case.person, case.now)
