"""Rows of whole tables, a page at a time: however many there are, they take no more memory."""

from collections.abc import Iterator
from typing import Final, Protocol, cast

import psycopg

from abhidhan.platform.database.compiled_queries import DriverConnection, Query, Row

PAGE: Final = 2_000
"""How many rows are in memory at once."""


class _PagedCursor(Protocol):
    """The rows of a statement of which some are read at a time."""

    def fetchmany(self, size: int, /) -> list[Row]:
        """Read the next rows."""
        ...


def stream(connection: DriverConnection, query: Query) -> Iterator[list[Row]]:
    """Run a query without parameters in the transaction that is open, and read its rows in pages of the same size."""
    if isinstance(connection, psycopg.Connection):
        sql, _ = query.compile("postgresql")
        # A cursor without a name would bring all rows at once.
        with connection.cursor(name="stream") as named:
            named.execute(sql.encode())
            yield from _pages(cast("_PagedCursor", named))
    else:
        sql, _ = query.compile("sqlite")
        yield from _pages(cast("_PagedCursor", connection.execute(sql, ())))


def _pages(cursor: _PagedCursor) -> Iterator[list[Row]]:
    while rows := cursor.fetchmany(PAGE):
        yield rows
