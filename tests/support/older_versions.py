"""A database of commit 5af1802: unpacked from `tests/fixtures/5af1802`, read and compared."""

import gzip
import json
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlalchemy import Connection, inspect, text

from abhidhan.platform.database.database import Database
from tests.support.databases import ENGINES
from tests.support.postgresql import PostgresqlServer

FOLDER: Final = Path(__file__).parent.parent / "fixtures" / "5af1802"

DERIVED: Final = frozenset(
    {
        "completion",
        "definition_word",
        "gram_count",
        "history_record",
        "idea_cache",
        "near_key",
        "phrase_gram",
        "phrase_word",
        "photo_band",
        "readable_word",
        "recording_band",
        "sound_filter",
        "sound_frame",
        "word_pos",
    }
)
"""Tables derived from others, which may change with the version; `abhidhan check` compares them with their sources."""

METADATA_TABLES: Final = frozenset({"alembic_version", "state", "key_rules", "record_change"})
"""Tables whose rows differ after an upgrade: step 0036 restarts the change feed."""

UPLOAD_FOLDERS: Final = ("photos", "recordings")

Row = dict[str, Any]
Tables = dict[str, list[Row]]


@dataclass(frozen=True)
class OldDatabase:
    """The older database, and its tables before the current program has changed them.

    `ids` are the IDs of records by their kind and a description.
    """

    engine: str
    url: str
    home: Path
    tables: Tables
    ids: dict[str, dict[str, int]]


@contextmanager
def open_old_database(home: Path, server: PostgresqlServer | None = None) -> Iterator[OldDatabase]:
    """Unpack the database with the contributed files, on SQLite or on a PostgreSQL server."""
    if server is None:
        yield _load_old_database(unpack_sqlite(home), home)
        return
    name = server.create()
    with closing(psycopg.connect(server.url(name), autocommit=True)) as connection:
        connection.execute(gzip.decompress((FOLDER / "dictionary.sql.gz").read_bytes()))
    unpack("files-of-postgresql.tar.gz", home)
    yield _load_old_database(server.url(name), home)
    server.drop(name)


def unpack_sqlite(home: Path) -> str:
    """Unpack the SQLite file and the contributed files, and return the URL of the database."""
    file = home / "dictionary.sqlite3"
    file.write_bytes(gzip.decompress((FOLDER / "dictionary.sqlite3.gz").read_bytes()))
    unpack("backup.tar.gz", home, UPLOAD_FOLDERS)
    return f"sqlite:///{file}"


def unpack(archive: str, home: Path, folders: tuple[str, ...] = ()) -> None:
    """Unpack an archive; with `folders`, only these folders of it."""
    with tarfile.open(FOLDER / archive) as opened:
        chosen = (each for each in opened if not folders or each.name.split("/")[0] in folders)
        opened.extractall(home, chosen, filter="data")


def read_uploads(home: Path) -> dict[str, bytes]:
    """Return the contents of all photos and recordings, by their paths in the data folder."""
    files = (file for name in UPLOAD_FOLDERS for file in (home / name).rglob("*") if file.is_file())
    return {str(file.relative_to(home)): file.read_bytes() for file in files}


def _load_old_database(url: str, home: Path) -> OldDatabase:
    engine = next(each for each in ENGINES if url.startswith(each))
    ids = json.loads((FOLDER / f"ids-{engine}.json").read_text(encoding="utf-8"))
    with Database(url) as database:
        return OldDatabase(engine, url, home, read_tables(database), ids)


def read_tables(database: Database) -> Tables:
    """Return all rows of all tables."""
    with database.engine.connect() as connection:
        names = inspect(connection).get_table_names()
        return {name: _read_rows(connection, name) for name in names if not name.startswith("sqlite_")}


def _read_rows(connection: Connection, table: str) -> list[Row]:
    return [dict(row) for row in connection.execute(text(f'SELECT * FROM "{table}"')).mappings()]  # noqa: S608


def return_unchanged(_: str, row: Row) -> Row:
    """Return a row unchanged, for tables that an upgrade does not modify."""
    return row


def find_lost_rows(before: Tables, after: Tables, expected: Callable[[str, Row], Row] = return_unchanged) -> Tables:
    """Return the lost rows, compared by the columns that both versions have.

    `expected` maps a table and a row of the older version to the row that upgrades should produce.
    """
    missing = {}
    for name in before.keys() - DERIVED - METADATA_TABLES:
        kept, now = [expected(name, row) for row in before[name]], after.get(name, [])
        columns = sorted(set(kept[0]) & set(now[0])) if kept and now else []
        there = Counter(tuple(row[column] for column in columns) for row in now)
        gone = [row for row in kept if not there[tuple(row[column] for column in columns)]]
        if gone or len(now) < len(kept):
            missing[name] = gone
    return missing
