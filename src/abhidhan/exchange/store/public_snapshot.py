"""A copy of the dictionary as an SQLite file of its own: only what is public, and nothing of people."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from abhidhan.exchange.store.loading.bulk_load import Loading, load_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare
from abhidhan.records.import_records import Placed
from abhidhan.records.kinds import Record
from abhidhan.schema import metadata

PRIVATE = (
    "history",
    "history_record",
    "known_address",
    "lease",
    "mail_choice",
    "mail_outbox",
    "mail_refusal",
    "own_lists",
    "person",
    "personal_token",
    "photo",
    "photo_band",
    "record_change",
    "recording",
    "recording_band",
    "recovery_code",
    "session",
    "shared_limit",
    "submission",
    "ticket",
    "tries",
    "two_factor",
)
"""Tables that a copy for everybody does not even have empty."""


def write_snapshot(records: Iterable[Record], target: Path, *, moment: int) -> None:
    """Make an SQLite database of records, at `moment`. It has every index, and can be opened read-only as it is."""
    url = f"sqlite:///{target}"
    prepare(url, target.parent)
    with Database(url) as database, database.long_write() as connection:
        placed = (Placed("dictionary", number, record) for number, record in enumerate(records, 1))
        load_records(connection, placed, Loading(moment, is_measured=False))
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for name in [name for name in metadata.tables if name in PRIVATE and name in there]:
            connection.execute(f'DROP TABLE "{name}"')
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")
    for beside in ("-wal", "-shm"):
        Path(f"{target}{beside}").unlink(missing_ok=True)
