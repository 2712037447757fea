"""Recorder of the changes of an edit, for one history entry."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import IntegrityError, NoResultFound

from abhidhan.editing.store.history import HistoryEntry, write_entry
from abhidhan.editing.store.records import cards, contributions, ideas, list_items, words
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import RECORD_KIND_NAMES, Change, RecordRef, RecordState, in_safe_order


class _Kind(NamedTuple):
    """Functions that read and write the records of one kind. Each kind has its own type of state."""

    read: Callable[[EditContext, str], RecordState | None]
    change: Callable[[EditContext, str, Any, Any], None]
    create: Callable[[EditContext, Any, str | None], str] | None = None
    delete: Callable[[EditContext, str], None] | None = None


_KINDS: Final[Mapping[str, _Kind]] = {
    "idea": _Kind(ideas.read_idea, ideas.change_idea, ideas.create_idea, ideas.delete_idea),
    "word": _Kind(words.read_word, words.change_word, words.create_word, words.delete_word),
    "sense": _Kind(words.read_sense, words.change_sense, words.create_sense, words.delete_sense),
    "relation": _Kind(ideas.read_relation, ideas.change_relation, ideas.create_relation, ideas.delete_relation),
    "phrase": _Kind(words.read_phrase, words.change_phrase, words.create_phrase, words.delete_phrase),
    "card": _Kind(cards.read_card, cards.change_card, cards.create_card, cards.delete_card),
    "card_set": _Kind(cards.read_card_set, cards.change_card_set, cards.create_card_set, cards.delete_card_set),
    "list_item": _Kind(
        list_items.read_list_item, list_items.change_list_item, list_items.create_list_item, list_items.delete_list_item
    ),
    "photo": _Kind(contributions.read_photo, contributions.change_photo),
    "recording": _Kind(contributions.read_recording, contributions.change_recording),
    "submission": _Kind(contributions.read_submission, contributions.change_submission),
    "confirmation": _Kind(
        ideas.read_confirmation,
        ideas.change_confirmation,
        ideas.create_confirmation,
        ideas.delete_confirmation,
    ),
}


class ChangeRecorder:
    """Applies the changes of an edit and records them for one history entry."""

    def __init__(self, edit: EditContext) -> None:
        """Initialise without changes."""
        self.edit = edit
        self._changes: dict[RecordRef, Change] = {}

    def current(self, name: RecordRef) -> RecordState | None:
        """Return the current state of a record; None if it does not exist."""
        kind = _KINDS.get(name.kind)
        return kind.read(self.edit, name.id) if kind else None

    def original(self, name: RecordRef) -> RecordState | None:
        """Return the state of a record before this edit; None if the edit created it or has not changed it."""
        return self._changes[name].before if name in self._changes else None

    def create(self, kind: str, state: RecordState) -> RecordRef:
        """Create a record; return a reference to it. Raises ConflictError if it already exists."""
        create = _KINDS[kind].create
        if create is None:
            raise ConflictError(sentence("A %(kind)s cannot be created by editing.", kind=RECORD_KIND_NAMES[kind]))
        name = RecordRef(kind, create(self.edit, state, None))
        self._record(Change(name, None, state))
        return name

    def apply(self, name: RecordRef, after: RecordState | None) -> None:
        """Set the state of a record; None deletes it. Does nothing if it already has this state.

        Raises ConflictError.
        """
        before = self.current(name)
        if before == after:
            return
        try:
            _write(self.edit, name, before, after)
        except (IntegrityError, NoResultFound):
            raise ConflictError(
                sentence(
                    "The %(kind)s %(id)s cannot be changed like this: something it depends on no longer exists, or "
                    "something new depends on it.",
                    kind=RECORD_KIND_NAMES[name.kind],
                    id=name.id,
                )
            ) from None
        self._record(Change(name, before, after))

    def record(self, name: RecordRef, before: RecordState | None) -> None:
        """Record a change that was made outside this recorder; `before` is the previous state."""
        after = self.current(name)
        if before != after:
            self._record(Change(name, before, after))

    def apply_all(self, changes: Iterable[Change]) -> None:
        """Apply several changes, in an order that never breaks a reference."""
        for change in in_safe_order(changes):
            self.apply(change.ref, change.after)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes so far."""
        return tuple(self._changes.values())

    def commit(self, entry: HistoryEntry) -> int:
        """Write the changes as one history entry; return its ID."""
        return write_entry(self.edit.connection, entry, [*self._changes.values()])

    @property
    def is_empty(self) -> bool:
        """Return whether there are no changes."""
        return not self._changes

    def _record(self, change: Change) -> None:
        first = self._changes.get(change.ref)
        self._changes[change.ref] = Change(change.ref, first.before, change.after) if first else change


def _write(edit: EditContext, name: RecordRef, before: RecordState | None, after: RecordState | None) -> None:
    kind = _KINDS[name.kind]
    if before is not None and after is not None:
        kind.change(edit, name.id, before, after)
    elif after is not None and kind.create:
        kind.create(edit, after, name.id)
    elif kind.delete:
        kind.delete(edit, name.id)
    else:
        raise ConflictError(
            sentence("The %(kind)s %(id)s cannot be changed like this.", kind=RECORD_KIND_NAMES[name.kind], id=name.id)
        )
