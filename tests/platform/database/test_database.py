import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import bindparam, delete, select, text

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.connections import open_read_connection, parse_url
from abhidhan.platform.database.database import MAX_ATTEMPTS, Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.database.reading import INLINE_READER_CACHE_KIB
from abhidhan.records.errors import DamagedDatabaseError, SettingError, UnavailableError
from tests.support.databases import SqliteDatabases, leave_empty
from tests.support.postgresql import PostgresqlServer

pytestmark = pytest.mark.pooled

PATIENCE = 60
MANY = 3000
CHECKPOINT = "PRAGMA wal_checkpoint(TRUNCATE)"

NAMES = CompiledQuery(select(schema.source.c.code).order_by(schema.source.c.code))
NAMED = CompiledQuery(select(schema.source.c.id).where(schema.source.c.code == bindparam("code")))


def add_source(code: str) -> Callable[[WriteConnection], object]:
    """Make a writing job."""
    values = {"code": code, "name": code, "licence": "CC0-1.0"}
    return lambda connection: connection.execute(schema.source.insert().values(values))


def test_written_rows_are_read(database: Database) -> None:
    database.write_now(add_source("one"))

    assert database.read_now(lambda reader: reader.rows(NAMES)) == [("one",)]
    assert database.read_now(lambda reader: reader.row(NAMED, code="two")) is None


def test_a_public_write_raises_the_data_version_for_every_process(database: Database) -> None:
    with Database(database.url.render_as_string(hide_password=False)) as other:
        assert (database.version_now(), other.version_now()) == (1, 1)

        other.write_now(add_source("one"))
        assert (database.version_now(), other.version_now()) == (2, 2)

        other.write_now(add_source("two"), public=False)
        assert (database.version_now(), other.version_now()) == (2, 2)


def test_the_catalogue_is_reloaded_after_a_change(database: Database) -> None:
    def codes() -> list[str]:
        return database.read_now(lambda reader: [source.code for source in reader.catalogue.sources.values()])

    assert codes() == []
    with Database(database.url.render_as_string(hide_password=False)) as other:
        other.write_now(add_source("one"))

    assert codes() == ["one"]


def test_a_failed_write_is_rolled_back(database: Database) -> None:
    def job(connection: WriteConnection) -> None:
        add_source("one")(connection)
        raise LookupError

    with pytest.raises(LookupError):
        database.write_now(job)

    assert (database.read_now(lambda reader: reader.rows(NAMES)), database.version_now()) == ([], 1)


def test_readers_are_not_blocked_by_a_writer(database: Database) -> None:
    written, has_read = threading.Event(), threading.Event()

    def job(connection: WriteConnection) -> None:
        add_source("one")(connection)
        written.set()
        assert has_read.wait(60)

    writer = threading.Thread(target=database.write_now, args=(job,))
    writer.start()
    assert written.wait(60)
    meanwhile = database.read_now(lambda reader: reader.rows(NAMES))
    has_read.set()
    writer.join()

    assert meanwhile == []
    assert database.read_now(lambda reader: reader.rows(NAMES)) == [("one",)]


def test_a_long_read_sees_one_snapshot(database: Database) -> None:
    def read_twice(connection: ReadConnection) -> tuple[list[Row], list[Row]]:
        before = connection.rows(NAMES)
        with ThreadPoolExecutor(1) as other:
            other.submit(database.write_now, add_source("meanwhile")).result(PATIENCE)
        return before, connection.rows(NAMES)

    before, after = asyncio.run(database.read(read_twice, long=True))

    assert before == after
    assert len(database.read_now(lambda reader: reader.rows(NAMES))) == len(before) + 1


def test_readers_with_a_mapped_database_work_when_its_file_grows_and_shrinks(tmp_path: Path) -> None:
    url = SqliteDatabases(tmp_path).copy(leave_empty)
    file = Path(str(parse_url(url).database))
    with Database(url) as database:
        names = [(f"source-{number:04}",) for number in range(MANY)]

        async def read_everywhere() -> list[list[Row]]:
            return [await database.read(lambda reader: reader.rows(NAMES), long=is_long) for is_long in (False, True)]

        with closing(open_read_connection(database.url, INLINE_READER_CACHE_KIB, sorts_on_disk=False)) as connection:
            assert connection.execute("PRAGMA mmap_size", ()).fetchall()[0][0] > 0
        for _ in range(2):
            database.write_now(lambda connection: [add_source(code)(connection) for (code,) in names])
            grown = _size_after(file, CHECKPOINT)
            assert asyncio.run(read_everywhere()) == [names, names]

            database.write_now(lambda connection: connection.execute(delete(schema.source)))
            assert _size_after(file, "VACUUM", CHECKPOINT) < grown
            assert asyncio.run(read_everywhere()) == [[], []]


def _size_after(file: Path, *statements: str) -> int:
    """Return the size of a database's file after statements of another program."""
    with closing(sqlite3.connect(file)) as connection:
        for each in statements:
            connection.execute(each)
    return file.stat().st_size


def test_a_reader_cannot_write(database: Database) -> None:
    statement = CompiledQuery(text("INSERT INTO state VALUES (2, 2) RETURNING id"))  # type: ignore[arg-type]

    with pytest.raises((UnavailableError, psycopg.errors.ReadOnlySqlTransaction)):
        database.read_now(lambda reader: reader.rows(statement))


def test_reads_and_writes_can_be_awaited(database: Database) -> None:
    async def job() -> tuple[object, object, int]:
        await database.write(add_source("one"))
        short = await database.read(lambda reader: reader.rows(NAMES))
        long = await database.read(lambda reader: reader.rows(NAMES), long=True)
        return short, long, await database.version()

    assert asyncio.run(job()) == ([("one",)], [("one",)], 2)


@pytest.mark.parametrize("databases", ["postgresql", "pooled"], indirect=True, scope="session")
def test_a_lost_postgresql_connection_is_reopened(database: Database, postgresql: PostgresqlServer) -> None:
    assert database.version_now() == 1
    postgresql.disconnect(str(database.url.database))

    # The first query may fail, unless the connection has not been used for a while or comes from a pooler.
    with suppress(UnavailableError):
        database.version_now()

    assert database.version_now() == 1
    database.write_now(add_source("one"))
    assert database.version_now() == 2


def test_a_database_damaged_during_use_is_reported(sqlite_databases: SqliteDatabases) -> None:
    url = sqlite_databases.copy(leave_empty)
    file = Path(url.removeprefix("sqlite:///"))
    pages = file.read_bytes()
    file.write_bytes(pages[:4096] + b"\xa5" * (len(pages) - 4096))

    with Database(url) as database, pytest.raises(DamagedDatabaseError, match="restore a backup"):
        database.read_now(lambda reader: reader.rows(NAMES))


ADDRESSES = [
    ("sqlite:////home/me/a.sqlite", "sqlite:////home/me/a.sqlite"),
    ("postgresql://me:secret@host/words", "postgresql+psycopg://me:secret@host/words"),
    ("postgres://me@host/words", "postgresql+psycopg://me@host/words"),
    ("postgresql://me:x,y/z@localhost/words", "postgresql+psycopg://me:x%2Cy%2Fz@localhost/words"),
    (
        "postgresql://me:s%40@one:5432,[::1]:5433/words?target_session_attrs=read-write",
        "postgresql+psycopg://me:s%40@/words?host=one%2C%3A%3A1&port=5432%2C5433&target_session_attrs=read-write",
    ),
]


def test_a_database_address_is_parsed_and_a_wrong_one_is_rejected() -> None:
    for url, parsed in ADDRESSES:
        assert parse_url(url).render_as_string(hide_password=False) == parsed
    for url in ("", "nonsense", "mysql://host/words", "sqlite://", "sqlite:///:memory:"):
        with pytest.raises(SettingError, match="ABHIDHAN_DATABASE"):
            parse_url(url)


# --- transactions that are run again ----------------------------------------------------------------------------------


def test_only_a_transaction_that_cannot_be_serialized_is_repeated(database: Database) -> None:
    for error, attempts in ((psycopg.errors.SerializationFailure(), MAX_ATTEMPTS), (UnavailableError("No.", 1), 1)):
        runs: list[int] = []

        def fail(_: WriteConnection, runs: list[int] = runs, error: Exception = error) -> None:
            runs.append(1)
            raise error

        with pytest.raises(UnavailableError):
            database.write_now(fail)

        assert len(runs) == attempts
