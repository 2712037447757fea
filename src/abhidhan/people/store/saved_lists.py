"""Saved lists: one row per user, read and written as a whole."""

from typing import NamedTuple

from sqlalchemy import Connection, Integer, bindparam, delete, insert, select, update

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import own_lists


class ListsRow(NamedTuple):
    """The lists and flashcard progress of a user as JSON; `version` is the number of changes so far."""

    lists: str
    version: int
    cards: str | None


_COLUMNS = (own_lists.c.lists, own_lists.c.version, own_lists.c.cards)
_LISTS_OF_PERSON = CompiledQuery(
    select(*_COLUMNS).where(own_lists.c.person_id == bindparam("person_id", type_=Integer))
)


def find_lists(connection: ReadConnection, person_id: int) -> ListsRow | None:
    """Return the lists of a user; None if the account stores none."""
    row = connection.row(_LISTS_OF_PERSON, person_id=person_id)
    return ListsRow._make(row) if row else None


def read_lists(connection: Connection, person_id: int) -> ListsRow | None:
    """Return the lists of a user within a write transaction; None if the account stores none."""
    row = connection.execute(select(*_COLUMNS).where(own_lists.c.person_id == person_id)).one_or_none()
    return ListsRow._make(row) if row else None


def save_lists(connection: Connection, person_id: int, row: ListsRow, now: int) -> None:
    """Insert or replace the lists of a user."""
    values = {"lists": row.lists, "version": row.version, "changed": now, "cards": row.cards}
    changed = connection.execute(update(own_lists).where(own_lists.c.person_id == person_id).values(values))
    if not changed.rowcount:
        connection.execute(insert(own_lists).values(person_id=person_id, **values))


def delete_lists(connection: Connection, person_id: int) -> None:
    """Delete the lists of a user."""
    connection.execute(delete(own_lists).where(own_lists.c.person_id == person_id))
