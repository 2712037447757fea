"""Recorder of the changes of an edit, for one history entry."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import IntegrityError, NoResultFound

from abhidhan.editing.store.history import HistoryEntry, write_entry
from abhidhan.editing.store.records import cards, contributions, ideas, list_items, words
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import RECORD_KIND_NAMES, Change, RecordRef, RecordState, order_by_dependency


class _RecordAccess(NamedTuple):
    """Functions that read and write the records of one kind. Each kind has its own type of state."""

    read: Callable[[EditContext, str], RecordState | None]
    change: Callable[[EditContext, str, Any, Any], None]
    create: Callable[[EditContext, Any, str | None], str] | None = None
    delete: Callable[[EditContext, str], None] | None = None


_ACCESS_BY_KIND: Final[Mapping[str, _RecordAccess]] = {
    "idea": _RecordAccess(ideas.read_idea, ideas.change_idea, ideas.create_idea, ideas.delete_idea),
    "word": _RecordAccess(words.read_word, words.change_word, words.create_word, words.delete_word),
    "sense": _RecordAccess(words.read_sense, words.change_sense, words.create_sense, words.delete_sense),
    "relation": _RecordAccess(ideas.read_relation, ideas.change_relation, ideas.create_relation, ideas.delete_relation),
    "phrase": _RecordAccess(words.read_phrase, words.change_phrase, words.create_phrase, words.delete_phrase),
    "card": _RecordAccess(cards.read_card, cards.change_card, cards.create_card, cards.delete_card),
    "card_set": _RecordAccess(cards.read_card_set, cards.change_card_set, cards.create_card_set, cards.delete_card_set),
    "list_item": _RecordAccess(
        list_items.read_list_item, list_items.change_list_item, list_items.create_list_item, list_items.delete_list_item
    ),
    "photo": _RecordAccess(contributions.read_photo, contributions.change_photo),
    "recording": _RecordAccess(contributions.read_recording, contributions.change_recording),
    "submission": _RecordAccess(contributions.read_submission, contributions.change_submission),
    "confirmation": _RecordAccess(
        ideas.read_confirmation,
        ideas.change_confirmation,
        ideas.create_confirmation,
        ideas.delete_confirmation,
    ),
}


class ChangeRecorder:
    """Applies the changes of an edit and records them for one history entry."""

    def __init__(self, context: EditContext) -> None:
        """Initialise without changes."""
        self.context = context
        self._changes: dict[RecordRef, Change] = {}

    def get_current(self, ref: RecordRef) -> RecordState | None:
        """Return the current state of a record; None if it does not exist."""
        kind = _ACCESS_BY_KIND.get(ref.kind)
        return kind.read(self.context, ref.id) if kind else None

    def get_original(self, ref: RecordRef) -> RecordState | None:
        """Return the state of a record before this edit; None if the edit created it or has not changed it."""
        return self._changes[ref].before if ref in self._changes else None

    def create(self, kind: str, state: RecordState) -> RecordRef:
        """Create a record; return a reference to it. Raises ConflictError if it already exists."""
        create = _ACCESS_BY_KIND[kind].create
        if create is None:
            raise ConflictError(sentence("A %(kind)s cannot be created by editing.", kind=RECORD_KIND_NAMES[kind]))
        ref = RecordRef(kind, create(self.context, state, None))
        self._record(Change(ref, None, state))
        return ref

    def apply(self, ref: RecordRef, after: RecordState | None) -> None:
        """Set the state of a record; None deletes it. Does nothing if it already has this state.

        Raises ConflictError.
        """
        before = self.get_current(ref)
        if before == after:
            return
        try:
            _write_state(self.context, ref, before, after)
        except (IntegrityError, NoResultFound):
            raise ConflictError(
                sentence(
                    "The %(kind)s %(id)s cannot be changed like this: something it depends on no longer exists, or "
                    "something new depends on it.",
                    kind=RECORD_KIND_NAMES[ref.kind],
                    id=ref.id,
                )
            ) from None
        self._record(Change(ref, before, after))

    def record_change(self, ref: RecordRef, before: RecordState | None) -> None:
        """Record a change that was made outside this recorder; `before` is the previous state."""
        after = self.get_current(ref)
        if before != after:
            self._record(Change(ref, before, after))

    def apply_all(self, changes: Iterable[Change]) -> None:
        """Apply several changes, in an order that never breaks a reference."""
        for change in order_by_dependency(changes):
            self.apply(change.ref, change.after)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes so far."""
        return tuple(self._changes.values())

    def commit(self, entry: HistoryEntry) -> int:
        """Write the changes as one history entry; return its ID."""
        return write_entry(self.context.connection, entry, [*self._changes.values()])

    @property
    def is_empty(self) -> bool:
        """Return whether there are no changes."""
        return not self._changes

    def _record(self, change: Change) -> None:
        first = self._changes.get(change.ref)
        self._changes[change.ref] = Change(change.ref, first.before, change.after) if first else change


def _write_state(context: EditContext, ref: RecordRef, before: RecordState | None, after: RecordState | None) -> None:
    kind = _ACCESS_BY_KIND[ref.kind]
    if before is not None and after is not None:
        kind.change(context, ref.id, before, after)
    elif after is not None and kind.create:
        kind.create(context, after, ref.id)
    elif kind.delete:
        kind.delete(context, ref.id)
    else:
        raise ConflictError(
            sentence("The %(kind)s %(id)s cannot be changed like this.", kind=RECORD_KIND_NAMES[ref.kind], id=ref.id)
        )
