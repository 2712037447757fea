"""Sandbox: a copy of the dictionary in which something is tried for its report, and which is then removed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from abhidhan.disk import unfinished
from abhidhan.domain.incoming import Placed
from abhidhan.storage.dump import dump_records
from abhidhan.storage.engine.connections import sqlite_file
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.sqlite_backup import copy_database
from abhidhan.storage.loading.load import Loading, load_records
from abhidhan.storage.migrate import prepare


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
