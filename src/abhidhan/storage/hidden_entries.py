"""Entries of the history whose content is shown to nobody: which hold a text, which are hidden, since when and why."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from abhidhan.storage.engine.queries import Query, chunks
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import hidden_entry, history

ENTRIES_AT_ONCE: Final = 1_000


class KeptStates(NamedTuple):
    """An entry of the history with the JSON of the states that it keeps."""

    entry_id: int
    before: str | None
    after: str | None


class HiddenEntry(NamedTuple):
    """A hidden entry: since when (seconds since 1970), and the reason that is told."""

    entry_id: int
    at: int
    reason: str


_HIDDEN = Query(select(*hidden_entry.columns).order_by(hidden_entry.c.history_id))


def kept_states(connection: Connection) -> Iterator[KeptStates]:
    """Yield all entries of the history, the oldest first."""
    after = 0
    entries = select(history.c.id, history.c.before, history.c.after).order_by(history.c.id).limit(ENTRIES_AT_ONCE)
    while rows := connection.execute(entries.where(history.c.id > after)).all():
        yield from map(KeptStates._make, rows)
        after = rows[-1][0]


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
