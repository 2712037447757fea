"""`/health/live` and `/health/ready`, and the gauges of the data and the files for operators."""

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

from abhidhan.app.store.backlog import read_waiting
from abhidhan.exchange.service import backup
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import MadeStore
from abhidhan.publishing.service.downloads import read_downloads
from abhidhan.publishing.service.packs import read_packs
from abhidhan.records.errors import AbhidhanError, LostDatabaseError, RetryAfter, UnavailableError, UnwritableError

NOT_READY: Final = "The server is not ready to answer. The log says why."


def health_handlers(
    check: Callable[[], Awaitable[str | None]], is_read_only: Callable[[], bool] = lambda: False
) -> list[HTTPRouteHandler]:
    """Make `/health/live` and `/health/ready`. `check` tells what is not ready, or None, or raises our errors."""

    @get("/health/live", tags=["Status"], summary="Check that the server runs")
    async def live() -> dict[str, str]:
        """Answer as long as the server runs."""
        return {"status": "live"}

    @get("/health/ready", tags=["Status"], summary="Check that the server is ready")
    async def ready() -> dict[str, str]:
        """Answer while requests can be served and changes saved; otherwise 503."""
        try:
            missing = await check()
        except LostDatabaseError as error:
            # Of that the log has told when it began, and whoever watches asks every few seconds.
            raise UnavailableError(NOT_READY, RetryAfter.MOMENT) from error
        except UnwritableError as error:
            # Look-ups are still answered: who watches is told what to mend, balancers may choose another server.
            structlog.get_logger("abhidhan.web").warning("not ready", reason=str(error))
            raise UnavailableError(error.said, RetryAfter.MOMENT) from error
        except AbhidhanError as error:
            missing = str(error)
        if missing is not None:
            structlog.get_logger("abhidhan.web").warning("not ready", reason=missing)
            raise UnavailableError(NOT_READY, RetryAfter.MOMENT)
        return {"status": "read-only" if is_read_only() else "ready"}

    return [live, ready]


CACHE_SECONDS: Final = 10.0
"""Time for which samples are reported again, however many clients ask."""

MAX_SHARE_OF_TIME: Final = 20
"""Where reading takes long, it runs for at most a twentieth of the time."""

TIMEOUT_SECONDS: Final = 2.0
"""Time that a client waits for the database. After that the database counts as away."""

MADE: Final = "abhidhan_made_timestamp_seconds"

_log = structlog.get_logger("abhidhan")


class MonitoredPaths(NamedTuple):
    """The folders and stores whose state is reported."""

    home: Path
    backups: Path
    downloads: MadeStore
    packs: MadeStore


class CachedSamples:
    """Samples that are read by one task at a time, and reported again for a while."""

    def __init__(self, read: Callable[[], Coroutine[None, None, list[Sample]]], clock: Callable[[], float]) -> None:
        """Read with `read`; `clock` measures how long that takes."""
        self._read = read
        self._clock = clock
        self._task: asyncio.Task[list[Sample]] | None = None
        self._expires = 0.0

    async def get(self, default: list[Sample]) -> list[Sample]:
        """Return the samples; `default` if reading takes longer than `TIMEOUT_SECONDS`."""
        if self._task is None or (self._task.done() and self._clock() >= self._expires):
            self._task = asyncio.create_task(self._timed())
        task = self._task
        await asyncio.wait({task}, timeout=TIMEOUT_SECONDS)
        return task.result() if task.done() else default

    async def _timed(self) -> list[Sample]:
        start = self._clock()
        samples = await self._read()
        end = self._clock()
        self._expires = end + max(CACHE_SECONDS, MAX_SHARE_OF_TIME * (end - start))
        return samples


class HealthMetrics:
    """Reads the state of the data and of the files."""

    def __init__(
        self, database: Database, paths: MonitoredPaths, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Read nothing yet."""
        self._database = database
        self._paths = paths
        self._data = CachedSamples(self._read_data, clock)
        self._stores = CachedSamples(partial(asyncio.to_thread, _read_stores, paths), clock)

    async def read(self) -> list[Sample]:
        """Return the state of data and files. A database that is away is reported, and is no error."""
        data, stores = await asyncio.gather(self._data.get([_is_up(up=False)]), self._stores.get([]))
        return [*data, *stores, *await asyncio.to_thread(lambda: list(_read_files(self._database, self._paths)))]

    async def _read_data(self) -> list[Sample]:
        try:
            waiting = await self._database.read(partial(read_waiting, now=int(time.time())), long=True)
            return [_is_up(up=True), *waiting]
        except AbhidhanError:
            # The database's failures are logged where they happen.
            return [_is_up(up=False)]
        except Exception as error:  # noqa: BLE001  # whatever it is, the other metrics are reported
            _log.error("what waits could not be read", exc_info=error)
            return [_is_up(up=False)]


def _is_up(*, up: bool) -> Sample:
    return Sample("abhidhan_database_up", {}, up)


def _read_files(database: Database, paths: MonitoredPaths) -> Iterator[Sample]:
    """Read the time of the last backup, the size of the database, and the free disk space."""
    if (moment := backup.last_backup(paths.backups)) is not None:
        yield Sample(MADE, {"what": "backup"}, moment)
    with suppress(OSError):
        yield Sample("abhidhan_disk_free_bytes", {}, shutil.disk_usage(paths.home).free)
    file = sqlite_file(database.url)
    if file is not None:
        with suppress(OSError):
            yield Sample("abhidhan_database_bytes", {}, file.stat().st_size)


def _read_stores(paths: MonitoredPaths) -> list[Sample]:
    """Read when files for everybody were made. A store out of reach has no sample."""
    samples = []
    for what, read, store in (("downloads", read_downloads, paths.downloads), ("packs", read_packs, paths.packs)):
        with suppress(OSError, AbhidhanError):
            if (files := read(store)) is not None:
                samples.append(Sample(MADE, {"what": what}, files.made))
    return samples
