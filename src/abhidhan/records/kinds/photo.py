"""Photos and submissions: what can change of them."""

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
