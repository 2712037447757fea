"""Standbys: one that has kept up is read for anybody; never an error because of one, and never an old answer."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import func, select, update

from abhidhan.bootstrap.database import open_for_serving
from abhidhan.errors import SettingError
from abhidhan.settings import Settings
from abhidhan.storage.engine.lag import UNKNOWN, Lag
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.engine.routed import RoutedDatabase
from abhidhan.storage.engine.standbys import addresses_of
from abhidhan.storage.schema import language
from tests.support.databases import PostgresqlDatabases, with_sample
from tests.support.postgresql import PostgresqlServer, postgresql_server
from tests.support.standby import StandbyServer, standby_of

AT_STANDBY = Query(select(func.pg_is_in_recovery()))
NAME = Query(select(language.c.name).where(language.c.id == 1))
PATIENCE = 60
"""Seconds after which something that should come has not come."""


class Pair(NamedTuple):
    """A server and its standby, and where both have the same database."""

    standby: StandbyServer
    url: str
    read: str


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresqlServer]:
    """Run a PostgreSQL of our own, which writes as one does that has standbys."""
    with postgresql_server() as server:
        yield server


@pytest.fixture(scope="module")
def pair(server: PostgresqlServer) -> Iterator[Pair]:
    """Run a server with a standby, and make a database."""
    with standby_of(server) as standby:
        url = PostgresqlDatabases(server).copy(with_sample)
        yield Pair(standby, url, standby.url(url.partition("?")[0].rpartition("/")[2]))


def of_pair(pair: Pair, scene: Callable[[RoutedDatabase], AsyncIterator[None]], *, lag: float = 1) -> None:
    """Play a scene with a database whose standby has kept up."""

    async def play() -> None:
        settings = Settings(database=pair.url, database_read=pair.read, database_lag_seconds=lag)
        with open_for_serving(settings) as database:
            assert isinstance(database, RoutedDatabase)
            async with database.running(), asyncio.timeout(PATIENCE):
                await is_read(database)
                async with asynccontextmanager(scene)(database):
                    pass

    asyncio.run(play())


async def is_read(database: RoutedDatabase, *, at_standby: bool = True) -> None:
    """Wait until a standby is read for anybody, or no more."""
    while await at_a_standby(database) != at_standby:  # noqa: ASYNC110  # another server comes along
        await asyncio.sleep(0.01)


async def at_a_standby(database: RoutedDatabase, *, for_anybody: bool = True) -> bool:
    """Say where a request is answered, on the event loop and in a thread."""
    database.choose(for_anybody=for_anybody)
    await database.version()
    prompt = await database.read_promptly(_where)
    aside = await database.read(_where, long=True)
    return prompt and aside


def _where(reader: Reader) -> bool:
    return bool(reader.rows(AT_STANDBY)[0][0])


async def name(database: RoutedDatabase) -> str:
    """Read what the scenes write."""
    return str((await database.read(lambda reader: reader.rows(NAME)))[0][0])


async def rename(database: RoutedDatabase, to: str) -> None:
    """Write it."""
    await database.write(
        lambda connection: connection.execute(update(language).where(language.c.id == 1).values(name=to))
    )


def test_a_standby_answers_anybody_and_the_server_whoever_is_known_or_has_just_written(pair: Pair) -> None:
    async def scene(database: RoutedDatabase) -> AsyncIterator[None]:
        assert not await at_a_standby(database, for_anybody=False)
        for number in range(20):
            database.choose(for_anybody=True)
            await database.version()
            await rename(database, f"Name {number}")
            assert await name(database) == f"Name {number}"
            assert await database.read(_where) is False
            # And so does whoever is known, in the next request, on whichever machine.
            database.choose(for_anybody=False)
            assert await name(database) == f"Name {number}"
        yield

    of_pair(pair, scene)


def test_one_that_lags_is_left_out_and_comes_back(pair: Pair) -> None:
    async def scene(database: RoutedDatabase) -> AsyncIterator[None]:
        pair.standby.delay()
        try:
            await rename(database, "Newer")
            await is_read(database, at_standby=False)
            assert await name(database) == "Newer"
        finally:
            pair.standby.go_on()
        await is_read(database)
        assert await name(database) == "Newer"
        yield

    of_pair(pair, scene, lag=0.2)


def test_nobody_is_answered_from_before_what_was_seen_here_already(pair: Pair) -> None:
    async def scene(database: RoutedDatabase) -> AsyncIterator[None]:
        pair.standby.delay()
        try:
            await rename(database, "Seen")
            database.choose(for_anybody=False)
            seen = await database.version()
            database.choose(for_anybody=True)
            # The standby may be this far behind, but is not to be read after the server was.
            assert await database.version() == seen
            assert await name(database) == "Seen"
        finally:
            pair.standby.go_on()
        yield

    of_pair(pair, scene, lag=3600)


def test_one_that_is_stopped_in_the_middle_of_a_request_is_no_error_and_comes_back(pair: Pair) -> None:
    async def scene(database: RoutedDatabase) -> AsyncIterator[None]:
        database.choose(for_anybody=True)
        version = await database.version()
        reading = [database.read(_slowly, long=True), database.read_promptly(_slowly)]
        tasks = [asyncio.create_task(one) for one in reading]
        await asyncio.sleep(0.05)
        await asyncio.to_thread(pair.standby.stop)
        assert not any(await asyncio.gather(*tasks))
        assert await database.version() == version
        assert not await at_a_standby(database)
        await asyncio.to_thread(pair.standby.start)
        await is_read(database)
        yield

    of_pair(pair, scene)


_SLOWLY = Query(select(func.pg_is_in_recovery(), func.pg_sleep(0.5)))


def _slowly(reader: Reader) -> bool:
    return bool(reader.rows(_SLOWLY)[0][0])


def test_one_that_says_nothing_any_more_keeps_nobody_waiting(pair: Pair) -> None:
    async def scene(database: RoutedDatabase) -> AsyncIterator[None]:
        with pair.standby.frozen():
            database.choose(for_anybody=True)
            answered = await asyncio.gather(database.read(_where, long=True), database.read_promptly(_where))
            assert not any(answered)
            assert not await at_a_standby(database)
        await is_read(database)
        yield

    of_pair(pair, scene)


def test_the_server_itself_is_no_standby(pair: Pair) -> None:
    async def play() -> None:
        with RoutedDatabase(pair.url, standbys=pair.url, allowed_lag=1) as database:
            async with database.running():
                for _ in range(20):
                    assert not await at_a_standby(database)
                    await asyncio.sleep(0.02)

    asyncio.run(play())


def test_a_standby_holds_all_that_the_server_had_when_it_was_where_the_standby_is() -> None:
    lag = Lag()
    assert lag.seconds(0) == UNKNOWN

    for moment, position in ((1.0, 100), (2.0, 100), (3.0, 250)):
        lag.written(moment, position)
    lag.replayed(99)
    assert lag.seconds(3) == UNKNOWN

    lag.replayed(249)
    # Nothing was written for a second, and nothing is lacking of it.
    assert lag.seconds(3) == 1

    lag.replayed(250)
    assert lag.seconds(3) == 0
    # As long as nobody looks, it may be that much behind.
    assert lag.seconds(9) == 6


def test_each_host_of_an_address_is_one_standby() -> None:
    found = addresses_of("postgresql://reader:secret@one:5433,two:5434/dictionary?target_session_attrs=prefer-standby")

    assert [(url.query["host"], url.query["port"], url.username, url.database) for url in found] == [
        ("one", "5433", "reader", "dictionary"),
        ("two", "5434", "reader", "dictionary"),
    ]
    assert all("target_session_attrs" not in url.query for url in found)
    assert [url.query["host"] for url in addresses_of("host=one,two dbname=dictionary connect_timeout=9")] == [
        "one",
        "two",
    ]


@pytest.mark.parametrize(
    ("database", "read"),
    [
        ("postgresql://one/name", "mysql://one/name"),
        ("postgresql://one/name", "postgresql:///name"),
        ("", "postgresql://one/name"),
    ],
)
def test_a_wrong_address_of_standbys_is_told(tmp_path: Path, database: str, read: str) -> None:
    with pytest.raises(SettingError, match="ABHIDHAN_DATABASE_READ"):
        open_for_serving(Settings(home=tmp_path, database=database, database_read=read))
