"""Cache invalidation: find the ideas whose responses change when a record does."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from abhidhan.records.history import (
    Change,
    ListItemState,
    PhotoState,
    RecordRef,
    RecordState,
    RelationState,
    SenseState,
)
from abhidhan.records.submissions import Status


class AffectedRecords(NamedTuple):
    """The records affected by changes: ideas, words (with all of their ideas), and list values (list, ID)."""

    ideas: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()
    list_values: frozenset[tuple[str, int]] = frozenset()


def collect_affected_records(changes: Iterable[Change]) -> AffectedRecords:
    """Return the records that are affected by changes, both in their old and in their new state."""
    states = [(change.ref, state) for change in changes for state in (change.before, change.after) if state]
    return AffectedRecords(
        frozenset(idea_id for name, state in states for idea_id in _affected_ideas(name, state)),
        frozenset(name.number for name, _ in states if name.kind == "word"),
        frozenset((state.list, state.item_id) for _, state in states if isinstance(state, ListItemState)),
    )


def _affected_ideas(ref: RecordRef, state: RecordState) -> tuple[int, ...]:
    find = _IDEA_FINDERS.get(ref.kind)
    return find(ref, state) if find else ()


def _relation_ideas(_: RecordRef, state: RelationState) -> tuple[int, ...]:
    return state.idea_id, state.other_id


def _sense_ideas(_: RecordRef, state: SenseState) -> tuple[int, ...]:
    return (state.idea_id,)


def _photo_ideas(_: RecordRef, state: PhotoState) -> tuple[int, ...]:
    return (state.idea_id,) if state.status == Status.APPROVED and state.idea_id else ()


_IDEA_FINDERS: Final[Mapping[str, Callable[[RecordRef, Any], tuple[int, ...]]]] = {
    "idea": lambda name, _: (name.number,),
    "sense": _sense_ideas,
    "photo": _photo_ideas,
    "relation": _relation_ideas,
}
"""The function that returns the affected ideas of a record, by kind; a photo affects its idea only if approved."""
