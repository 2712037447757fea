"""Recordings as one kind of what people send: as they are shown, stored and decided on."""

from collections.abc import Iterable
from functools import partial
from typing import Final

import msgspec

from abhidhan.media.service.upload_kinds import SentKind
from abhidhan.media.store import recordings as stored
from abhidhan.media.store.recordings import RECORDINGS, NewRecording, RecordingRow
from abhidhan.media.store.uploads import Duplicate
from abhidhan.platform.database.database import Writer
from abhidhan.records.errors import ConflictError, Sentence, sentence
from abhidhan.records.history import Action, RecordingState
from abhidhan.records.recordings import SUFFIX, recording_address
from abhidhan.records.submissions import LOST_RECORDING, TRANSITIONS_OF_RECORDINGS, Status, Step, next_status
from abhidhan.records.timestamps import Timestamp, timestamp


class AlikeRecording(msgspec.Struct, frozen=True):
    """Another recording that is the same (`exact`) or sounds nearly so: told to moderators, who decide."""

    submission_id: int
    status: Status
    spoken: str
    exact: bool
    url: str | None


class RecordingEntry(msgspec.Struct, frozen=True):
    """A submitted recording as its sender and moderators see it."""

    submission_id: int
    status: Status
    word_id: int | None
    phrase_id: int | None
    idea_id: int | None
    spoken: str
    language_id: int
    speaker: str | None
    place: str | None
    reason: str | None
    submitted: Timestamp
    url: str | None
    milliseconds: int
    clipped: bool
    duplicates: tuple[AlikeRecording, ...]
    licence: str | None


def show_recording(row: RecordingRow, duplicates: Iterable[Duplicate[RecordingRow]]) -> RecordingEntry:
    """Show a recording with those that are like it."""
    return RecordingEntry(
        submission_id=row.id,
        status=Status(row.status),
        word_id=row.word_id,
        phrase_id=row.phrase_id,
        idea_id=row.idea_id,
        spoken=row.spoken,
        language_id=row.language_id,
        speaker=row.speaker,
        place=row.place,
        reason=row.reason,
        submitted=timestamp(row.submitted),
        url=_url_of(row),
        milliseconds=row.milliseconds,
        clipped=bool(row.clipped),
        duplicates=tuple(
            AlikeRecording(other.row.id, Status(other.row.status), other.row.spoken, other.exact, _url_of(other.row))
            for other in duplicates
        ),
        licence=row.licence,
    )


def _url_of(row: RecordingRow) -> str | None:
    return None if row.purged else recording_address(row.id)


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
