"""PostgreSQL read on the event loop: one check answers all who asked before it was sent, and nobody who asked later."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import bindparam, select

from abhidhan.errors import NotFoundError
from abhidhan.storage import schema
from abhidhan.storage.engine.data_version import raise_data_version
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.pipeline import Pipeline
from abhidhan.storage.engine.postgresql import postgresql_address
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from tests.support.databases import PostgresqlDatabases, nothing
from tests.support.postgresql import PostgresqlServer

MANY = 100

NAMED = Query(select(schema.language.c.name).where(schema.language.c.code == bindparam("code")))


class Sent:
    """Counts the statements that are sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Begin to count."""
        self.statements: list[str] = []
        prepared = Pipeline._prepared  # noqa: SLF001  # it is called once for each

        def counted(pipeline: Pipeline, sql: str) -> bytes:
            self.statements.append(sql)
            return prepared(pipeline, sql)

        monkeypatch.setattr(Pipeline, "_prepared", counted)

    async def until(self, number: int) -> None:
        """Wait until so many were sent."""
        async with asyncio.timeout(60):
            while len(self.statements) < number:  # noqa: ASYNC110  # a server answers meanwhile
                await asyncio.sleep(0.001)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Count the statements that are sent."""
    return Sent(monkeypatch)


@pytest.fixture
def postgres(postgresql_databases: PostgresqlDatabases) -> Iterator[Database]:
    """Open an empty database of the test's own."""
    url = postgresql_databases.copy(nothing)
    with Database(url) as database:
        yield database
    postgresql_databases.remove(url)


@pytest.fixture(autouse=True)
def no_thread(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Note what is read in a thread after all."""
    aside: list[object] = []
    run = Database._in_thread  # noqa: SLF001  # what is to be avoided

    async def noted(database: Database, work: Callable[..., object], job: Callable[..., object]) -> object:
        aside.append(job)
        return await run(database, work, job)

    monkeypatch.setattr(Database, "_in_thread", noted)
    return aside


@contextmanager
def another_transaction(database: Database) -> Iterator[psycopg.Connection]:
    """Raise the data version in a transaction that nobody can look past, and keep it at the end of the block."""
    with psycopg.connect(postgresql_address(database.url)) as connection:
        connection.execute("LOCK TABLE state IN ACCESS EXCLUSIVE MODE")
        connection.execute("UPDATE state SET data_version = data_version + 1")
        yield connection


def edit(database: Database) -> None:
    """Raise the data version as another process would."""
    with Database(database.url.render_as_string(hide_password=False)) as other:
        other.write_now(lambda _: None)


def test_all_who_ask_at_once_share_one_check(postgres: Database, sent: Sent, no_thread: list[object]) -> None:
    async def ask() -> list[int]:
        return await asyncio.gather(*(postgres.version() for _ in range(MANY)))

    assert asyncio.run(ask()) == [1] * MANY
    assert len(sent.statements) == 1
    assert no_thread == []


def test_a_check_under_way_answers_nobody_who_asks_later(postgres: Database, sent: Sent) -> None:
    async def ask() -> tuple[int, list[int]]:
        with another_transaction(postgres):
            early = asyncio.create_task(postgres.version())
            await sent.until(1)
            late = [asyncio.create_task(postgres.version()) for _ in range(MANY)]
            await sent.until(2)
        return await early, await asyncio.gather(*late)

    _, late = asyncio.run(ask())

    assert late == [2] * MANY
    assert len(sent.statements) == 2


def test_who_goes_away_takes_no_answer_from_others(postgres: Database) -> None:
    async def ask() -> int:
        await postgres.version()
        first, second = (asyncio.create_task(postgres.version()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(ask()) == 1


def test_every_edit_is_seen_by_whoever_asks_after_it(postgres: Database) -> None:
    async def ask() -> None:
        for version in range(1, MANY):
            assert await asyncio.gather(*(postgres.version() for _ in range(3))) == [version] * 3
            await asyncio.to_thread(edit, postgres)

    asyncio.run(ask())


def test_a_lost_connection_is_opened_again(
    postgres: Database, postgresql: PostgresqlServer, no_thread: list[object]
) -> None:
    async def ask() -> list[int]:
        found = [await postgres.version()]
        await asyncio.to_thread(postgresql.disconnect, str(postgres.url.database))
        await asyncio.sleep(0.05)
        return found + await asyncio.gather(*(postgres.version() for _ in range(MANY)))

    assert asyncio.run(ask()) == [1] * (MANY + 1)
    assert no_thread == []


def test_a_connection_that_is_lost_while_it_is_asked_costs_no_answer(postgres: Database, sent: Sent) -> None:
    async def ask() -> list[int]:
        await postgres.version()
        with another_transaction(postgres) as other:
            asked = [asyncio.create_task(postgres.version()) for _ in range(3)]
            await sent.until(2)
            waiting = "pid <> pg_backend_pid() AND datname = current_database() AND wait_event_type = 'Lock'"
            other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {waiting}")  # noqa: S608  # constant
        return await asyncio.gather(*asked)

    assert asyncio.run(ask()) == [2] * 3


def test_another_event_loop_has_a_connection_of_its_own(postgres: Database) -> None:
    assert [asyncio.run(postgres.version()) for _ in range(3)] == [1, 1, 1]


# --- jobs -------------------------------------------------------------------------------------------------------------


def promptly(database: Database, job: Callable[[Reader], object]) -> object:
    """Run a job as a look-up is run, with a catalogue that was read before."""
    database.read_now(lambda reader: reader.catalogue)
    return asyncio.run(_awaited(database.read_promptly(job)))


async def _awaited(what: Awaitable[object]) -> object:
    return await what


def name_of(reader: Reader, code: str) -> object:
    return reader.row(NAMED, code=code)


def test_a_short_job_needs_no_thread(postgres: Database, no_thread: list[object]) -> None:
    assert promptly(postgres, lambda reader: (name_of(reader, "as"), reader.catalogue.languages)) == (None, ())
    assert no_thread == []


def test_a_job_of_many_statements_runs_in_a_thread(postgres: Database, no_thread: list[object]) -> None:
    assert promptly(postgres, lambda reader: [name_of(reader, str(number)) for number in range(9)]) == [None] * 9
    assert len(no_thread) == 1


def test_a_job_that_asks_for_nothing_sees_the_catalogue_as_it_is(postgres: Database, no_thread: list[object]) -> None:
    def job(reader: Reader) -> int:
        if not reader.catalogue.sources:
            raise NotFoundError("no sources")
        return len(reader.catalogue.sources)

    with pytest.raises(NotFoundError):
        promptly(postgres, job)
    assert no_thread == []

    with Database(postgres.url.render_as_string(hide_password=False)) as other:
        values = {"code": "one", "name": "one", "licence": "CC0-1.0"}
        other.write_now(lambda connection: connection.execute(schema.source.insert().values(values)))

    assert asyncio.run(_awaited(postgres.read_promptly(job))) == 1


def test_what_the_server_refuses_is_told_as_ever(postgres: Database) -> None:
    with pytest.raises(psycopg.DataError):
        promptly(postgres, lambda reader: name_of(reader, "a\0b"))


def test_a_job_sees_the_catalogue_as_it_is_after_an_edit_elsewhere(postgres: Database) -> None:
    def job(reader: Reader) -> tuple[object, list[str]]:
        return name_of(reader, "xx"), [language.code for language in reader.catalogue.languages]

    assert promptly(postgres, job) == (None, [])
    row = {"id": 9, "code": "xx", "name": "X", "native_name": "X", "script": "Latn", "direction": "ltr"}
    with Database(postgres.url.render_as_string(hide_password=False)) as other:
        other.write_now(lambda connection: connection.execute(schema.language.insert().values(row)))

    assert asyncio.run(_awaited(postgres.read_promptly(job))) == (("X",), ["xx"])


def test_after_an_error_others_are_answered_in_a_thread(postgres: Database, no_thread: list[object]) -> None:
    async def ask() -> tuple[object, object]:
        wrong = Query(select(schema.language.c.name).where(schema.language.c.id == bindparam("id") / bindparam("zero")))
        bad, good = await asyncio.gather(
            postgres.read_promptly(lambda reader: reader.row(wrong, id=1, zero=0)),
            postgres.read_promptly(lambda reader: name_of(reader, "as")),
            return_exceptions=True,
        )
        return good, bad

    postgres.read_now(lambda reader: reader.catalogue)
    good, bad = asyncio.run(ask())

    assert good is None
    assert isinstance(bad, psycopg.errors.DivisionByZero)
    assert len(no_thread) == 2, no_thread


def test_the_version_rises_for_whoever_writes_here(postgres: Database) -> None:
    async def ask() -> list[int]:
        found = [await postgres.version()]
        await postgres.write(raise_data_version, public=False)
        return [*found, await postgres.version()]

    assert asyncio.run(ask()) == [1, 2]
