"""A concurrent writer: a transaction of another program that holds locks."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import psycopg

from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK_KEY

TIMEOUT_SECONDS: Final = 60
"""Seconds after which the other program releases its locks, so that a waiting test fails instead of hanging."""


@contextmanager
def hold_write_lock(database: Database) -> Iterator[None]:
    """Hold a write transaction on another connection, which blocks all other writers on either engine."""
    file = sqlite_file(database.url)
    with _on_postgresql(database) if file is None else _on_sqlite(str(file)):
        yield


@contextmanager
def _on_sqlite(file: str) -> Iterator[None]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def _on_postgresql(database: Database) -> Iterator[None]:
    address = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address) as connection:
        connection.execute(f"SET idle_in_transaction_session_timeout = '{TIMEOUT_SECONDS}s'")
        connection.commit()
        connection.execute(f"SELECT pg_advisory_xact_lock({POSTGRESQL_LOCK_KEY})")
        yield
        connection.rollback()
