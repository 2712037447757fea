"""Recordings as their senders, moderators and readers see them."""

from collections.abc import Iterable

import msgspec

from abhidhan.domain.recordings import recording_address
from abhidhan.domain.submissions import Status
from abhidhan.domain.timestamps import Timestamp, timestamp
from abhidhan.storage.recordings import RecordingRow
from abhidhan.storage.sent_files import Duplicate


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
