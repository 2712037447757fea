"""SQLite's query plans for the statements of a reading job, including full table scans."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from abhidhan.platform.database.compiled_queries import Row, SqlValue
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection

SMALL_TABLES = frozenset({"language", "list_item", "source", "card_set"})
"""Tables of at most some hundred rows, which may be scanned."""


class ExplainedConnection:
    """A connection that requests the query plan of every statement before running it."""

    def __init__(self, file: str) -> None:
        """Open a database file."""
        self._connection = sqlite3.connect(file)
        self.plans: list[str] = []
        self.statements: list[tuple[str, tuple[SqlValue, ...]]] = []

    def execute(self, sql: str, parameters: Sequence[SqlValue], /) -> sqlite3.Cursor:
        """Record the plan of a statement, and run it."""
        rows: list[Row] = self._connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()
        self.plans.extend(row[3] for row in rows)
        self.statements.append((sql, tuple(parameters)))
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def list_statements(
    database: Database, *jobs: Callable[[ReadConnection], object]
) -> list[tuple[str, tuple[SqlValue, ...]]]:
    """Return the statements on words that reading jobs run in order, each with its parameters."""
    with closing(ExplainedConnection(str(database.url.database))) as connection:
        for job in jobs:
            ReadConnection(connection, "sqlite", database.get_catalogue).run(job)
        return [each for each in connection.statements if " word" in each[0]]


def find_scanned_tables(database: Database, job: Callable[[ReadConnection], object]) -> list[str]:
    """Return the tables that a reading job scans, except small ones."""
    with closing(ExplainedConnection(str(database.url.database))) as connection:
        job(ReadConnection(connection, "sqlite", database.get_catalogue))
        assert any(plan.startswith("SEARCH") for plan in connection.plans)
        return list(_scanned(connection.plans))


def _scanned(plans: Sequence[str]) -> Iterator[str]:
    tables = {
        "word",
        "near_key",
        "word_pos",
        "phrase",
        "phrase_gram",
        "gram_count",
        "card",
        "definition",
        "definition_word",
        "sense",
        "idea",
        "idea_context",
        "phrase_word",
        "daily_choice",
        "personal_token",
        "mail_choice",
        "mail_outbox",
        "mail_refusal",
        "own_lists",
    }
    for plan in plans:
        verb, _, rest = plan.partition(" ")
        name = rest.split(" ")[0]
        if verb == "SCAN" and (name in tables or name.startswith("other_")) and name not in SMALL_TABLES:
            yield name


@contextmanager
def record_statements(database: Database) -> Iterator[list[str]]:
    """Record the statements that writers of an SQLite database run within the block, with their values."""
    statements: list[str] = []
    with database.engine.connect() as connection:
        driver = connection.connection.driver_connection
    assert driver
    driver.set_trace_callback(statements.append)
    yield statements
    driver.set_trace_callback(None)


def find_plans(table: str, database: Database, statements: Sequence[str]) -> set[str]:
    """Return SQLite's query plans for a table in statements."""
    with database.engine.connect() as connection:
        explained = [
            row[-1]
            for statement in statements
            if table in statement
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
        ]
    return {plan for plan in explained if f" {table}" in plan}
