"""History of records: the states before and after each change, and an index of the records of each entry.

Every change is passed to the subscribers, which update caches, derived rows and mails. This module does not import
them; the wiring registers them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Integer, Text, bindparam, delete, func, insert, select

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import (
    Change,
    ChangeSet,
    HistoryAction,
    RecordRef,
    Revision,
    decode_changes,
    encode_changes,
)
from abhidhan.schema import hidden_entry, history, history_record


class HistoryEntry(NamedTuple):
    """An entry to write: the action, user (None if unknown), time in seconds since 1970, and main record."""

    action: HistoryAction
    person_id: int | None
    at: int
    main: RecordRef
    import_id: int | None = None
    """ID of the import that made the changes."""


Subscriber = Callable[[Connection, ChangeSet], None]
"""Function that updates data derived from records, in the same transaction; it must use only this connection."""

_subscribers: tuple[Subscriber, ...] = ()


def subscribe(subscribers: Sequence[Subscriber]) -> None:
    """Set the functions to call with every change, in this order. Called by `app/database.py`."""
    global _subscribers  # noqa: PLW0603  # one list per process, so that no edit can bypass it
    _subscribers = tuple(subscribers)


def notify_subscribers(connection: Connection, change_set: ChangeSet) -> None:
    """Call all subscribers, in the transaction of the changes, after the last change."""
    if not _subscribers:
        raise RuntimeError("Call editing.store.history.subscribe before the first edit: caches would go stale.")
    for subscriber in _subscribers:
        subscriber(connection, change_set)


_COLUMNS = (
    history.c.id,
    history.c.at,
    history.c.person_id,
    history.c.action_id,
    history.c.record,
    history.c.record_id,
    history.c.before,
    history.c.after,
    hidden_entry.c.reason,
)

STATES_BATCH_SIZE: Final = 1_000

_STATES_QUERY = CompiledQuery(
    select(history.c.id, history.c.before, history.c.after, history.c.action_id)
    .where(history.c.id > bindparam("after", type_=Integer), history.c.before.is_not(None))
    .order_by(history.c.id)
    .limit(STATES_BATCH_SIZE)
)


class StoredStates(NamedTuple):
    """An entry's states before and after the change, as stored JSON, and its action."""

    entry_id: int
    before: str
    after: str | None
    action_id: int


_ENTRIES_WITH_REASONS = history.outerjoin(hidden_entry, hidden_entry.c.history_id == history.c.id)

_RECORD_ENTRIES_QUERY = CompiledQuery(
    select(*_COLUMNS)
    .select_from(_ENTRIES_WITH_REASONS.join(history_record, history.c.id == history_record.c.history_id))
    .where(
        history_record.c.kind == bindparam("kind", type_=Text),
        history_record.c.record_id == bindparam("record_id", type_=Text),
    )
    .order_by(history.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)


def write_entry(connection: Connection, entry: HistoryEntry, changes: Sequence[Change]) -> int:
    """Write a history entry and notify the subscribers.

    Returns its ID, which is the new version of every record in it.
    """
    before, after = encode_changes(changes)
    entry_id = connection.execute(
        insert(history)
        .values(
            at=entry.at,
            person_id=entry.person_id,
            action_id=int(entry.action),
            record=entry.main.kind,
            record_id=entry.main.number,
            before=before,
            after=after,
        )
        .returning(history.c.id)
    ).scalar_one()
    refs = {entry.main, *(change.ref for change in changes)}
    if entry.import_id is not None:
        refs.add(RecordRef("import", str(entry.import_id)))
    rows = [{"kind": name.kind, "record_id": name.id, "history_id": entry_id} for name in sorted(refs)]
    connection.execute(insert(history_record), rows)
    notify_subscribers(connection, ChangeSet(changes, entry.person_id, entry.at))
    return int(entry_id)


def find_version(connection: Connection, ref: RecordRef) -> int:
    """Return the version of a record: the ID of its newest entry, or 0 if it has none."""
    newest = select(func.max(history_record.c.history_id)).where(
        history_record.c.kind == ref.kind, history_record.c.record_id == ref.id
    )
    return connection.execute(newest).scalar() or 0


def list_import_entries(connection: Connection, import_id: int) -> list[Revision]:
    """List the entries of an import's changes and deletions, newest first, without hidden ones."""
    statement = (
        select(*_COLUMNS)
        .select_from(_ENTRIES_WITH_REASONS.join(history_record, history.c.id == history_record.c.history_id))
        .where(history_record.c.kind == "import", history_record.c.record_id == str(import_id))
        .where(hidden_entry.c.history_id.is_(None))
        .order_by(history.c.id.desc())
    )
    return [_build_revision(tuple(row)) for row in connection.execute(statement)]


def find_entry(connection: Connection, entry_id: int) -> Revision | None:
    """Return an entry by ID, or None."""
    row = connection.execute(
        select(*_COLUMNS).select_from(_ENTRIES_WITH_REASONS).where(history.c.id == entry_id)
    ).one_or_none()
    return _build_revision(tuple(row)) if row else None


def list_entries(connection: ReadConnection, ref: RecordRef, limit: int, offset: int = 0) -> list[Revision]:
    """List the entries about a record, newest first."""
    rows = connection.rows(_RECORD_ENTRIES_QUERY, kind=ref.kind, record_id=ref.id, limit=limit, offset=offset)
    return [_build_revision(row) for row in rows]


def iter_stored_states(tables: RowSource) -> Iterator[StoredStates]:
    """Yield the entries that have stored states, oldest first."""
    after = 0
    while rows := tables.rows(_STATES_QUERY, after=after):
        yield from map(StoredStates._make, rows)
        after = rows[-1][0]


def _build_revision(row: Row) -> Revision:
    entry_id, at, person_id, action_id, kind, record_id, before, after, hidden = row
    changes = decode_changes(before, after)
    # The row has only a number; the full reference, such as POS-3 of a list value, is in the changes.
    whole = (change.ref for change in changes if (change.ref.kind, change.ref.number) == (kind, record_id))
    main = next(whole, RecordRef(kind, str(record_id)))
    return Revision(entry_id, at, person_id, action_id, main, changes, hidden)


class HiddenEntry(NamedTuple):
    """A hidden entry, with the time of hiding in seconds since 1970 and the reason."""

    entry_id: int
    at: int
    reason: str


_HIDDEN_QUERY = CompiledQuery(select(*hidden_entry.columns).order_by(hidden_entry.c.history_id))


_REASONS_QUERY = per_list_size(
    lambda size: (
        select(history_record.c.record_id, hidden_entry.c.reason)
        .join(hidden_entry, hidden_entry.c.history_id == history_record.c.history_id)
        .where(history_record.c.kind == bindparam("kind", type_=Text), in_list(history_record.c.record_id, "id", size))
    )
)


def find_hidden_reasons(connection: ReadConnection, kind: str, record_ids: Sequence[str]) -> dict[str, str]:
    """Return the reasons for which history entries of these records are hidden, by record ID."""
    results = (
        connection.rows(_REASONS_QUERY(len(batch)), kind=kind, **list_params("id", batch))
        for batch in chunks(record_ids)
    )
    return {record_id: reason for rows in results for record_id, reason in rows}


def list_entry_ids(connection: Connection, kind: str, record_ids: Sequence[str]) -> list[int]:
    """Return the IDs of the entries about these records."""
    return [
        entry_id
        for batch in chunks(record_ids)
        for entry_id in connection.execute(
            select(history_record.c.history_id).where(
                history_record.c.kind == kind, history_record.c.record_id.in_(batch)
            )
        ).scalars()
    ]


def filter_existing_ids(connection: Connection, entry_ids: Sequence[int]) -> set[int]:
    """Return the entry IDs that exist."""
    return {
        entry_id
        for batch in chunks(entry_ids)
        for entry_id in connection.execute(select(history.c.id).where(history.c.id.in_(batch))).scalars()
    }


def hide_entries(connection: Connection, entry_ids: Sequence[int], reason: str, at: int) -> list[int]:
    """Hide entries; return the IDs of those that were visible before."""
    hidden_ids = {*connection.execute(select(hidden_entry.c.history_id)).scalars()}
    new_ids = [entry_id for entry_id in entry_ids if entry_id not in hidden_ids]
    if new_ids:
        rows = [{"history_id": entry_id, "at": at, "reason": reason} for entry_id in new_ids]
        connection.execute(insert(hidden_entry), rows)
    return new_ids


def unhide_entries(connection: Connection, entry_ids: Sequence[int]) -> int:
    """Show hidden entries again; return their number."""
    return sum(
        connection.execute(delete(hidden_entry).where(hidden_entry.c.history_id.in_(batch))).rowcount
        for batch in chunks(entry_ids)
    )


def read_hidden_entries(connection: ReadConnection) -> list[HiddenEntry]:
    """List the hidden entries, oldest first."""
    return list(map(HiddenEntry._make, connection.rows(_HIDDEN_QUERY)))
