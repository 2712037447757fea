"""Three-way merge of a proposed correction into the current state of its record."""

from typing import Any, NamedTuple, TypeVar

import msgspec

from abhidhan.records.history import State

S = TypeVar("S", bound=State)

Parts = tuple[Any, ...]


class RebaseResult(NamedTuple):
    """The merged state of a record, and the fields with conflicting changes."""

    after: Any
    clashes: tuple[str, ...]


def rebase(base: S, target: S, now: S) -> RebaseResult:
    """Apply the change from `base` to `target` to the current state, `latest`.

    Other changes made since are kept. A field that both sides have changed is a conflict: the proposed value is used,
    and an editor has to check it.
    """
    after: dict[str, object] = {}
    clashes = []
    for field in base.__struct_fields__:
        before, proposed, current = (getattr(state, field) for state in (base, target, now))
        if proposed in {before, current}:
            continue
        if isinstance(before, tuple):
            after[field], clash = _rebase_parts(before, proposed, current)
        else:
            after[field], clash = proposed, current != before
        clashes += [field] if clash else []
    return RebaseResult(msgspec.structs.replace(now, **after), tuple(clashes))


def changed_since(now: State, base: State) -> tuple[str, ...]:
    """Return the names of the fields that have changed since `base`, except position and rank."""
    fields = [field for field in now.__struct_fields__ if field not in {"position", "rank"}]
    return tuple(field for field in fields if getattr(now, field) != getattr(base, field, None))


def _rebase_parts(base: Parts, target: Parts, now: Parts) -> tuple[Parts, bool]:
    """Apply a change of a list, such as definitions, to the current list; return also whether it conflicts."""
    gone = [part for part in base if part not in target]
    new = [part for part in target if part not in base]
    places = dict(zip(gone, new, strict=False))
    merged = [places.get(part, part) for part in now if part in places or part not in gone]
    added = [part for part in new if part not in merged]
    return tuple(dict.fromkeys((*merged, *added))), any(part not in now for part in gone)
