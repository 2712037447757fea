"""History: every change of a record, with its states before and after, and which records an entry is about.

Subscribers are called with every change: functions that keep caches, notes and mails up to date. History does not
import them; the wiring registers them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Integer, Text, bindparam, delete, func, insert, select

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.platform.database.compiled_queries import Query, Row, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import Action, Change, ChangeSet, RecordName, Revision, decode_changes, encode_changes
from abhidhan.schema import hidden_entry, history, history_record


class Entry(NamedTuple):
    """An entry to be written: what was done, by whom (None: nobody who is known), when, and to which record chiefly."""

    action: Action
    person_id: int | None
    at: int
    main: RecordName
    import_id: int | None = None
    """The entry of the import that has done it."""


Subscriber = Callable[[Connection, ChangeSet], None]
"""Updates what depends on records, in the transaction that changes them: all its effects go through the connection."""

_subscribers: tuple[Subscriber, ...] = ()


def subscribe(subscribers: Sequence[Subscriber]) -> None:
    """Set the functions to call with every change, in their order. `app/database.py` calls this."""
    global _subscribers  # noqa: PLW0603  # one list for the process: no edit may go without it
    _subscribers = tuple(subscribers)


def notify_subscribers(connection: Connection, change_set: ChangeSet) -> None:
    """Call every subscriber, in the transaction of the changes and after the last of them."""
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

STATES_AT_ONCE: Final = 1_000

_STATES = Query(
    select(history.c.id, history.c.before, history.c.after, history.c.action_id)
    .where(history.c.id > bindparam("after", type_=Integer), history.c.before.is_not(None))
    .order_by(history.c.id)
    .limit(STATES_AT_ONCE)
)


class KeptStates(NamedTuple):
    """An entry, with the JSON of the states that it keeps, and what was done."""

    entry_id: int
    before: str
    after: str | None
    action_id: int


_ENTRIES = history.outerjoin(hidden_entry, hidden_entry.c.history_id == history.c.id)

_OF_RECORD = Query(
    select(*_COLUMNS)
    .select_from(_ENTRIES.join(history_record, history.c.id == history_record.c.history_id))
    .where(
        history_record.c.kind == bindparam("kind", type_=Text),
        history_record.c.record_id == bindparam("record_id", type_=Text),
    )
    .order_by(history.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)


def write_entry(connection: Connection, entry: Entry, changes: Sequence[Change]) -> int:
    """Write an entry of the history, and notify the subscribers.

    Return its ID, which is the new version of every record it is about.
    """
    before, after = encode_changes(changes)
    made = connection.execute(
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
    about = {entry.main, *(change.name for change in changes)}
    if entry.import_id is not None:
        about.add(RecordName("import", str(entry.import_id)))
    rows = [{"kind": name.kind, "record_id": name.id, "history_id": made} for name in sorted(about)]
    connection.execute(insert(history_record), rows)
    notify_subscribers(connection, ChangeSet(changes, entry.person_id, entry.at))
    return int(made)


def version_of(connection: Connection, name: RecordName) -> int:
    """Return the version of a record: the ID of the newest entry about it; 0 when it was never changed here."""
    newest = select(func.max(history_record.c.history_id)).where(
        history_record.c.kind == name.kind, history_record.c.record_id == name.id
    )
    return connection.execute(newest).scalar() or 0


def entries_of_import(connection: Connection, import_id: int) -> list[Revision]:
    """List the entries of what an import has changed and removed, the newest first."""
    chosen = (
        select(*_COLUMNS)
        .select_from(_ENTRIES.join(history_record, history.c.id == history_record.c.history_id))
        .where(history_record.c.kind == "import", history_record.c.record_id == str(import_id))
        .where(hidden_entry.c.history_id.is_(None))
        .order_by(history.c.id.desc())
    )
    return [_revision(tuple(row)) for row in connection.execute(chosen)]


def find_entry(connection: Connection, entry_id: int) -> Revision | None:
    """Read one entry of the history; None when there is none of this ID."""
    row = connection.execute(select(*_COLUMNS).select_from(_ENTRIES).where(history.c.id == entry_id)).one_or_none()
    return _revision(tuple(row)) if row else None


def entries_about(reader: Reader, name: RecordName, limit: int, offset: int = 0) -> list[Revision]:
    """List the entries about a record, the newest first."""
    rows = reader.rows(_OF_RECORD, kind=name.kind, record_id=name.id, limit=limit, offset=offset)
    return [_revision(row) for row in rows]


def kept_states(tables: Tables) -> Iterator[KeptStates]:
    """Yield the entries that keep states of records; the oldest first."""
    after = 0
    while rows := tables.rows(_STATES, after=after):
        yield from map(KeptStates._make, rows)
        after = rows[-1][0]


def _revision(row: Row) -> Revision:
    entry_id, at, person_id, action_id, kind, record_id, before, after, hidden = row
    changes = decode_changes(before, after)
    # The row keeps only a number; the whole name, such as POS-3 of a list, stands with the changes.
    whole = (change.name for change in changes if (change.name.kind, change.name.number) == (kind, record_id))
    main = next(whole, RecordName(kind, str(record_id)))
    return Revision(entry_id, at, person_id, action_id, main, changes, hidden)


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


def hidden_reasons(reader: Reader, kind: str, record_ids: Sequence[str]) -> dict[str, str]:
    """Return the reasons for which entries about some records of a kind are hidden, by the IDs of these records."""
    found = (reader.rows(_REASONS(len(some)), kind=kind, **padded("id", some)) for some in chunks(record_ids))
    return {record_id: reason for rows in found for record_id, reason in rows}


def entry_ids_about(connection: Connection, kind: str, record_ids: Sequence[str]) -> list[int]:
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


def known_entries(connection: Connection, entry_ids: Sequence[int]) -> set[int]:
    """Return which IDs are those of entries."""
    return {
        entry_id
        for some in chunks(entry_ids)
        for entry_id in connection.execute(select(history.c.id).where(history.c.id.in_(some))).scalars()
    }


def hide_entries(connection: Connection, entry_ids: Sequence[int], reason: str, at: int) -> list[int]:
    """Hide entries, and return those that were not hidden before."""
    hidden = {*connection.execute(select(hidden_entry.c.history_id)).scalars()}
    fresh = [entry_id for entry_id in entry_ids if entry_id not in hidden]
    if fresh:
        rows = [{"history_id": entry_id, "at": at, "reason": reason} for entry_id in fresh]
        connection.execute(insert(hidden_entry), rows)
    return fresh


def unhide_entries(connection: Connection, entry_ids: Sequence[int]) -> int:
    """Show entries again, and return how many were hidden."""
    return sum(
        connection.execute(delete(hidden_entry).where(hidden_entry.c.history_id.in_(some))).rowcount
        for some in chunks(entry_ids)
    )


def read_hidden_entries(reader: Reader) -> list[HiddenEntry]:
    """List the hidden entries, the oldest first."""
    return list(map(HiddenEntry._make, reader.rows(_HIDDEN)))
