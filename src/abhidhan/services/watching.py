"""What whoever watches over a server wants to know of its data and files: asked seldom, and never in vain."""

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from abhidhan.domain.figures import Figure
from abhidhan.errors import AbhidhanError
from abhidhan.services.exchange import backup, editions
from abhidhan.services.exchange.download_files import Downloads
from abhidhan.services.exchange.downloads import read_downloads
from abhidhan.services.exchange.packs import Packs, read_packs
from abhidhan.storage.engine.connections import sqlite_file
from abhidhan.storage.engine.database import Database
from abhidhan.storage.waiting import read_waiting

SECONDS_KEPT: Final = 10.0
"""How long what was read is told again; the database is asked no more often, however many watch."""

SHARE_OF_TIME: Final = 20
"""Where reading takes long, because very much waits, it is done for a twentieth of the time at most."""

PATIENCE: Final = 2.0
"""Seconds that whoever watches waits for the database. After that it counts as away."""

_log = structlog.get_logger("abhidhan")


class Places(NamedTuple):
    """The folders whose state is told."""

    home: Path
    backups: Path
    downloads: Path
    packs: Path


class Watching:
    """Reads the state of the data and of files, one reading at a time."""

    def __init__(self, database: Database, places: Places, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take what is watched."""
        self._database = database
        self._places = places
        self._clock = clock
        self._reading: asyncio.Task[list[Figure]] | None = None
        self._kept_until = float("-inf")

    async def figures(self) -> list[Figure]:
        """Return the state of data and files, read lately. Where the database is away, say so instead of failing."""
        if self._reading is None or (self._reading.done() and self._clock() >= self._kept_until):
            self._reading = asyncio.create_task(self._read())
        reading = self._reading
        await asyncio.wait({reading}, timeout=PATIENCE)
        files = await asyncio.to_thread(lambda: list(_files(self._database, self._places)))
        return [*files, *(reading.result() if reading.done() else [_is_up(up=False)])]

    async def _read(self) -> list[Figure]:
        began = self._clock()
        try:
            waiting = await self._database.read(partial(read_waiting, now=int(time.time())), long=True)
            return [_is_up(up=True), *waiting]
        except AbhidhanError:
            # The database's failures are told where they happen.
            return [_is_up(up=False)]
        except Exception as error:  # noqa: BLE001  # whatever it is, the other figures are told
            _log.error("what waits could not be read", exc_info=error)
            return [_is_up(up=False)]
        finally:
            now = self._clock()
            self._kept_until = now + max(SECONDS_KEPT, SHARE_OF_TIME * (now - began))


def _is_up(*, up: bool) -> Figure:
    return Figure("abhidhan_database_up", (), up)


def _files(database: Database, places: Places) -> Iterator[Figure]:
    """Yield what the files say: when they were made, how large they are, how much room is left."""
    made_last: tuple[tuple[str, Callable[[], float | None]], ...] = (
        ("backup", lambda: backup.last_backup(places.backups)),
        ("downloads", lambda: _made(read_downloads(places.downloads))),
        ("packs", lambda: _made(read_packs(places.packs))),
    )
    for what, read in made_last:
        with suppress(OSError):
            if (moment := read()) is not None:
                yield Figure("abhidhan_made_timestamp_seconds", (what,), moment)
    with suppress(OSError):
        yield Figure("abhidhan_disk_free_bytes", (), shutil.disk_usage(places.home).free)
    with suppress(OSError):
        yield Figure("abhidhan_editions_bytes", (), editions.bytes_on_disk(places.downloads))
    file = sqlite_file(database.url)
    if file is not None:
        with suppress(OSError):
            yield Figure("abhidhan_database_bytes", (), file.stat().st_size)


def _made(known: Downloads | Packs | None) -> float | None:
    return None if known is None else known.made
