"""Edits of single records, and edits that wait for each other."""

import time
from collections.abc import Callable
from contextlib import closing

import msgspec
from sqlalchemy import Connection, Engine

from abhidhan.editing.store.history import HistoryEntry
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.postgresql import open_postgresql
from abhidhan.records.history import HistoryAction, RecordRef
from tests.support.sample import NOW

TIMEOUT_SECONDS = 60
"""Timeout on a busy machine; its value proves nothing about speed."""


def edit_record(database: Database, job: Callable[[ChangeRecorder], RecordRef]) -> RecordRef:
    """Run a job in a transaction of the change recorder, like an edit; return the job's record reference."""
    catalogue = database.read_now(lambda reader: reader.catalogue)

    def apply_job(connection: Connection) -> RecordRef:
        ledger = ChangeRecorder(EditContext(connection, catalogue, NOW))
        name = job(ledger)
        ledger.commit(HistoryEntry(HistoryAction.WORD_EDITED, None, NOW, name))
        return name

    return database.write_now(apply_job)


def change_record(database: Database, kind: str, number: int, **fields: object) -> None:
    """Change fields of a record."""

    def job(ledger: ChangeRecorder) -> RecordRef:
        name = RecordRef(kind, str(number))
        current = ledger.get_current(name)
        assert current
        ledger.apply(name, msgspec.structs.replace(current, **fields))
        return name

    edit_record(database, job)


def remove_record(database: Database, kind: str, number: int) -> None:
    """Delete a record."""

    def job(ledger: ChangeRecorder) -> RecordRef:
        ledger.apply(RecordRef(kind, str(number)), None)
        return RecordRef(kind, str(number))

    edit_record(database, job)


def wait_until_blocked(engine: Engine, locks: str = "TRUE") -> None:
    """Wait until a transaction waits for another one, on PostgreSQL; `locks` is a condition on `pg_locks`."""
    waiting = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND {locks}"  # noqa: S608  # a condition of our own
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < give_up:
        # A separate connection: those of the engine may belong to the waiting transactions.
        with closing(open_postgresql(engine.url)) as connection:
            if connection.execute(waiting).fetchall() != [(0,)]:
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")
