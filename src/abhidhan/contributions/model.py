"""Three-way merge of a proposed correction into the current state of its record."""

from typing import Any, NamedTuple, TypeVar

import msgspec

from abhidhan.records.history import State

S = TypeVar("S", bound=State)

FieldParts = tuple[Any, ...]


class RebaseResult(NamedTuple):
    """The merged state of a record, and the fields with conflicting changes."""

    after: Any
    conflicts: tuple[str, ...]


def rebase(base: S, target: S, latest: S) -> RebaseResult:
    """Apply the change from `base` to `target` to the current state, `latest`.

    Other changes made since are kept. A field that both sides have changed is a conflict: the proposed value is used,
    and an editor has to check it.
    """
    after: dict[str, object] = {}
    conflicts = []
    for field in base.__struct_fields__:
        before, proposed, current = (getattr(state, field) for state in (base, target, latest))
        if proposed in {before, current}:
            continue
        if isinstance(before, tuple):
            after[field], clash = _rebase_parts(before, proposed, current)
        else:
            after[field], clash = proposed, current != before
        conflicts += [field] if clash else []
    return RebaseResult(msgspec.structs.replace(latest, **after), tuple(conflicts))


def find_changed_fields(latest: State, base: State) -> tuple[str, ...]:
    """Return the names of the fields that have changed since `base`, except position and rank."""
    fields = [field for field in latest.__struct_fields__ if field not in {"position", "rank"}]
    return tuple(field for field in fields if getattr(latest, field) != getattr(base, field, None))


def _rebase_parts(base: FieldParts, target: FieldParts, latest: FieldParts) -> tuple[FieldParts, bool]:
    """Apply a change of a list, such as definitions, to the current list; return also whether it conflicts."""
    removed = [part for part in base if part not in target]
    new = [part for part in target if part not in base]
    replacements = dict(zip(removed, new, strict=False))
    merged = [replacements.get(part, part) for part in latest if part in replacements or part not in removed]
    added = [part for part in new if part not in merged]
    return tuple(dict.fromkeys((*merged, *added))), any(part not in latest for part in removed)
