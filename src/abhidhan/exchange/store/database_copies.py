"""SQLite copies of the dictionary: a public one for downloads, and a private one for trial imports."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import gettempdir

from abhidhan.exchange.store.dump import dump_records
from abhidhan.exchange.store.loading.bulk_load import BulkLoadOptions, load_records
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.database.sqlite_backup import copy_database
from abhidhan.platform.runtime.files import open_staging_folder
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import Record
from abhidhan.schema import metadata

PRIVATE_TABLES = (
    "history",
    "history_record",
    "known_address",
    "lease",
    "lift_entry",
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
"""Tables that are dropped from a public copy."""


def write_snapshot(records: Iterable[Record], target: Path, *, moment: int) -> None:
    """Write records into a new SQLite database with all indexes, in a journal mode that allows read-only use."""
    url = f"sqlite:///{target}"
    prepare_database(url, target.parent)
    with Database(url) as database, database.long_write() as connection:
        located = (LocatedRecord("dictionary", number, record) for number, record in enumerate(records, 1))
        load_records(connection, located, BulkLoadOptions(moment, enforce_limits=False))
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for name in [name for name in metadata.tables if name in PRIVATE_TABLES and name in tables]:
            connection.execute(f'DROP TABLE "{name}"')
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")
    for suffix in ("-wal", "-shm"):
        Path(f"{target}{suffix}").unlink(missing_ok=True)


@contextmanager
def open_sandbox(database: Database) -> Iterator[Database]:
    """Open a temporary copy of the dictionary for a trial, without blocking readers and writers.

    For SQLite it is a copy of the file in the same folder; for PostgreSQL, an SQLite database with the same records.
    """
    file = sqlite_file(database.url)
    with open_staging_folder(file.parent if file else Path(gettempdir())) as folder:
        copy = folder / "trial.sqlite3"
        url = f"sqlite:///{copy}"
        if file is not None:
            copy_database(file, copy)
        else:
            prepare_database(url, copy.parent)
        with Database(url) as trial:
            if file is None:
                _copy_records(database, trial)
            yield trial


def _copy_records(database: Database, copy: Database) -> None:
    with database.snapshot() as reader, copy.long_write() as connection:
        records = (LocatedRecord("dictionary", number, record) for number, record in enumerate(dump_records(reader), 1))
        load_records(connection, records, BulkLoadOptions(0, enforce_limits=False, is_trial=True))
