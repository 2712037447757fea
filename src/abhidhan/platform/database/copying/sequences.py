"""The last IDs that were ever given: no copy gives one of them again, not even that of a record that is gone."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, Integer, Select, Table, Text, cast, column, func, literal, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql import table as table_named

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.copying.tables import COPIED
from abhidhan.platform.database.reader import Reader

NUMBERED: Final = tuple(table for table in COPIED if table.autoincrement_column is not None)
"""The tables whose IDs the engine gives."""

_GIVEN_BY_SQLITE: Final = Query(
    select(column("name", Text), column("seq", Integer)).select_from(table_named("sqlite_sequence"))
)
_TAKE_ON_SQLITE: Final = text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name")
_ADD_ON_SQLITE: Final = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
_TAKE_ON_POSTGRESQL: Final = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


def given(source: Reader) -> dict[str, int]:
    """Return for each table the last ID that it has given."""
    last = {table.name: source.rows(Query(_greatest(table)))[0][0] or 0 for table in NUMBERED}
    if source.engine == "sqlite":
        known = {name: seq for name, seq in source.rows(_GIVEN_BY_SQLITE) if name in last}
    else:
        known = {table.name: source.rows(Query(_given_by_postgresql(table)))[0][0] or 0 for table in NUMBERED}
    return {name: max(number, known.get(name, 0)) for name, number in last.items()}


def go_on(connection: Connection, last: Mapping[str, int]) -> None:
    """Let the engine go on behind the last IDs."""
    for table in NUMBERED:
        chosen = {"name": table.name, "last": last[table.name]}
        if not chosen["last"]:
            continue
        if connection.dialect.name != "sqlite":
            connection.execute(_TAKE_ON_POSTGRESQL, chosen)
        # In other tables, SQLite goes on behind the greatest ID that is there.
        elif _remembers(table) and not connection.execute(_TAKE_ON_SQLITE, chosen).rowcount:
            connection.execute(_ADD_ON_SQLITE, chosen)


def _remembers(table: Table) -> bool:
    """Say whether SQLite gives no ID of this table twice."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _greatest(table: Table) -> Select[tuple[int]]:
    return select(func.max(table.c.id))


def _given_by_postgresql(table: Table) -> Select[tuple[int]]:
    sequence = func.pg_get_serial_sequence(literal(table.name), literal("id"))
    return select(func.pg_sequence_last_value(cast(sequence, postgresql.REGCLASS)))
