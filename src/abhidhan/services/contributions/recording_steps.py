"""What is written when a recording is submitted, in one transaction; and what tells recordings from other files."""

from functools import partial
from typing import Final

from abhidhan.domain.history import Action, Change, RecordingState, RecordName
from abhidhan.domain.reasons import LOST_RECORDING
from abhidhan.domain.recordings import SUFFIX, ProcessedRecording
from abhidhan.domain.submissions import TRANSITIONS_OF_RECORDINGS, Quotas, Status, Step, next_status
from abhidhan.errors import ConflictError, Sentence, sentence
from abhidhan.services.contributions.quotas import allow_recording, earlier
from abhidhan.services.contributions.recording_views import RecordingSubmission, show_recording
from abhidhan.services.contributions.sent_file_kinds import SentKind
from abhidhan.storage import recordings as stored
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.pending import PendingKind
from abhidhan.storage.recordings import RECORDINGS, NewRecording, RecordingRow

GONE: Final = sentence("What this recording says has been deleted or changed.")


def store_recording(
    connection: Writer, *, new: NewRecording, processed: ProcessedRecording, now: int, quotas: Quotas | None
) -> tuple[int, bool]:
    """Store a recording that waits for review, unless this very request has been here before: tells its ID, and which.

    Without a key of the client's, the same samples for the same text by one person are one request while they wait.
    """
    known = (
        earlier(connection, new.once, PendingKind.RECORDING)
        if new.once
        else stored.find_pending(connection, new, processed)
    )
    if known is not None:
        return known, False
    if quotas:
        allow_recording(connection, new.person_id, quotas)
    if not stored.is_there(connection, new.subject):
        raise ConflictError(GONE)
    number = stored.add_recording(connection, new, processed, now)
    name, subject = RecordName("recording", str(number)), new.subject
    state = RecordingState(
        subject.word_id,
        subject.phrase_id,
        subject.idea_id,
        str(Status.PENDING),
        subject.spoken,
        new.speaker,
        new.place,
    )
    write_entry(connection, Entry(Action.RECORDING_SUBMITTED, new.person_id, now, name), [Change(name, None, state)])
    return number, True


def _state_of(row: RecordingRow, status: str, reason: str | None) -> RecordingState:
    return RecordingState(row.word_id, row.phrase_id, row.idea_id, status, row.spoken, row.speaker, row.place, reason)


def _check_approval(row: RecordingRow) -> None:
    if (row.word_id, row.phrase_id, row.idea_id) == (None, None, None):
        raise ConflictError(GONE)


def _absent(number: int) -> Sentence:
    return sentence("There is no recording with the ID %(recording_id)s.", recording_id=number)


RECORDING_KIND: Final[SentKind[RecordingRow, RecordingSubmission]] = SentKind(
    name="recording",
    stored=RECORDINGS,
    show=show_recording,
    suffixes=lambda _: (SUFFIX,),
    state_of=_state_of,
    check_approval=_check_approval,
    actions={
        Step.APPROVE: Action.RECORDING_APPROVED,
        Step.REJECT: Action.RECORDING_REJECTED,
        Step.WITHDRAW: Action.RECORDING_WITHDRAWN,
        Step.LOSE: Action.RECORDING_REJECTED,
    },
    public=frozenset({Step.APPROVE, Step.WITHDRAW}),
    absent=_absent,
    not_there=sentence("There is no such recording."),
    not_own=sentence("Only the person who submitted a recording can withdraw it."),
    lost=str(LOST_RECORDING),
    following=partial(next_status, transitions=TRANSITIONS_OF_RECORDINGS),
)
