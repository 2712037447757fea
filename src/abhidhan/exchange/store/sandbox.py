"""Sandbox: a copy of the dictionary in which something is tried for its report, and which is then removed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from abhidhan.exchange.store.dump import dump_records
from abhidhan.exchange.store.loading.bulk_load import Loading, load_records
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare
from abhidhan.platform.database.sqlite_backup import copy_database
from abhidhan.platform.runtime.files import unfinished
from abhidhan.records.import_records import Placed


@contextmanager
def sandbox(database: Database) -> Iterator[Database]:
    """Open a copy of the dictionary as it is now; readers and writers of the dictionary itself do not wait meanwhile.

    Of SQLite it is a copy of the file, beside it; of PostgreSQL an SQLite database with the same records.
    """
    file = sqlite_file(database.url)
    with unfinished(file.parent if file else Path(gettempdir())) as folder:
        copy = folder / "trial.sqlite3"
        url = f"sqlite:///{copy}"
        if file is not None:
            copy_database(file, copy)
        else:
            prepare(url, copy.parent)
        with Database(url) as tried:
            if file is None:
                _fill(database, tried)
            yield tried


def _fill(database: Database, copy: Database) -> None:
    with database.snapshot() as reader, copy.long_write() as connection:
        records = (Placed("dictionary", number, record) for number, record in enumerate(dump_records(reader), 1))
        load_records(connection, records, Loading(0, is_measured=False, is_trial=True))
