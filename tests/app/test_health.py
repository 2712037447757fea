import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from prometheus_client.samples import Sample
from structlog.testing import capture_logs

from abhidhan.app import health
from abhidhan.app.health import HealthMetrics, MonitoredPaths, build_health_handlers
from abhidhan.exchange.service import backup
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.records.errors import DatabaseError, DiskFullError, LostDatabaseError
from tests.support.asgi import ask
from tests.support.databases import SqliteDatabases, leave_empty
from tests.support.edge import make_edge


def test_a_live_server_says_so_to_everybody() -> None:
    async def check() -> str | None:
        return "never asked"

    answer = ask(make_edge(*build_health_handlers(check)), "/health/live")

    assert (answer.status, answer.json) == (200, {"status": "live"})
    assert answer.headers["cache-control"] == "no-store"


def test_a_ready_server_says_so() -> None:
    async def check() -> str | None:
        return None

    assert ask(make_edge(*build_health_handlers(check)), "/health/ready").json == {"status": "ready"}


def test_a_full_disk_is_told_in_a_sentence_that_names_no_file() -> None:
    async def check() -> str | None:
        raise DiskFullError("/home/secret cannot be written: No space left on device.")

    answer = ask(make_edge(*build_health_handlers(check)), "/health/ready")

    assert (answer.status, answer.json["detail"]) == (503, "The server's disk is full. Please tell its operator.")
    assert b"secret" not in answer.body


def test_whoever_watches_a_server_whose_database_is_lost_fills_no_log() -> None:
    async def check() -> str | None:
        raise LostDatabaseError("The database is busy or cannot be reached.", 5)

    with capture_logs() as logs:
        answer = ask(make_edge(*build_health_handlers(check)), "/health/ready")

    assert (answer.status, answer.headers["retry-after"], logs) == (503, "5", [])


@pytest.mark.parametrize("raised", [False, True])
def test_a_server_that_is_not_ready_is_a_503_that_tells_strangers_nothing(*, raised: bool) -> None:
    async def check() -> str | None:
        if raised:
            raise DatabaseError("/home/secret is damaged")
        return "/home/secret is damaged"

    answer = ask(make_edge(*build_health_handlers(check)), "/health/ready")

    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert b"secret" not in answer.body


T = TypeVar("T")
PATIENCE = 60


class CountedDatabase(Database):
    """A database that counts how often it is asked, and does something before it answers."""

    def __init__(self, url: str, before: Callable[[], object] = int) -> None:
        """Take the address."""
        super().__init__(url)
        self.asked = 0
        self._before = before

    async def read(self, job: Callable[[ReadConnection], T], *, long: bool = False) -> T:
        """Count, and read."""
        self.asked += 1

        def work(connection: ReadConnection) -> T:
            self._before()
            return job(connection)

        return await super().read(work, long=long)


def paths(home: Path) -> MonitoredPaths:
    return MonitoredPaths(home, home / "backups", ArtifactStore(home / "downloads"), ArtifactStore(home / "packs"))


def told(samples: list[Sample]) -> dict[Any, float]:
    return {(each.name.removeprefix("abhidhan_"), *each.labels.values()): each.value for each in samples}


def test_however_many_ask_the_database_is_asked_now_and_then(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    now = [100.0]

    async def scene(database: CountedDatabase) -> list[int]:
        watched = HealthMetrics(database, paths(tmp_path), clock=lambda: now[0])
        asked = []
        for seconds in (0, 0, 9, 0.5, 0.6, 0):
            now[0] += seconds
            results = await asyncio.gather(*(watched.read() for _ in range(3)))
            assert all(told(each)["database_up",] == 1 for each in results)
            asked.append(database.asked)
        return asked

    with CountedDatabase(sqlite_databases.copy(leave_empty)) as database:
        assert asyncio.run(scene(database)) == [1, 1, 1, 1, 2, 2]


def test_what_takes_long_to_read_is_read_more_seldom(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    now = [100.0]

    def take_long() -> None:
        now[0] += 3

    async def scene(database: CountedDatabase) -> None:
        watched = HealthMetrics(database, paths(tmp_path), clock=lambda: now[0])
        await watched.read()
        now[0] += 59
        await watched.read()
        assert database.asked == 1
        now[0] += 2
        await watched.read()
        assert database.asked == 2

    with CountedDatabase(sqlite_databases.copy(leave_empty), take_long) as database:
        asyncio.run(scene(database))


def test_a_database_that_does_not_answer_is_told_as_away_and_asked_once(
    sqlite_databases: SqliteDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "READ_TIMEOUT_SECONDS", 0.01)
    go = threading.Event()

    async def scene(database: CountedDatabase) -> None:
        watched = HealthMetrics(database, paths(tmp_path))
        for _ in range(6):
            seen = told(await watched.read())
            assert (seen["database_up",], ("review_waiting", "word") in seen) == (0, False)
            assert seen["disk_free_bytes",] > 0
        assert database.asked == 1
        go.set()
        async with asyncio.timeout(PATIENCE):
            while not told(await watched.read())["database_up",]:  # noqa: ASYNC110  # a thread changes it
                await asyncio.sleep(0.01)

    with CountedDatabase(sqlite_databases.copy(leave_empty), lambda: go.wait(PATIENCE)) as database:
        asyncio.run(scene(database))


@pytest.mark.parametrize(("error", "lines"), [(LostDatabaseError("Away.", 5), 0), (ZeroDivisionError(), 1)])
def test_whatever_fails_the_other_figures_are_told(
    sqlite_databases: SqliteDatabases, tmp_path: Path, error: Exception, lines: int
) -> None:
    def fail() -> None:
        raise error

    with CountedDatabase(sqlite_databases.copy(leave_empty), fail) as database, capture_logs() as logs:
        seen = told(asyncio.run(HealthMetrics(database, paths(tmp_path)).read()))

    assert (seen["database_up",], seen["database_bytes",] > 0, len(logs)) == (0, True, lines)


def test_the_files_tell_when_they_were_made(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    where = paths(tmp_path)
    with CountedDatabase(sqlite_databases.copy(leave_empty)) as database:

        def made() -> dict[Any, float]:
            seen = told(asyncio.run(HealthMetrics(database, where).read()))
            return {what: number for (name, *labels), number in seen.items() if "made" in name for what in labels}

        assert made() == {}
        backup.record_backup_time(where.backups, 1_000)
        backup.record_backup_time(where.backups, 2_000)
        list_of_files = {"data_version": 1, "made": 3_000, "files": [], "languages": []}
        where.downloads.write("current.json", json.dumps({"folder": "made-1", "listed": list_of_files}).encode())
        assert made() == {"backup": 2_000, "downloads": 3_000}


def test_a_backup_that_cannot_be_noted_counts_still(tmp_path: Path) -> None:
    (tmp_path / "backups").write_text("a file, and no folder")

    backup.record_backup_time(tmp_path / "backups", 1_000)

    assert backup.read_last_backup_time(tmp_path / "backups") is None
