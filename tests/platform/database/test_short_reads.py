"""Short reads on PostgreSQL: one check of the version answers all who asked before it, and no one who asks later."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import Double, Integer, LargeBinary, String, bindparam, cast, literal, select

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, SqlValue
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.postgresql import ShortReadConnection, postgresql_url
from abhidhan.platform.database.reader import ReadConnection
from tests.support.databases import PostgresqlDatabases, leave_empty
from tests.support.postgresql import PostgresqlServer

pytestmark = pytest.mark.thorough

MANY = 100
PATIENCE = 60

NAMED = CompiledQuery(select(schema.language.c.name).where(schema.language.c.code == bindparam("code")))


class Sent:
    """The statements that were sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Begin to note them."""
        self.statements: list[str] = []
        execute = ShortReadConnection.execute

        def noted(connection: ShortReadConnection, sql: str, parameters: Sequence[SqlValue], /) -> object:
            self.statements.append(sql)
            return execute(connection, sql, parameters)

        monkeypatch.setattr(ShortReadConnection, "execute", noted)

    async def until(self, number: int) -> None:
        """Wait until so many were sent."""
        async with asyncio.timeout(PATIENCE):
            while len(self.statements) < number:  # noqa: ASYNC110  # a server answers meanwhile
                await asyncio.sleep(0.001)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Note the statements that are sent."""
    return Sent(monkeypatch)


@pytest.fixture
def postgres(postgresql_databases: PostgresqlDatabases) -> Iterator[Database]:
    """Open an empty database of the test's own."""
    url = postgresql_databases.copy(leave_empty)
    with Database(url) as database:
        yield database
    postgresql_databases.remove(url)


@contextmanager
def another_transaction(database: Database) -> Iterator[psycopg.Connection]:
    """Raise the data version in a transaction that no reader can look past, and commit it at the end of the block."""
    with psycopg.connect(postgresql_url(database.url)) as connection:
        connection.execute("LOCK TABLE state IN ACCESS EXCLUSIVE MODE")
        connection.execute("UPDATE state SET data_version = data_version + 1")
        yield connection


def name_of(connection: ReadConnection, code: str) -> Row | None:
    """Read the name of a language."""
    return connection.row(NAMED, code=code)


def test_simultaneous_requests_share_one_version_check(postgres: Database, sent: Sent) -> None:
    async def ask() -> list[int]:
        return await asyncio.gather(*(postgres.version() for _ in range(MANY)))

    assert asyncio.run(ask()) == [1] * MANY
    assert len(sent.statements) == 1


def test_a_running_check_does_not_answer_later_requests(postgres: Database, sent: Sent) -> None:
    async def ask() -> list[int]:
        with another_transaction(postgres):
            early = asyncio.create_task(postgres.version())
            await sent.until(1)
            late = [asyncio.create_task(postgres.version()) for _ in range(MANY)]
            await asyncio.sleep(0)
        await early
        return await asyncio.gather(*late)

    assert asyncio.run(ask()) == [2] * MANY
    assert len(sent.statements) == 2


def test_a_cancelled_request_does_not_affect_others(postgres: Database) -> None:
    async def ask() -> int:
        await postgres.version()
        first, second = (asyncio.create_task(postgres.version()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(ask()) == 1


def test_every_edit_of_another_process_changes_the_version_and_the_catalogue(postgres: Database) -> None:
    def add_source(number: int) -> None:
        row = {"code": str(number), "name": "one", "licence": "CC0-1.0"}
        with Database(postgres.url.render_as_string(hide_password=False)) as other:
            other.write_now(lambda connection: connection.execute(schema.source.insert().values(row)))

    async def ask() -> None:
        for number in range(20):
            versions = await asyncio.gather(*(postgres.version() for _ in range(3)))
            sources = await postgres.read(lambda reader: len(reader.catalogue.sources))
            assert (versions, sources) == ([number + 1] * 3, number)
            await asyncio.to_thread(add_source, number)

    asyncio.run(ask())


def test_a_lost_connection_costs_no_answer(postgres: Database, postgresql: PostgresqlServer) -> None:
    async def ask() -> list[object]:
        found: list[object] = []
        for _ in range(2):
            found += await asyncio.gather(
                *(postgres.version() for _ in range(MANY)),
                postgres.read(lambda reader: name_of(reader, "as")),
                postgres.read(lambda reader: name_of(reader, "as"), long=True),
            )
            await asyncio.to_thread(postgresql.disconnect, str(postgres.url.database))
        return found

    assert asyncio.run(ask()) == [*[1] * MANY, None, None] * 2


def test_a_connection_lost_during_a_query_costs_no_answer(postgres: Database, sent: Sent) -> None:
    async def ask() -> list[int]:
        await postgres.version()
        with another_transaction(postgres) as other:
            asked = [asyncio.create_task(postgres.version()) for _ in range(3)]
            await sent.until(2)
            waiting = "pid <> pg_backend_pid() AND datname = current_database() AND wait_event_type = 'Lock'"
            end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {waiting}"  # noqa: S608  # constant
            while not other.execute(end).rowcount:  # noqa: ASYNC110  # a server waits meanwhile
                await asyncio.sleep(0.001)
        return await asyncio.gather(*asked)

    assert asyncio.run(ask()) == [2] * 3


def test_short_reads_do_not_wait_for_long_ones(postgres: Database) -> None:
    ended = threading.Event()

    async def ask() -> tuple[int, Row | None]:
        long = [postgres.read(lambda _: ended.wait(PATIENCE), long=True) for _ in range(9)]
        waiting = asyncio.gather(*long)
        try:
            return await postgres.version(), await postgres.read(lambda reader: name_of(reader, "as"))
        finally:
            ended.set()
            assert await waiting == [True] * 9

    assert asyncio.run(ask()) == (1, None)


def test_queries_work_in_several_event_loops(postgres: Database) -> None:
    assert [asyncio.run(postgres.version()) for _ in range(3)] == [1, 1, 1]


def test_parameter_values_are_returned_unchanged(postgres: Database) -> None:
    given: list[tuple[SqlValue, Any]] = [
        ("পানী 100 % '\\", String()),
        (None, String()),
        (-7, Integer()),
        (0.1, Double()),
        (b"\0\\x41\xff", LargeBinary()),
    ]

    async def ask(query: CompiledQuery, value: SqlValue) -> Row | None:
        return await postgres.read(lambda reader: reader.row(query, value=value))

    for value, kind in given:
        query = CompiledQuery(select(cast(bindparam("value"), kind), literal("100 %", String())))
        assert asyncio.run(ask(query, value)) == (value, "100 %")


def test_a_failed_query_raises_a_psycopg_error_and_the_next_query_succeeds(postgres: Database) -> None:
    wrong = CompiledQuery(
        select(schema.language.c.name).where(schema.language.c.id == bindparam("id") / bindparam("zero"))
    )

    async def ask() -> Row | None:
        with pytest.raises(psycopg.DataError):
            await postgres.read(lambda reader: name_of(reader, "a\0b"))
        with pytest.raises(psycopg.errors.DivisionByZero):
            await postgres.read(lambda reader: reader.row(wrong, id=1, zero=0))
        return await postgres.read(lambda reader: name_of(reader, "as"))

    assert asyncio.run(ask()) is None
