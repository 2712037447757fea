"""Entries of the history whose content is shown to nobody: which they are, since when and why."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from abhidhan.storage.engine.queries import Query, chunks
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import hidden_entry, history


class HiddenEntry(NamedTuple):
    """A hidden entry: since when (seconds since 1970), and the reason that is told."""

    entry_id: int
    at: int
    reason: str


_HIDDEN = Query(select(*hidden_entry.columns).order_by(hidden_entry.c.history_id))


def known(connection: Connection, entry_ids: Sequence[int]) -> set[int]:
    """Return which IDs are those of entries."""
    return {
        entry_id
        for some in chunks(entry_ids)
        for entry_id in connection.execute(select(history.c.id).where(history.c.id.in_(some))).scalars()
    }


def hide(connection: Connection, entry_ids: Sequence[int], reason: str, at: int) -> list[int]:
    """Hide entries, and return those that were not hidden before."""
    hidden = {*connection.execute(select(hidden_entry.c.history_id)).scalars()}
    fresh = [entry_id for entry_id in entry_ids if entry_id not in hidden]
    if fresh:
        rows = [{"history_id": entry_id, "at": at, "reason": reason} for entry_id in fresh]
        connection.execute(insert(hidden_entry), rows)
    return fresh


def unhide(connection: Connection, entry_ids: Sequence[int]) -> int:
    """Show entries again, and return how many were hidden."""
    return sum(
        connection.execute(delete(hidden_entry).where(hidden_entry.c.history_id.in_(some))).rowcount
        for some in chunks(entry_ids)
    )


def read_hidden(reader: Reader) -> list[HiddenEntry]:
    """List the hidden entries, the oldest first."""
    return list(map(HiddenEntry._make, reader.rows(_HIDDEN)))
