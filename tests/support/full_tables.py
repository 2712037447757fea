"""A dictionary with rows in every table, for tests of code that copies all tables."""

from sqlalchemy import BigInteger, Column, Connection, Double, LargeBinary, Table, Text, func, insert, select

from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.copying.copy_rows import COPIED_TABLES
from abhidhan.platform.database.database import Database
from tests.support.sample import NOW, sample_records

UNUSUAL_TEXT = "অসমীয়া ’\t\\N\n𐍈"
"""A text that a copy format might misinterpret."""


def fill_all_tables(database: Database) -> None:
    """Load the sample, and add a row to each table that it leaves empty."""
    import_records(database, sample_records(), now=NOW)
    with database.engine.begin() as connection:
        for table in COPIED_TABLES:
            if not connection.execute(select(func.count()).select_from(table)).scalar_one():
                connection.execute(
                    insert(table).values({column.name: _make_value(connection, column) for column in table.c})
                )


def _make_value(connection: Connection, column: Column[object]) -> object:
    for key in column.foreign_keys:
        return connection.execute(select(func.min(key.column))).scalar_one()
    kinds = ((Text, UNUSUAL_TEXT), (LargeBinary, b"\x00\xff"), (Double, 0.1), (BigInteger, 2**40))
    return next((value for kind, value in kinds if isinstance(column.type, kind)), 7)


def read_rows(database: Database, table: Table) -> set[tuple[object, ...]]:
    """Return all rows of a table, unordered."""
    with database.engine.begin() as connection:
        return {tuple(row) for row in connection.execute(select(table))}


def assert_equal(url: str, other_url: str) -> None:
    """Check that two databases have the same rows, and no empty tables."""
    with Database(url) as first, Database(other_url) as second:
        for table in COPIED_TABLES:
            rows = read_rows(first, table)
            assert rows == read_rows(second, table), table.name
            assert rows, f"nothing shows that {table.name} is copied"
