"""States of photos, recordings, submissions and confirmations: what the history can tell of them."""

from abhidhan.records.kinds.fields import State


class PhotoState(State, frozen=True, tag="photo"):
    """What can change of a photo: the idea it shows (None: that of a word that waits), and where it stands."""

    idea_id: int | None
    status: str
    credit: str
    reason: str | None = None


class SubmissionState(State, frozen=True, tag="submission"):
    """What can change of a submission: where it stands, and which record came of it."""

    status: str
    reason: str | None = None
    result: str | None = None


class RecordingState(State, frozen=True, tag="recording"):
    """What can change of a recording: what it says (a word, a phrase, an example of an idea), and where it stands.

    A record that is deleted is named no longer; what was `spoken` stays.
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
    """When an idea was confirmed, in seconds since 1970. By whom is not a part of it: the history tells."""

    confirmed: int
