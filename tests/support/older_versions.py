"""Databases that older versions of the program have written: unpacked from `tests/fixtures`, read and compared."""

import gzip
import json
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
from sqlalchemy import Connection, inspect, text

from abhidhan.storage.engine.database import Database
from abhidhan.storage.migrate import NEWEST
from tests.support.databases import ENGINES
from tests.support.postgresql import PostgresqlServer

FIXTURES: Final = Path(__file__).parent.parent / "fixtures"

DERIVED: Final = frozenset(
    {
        "completion",
        "definition_word",
        "gathered",  # the name of the idea cache before step 0009
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
"""Tables that are made from others, and may be made differently: `abhidhan check` compares them with those."""

ABOUT_THE_DATABASE: Final = frozenset({"alembic_version", "state", "key_rules", "record_change"})
"""Tables whose rows are other after an upgrade: step 0036 lets those who follow changes begin anew."""

SENT_FILES: Final = ("photos", "recordings")

Row = dict[str, Any]
Tables = dict[str, list[Row]]


class OlderVersion(NamedTuple):
    """A version of the program whose files are kept, and the archive of what people sent in its PostgreSQL run."""

    commit: str
    files_of_postgresql: str

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return FIXTURES / self.commit


FIRST: Final = OlderVersion("d1a1f84", "photos-of-postgresql.tar.gz")
BEFORE_XOBDO_NUMBERS: Final = OlderVersion("5af1802", "files-of-postgresql.tar.gz")
"""The last version whose languages had numbers of our own."""

OLDER_VERSIONS: Final = (FIRST, BEFORE_XOBDO_NUMBERS)


@dataclass(frozen=True)
class Old:
    """A database of an older version, and its tables as they were before today's program touched them.

    `ids` are the IDs of records by their kind and a description, where `make.py` has noted them.
    """

    version: OlderVersion
    engine: str
    url: str
    home: Path
    tables: Tables
    ids: dict[str, dict[str, int]]

    @property
    def is_current(self) -> bool:
        """Whether the schema is that of today's program."""
        return [row["version_num"] for row in self.tables["alembic_version"]] == [NEWEST]


@contextmanager
def opened_older(version: OlderVersion, home: Path, server: PostgresqlServer | None = None) -> Iterator[Old]:
    """Unpack a database of an older version, with what people sent, on SQLite or on a PostgreSQL server."""
    if server is None:
        yield _read(version, unpack_sqlite(version, home), home)
        return
    name = server.create()
    with closing(psycopg.connect(server.url(name), autocommit=True)) as connection:
        connection.execute(gzip.decompress((version.folder / "dictionary.sql.gz").read_bytes()))
    unpack(version, version.files_of_postgresql, home)
    yield _read(version, server.url(name), home)
    server.drop(name)


def unpack_sqlite(version: OlderVersion, home: Path) -> str:
    """Unpack the SQLite file and what people sent, and return the address of the database."""
    file = home / "dictionary.sqlite3"
    file.write_bytes(gzip.decompress((version.folder / "dictionary.sqlite3.gz").read_bytes()))
    unpack(version, "backup.tar.gz", home, SENT_FILES)
    return f"sqlite:///{file}"


def unpack(version: OlderVersion, archive: str, home: Path, folders: tuple[str, ...] = ()) -> None:
    """Unpack an archive of an older version; with `folders`, only these of it."""
    with tarfile.open(version.folder / archive) as opened:
        chosen = (each for each in opened if not folders or each.name.split("/")[0] in folders)
        opened.extractall(home, chosen, filter="data")


def sent_files(home: Path) -> dict[str, bytes]:
    """Read all photos and recordings, by their paths in the home folder."""
    files = (file for name in SENT_FILES for file in (home / name).rglob("*") if file.is_file())
    return {str(file.relative_to(home)): file.read_bytes() for file in files}


def _read(version: OlderVersion, url: str, home: Path) -> Old:
    engine = next(each for each in ENGINES if url.startswith(each))
    noted = version.folder / f"ids-{engine}.json"
    ids = json.loads(noted.read_text(encoding="utf-8")) if noted.is_file() else {}
    with Database(url) as database:
        return Old(version, engine, url, home, tables_of(database), ids)


def tables_of(database: Database) -> Tables:
    """Read every row of every table."""
    with database.engine.connect() as connection:
        names = inspect(connection).get_table_names()
        return {name: _rows_of(connection, name) for name in names if not name.startswith("sqlite_")}


def _rows_of(connection: Connection, table: str) -> list[Row]:
    return [dict(row) for row in connection.execute(text(f'SELECT * FROM "{table}"')).mappings()]  # noqa: S608


def is_kept(table: str, row: Row) -> bool:
    """Return whether upgrades keep a row: of tickets only some (migration 0006), since their issuers are unknown."""
    if table != "ticket" or "issuer_id" in row:
        return True
    return row["kind"] == "invitation" and row["role"] in {"reader", "contributor"}


def as_it_was(_: str, row: Row) -> Row:
    """Return a row unchanged."""
    return row


def lost(before: Tables, after: Tables, expected: Callable[[str, Row], Row] = as_it_was) -> Tables:
    """List the rows that are no longer there, by the columns that both versions have.

    `expected` takes a table and a row of the older version, and returns what upgrades make of the row on purpose.
    """
    missing = {}
    for name in before.keys() - DERIVED - ABOUT_THE_DATABASE:
        kept, now = [expected(name, row) for row in before[name] if is_kept(name, row)], after.get(name, [])
        columns = sorted(set(kept[0]) & set(now[0])) if kept and now else []
        there = Counter(tuple(row[column] for column in columns) for row in now)
        gone = [row for row in kept if not there[tuple(row[column] for column in columns)]]
        if gone or len(now) < len(kept):
            missing[name] = gone
    return missing
