"""Filling the tables of one database from another: each in one transaction, read back before that is kept."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import psycopg
from sqlalchemy import Connection, Table, text

from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.copying.tables import COPIED, Adding, Sum, add_up, adding_up, all_of, count_of
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import DatabaseError
from abhidhan.records.formatting import counted

OnRows = Callable[[str, int], None]
"""Hears of which table so many rows were written, or read back."""

Transaction = Callable[[], AbstractContextManager[object]]
"""Opens the transaction in which a table is filled."""


def fill(source: Reader, target: Connection, transaction: Transaction, on_rows: OnRows) -> dict[str, Sum]:
    """Make every table of `target` what it is in `source`, and return what each adds up to.

    A table that is so already, as after a copy that was stopped, stays. Raises DatabaseError.
    """
    same = _already_there(source, target, transaction, on_rows)
    with transaction():
        _empty(target, [table for table in COPIED if table.name not in same])
    for table in COPIED:
        if table.name not in same:
            with transaction():
                same[table.name] = _fill_table(source, target, table, on_rows)
    return same


def _already_there(source: Reader, target: Connection, transaction: Transaction, on_rows: OnRows) -> dict[str, Sum]:
    """Find the tables that need not be filled; none of them names a row of one that must be."""
    same: dict[str, Sum] = {}
    for table in COPIED:
        with transaction():
            there = _read_back(target, table, lambda _: None)
        if any(key.column.table.name not in same for key in table.foreign_keys):
            continue
        if there.rows == _count(source, table) and add_up(source.stream(all_of(table))) == there:
            same[table.name] = there
            on_rows(table.name, 2 * there.rows)
    return same


def _count(source: Reader, table: Table) -> int:
    return int(source.rows(count_of(table))[0][0])


def _fill_table(source: Reader, target: Connection, table: Table, on_rows: OnRows) -> Sum:
    bulk, adding = Bulk(target), Adding()
    # An index that is made of a full table takes a fraction of the time.
    for index in table.indexes:
        index.drop(target)
    try:
        for page in adding_up(source.stream(all_of(table)), adding):
            bulk.insert(table, page)
            on_rows(table.name, len(page))
    except psycopg.DataError as error:
        raise DatabaseError(f"The table {table.name} holds what PostgreSQL does not take: {error}.") from error
    for index in table.indexes:
        index.create(target)
    back = _read_back(target, table, lambda rows: on_rows(table.name, rows))
    if back != adding.sum:
        raise DatabaseError(
            f"The table {table.name} is not in the copy as it was: {counted(back.rows, 'row')} came back "
            f"of {adding.sum.rows:,}."
        )
    return back


def _read_back(target: Connection, table: Table, on_rows: Callable[[int], None]) -> Sum:
    return add_up(Bulk(target).stream(all_of(table)), on_rows)


def _empty(target: Connection, tables: Sequence[Table]) -> None:
    """Remove all rows of tables; whatever names them is among them."""
    if not tables:
        return
    if target.dialect.name == "sqlite":
        for table in reversed(tables):
            target.execute(table.delete())
    else:
        quote = target.dialect.identifier_preparer.quote
        target.execute(text(f"TRUNCATE {', '.join(quote(table.name) for table in tables)}"))
