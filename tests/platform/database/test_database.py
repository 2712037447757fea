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


def test_what_is_written_is_read(database: Database) -> None:
    database.write_now(add_source("one"))

    assert database.read_now(lambda reader: reader.rows(NAMES)) == [("one",)]
    assert database.read_now(lambda reader: reader.row(NAMED, code="two")) is None


def test_a_public_write_raises_the_data_version_and_another_does_not(database: Database) -> None:
    database.write_now(add_source("one"))
    assert database.version_now() == 2

    database.write_now(add_source("two"), public=False)
    assert database.version_now() == 2


def test_another_process_sees_the_data_version_rise(database: Database) -> None:
    with Database(database.url.render_as_string(hide_password=False)) as other:
        assert (database.version_now(), other.version_now()) == (1, 1)

        other.write_now(add_source("one"))

        assert (database.version_now(), other.version_now()) == (2, 2)


def test_the_catalogue_is_read_anew_after_a_change(database: Database) -> None:
    def codes() -> list[str]:
        return database.read_now(lambda reader: [source.code for source in reader.catalogue.sources.values()])

    assert codes() == []
    with Database(database.url.render_as_string(hide_password=False)) as other:
        other.write_now(add_source("one"))

    assert codes() == ["one"]


def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    def job(connection: WriteConnection) -> None:
        add_source("one")(connection)
        raise LookupError

    with pytest.raises(LookupError):
        database.write_now(job)

    assert (database.read_now(lambda reader: reader.rows(NAMES)), database.version_now()) == ([], 1)


def test_readers_go_on_while_somebody_writes(database: Database) -> None:
    written, looked = threading.Event(), threading.Event()

    def job(connection: WriteConnection) -> None:
        add_source("one")(connection)
        written.set()
        assert looked.wait(60)

    writer = threading.Thread(target=database.write_now, args=(job,))
    writer.start()
    assert written.wait(60)
    meanwhile = database.read_now(lambda reader: reader.rows(NAMES))
    looked.set()
    writer.join()

    assert meanwhile == []
    assert database.read_now(lambda reader: reader.rows(NAMES)) == [("one",)]


def test_a_job_in_a_thread_sees_one_moment_whatever_is_written_meanwhile(database: Database) -> None:
    def read_twice(connection: ReadConnection) -> tuple[list[Row], list[Row]]:
        before = connection.rows(NAMES)
        with ThreadPoolExecutor(1) as other:
            other.submit(database.write_now, add_source("meanwhile")).result(PATIENCE)
        return before, connection.rows(NAMES)

    before, after = asyncio.run(database.read(read_twice, long=True))

    assert before == after
    assert len(database.read_now(lambda reader: reader.rows(NAMES))) == len(before) + 1


def test_readers_have_the_database_mapped_and_go_on_when_its_file_grows_and_shrinks(tmp_path: Path) -> None:
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


def test_a_lost_postgresql_connection_is_opened_again(database: Database, postgresql: PostgresqlServer) -> None:
    if database.is_sqlite:
        return
    assert database.version_now() == 1
    postgresql.disconnect(str(database.url.database))

    # Whoever meets it first may be told so, unless it has not been used for a while or comes from a pooler.
    with suppress(UnavailableError):
        database.version_now()

    assert database.version_now() == 1
    database.write_now(add_source("one"))
    assert database.version_now() == 2


def test_a_database_that_is_damaged_while_it_is_used_is_told(sqlite_databases: SqliteDatabases) -> None:
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
]


@pytest.mark.parametrize(("url", "parsed"), ADDRESSES)
def test_an_address_is_read(url: str, parsed: str) -> None:
    assert parse_url(url).render_as_string(hide_password=False) == parsed


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://host/words", "sqlite://", "sqlite:///:memory:"])
def test_an_address_that_is_none_stops_the_start(url: str) -> None:
    with pytest.raises(SettingError, match="ABHIDHAN_DATABASE"):
        parse_url(url)


# --- transactions that are run again ----------------------------------------------------------------------------------


def test_a_transaction_that_can_never_be_serialized_is_given_up(database: Database) -> None:
    runs = []

    def job(_: WriteConnection) -> None:
        runs.append(1)
        raise psycopg.errors.SerializationFailure

    with pytest.raises(UnavailableError):
        database.write_now(job)

    assert len(runs) == MAX_ATTEMPTS


def test_a_transaction_that_fails_for_another_reason_is_not_run_again(database: Database) -> None:
    runs = []

    def job(_: WriteConnection) -> None:
        runs.append(1)
        raise UnavailableError("No.", 1)

    with pytest.raises(UnavailableError):
        database.write_now(job)

    assert len(runs) == 1
