"""Transactions that store, check and decide submissions."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from abhidhan.contributions.service.corrections import (
    ProposedChange,
    apply_correction,
    find_corrected_record,
    merge_correction,
)
from abhidhan.editing.service.cards import insert_card
from abhidhan.editing.service.editor import EditSession, open_edit_session
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
    get_kind,
)
from abhidhan.records.submissions import KEY_MARK_PREFIX, Quotas, ReviewStep, Status, next_status
from abhidhan.submissions import store as stored
from abhidhan.submissions.service import check_quota, check_report_quota, find_repeated_request
from abhidhan.submissions.store import NewSubmission, PendingKind, SubmissionRow

_SUBMIT_ACTIONS: Final[Mapping[Kind, HistoryAction]] = {
    Kind.WORD: HistoryAction.WORD_SUBMITTED,
    Kind.PROVERB: HistoryAction.PROVERB_SUBMITTED,
    Kind.REPORT: HistoryAction.CHALLENGED,
}
_APPROVE_ACTIONS: Final[Mapping[Kind, HistoryAction]] = {
    Kind.WORD: HistoryAction.WORD_APPROVED,
    Kind.PROVERB: HistoryAction.PROVERB_APPROVED,
    Kind.REPORT: HistoryAction.CHALLENGE_RESOLVED,
}
_REJECT_ACTIONS: Final[Mapping[Kind, HistoryAction]] = {
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
        find_repeated_request(connection, new.once, PendingKind.SUBMISSION)
        if new.once.startswith(KEY_MARK_PREFIX)
        else None
    )
    existing_id = existing_id or stored.find_by_mark(connection, new.once)
    if existing_id is not None:
        if new.times is not None:
            stored.increment_repetitions(connection, existing_id)
        return existing_id
    if quotas and new.person_id is not None:
        check_quota(connection, PendingKind.SUBMISSION, new.person_id, quotas)
    elif quotas:
        check_report_quota(connection, quotas)
    submission_id, is_new = stored.add_submission(connection, new, now)
    if is_new:
        ref = RecordRef("submission", str(submission_id))
        change = Change(ref, None, SubmissionState(str(Status.PENDING)))
        action = _SUBMIT_ACTIONS.get(Kind(new.kind), HistoryAction.SUBMITTED)
        write_entry(connection, HistoryEntry(action, new.person_id, now, ref), [change])
    return submission_id


def check_submission(
    connection: WriteConnection, *, submission: AnySubmission, catalogue: Catalogue, person: Person
) -> str | None:
    """Check a submission by approving it in a savepoint that is rolled back. Raises InputError with all problems.

    Returns the encoded current state of the record of a correction, or None.
    """
    savepoint = connection.begin_nested()
    try:
        session, seen_state = open_edit_session(connection, catalogue, person, 0), None
        if isinstance(submission, CorrectionSubmission):
            seen_state = session.recorder.get_current(find_corrected_record(session, submission.data))
        if isinstance(submission, MissingSubmission):
            reject_existing_word(session, submission.data)
            return None
        # Duplicates are for the editor to judge; the submitter gets a warning.
        with suppress(ConflictError):
            _apply_submission(session, submission)
        return encode_state(seen_state)
    finally:
        savepoint.rollback()


def propose_change(
    connection: WriteConnection, *, context: DecisionContext, data: CorrectionData, seen_state: RecordState | None
) -> ProposedChange | None:
    """Return the changes of a correction; None if its record was deleted or the correction is no longer valid."""
    try:
        session = open_edit_session(connection, context.catalogue, context.person, context.now)
        ref, current, rebase_result = merge_correction(session, data, seen_state)
    except InputError:
        return None
    return ProposedChange(str(ref), current, rebase_result.after, rebase_result.conflicts)


def approve_submission(
    connection: WriteConnection,
    *,
    context: DecisionContext,
    replacement: AnySubmission | None,
    reviewed_photos: ReviewedPhotos = NO_REVIEWED_PHOTOS,
) -> None:
    """Approve a submission; `replacement` is the data as changed by the editor, if any.

    The photos of a word are approved with it, except those that the editor has left out. Raises ConflictError if there
    is one that the editor has not seen.
    """
    row, session = _open_submission(connection, context)
    status = next_status(Status(row.status), ReviewStep.APPROVE)
    submission = replacement or decode_submission(row.payload)
    is_made_a_word = row.kind == Kind.MISSING and get_kind(submission) is Kind.WORD
    if get_kind(submission) != row.kind and not is_made_a_word:
        raise InputError.of(
            "kind", sentence("This submission is a %(kind)s; it cannot be approved as another kind.", kind=row.kind)
        )
    # An edited correction is based on the current state of the record, not on the state that the submitter saw.
    applied = _apply_submission(session, submission, None if replacement else decode_state(row.seen), row.licence)
    result = applied.ref
    submission_name = RecordRef("submission", str(row.id))
    session.recorder.apply(submission_name, SubmissionState(str(status), None, str(result)))
    stored.record_decision(connection, row.id, context.person.id, context.now)
    approve_photos(session, row.id, applied.idea_id, reviewed_photos)
    is_edited = replacement is not None and encode_submission(replacement) != row.payload
    action = (
        HistoryAction.APPROVED_WITH_CHANGES
        if is_edited
        else _APPROVE_ACTIONS.get(Kind(row.kind), HistoryAction.APPROVED)
    )
    session.commit(action, result)


class _AppliedSubmission(NamedTuple):
    """The resulting record of a submission; for a word, also its idea, to which its photos are linked."""

    ref: RecordRef
    idea_id: int | None = None


def _apply_submission(  # noqa: PLR0911  # one for each kind
    session: EditSession, submission: AnySubmission, seen_state: RecordState | None = None, licence: str | None = None
) -> _AppliedSubmission:
    """Apply a submission to the dictionary, and return the resulting record.

    `seen_state` is the state of the record when a correction was submitted; `licence` is stored with new records.
    """
    match submission:
        case WordSubmission(data):
            return _AppliedSubmission(*insert_word(session, data, licence))
        case ProverbSubmission(data):
            return _AppliedSubmission(insert_proverb(session, data, licence))
        case CardSubmission(data):
            return _AppliedSubmission(insert_card(session, data))
        case ExampleSubmission(data):
            return _AppliedSubmission(_add_example(session, data))
        case CorrectionSubmission(data):
            return _AppliedSubmission(apply_correction(session, data, seen_state))
        case ReportSubmission(data):
            return _AppliedSubmission(_require_reported_word(session, data))
        case RecordSubmission(data):
            return _AppliedSubmission(add_record(session, data))
        case MissingSubmission(data):
            return _AppliedSubmission(_require_added_word(session, data))


def _add_example(session: EditSession, data: ExampleData) -> RecordRef:
    ref = RecordRef("idea", str(data.idea_id))
    state = session.recorder.get_current(ref)
    if not isinstance(state, IdeaState):
        raise InputError.of("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
    after = session.validator.add_example(state, data)
    session.validator.raise_problems()
    session.recorder.apply(ref, after)
    return ref


def _require_reported_word(session: EditSession, data: ReportData) -> RecordRef:
    """Return the word of a report. Approving a report only closes it: an editor corrects the word by hand."""
    ref = RecordRef("word", str(data.word_id))
    session.validator.clean_comment("text", data.text)
    if session.recorder.get_current(ref) is None:
        session.validator.problems.append(
            Problem("word_id", sentence("There is no word with the ID %(word_id)s.", word_id=data.word_id))
        )
    session.validator.raise_problems()
    return ref


def _find_word(session: EditSession, data: MissingData) -> int | None:
    """Return the ID of a reported word, or None. Raises InputError if it is not a valid word."""
    state = session.validator.create_word(WordData(data.language, data.word))
    session.validator.raise_problems()
    return words.find_word(session.context, state.language_id, state.text)


def reject_existing_word(session: EditSession, data: MissingData) -> None:
    """Raise InputError if a word reported as missing is already in the dictionary."""
    if _find_word(session, data) is not None:
        raise InputError.of("word", sentence("This word is already in the dictionary."))


def _require_added_word(session: EditSession, data: MissingData) -> RecordRef:
    """Return the word added since it was reported as missing. Raises InputError if there is none."""
    word_id = _find_word(session, data)
    if word_id is None:
        raise InputError.of(
            "word", sentence("This word is not in the dictionary yet: change and approve it to add it.")
        )
    return RecordRef("word", str(word_id))


def decide_submission(
    connection: WriteConnection, *, context: DecisionContext, step: ReviewStep, reason: str | None
) -> None:
    """Reject or withdraw a submission and its photos."""
    row, session = _open_submission(connection, context)
    status = next_status(Status(row.status), step)
    submission_name = RecordRef("submission", str(row.id))
    session.recorder.apply(submission_name, SubmissionState(str(status), reason))
    stored.record_decision(connection, row.id, context.person.id, context.now)
    close_photos(session, row.id, status, reason)
    kind = Kind(row.kind)
    session.commit(
        HistoryAction.WITHDRAWN if step is ReviewStep.WITHDRAW else _REJECT_ACTIONS.get(kind, HistoryAction.REJECTED),
        submission_name,
    )


def _open_submission(connection: WriteConnection, context: DecisionContext) -> tuple[SubmissionRow, EditSession]:
    row = stored.read_submission(connection, context.submission_id)
    if row is None:
        raise NotFoundError(
            sentence("There is no submission with the ID %(submission_id)s.", submission_id=context.submission_id)
        )
    return row, open_edit_session(connection, context.catalogue, context.person, context.now)
