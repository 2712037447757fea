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


def affected_by(changes: Iterable[Change]) -> AffectedRecords:
    """Return the records that are affected by changes, both in their old and in their new state."""
    states = [(change.ref, state) for change in changes for state in (change.before, change.after) if state]
    return AffectedRecords(
        frozenset(idea_id for name, state in states for idea_id in _ideas_of(name, state)),
        frozenset(name.number for name, _ in states if name.kind == "word"),
        frozenset((state.list, state.item_id) for _, state in states if isinstance(state, ListItemState)),
    )


def _ideas_of(name: RecordRef, state: RecordState) -> tuple[int, ...]:
    find = _IDEAS_OF.get(name.kind)
    return find(name, state) if find else ()


def _of_relation(_: RecordRef, state: RelationState) -> tuple[int, ...]:
    return state.idea_id, state.other_id


def _of_sense(_: RecordRef, state: SenseState) -> tuple[int, ...]:
    return (state.idea_id,)


def _of_photo(_: RecordRef, state: PhotoState) -> tuple[int, ...]:
    return (state.idea_id,) if state.status == Status.APPROVED and state.idea_id else ()


_IDEAS_OF: Final[Mapping[str, Callable[[RecordRef, Any], tuple[int, ...]]]] = {
    "idea": lambda name, _: (name.number,),
    "sense": _of_sense,
    "photo": _of_photo,
    "relation": _of_relation,
}
"""The function that returns the affected ideas of a record, by kind; a photo affects its idea only if approved."""
