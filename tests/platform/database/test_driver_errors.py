import asyncio
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from abhidhan.app.health import HealthMetrics, MonitoredPaths
from abhidhan.platform.database.connections import display_url, parse_url
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.driver_errors import OutageTracker
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.records.errors import LostDatabaseError
from tests.support.metrics import count_changes
from tests.support.postgresql import PostgresqlServer, run_postgresql_server

LOST = ("error", "the database cannot be reached")
BACK = ("warning", "the database can be reached again")
REFUSED = OSError("connection\nrefused")


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresqlServer]:
    """Run a PostgreSQL of our own, which may be stopped."""
    with run_postgresql_server() as server:
        yield server


def list_events(logs: Iterable[Mapping[str, Any]]) -> list[tuple[object, object]]:
    return [(each["log_level"], each["event"]) for each in logs]


async def read_availability(database: Database, folder: Path) -> float:
    """Return the metric that says whether the database is available."""
    paths = MonitoredPaths(folder, folder, ArtifactStore(folder), ArtifactStore(folder))
    samples = await HealthMetrics(database, paths).read()
    return next(sample.value for sample in samples if sample.name == "abhidhan_database_up")


@pytest.mark.thorough
def test_an_outage_of_postgresql_is_logged_once_by_all_workers_and_so_is_its_end(
    server: PostgresqlServer, tmp_path: Path
) -> None:
    url = server.url(server.create())
    prepare_database(url, tmp_path)
    shared = tmp_path / "outage.lock"

    async def scene() -> None:
        with Database(url, outage_lock_file=shared) as one, Database(url, outage_lock_file=shared) as other:
            for worker in (one, other):
                assert await worker.version() == worker.version_now() == 1
            server.stop()
            for worker in (one, other, one, other, one):
                with pytest.raises(LostDatabaseError):
                    await worker.version()
                with pytest.raises(LostDatabaseError):
                    await worker.read(lambda reader: reader.read_data_version())
                with pytest.raises(LostDatabaseError):
                    await worker.write(lambda _: None)
            assert (one.outage.is_active, other.outage.is_active) == (True, True)
            assert await read_availability(one, tmp_path) == 0
            server.start()
            for worker in (one, other, one, other):
                assert await worker.version() == worker.version_now()
                await worker.write(lambda _: None)
            assert (one.outage.is_active, other.outage.is_active) == (False, False)
            assert await read_availability(one, tmp_path) == 1

    with capture_logs() as logs, count_changes("database_errors_total", "kind") as errors:
        asyncio.run(scene())

    assert errors == {"lost": 16}
    assert list_events(logs) == [LOST, BACK]
    assert logs[0]["database"] == display_url(parse_url(url))
    assert "\n" not in logs[0]["reason"]


def test_another_process_logs_outages_after_the_first_one_has_ended(tmp_path: Path) -> None:
    one, other = (OutageTracker("a database", tmp_path / "lock") for _ in range(2))
    with capture_logs() as logs:
        one.begin(REFUSED)
        other.begin(REFUSED)
        one.close()
        other.end()
        other.begin(REFUSED)
        other.end()

    assert list_events(logs) == [LOST, LOST, BACK]


def test_processes_without_a_common_lock_each_log_an_outage(tmp_path: Path) -> None:
    with capture_logs() as logs:
        for _ in range(2):
            outage = OutageTracker("a database", tmp_path / "no folder" / "lock")
            outage.begin(REFUSED)
            outage.end()

    assert list_events(logs) == [LOST, BACK] * 2


def test_each_outage_is_logged_by_the_first_process_that_notices(tmp_path: Path) -> None:
    one, other = (OutageTracker("a database", tmp_path / "lock") for _ in range(2))
    with capture_logs() as logs:
        for first, second in ((one, other), (other, one)):
            for each in (first, second, first):
                each.begin(REFUSED)
            for each in (second, first, second):
                each.end()

    assert list_events(logs) == [LOST, BACK] * 2
