"""Corrections: what somebody proposed for a record as it was then, brought to the record as it is now."""

from typing import Any, NamedTuple, TypeVar

import msgspec

from abhidhan.records.history import State

S = TypeVar("S", bound=State)

Parts = tuple[Any, ...]


class Rebased(NamedTuple):
    """A record as it would be, and the fields in which somebody else has changed the same thing meanwhile."""

    after: Any
    clashes: tuple[str, ...]


def rebase(was: S, wanted: S, now: S) -> Rebased:
    """Bring a change from `was` to `wanted` to a record that is `now` otherwise.

    What others have changed meanwhile stays. A field that both have changed is a clash: there the proposal is taken,
    and an editor has to look.
    """
    after: dict[str, object] = {}
    clashes = []
    for field in was.__struct_fields__:
        before, proposed, current = (getattr(state, field) for state in (was, wanted, now))
        if proposed in {before, current}:
            continue
        if isinstance(before, tuple):
            after[field], clash = _rebase_parts(before, proposed, current)
        else:
            after[field], clash = proposed, current != before
        clashes += [field] if clash else []
    return Rebased(msgspec.structs.replace(now, **after), tuple(clashes))


def changed_since(now: State, was: State) -> tuple[str, ...]:
    """Name the fields in which a record that shall go differs from what it was; where it stands in a list is none."""
    fields = [field for field in now.__struct_fields__ if field not in {"position", "rank"}]
    return tuple(field for field in fields if getattr(now, field) != getattr(was, field, None))


def _rebase_parts(was: Parts, wanted: Parts, now: Parts) -> tuple[Parts, bool]:
    """Bring a change of definitions, examples or the like to those that are there now, each in its place."""
    gone = [part for part in was if part not in wanted]
    new = [part for part in wanted if part not in was]
    places = dict(zip(gone, new, strict=False))
    kept = [places.get(part, part) for part in now if part in places or part not in gone]
    rest = [part for part in new if part not in kept]
    return tuple(dict.fromkeys((*kept, *rest))), any(part not in now for part in gone)
