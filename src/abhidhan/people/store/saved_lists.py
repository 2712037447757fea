"""One's own lists that an account keeps: one row of a person, read and written as a whole."""

from typing import NamedTuple

from sqlalchemy import Connection, Integer, bindparam, delete, insert, select, update

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import own_lists


class KeptRow(NamedTuple):
    """The lists of a person, as JSON, and how often they have changed."""

    lists: str
    version: int


_COLUMNS = (own_lists.c.lists, own_lists.c.version)
_OF_PERSON = Query(select(*_COLUMNS).where(own_lists.c.person_id == bindparam("person_id", type_=Integer)))


def lists_of(reader: Reader, person_id: int) -> KeptRow | None:
    """Read the lists of a person; None where the account keeps none."""
    row = reader.row(_OF_PERSON, person_id=person_id)
    return KeptRow._make(row) if row else None


def read_lists(connection: Connection, person_id: int) -> KeptRow | None:
    """Read them in a transaction that changes them."""
    row = connection.execute(select(*_COLUMNS).where(own_lists.c.person_id == person_id)).one_or_none()
    return KeptRow._make(row) if row else None


def keep_lists(connection: Connection, person_id: int, row: KeptRow, now: int) -> None:
    """Keep the lists of a person in place of what was kept before."""
    values = {"lists": row.lists, "version": row.version, "changed": now}
    changed = connection.execute(update(own_lists).where(own_lists.c.person_id == person_id).values(values))
    if not changed.rowcount:
        connection.execute(insert(own_lists).values(person_id=person_id, **values))


def forget_lists(connection: Connection, person_id: int) -> None:
    """Delete the lists of a person."""
    connection.execute(delete(own_lists).where(own_lists.c.person_id == person_id))
