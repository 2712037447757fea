"""Entries of the history whose content is shown to nobody: which they are, since when and why."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Text, bindparam, delete, insert, select

from abhidhan.platform.database.compiled_queries import Query, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import hidden_entry, history, history_record


class HiddenEntry(NamedTuple):
    """A hidden entry: since when (seconds since 1970), and the reason that is told."""

    entry_id: int
    at: int
    reason: str


_HIDDEN = Query(select(*hidden_entry.columns).order_by(hidden_entry.c.history_id))


_REASONS = by_size(
    lambda size: (
        select(history_record.c.record_id, hidden_entry.c.reason)
        .join(hidden_entry, hidden_entry.c.history_id == history_record.c.history_id)
        .where(history_record.c.kind == bindparam("kind", type_=Text), in_list(history_record.c.record_id, "id", size))
    )
)


def reasons(reader: Reader, kind: str, record_ids: Sequence[str]) -> dict[str, str]:
    """Return the reasons for which entries about some records of a kind are hidden, by the IDs of these records."""
    found = (reader.rows(_REASONS(len(some)), kind=kind, **padded("id", some)) for some in chunks(record_ids))
    return {record_id: reason for rows in found for record_id, reason in rows}


def entries_about(connection: Connection, kind: str, record_ids: Sequence[str]) -> list[int]:
    """List the entries about some records of a kind."""
    return [
        entry_id
        for some in chunks(record_ids)
        for entry_id in connection.execute(
            select(history_record.c.history_id).where(
                history_record.c.kind == kind, history_record.c.record_id.in_(some)
            )
        ).scalars()
    ]


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
