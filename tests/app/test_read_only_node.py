"""A server whose database is a standby: it reads, and writes nothing until the standby is promoted."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import Connection, func, select

from abhidhan.app.asgi import create_application
from abhidhan.app.database import open_dictionary, open_for_serving
from abhidhan.app.wiring import build_write_services
from abhidhan.dictionary.service.word_of_the_day import Calendar
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.records.errors import DatabaseError, ReadOnlyError
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.schema import daily_choice
from tests.support.application import NO_WIKI
from tests.support.contributions import PASSWORD, Site
from tests.support.databases import PostgresqlDatabases, load_sample
from tests.support.lifespan import run_lifespan
from tests.support.metrics import metric
from tests.support.postgresql import run_postgresql_server
from tests.support.standby import StandbyServer, run_standby

pytestmark = pytest.mark.thorough

DAY = 86_400
PATIENCE = 60
"""Seconds after which something that should come has not come."""

READ = ("/api/dic.php?w=pani", "/api/changes", "/api/today", "/dic/pani", "/", "/account/sign-in", "/metrics")
"""Addresses that read, one of them by a choice that the primary has made."""

WRITTEN = (
    ("POST", "/api/session"),
    ("DELETE", "/api/session"),
    ("POST", "/api/submissions/words"),
    ("PATCH", "/api/editing/words/1"),
    ("PUT", "/api/account/lists"),
    ("POST", "/account/sign-in"),
)


class Pair(NamedTuple):
    """A primary, and a node at its standby."""

    primary: Database
    standby: StandbyServer
    node: Site


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Run a primary with a standby, and a node at this."""
    home = tmp_path_factory.mktemp("node")
    with run_postgresql_server() as server, asyncio.Runner() as runner:
        url = PostgresqlDatabases(server).copy(load_sample)
        with Database(url) as primary:
            runner.run(_prepared(primary, home))
            with run_standby(server) as standby:
                name = url.partition("?")[0].rpartition("/")[2]
                with node(standby.url(name), home, runner) as site:
                    yield Pair(primary, standby, site)


async def _prepared(primary: Database, home: Path) -> None:
    """Make an account, and let a writer run until it has chosen the words of today and tomorrow."""
    write_side = build_write_services(Settings(home=home), primary)
    async with write_side.running():
        while await primary.read_transaction(_chosen_days) < 2:  # noqa: ASYNC110  # a database tells of no event
            await asyncio.sleep(0.05)
        await write_side.accounts.administration.create_account(NewAccount("editor", PASSWORD), Role.EDITOR)


def _chosen_days(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(daily_choice)).scalar_one()


@contextmanager
def node(url: str, home: Path, runner: asyncio.Runner) -> Iterator[Site]:
    settings = Settings(home=home, database=url, rate_limit="1000/minute", **NO_WIKI)
    settings.run_folder.mkdir(exist_ok=True)
    database = open_for_serving(settings)
    site = Site(
        create_application(settings, database), database, build_write_services(settings, database), runner, home
    )
    with run_lifespan(site.application, runner):
        yield site


def test_a_read_only_node_answers_requests_that_read(pair: Pair) -> None:
    for address in READ:
        assert pair.node.ask("GET", address, address="127.0.0.1").status == 200, address

    looked_up = pair.node.ask("POST", "/api/lookup", json={"words": ["pani"]})
    ready = pair.node.ask("GET", "/health/ready")
    assert (looked_up.status, ready.status, ready.json) == (200, 200, {"status": "read-only"})


def test_a_read_only_node_refuses_requests_that_write_with_503(pair: Pair) -> None:
    for method, address in WRITTEN:
        answer = pair.node.ask(method, address, json={})
        assert (answer.status, answer.headers["retry-after"]) == (503, "10"), address
        assert b"read-only" in answer.body


def test_periodic_tasks_of_a_read_only_node_write_nothing(pair: Pair) -> None:
    database = pair.node.database
    before = metric("database_errors_total", kind="unwritable")
    with pytest.raises(ReadOnlyError):
        database.write_now(lambda connection: connection.execute(select(func.now())), public=False)

    limits = SharedLimits(database, lambda *_: pytest.fail("it has asked the database"), max_deficit=60)
    limits.record(7, 1)
    pair.node.run(limits.exchange())
    # The alert about a database that cannot be written stays silent.
    assert metric("database_errors_total", kind="unwritable") == before


def test_a_read_only_node_knows_the_word_of_tomorrow_but_no_later_one(pair: Pair) -> None:
    def calendar(database: Database, days: int) -> Calendar:
        return Calendar(database, clock=lambda: time.time() + days * DAY)

    here = pair.node.run(calendar(pair.node.database, 1).load_day(""))
    with pytest.raises(ReadOnlyError):
        pair.node.run(calendar(pair.node.database, 2).load_day(""))

    there = pair.node.run(calendar(pair.primary, 1).load_day(""))
    assert (here.date, here.word) == (there.date, there.word)


def test_a_standby_is_opened_unless_it_lacks_tables(pair: Pair, tmp_path: Path) -> None:
    url = pair.node.database.url.render_as_string(hide_password=False)
    with open_dictionary(Settings(home=tmp_path, database=url), with_lists=True) as opened:
        assert opened.is_read_only

    # Its database `postgres` has none of our tables.
    with pytest.raises(DatabaseError, match="is a standby and lacks tables"):
        prepare_database(pair.standby.url("postgres"), tmp_path)


def test_a_promoted_standby_is_writable_without_a_restart(pair: Pair) -> None:
    pair.standby.promote()
    signed_in = {"username": "editor", "password": PASSWORD}

    give_up = time.monotonic() + PATIENCE
    while pair.node.ask("POST", "/api/session", json=signed_in).status != 204:
        assert time.monotonic() < give_up
        time.sleep(0.05)
    assert pair.node.ask("GET", "/health/ready").json == {"status": "ready"}
