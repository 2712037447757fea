"""Recordings: what can change of them."""

from abhidhan.records.kinds.fields import State


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
