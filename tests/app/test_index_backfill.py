"""A running server fills the tables that make look-ups faster, and does nothing if none of them has gaps."""

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from abhidhan.app import index_backfill
from abhidhan.app.index_backfill import BackfillJob, IndexBackfill
from abhidhan.dictionary.store.acceleration.idea_cache import count_missing, invalidate_all
from abhidhan.exchange.service.maintenance import is_readable_word_index_incomplete
from abhidhan.platform.database.database import Database
from abhidhan.platform.runtime.task_scope import CommandError, run_tasks
from tests.support.databases import SqliteDatabases, create_from_sample, leave_empty, load_sample, open_database
from tests.support.server import DICTIONARY_FILE, RunningServer, copy_starter, running_server

PATIENCE = 120
SAID = ("the idea cache is filled", "the list of readable words is filled")


def empty(home: Path) -> None:
    """Leave the cache and the list as upgrades do."""
    with sqlite3.connect(home / DICTIONARY_FILE) as connection:
        connection.execute("DELETE FROM idea_cache")
        connection.execute("DELETE FROM readable_word")
    connection.close()


def wait_for(server: RunningServer, said: str) -> None:
    give_up = time.monotonic() + PATIENCE
    while said not in server.log.read_text():
        assert time.monotonic() < give_up, server.log.read_text()
        time.sleep(0.1)


@pytest.mark.thorough
def test_a_server_fills_missing_indexes_after_its_start(tmp_path: Path) -> None:
    create_from_sample(tmp_path)
    empty(tmp_path)
    with Database(f"sqlite:///{tmp_path / DICTIONARY_FILE}") as database:
        version = database.version_now()
        with running_server(tmp_path, ABHIDHAN_WORKERS="2") as server:
            for said in SAID:
                wait_for(server, said)
            log = server.log.read_text()

        assert [log.count(said) for said in SAID] == [1, 1]
        assert database.read_now(count_missing) == 0
        assert not database.read_now(is_readable_word_index_incomplete)
        assert database.version_now() == version + 1, "workers are told once: of the list"


@pytest.mark.thorough
def test_a_server_that_stops_also_stops_filling_indexes(tmp_path: Path) -> None:
    copy_starter(tmp_path)
    empty(tmp_path)
    with running_server(tmp_path) as server:
        time.sleep(index_backfill.FIRST_CHECK_DELAY_SECONDS)
        server.process.terminate()
        assert server.process.wait(PATIENCE) == 0

    assert "Traceback" not in server.log.read_text()


class Commands:
    """What is run instead of the command."""

    def __init__(self) -> None:
        """Begin with none."""
        self.run = 0
        self.filled: list[str] = []

    async def __call__(self, command: Sequence[str], _: object) -> str:
        """Count it, and note what it is to fill; it takes a moment."""
        self.run += 1
        self.filled.append(command[-1])
        await asyncio.sleep(0.001)
        return "1"


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Look often, and count what would be run."""
    counted = Commands()
    monkeypatch.setattr(index_backfill, "run_low_priority_command", counted)
    monkeypatch.setattr(index_backfill, "FIRST_CHECK_DELAY_SECONDS", 0)
    monkeypatch.setattr(index_backfill, "CHECK_INTERVAL_SECONDS", 0.001)
    return counted


def filling_of(database: Database, home: Path) -> AbstractAsyncContextManager[None]:
    """Run what one worker fills."""
    return run_tasks(IndexBackfill(database, home / "lock", environment={}).periodic_tasks())


def test_only_one_worker_fills_indexes_after_a_change(
    sqlite_databases: SqliteDatabases, tmp_path: Path, commands: Commands
) -> None:
    async def work(database: Database) -> None:
        async with filling_of(database, tmp_path), filling_of(database, tmp_path):
            await asyncio.sleep(0.1)
            assert commands.run == 0
            await database.write(invalidate_all)
            async with asyncio.timeout(PATIENCE):
                while not commands.run:  # noqa: ASYNC110  # no event tells of it
                    await asyncio.sleep(0.001)
            await asyncio.sleep(0.1)
            assert commands.run == 1

    with open_database(sqlite_databases, load_sample) as database:
        asyncio.run(work(database))


def test_a_slow_index_rests_although_every_change_invalidates_it(
    sqlite_databases: SqliteDatabases, tmp_path: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    resting = BackfillJob("resting", lambda _: True, lambda _: 1, pause_factor=1_000_000_000)
    tireless = BackfillJob("tireless", lambda _: True, lambda _: 1)

    async def work(database: Database) -> None:
        async with filling_of(database, tmp_path):
            async with asyncio.timeout(PATIENCE):
                while commands.filled.count("tireless") < 3:
                    await database.write(invalidate_all)
                    await asyncio.sleep(0.001)

    monkeypatch.setattr(index_backfill, "BACKFILL_JOBS", (resting, tireless))
    with open_database(sqlite_databases, load_sample) as database:
        asyncio.run(work(database))

    assert commands.filled.count("resting") == 1


def test_a_failure_to_fill_an_index_is_logged_and_does_not_stop_the_server(
    sqlite_databases: SqliteDatabases, tmp_path: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> str:
        commands.run += 1
        raise CommandError("no room (exit status 1)")

    async def work(database: Database) -> None:
        await database.write(invalidate_all)
        async with filling_of(database, tmp_path):
            await asyncio.sleep(0.2)

    monkeypatch.setattr(index_backfill, "run_low_priority_command", fail)
    with open_database(sqlite_databases, load_sample) as database, capture_logs() as logs:
        asyncio.run(work(database))

    assert commands.run == 1
    assert [line["reason"] for line in logs] == ["idea cache: no room (exit status 1)"]


def test_an_empty_database_needs_no_filling(
    sqlite_databases: SqliteDatabases, tmp_path: Path, commands: Commands
) -> None:
    async def work(database: Database) -> None:
        async with filling_of(database, tmp_path):
            await asyncio.sleep(0.1)

    with open_database(sqlite_databases, leave_empty) as database:
        asyncio.run(work(database))

    assert commands.run == 0
