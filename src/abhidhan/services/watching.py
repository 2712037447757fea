"""What whoever watches over a server wants to know of its data and files: asked seldom, and never in vain."""

import asyncio
import shutil
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from abhidhan.domain.figures import Figure
from abhidhan.errors import AbhidhanError
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import backup
from abhidhan.services.exchange.downloads import read_downloads
from abhidhan.services.exchange.packs import read_packs
from abhidhan.storage.engine.connections import sqlite_file
from abhidhan.storage.engine.database import Database
from abhidhan.storage.waiting import read_waiting

SECONDS_KEPT: Final = 10.0
"""How long what was read is told again; the database is asked no more often, however many watch."""

SHARE_OF_TIME: Final = 20
"""Where reading takes long, because very much waits, it is done for a twentieth of the time at most."""

MADE: Final = "abhidhan_made_timestamp_seconds"

PATIENCE: Final = 2.0
"""Seconds that whoever watches waits for the database. After that it counts as away."""

_log = structlog.get_logger("abhidhan")


class Places(NamedTuple):
    """The folders and stores whose state is told."""

    home: Path
    backups: Path
    downloads: MadeStore
    packs: MadeStore


class Kept:
    """Figures that are read one reading at a time, and told again for a while."""

    def __init__(self, read: Callable[[], Coroutine[None, None, list[Figure]]], clock: Callable[[], float]) -> None:
        """Take what reads them, and the clock that says how long that took."""
        self._read = read
        self._clock = clock
        self._reading: asyncio.Task[list[Figure]] | None = None
        self._until = float("-inf")

    async def figures(self) -> list[Figure] | None:
        """Return what was read lately; None where reading takes longer than anybody waits."""
        if self._reading is None or (self._reading.done() and self._clock() >= self._until):
            self._reading = asyncio.create_task(self._timed())
        reading = self._reading
        await asyncio.wait({reading}, timeout=PATIENCE)
        return reading.result() if reading.done() else None

    async def _timed(self) -> list[Figure]:
        began = self._clock()
        try:
            return await self._read()
        finally:
            now = self._clock()
            self._until = now + max(SECONDS_KEPT, SHARE_OF_TIME * (now - began))


class Watching:
    """Reads the state of the data and of files."""

    def __init__(self, database: Database, places: Places, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take what is watched."""
        self._database = database
        self._places = places
        self._of_data = Kept(self._read, clock)
        self._of_stores = Kept(self._read_stores, clock)

    async def figures(self) -> list[Figure]:
        """Return the state of data and files, read lately. Where the database is away, say so instead of failing."""
        of_data, of_stores = await asyncio.gather(self._of_data.figures(), self._of_stores.figures())
        files = await asyncio.to_thread(lambda: list(_files(self._database, self._places)))
        return [*files, *(of_stores or ()), *([_is_up(up=False)] if of_data is None else of_data)]

    async def _read(self) -> list[Figure]:
        try:
            waiting = await self._database.read(partial(read_waiting, now=int(time.time())), long=True)
            return [_is_up(up=True), *waiting]
        except AbhidhanError:
            # The database's failures are told where they happen.
            return [_is_up(up=False)]
        except Exception as error:  # noqa: BLE001  # whatever it is, the other figures are told
            _log.error("what waits could not be read", exc_info=error)
            return [_is_up(up=False)]

    async def _read_stores(self) -> list[Figure]:
        return await asyncio.to_thread(lambda: list(_made_files(self._places)))


def _is_up(*, up: bool) -> Figure:
    return Figure("abhidhan_database_up", (), up)


def _files(database: Database, places: Places) -> Iterator[Figure]:
    """Return what the files of this machine say: when a backup was made, how large they are, how much room is left."""
    with suppress(OSError):
        if (moment := backup.last_backup(places.backups)) is not None:
            yield Figure(MADE, ("backup",), moment)
    with suppress(OSError):
        yield Figure("abhidhan_disk_free_bytes", (), shutil.disk_usage(places.home).free)
    file = sqlite_file(database.url)
    if file is not None:
        with suppress(OSError):
            yield Figure("abhidhan_database_bytes", (), file.stat().st_size)


def _made_files(places: Places) -> Iterator[Figure]:
    """Return when files for everybody were made. A store out of reach tells nothing."""
    with suppress(OSError, AbhidhanError):
        if (downloads := read_downloads(places.downloads)) is not None:
            yield Figure(MADE, ("downloads",), downloads.made)
    with suppress(OSError, AbhidhanError):
        if (packs := read_packs(places.packs)) is not None:
            yield Figure(MADE, ("packs",), packs.made)
