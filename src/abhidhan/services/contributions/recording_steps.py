"""What tells recordings from other files that people send."""

from functools import partial
from typing import Final

from abhidhan.domain.history import Action, RecordingState
from abhidhan.domain.reasons import LOST_RECORDING
from abhidhan.domain.recordings import SUFFIX
from abhidhan.domain.submissions import TRANSITIONS_OF_RECORDINGS, Step, next_status
from abhidhan.errors import ConflictError, Sentence, sentence
from abhidhan.services.contributions.recording_views import RecordingEntry, show_recording
from abhidhan.services.contributions.sent_file_kinds import SentKind
from abhidhan.storage import recordings as stored
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.recordings import RECORDINGS, NewRecording, RecordingRow

GONE: Final = sentence("What this recording says has been deleted or changed.")


def _check_new(connection: Writer, new: NewRecording) -> None:
    if not stored.is_there(connection, new.subject):
        raise ConflictError(GONE)


def _state_of(row: RecordingRow, status: str, reason: str | None) -> RecordingState:
    return RecordingState(row.word_id, row.phrase_id, row.idea_id, status, row.spoken, row.speaker, row.place, reason)


def _check_approval(row: RecordingRow) -> None:
    if (row.word_id, row.phrase_id, row.idea_id) == (None, None, None):
        raise ConflictError(GONE)


def _absent(number: int) -> Sentence:
    return sentence("There is no recording with the ID %(recording_id)s.", recording_id=number)


RECORDING_KIND: Final[SentKind[RecordingRow, RecordingEntry]] = SentKind(
    name="recording",
    stored=RECORDINGS,
    show=show_recording,
    suffixes=lambda _: (SUFFIX,),
    find_pending=stored.find_pending,
    check_new=_check_new,
    add=stored.add_recording,
    state_of=_state_of,
    check_approval=_check_approval,
    submitted=Action.RECORDING_SUBMITTED,
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
