"""History: the actions of the list HAC, the states of records before and after a change, and undo."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.errors import ConflictError, Sentence, sentence
from abhidhan.records.kinds.card import CardSetState, CardState
from abhidhan.records.kinds.catalogue import ListItemState
from abhidhan.records.kinds.contributions import ConfirmationState, PhotoState, RecordingState, SubmissionState
from abhidhan.records.kinds.fields import State
from abhidhan.records.kinds.idea import IdeaState, RelationState
from abhidhan.records.kinds.phrase import PhraseState
from abhidhan.records.kinds.word import SenseState, WordState
from abhidhan.records.submissions import Status, check_undo

__all__ = [
    "PRIVATE_KINDS",
    "STATE_TAGS",
    "CardSetState",
    "CardState",
    "Change",
    "ChangeSet",
    "ConfirmationState",
    "HistoryAction",
    "IdeaState",
    "ListItemState",
    "PhotoState",
    "PhraseState",
    "RecordRef",
    "RecordState",
    "RecordingState",
    "RelationState",
    "Revision",
    "SenseState",
    "State",
    "SubmissionState",
    "WordState",
    "build_undo",
    "decode_changes",
    "decode_state",
    "encode_changes",
    "encode_state",
    "encode_states",
    "order_by_dependency",
]

RECORD_KIND_NAMES: Final[Mapping[str, Sentence]] = {
    "idea": sentence("idea"),
    "word": sentence("word"),
    "sense": sentence("meaning of a word"),
    "phrase": sentence("proverb"),
    "card": sentence("flashcard"),
    "card_set": sentence("set of flashcards"),
    "list_item": sentence("value of a list"),
    "relation": sentence("relation"),
    "photo": sentence("photo"),
    "recording": sentence("recording"),
    "submission": sentence("submission"),
    "confirmation": sentence("confirmation"),
}
"""The name of each kind of record within a sentence."""


class HistoryAction(IntEnum):
    """The action of a history entry; the values are the IDs of the list HAC."""

    WORD_SUBMITTED = 1
    WORD_APPROVED = 2
    WORD_REJECTED = 3
    WORD_EDITED = 4
    WORD_DELETED = 5
    WORD_RESTORED = 6
    IDEA_CREATED = 7
    IDEA_EDITED = 8
    IDEAS_MERGED = 9
    IDEA_SPLIT = 10
    WORD_LINKED = 11
    WORD_UNLINKED = 12
    RELATION_ADDED = 13
    RELATION_REMOVED = 14
    PHOTO_SUBMITTED = 15
    PHOTO_APPROVED = 16
    PHOTO_REJECTED = 17
    PROVERB_SUBMITTED = 18
    PROVERB_APPROVED = 19
    CHALLENGED = 20
    CHALLENGE_RESOLVED = 21
    IMPORTED = 22
    UNDONE = 23
    PHOTO_WITHDRAWN = 24
    SUBMITTED = 25
    APPROVED = 26
    REJECTED = 27
    WITHDRAWN = 28
    PROVERB_EDITED = 29
    PROVERB_DELETED = 30
    CARD_EDITED = 31
    CARD_DELETED = 32
    LIST_EDITED = 33
    IDEA_DELETED = 34
    APPROVED_WITH_CHANGES = 35
    ACCOUNT_DELETED = 36
    RECORDING_SUBMITTED = 37
    RECORDING_APPROVED = 38
    RECORDING_REJECTED = 39
    RECORDING_WITHDRAWN = 40


RecordState = (
    IdeaState
    | WordState
    | SenseState
    | RelationState
    | PhraseState
    | CardState
    | CardSetState
    | ListItemState
    | PhotoState
    | RecordingState
    | SubmissionState
    | ConfirmationState
)

STATE_TAGS: Final[Mapping[type[State], str]] = {
    kind: str(kind.__struct_config__.tag)
    for kind in (
        IdeaState,
        WordState,
        SenseState,
        RelationState,
        PhraseState,
        CardState,
        CardSetState,
        ListItemState,
        PhotoState,
        RecordingState,
        SubmissionState,
        ConfirmationState,
    )
}


PRIVATE_KINDS: Final = frozenset({"submission", "photo", "recording"})
"""Kinds of records whose states are not public."""


class RecordRef(msgspec.Struct, frozen=True, order=True):
    """A reference to a record: its kind and ID. Relations and list items have compound IDs: `88-2-90`, `POS-3`."""

    kind: str
    id: str

    def __str__(self) -> str:
        """Return the reference in the stored format: `word:1204`."""
        return f"{self.kind}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> "RecordRef":
        """Parse a reference in the stored format."""
        kind, _, record_id = text.partition(":")
        return cls(kind, record_id)

    @property
    def number(self) -> int:
        """The numeric ID. For a relation, this is the ID of its idea; for a list item, the ID within its list."""
        return int(next(part for part in self.id.split("-") if part.isdigit()))


class Change(msgspec.Struct, frozen=True):
    """The states of one record before and after a change; None if it did not exist yet or was deleted."""

    ref: RecordRef
    before: RecordState | None
    after: RecordState | None

    @property
    def inverse(self) -> "Change":
        """The change that undoes this one."""
        return Change(self.ref, self.after, self.before)


class ChangeSet(NamedTuple):
    """The changes of one step of an edit, with the user (None if unknown) and the time (seconds since 1970)."""

    changes: Sequence[Change]
    person_id: int | None
    at: int


class Revision(msgspec.Struct, frozen=True):
    """An entry of the history: time (seconds since 1970), user, action, and every record that it changed.

    `main` is its principal record. `hidden` is the reason for which its changes are hidden, or None.
    """

    id: int
    at: int
    person_id: int | None
    action_id: int
    main: RecordRef
    changes: tuple[Change, ...]
    hidden: str | None


_DECODER: Final = msgspec.json.Decoder(dict[str, RecordState | None])
_STATE_DECODER: Final = msgspec.json.Decoder[RecordState](RecordState)


def encode_states(states: Mapping[RecordRef, RecordState | None]) -> str:
    """Encode states as the JSON of the history."""
    return msgspec.json.encode({str(name): state for name, state in states.items()}).decode()


def encode_state(state: RecordState | None) -> str | None:
    """Encode one state for storage with a correction."""
    return None if state is None else msgspec.json.encode(state).decode()


def decode_state(text: str | None) -> RecordState | None:
    """Decode a state that was stored with a correction."""
    return None if text is None else _STATE_DECODER.decode(text)


def encode_changes(changes: Iterable[Change]) -> tuple[str, str]:
    """Encode the states before and after as the JSON of the history."""
    change_list = list(changes)
    before = encode_states({change.ref: change.before for change in change_list})
    return before, encode_states({change.ref: change.after for change in change_list})


def decode_changes(before: str | None, after: str | None) -> tuple[Change, ...]:
    """Decode the changes of a history entry. Returns none for an import, whose entry stores counts instead."""
    try:
        earlier = _DECODER.decode(before or "{}")
        later = _DECODER.decode(after or "{}")
    except msgspec.ValidationError:
        return ()
    return tuple(
        Change(RecordRef.parse(name), earlier.get(name), later.get(name)) for name in dict.fromkeys((*earlier, *later))
    )


def build_undo(changes: Iterable[Change], load_state: Callable[[RecordRef], RecordState | None]) -> tuple[Change, ...]:
    """Return the inverse changes in reverse order. `load_state` loads the current state of a record.

    Raises ConflictError if there is nothing to undo, or if a record has been changed since.
    """
    inverse_changes = tuple(change.inverse for change in reversed(tuple(changes)) if change.before != change.after)
    if not inverse_changes:
        raise ConflictError(sentence("This entry in the history is not a change that can be undone."))
    newer = next((change.ref for change in inverse_changes if load_state(change.ref) != change.before), None)
    if newer is not None:
        raise ConflictError(
            sentence(
                "The %(kind)s %(id)s has been changed again since then; undo the newer change first.",
                kind=RECORD_KIND_NAMES[newer.kind],
                id=newer.id,
            )
        )
    _check_review_undo(inverse_changes)
    return inverse_changes


_ReviewedState = PhotoState | RecordingState | SubmissionState


def _check_review_undo(inverse_changes: Iterable[Change]) -> None:
    """Check that undoing a review is an allowed transition. Raises ConflictError."""
    for change in inverse_changes:
        before, after = change.before, change.after
        if isinstance(before, _ReviewedState) and isinstance(after, _ReviewedState):
            check_undo(Status(before.status), Status(after.status))


_CREATION_ORDER: Final = (
    "list_item",
    "idea",
    "word",
    "sense",
    "relation",
    "phrase",
    "card_set",
    "card",
    "submission",
    "photo",
    "recording",
    "confirmation",
)


def order_by_dependency(changes: Iterable[Change]) -> list[Change]:
    """Order changes so that references stay valid after each: records are deleted in reverse order of creation."""
    change_list = list(changes)
    rank = {kind: index for index, kind in enumerate(_CREATION_ORDER)}
    saved = sorted((change for change in change_list if change.after), key=lambda change: rank[change.ref.kind])
    deleted = sorted((change for change in change_list if not change.after), key=lambda change: -rank[change.ref.kind])
    # Links are removed before new ones replace them, and records only after all of their links.
    links = [change for change in deleted if change.ref.kind in {"sense", "relation", "card"}]
    return [*links, *saved, *(change for change in deleted if change not in links)]
