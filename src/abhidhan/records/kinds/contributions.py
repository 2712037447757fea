"""States of photos, recordings, submissions and confirmations in the history."""

from abhidhan.records.kinds.fields import State


class PhotoState(State, frozen=True, tag="photo"):
    """The changeable fields of a photo. `idea_id` is null while the photo belongs to a pending word."""

    idea_id: int | None
    status: str
    credit: str
    reason: str | None = None


class SubmissionState(State, frozen=True, tag="submission"):
    """The changeable fields of a submission: its status and the resulting record."""

    status: str
    reason: str | None = None
    result: str | None = None


class RecordingState(State, frozen=True, tag="recording"):
    """The changeable fields of a recording. Only one of the IDs is set; `idea_id` means an example of this idea.

    If the spoken record is deleted, its ID becomes null; the text in `spoken` remains.
    """

    word_id: int | None
    phrase_id: int | None
    idea_id: int | None
    status: str
    spoken: str
    speaker: str | None = None
    place: str | None = None
    reason: str | None = None


class ConfirmationState(State, frozen=True, tag="confirmation"):
    """The time of an idea's confirmation, in seconds since 1970. The user is stored in the history entry only."""

    confirmed: int
