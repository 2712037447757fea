import asyncio
import json
import os
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
from tests.support.asgi import AsgiResponse, ask
from tests.support.databases import SqliteDatabases, leave_empty
from tests.support.edge import make_edge


def ask_health(address: str, check: Callable[[], str | None]) -> AsgiResponse:
    """Ask a server for its health, whose check returns or raises what `check` does."""

    async def run_check() -> str | None:
        return check()

    return ask(make_edge(*build_health_handlers(run_check)), address)


def fail_with(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def test_a_live_server_and_a_ready_server_answer_200() -> None:
    live = ask_health("/health/live", fail_with(AssertionError("the database is not needed to be live")))
    ready = ask_health("/health/ready", lambda: None)

    assert (live.status, live.json, live.headers["cache-control"]) == (200, {"status": "live"}, "no-store")
    assert (ready.status, ready.json) == (200, {"status": "ready"})


def test_a_server_that_is_not_ready_answers_503_and_reveals_no_file_names() -> None:
    check: Callable[[], str | None]
    with capture_logs():
        for check in (lambda: "/home/secret is damaged", fail_with(DatabaseError("/home/secret is damaged"))):
            answer = ask_health("/health/ready", check)
            assert (answer.status, answer.headers["retry-after"], b"secret" in answer.body) == (503, "5", False)
        answer = ask_health("/health/ready", fail_with(DiskFullError("/home/secret cannot be written: No space left.")))

    assert (answer.status, answer.json["detail"]) == (503, "The server's disk is full. Please tell its operator.")
    assert b"secret" not in answer.body


def test_readiness_checks_of_a_server_whose_database_is_lost_are_not_logged() -> None:
    with capture_logs() as logs:
        answer = ask_health("/health/ready", fail_with(LostDatabaseError("The database cannot be reached.", 5)))

    assert (answer.status, answer.headers["retry-after"], logs) == (503, "5", [])


T = TypeVar("T")
PATIENCE = 60


class CountedDatabase(Database):
    """A database that counts how often it is queried, and does something before it answers."""

    def __init__(self, url: str, before: Callable[[], object] = int) -> None:
        """Take the address."""
        super().__init__(url)
        self.query_count = 0
        self._before = before

    async def read(self, job: Callable[[ReadConnection], T], *, long: bool = False) -> T:
        """Count, and read."""
        self.query_count += 1

        def work(connection: ReadConnection) -> T:
            self._before()
            return job(connection)

        return await super().read(work, long=long)


def paths(home: Path) -> MonitoredPaths:
    return MonitoredPaths(home, home / "backups", ArtifactStore(home / "downloads"), ArtifactStore(home / "packs"))


def values_of(samples: list[Sample]) -> dict[Any, float]:
    return {(each.name.removeprefix("abhidhan_"), *each.labels.values()): each.value for each in samples}


def test_metrics_query_the_database_at_most_every_ten_seconds(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    now = [100.0]

    async def scene(database: CountedDatabase) -> list[int]:
        watched = HealthMetrics(database, paths(tmp_path), clock=lambda: now[0])
        counts = []
        for seconds in (0, 0, 9, 0.5, 0.6, 0):
            now[0] += seconds
            results = await asyncio.gather(*(watched.read() for _ in range(3)))
            assert all(values_of(each)["database_up",] == 1 for each in results)
            counts.append(database.query_count)
        return counts

    with CountedDatabase(sqlite_databases.copy(leave_empty)) as database:
        assert asyncio.run(scene(database)) == [1, 1, 1, 1, 2, 2]


def test_metrics_that_take_long_to_read_are_read_less_often(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    now = [100.0]

    def take_long() -> None:
        now[0] += 3

    async def scene(database: CountedDatabase) -> None:
        watched = HealthMetrics(database, paths(tmp_path), clock=lambda: now[0])
        await watched.read()
        now[0] += 59
        await watched.read()
        assert database.query_count == 1
        now[0] += 2
        await watched.read()
        assert database.query_count == 2

    with CountedDatabase(sqlite_databases.copy(leave_empty), take_long) as database:
        asyncio.run(scene(database))


def test_a_database_that_does_not_answer_is_shown_as_down_and_queried_once(
    sqlite_databases: SqliteDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "READ_TIMEOUT_SECONDS", 0.01)
    go = threading.Event()

    async def scene(database: CountedDatabase) -> None:
        watched = HealthMetrics(database, paths(tmp_path))
        for _ in range(6):
            values = values_of(await watched.read())
            assert (values["database_up",], ("review_waiting", "word") in values) == (0, False)
            assert values["disk_free_bytes",] > 0
        assert database.query_count == 1
        go.set()
        async with asyncio.timeout(PATIENCE):
            while not values_of(await watched.read())["database_up",]:  # noqa: ASYNC110  # a thread changes it
                await asyncio.sleep(0.01)

    with CountedDatabase(sqlite_databases.copy(leave_empty), lambda: go.wait(PATIENCE)) as database:
        asyncio.run(scene(database))


def test_other_metrics_are_shown_although_the_database_fails(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    for error, lines in ((LostDatabaseError("Away.", 5), 0), (ZeroDivisionError(), 1)):
        url = sqlite_databases.copy(leave_empty)
        with CountedDatabase(url, fail_with(error)) as database, capture_logs() as logs:
            values = values_of(asyncio.run(HealthMetrics(database, paths(tmp_path)).read()))

        assert (values["database_up",], values["database_bytes",] > 0, len(logs)) == (0, True, lines)


def test_metrics_show_when_backups_and_downloads_were_made(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    where = paths(tmp_path)
    address = sqlite_databases.copy(leave_empty)
    with CountedDatabase(address) as database:

        def made() -> dict[Any, float]:
            values = values_of(asyncio.run(HealthMetrics(database, where).read()))
            return {what: number for (name, *labels), number in values.items() if "made" in name for what in labels}

        assert made() == {}
        for moment in (1_000, 2_000):
            backup.record_backup_time(address, where.backups, moment)
        list_of_files = {"data_version": 1, "made": 3_000, "files": [], "languages": []}
        where.downloads.write("current.json", json.dumps({"folder": "made-1", "listed": list_of_files}).encode())
        assert made() == {"backup": 2_000, "downloads": 3_000}


def test_every_server_of_a_database_shows_the_time_of_a_backup(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    address = sqlite_databases.copy(leave_empty)
    backup.record_backup_time(address, tmp_path / "first" / "backups", 1_000)
    with Database(address) as database:

        def read_time() -> float | None:
            values = values_of(asyncio.run(HealthMetrics(database, paths(tmp_path / "second")).read()))
            return values.get(("made_timestamp_seconds", "backup"))

        assert read_time() == 1_000
        # Another tool has made a backup later, and touched the marker file.
        marker = paths(tmp_path / "second").backups / "last-backup"
        marker.parent.mkdir(parents=True)
        marker.touch()
        os.utime(marker, (2_000, 2_000))
        assert read_time() == 2_000


def test_a_backup_time_that_cannot_be_recorded_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "backups").write_text("a file, and no folder")

    backup.record_backup_time(f"sqlite:///{tmp_path / 'absent' / 'dictionary.sqlite3'}", tmp_path / "backups", 1_000)

    assert backup.read_marker_time(tmp_path / "backups") is None


def test_the_time_of_a_backup_before_an_upgrade_is_that_of_the_file(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    address = sqlite_databases.copy(leave_empty)
    with Database(address) as database:
        # As before step 0045.
        database.write_now(lambda connection: connection.exec_driver_sql("ALTER TABLE state DROP COLUMN backed_up_at"))

    backup.record_backup_time(address, tmp_path / "backups", 1_000)

    assert backup.read_marker_time(tmp_path / "backups") == 1_000
