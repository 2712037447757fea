"""The health checks `/health/live` and `/health/ready`, and the gauges of the database, backups and downloads."""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog
from litestar import get
from litestar.handlers import HTTPRouteHandler
from prometheus_client.samples import Sample

from abhidhan.app.store.backlog import read_backlog
from abhidhan.exchange.service.backup import read_marker_time
from abhidhan.exchange.store.backup_time import read_backup_time
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import read_downloads
from abhidhan.publishing.service.packs import read_packs
from abhidhan.records.errors import AbhidhanError, LostDatabaseError, RetryAfter, UnavailableError, UnwritableError

NOT_READY_MESSAGE: Final = "The server is not ready. The log has the reason."


def build_health_handlers(
    find_problem: Callable[[], Awaitable[str | None]], is_read_only: Callable[[], bool] = lambda: False
) -> list[HTTPRouteHandler]:
    """Build the handlers of both checks. `find_problem` returns the problem or None, or raises AbhidhanError."""

    @get("/health/live", tags=["Status"], summary="Check that the server runs")
    async def live() -> dict[str, str]:
        """Return 200 while the server is running."""
        return {"status": "live"}

    @get("/health/ready", tags=["Status"], summary="Check that the server is ready")
    async def ready() -> dict[str, str]:
        """Return 200 while requests can be answered and changes saved, otherwise 503."""
        try:
            problem = await find_problem()
        except LostDatabaseError as error:
            # The outage was logged when it began; monitoring repeats this request every few seconds.
            raise UnavailableError(NOT_READY_MESSAGE, RetryAfter.MOMENT) from error
        except UnwritableError as error:
            # Look-ups still work: monitoring gets the reason, and load balancers may choose another server.
            structlog.get_logger("abhidhan.web").warning("not ready", reason=str(error))
            raise UnavailableError(error.message, RetryAfter.MOMENT) from error
        except AbhidhanError as error:
            problem = str(error)
        if problem is not None:
            structlog.get_logger("abhidhan.web").warning("not ready", reason=problem)
            raise UnavailableError(NOT_READY_MESSAGE, RetryAfter.MOMENT)
        return {"status": "read-only" if is_read_only() else "ready"}

    return [live, ready]


MIN_CACHE_SECONDS: Final = 10.0
"""Minimum lifetime of cached samples, in seconds."""

MIN_CACHE_FACTOR: Final = 20
"""Minimum lifetime of cached samples, as a multiple of the time that reading them took, which limits the load."""

READ_TIMEOUT_SECONDS: Final = 2.0
"""Timeout in seconds for reading samples; a database that takes longer is reported as down."""

BUILD_TIME_METRIC: Final = "abhidhan_made_timestamp_seconds"

_log = structlog.get_logger("abhidhan")


class MonitoredPaths(NamedTuple):
    """The folders and stores whose free space, backups and files are reported."""

    home: Path
    backups: Path
    downloads: ArtifactStore
    packs: ArtifactStore


class CachedSamples:
    """A cache of metric samples, refreshed in the background by at most one task."""

    def __init__(self, read: Callable[[], Coroutine[None, None, list[Sample]]], clock: Callable[[], float]) -> None:
        """`read` reads the samples; `clock` returns seconds, to measure how long that takes."""
        self._read = read
        self._clock = clock
        self._task: asyncio.Task[list[Sample]] | None = None
        self._expires = 0.0

    async def get(self, default: list[Sample]) -> list[Sample]:
        """Return the samples; `default` if reading takes longer than `READ_TIMEOUT_SECONDS`."""
        if self._task is None or (self._task.done() and self._clock() >= self._expires):
            self._task = asyncio.create_task(self._refresh())
        task = self._task
        await asyncio.wait({task}, timeout=READ_TIMEOUT_SECONDS)
        return task.result() if task.done() else default

    async def _refresh(self) -> list[Sample]:
        start = self._clock()
        samples = await self._read()
        end = self._clock()
        self._expires = end + max(MIN_CACHE_SECONDS, MIN_CACHE_FACTOR * (end - start))
        return samples


class HealthMetrics:
    """Collector of the gauges of the database, backups and downloads."""

    def __init__(
        self, database: Database, paths: MonitoredPaths, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Create a collector; `clock` returns seconds."""
        self._database = database
        self._paths = paths
        self._database_samples = CachedSamples(self._read_database_samples, clock)
        self._store_samples = CachedSamples(partial(asyncio.to_thread, _read_store_samples, paths), clock)

    async def read(self) -> list[Sample]:
        """Return the samples of all gauges. A database that cannot be reached is reported as down."""
        data, stores = await asyncio.gather(
            self._database_samples.get([_build_database_up_sample(up=False)]), self._store_samples.get([])
        )
        files = await asyncio.to_thread(lambda: list(_read_file_samples(self._database, self._paths.home)))
        return [*data, *stores, *files]

    async def _read_database_samples(self) -> list[Sample]:
        try:
            job = partial(_read_stored_samples, backups=self._paths.backups, now=int(time.time()))
            return [_build_database_up_sample(up=True), *await self._database.read(job, long=True)]
        except AbhidhanError:
            pass  # Database failures are logged where they occur.
        except Exception as error:  # noqa: BLE001  # the other metrics must still be reported
            _log.error("the metrics of the database could not be read", exc_info=error)
        marker_time = await asyncio.to_thread(read_marker_time, self._paths.backups)
        return [_build_database_up_sample(up=False), *_build_backup_samples(marker_time)]


def _build_database_up_sample(*, up: bool) -> Sample:
    return Sample("abhidhan_database_up", {}, up)


def _read_stored_samples(connection: ReadConnection, backups: Path, now: int) -> list[Sample]:
    """Return the review backlog, and the time of the last backup: the later of the database's and the marker file's."""
    moment = max(read_backup_time(connection) or 0, read_marker_time(backups) or 0)
    return [*read_backlog(connection, now=now), *_build_backup_samples(moment)]


def _build_backup_samples(moment: float | None) -> list[Sample]:
    return [Sample(BUILD_TIME_METRIC, {"what": "backup"}, moment)] if moment else []


def _read_file_samples(database: Database, home: Path) -> Iterator[Sample]:
    """Yield the free disk space and the size of the database."""
    with suppress(OSError):
        yield Sample("abhidhan_disk_free_bytes", {}, shutil.disk_usage(home).free)
    file = sqlite_file(database.url)
    if file is not None:
        with suppress(OSError):
            yield Sample("abhidhan_database_bytes", {}, file.stat().st_size)


def _read_store_samples(paths: MonitoredPaths) -> list[Sample]:
    """Return the build times of downloads and packs, without stores that cannot be reached."""
    samples = []
    for what, read, store in (("downloads", read_downloads, paths.downloads), ("packs", read_packs, paths.packs)):
        with suppress(OSError, AbhidhanError):
            if (files := read(store)) is not None:
                samples.append(Sample(BUILD_TIME_METRIC, {"what": what}, files.made))
    return samples
