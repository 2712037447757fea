"""Background task that keeps the downloads up to date, in a separate process at the lowest priority."""

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from abhidhan.platform.database import leases
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.files import FileLock
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_low_priority_command
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service import downloads, packs
from abhidhan.publishing.service.download_files import Downloads
from abhidhan.publishing.service.downloads import has_withdrawn_recordings, read_downloads
from abhidhan.publishing.service.packs import Packs, is_up_to_date, read_packs
from abhidhan.publishing.service.takedowns import list_edition_names
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS

COMMAND: Final = (sys.executable, "-m", "abhidhan", "downloads", "make")

NIGHT_HOURS: Final = range(1, 5)
"""Hours of the server's local time in which files are built, unless the interval is shorter than a day."""

MIN_INTERVAL_SECONDS: Final = 1.0
MAX_INTERVAL_SECONDS: Final = 60.0
"""Limits of the interval in seconds between two checks whether the dictionary has changed, each a small query."""

FAILURE_DELAY_SECONDS: Final = 600.0

WITHDRAWAL_DELAY_SECONDS: Final = 900.0
"""Minimum age in seconds of files that are rebuilt because a recording in them was withdrawn."""

_log = structlog.get_logger("abhidhan")


class PackSettings(NamedTuple):
    """The offline packs to build: their store, and the language pairs."""

    store: ArtifactStore
    pairs: tuple[str, ...]


class DownloadPublisher:
    """Task that builds the downloads when they are due; one worker of a server is elected to run it."""

    def __init__(  # noqa: PLR0913  # its dependencies and settings
        self,
        database: Database,
        store: ArtifactStore,
        lock_file: Path,
        *,
        interval_hours: float,
        formats: Sequence[str],
        languages: Sequence[str],
        packs: PackSettings,
        environment: Mapping[str, str],
    ) -> None:
        """Publish the dictionary to `store` at most every `interval_hours`; 0 turns publishing off.

        Building takes minutes of processor time, so it never happens at the first start: missing files are due when
        the server has run for an hour, or for a shorter interval; an interval of a day or more waits for the night.
        `formats` are those of the files, `languages` the codes of languages with their own files; `packs` are built by
        the same command. All workers share `lock_file`; `environment` selects the dictionary for the command that
        builds the files.
        """
        self._database = database
        self._store = store
        self._lock = FileLock(lock_file)
        self._interval_seconds = interval_hours * HOUR_SECONDS
        self._formats = tuple(formats)
        self._languages = tuple(languages)
        self._packs = packs
        self._environment = environment
        self._started = time.time()

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that builds the files; incomplete files are discarded if it is cancelled."""
        if not self._interval_seconds:
            return []
        pause = min(MAX_INTERVAL_SECONDS, max(MIN_INTERVAL_SECONDS, self._interval_seconds))
        return [
            PeriodicTask(
                "downloads", self.build_if_due, pause, failure_delay_seconds=FAILURE_DELAY_SECONDS, lock=self._lock
            )
        ]

    async def build_if_due(self) -> None:
        """Build the files if they are due. Raises AbhidhanError or OSError."""
        version = await self._database.version()
        if await self.is_due(version) and not await self._is_being_built():
            await self._build()

    async def _is_being_built(self) -> bool:
        """Return whether another machine holds the lease for building the files; the lease expires if it fails."""
        return await self._database.read(
            lambda reader: any(leases.is_held(reader, name) for name in (downloads.LEASE_NAME, packs.LEASE_NAME)),
            long=True,
        )

    async def is_due(self, version: int) -> bool:
        """Return whether files or packs must be built for this data version."""
        if await asyncio.to_thread(self._is_anything_due, version):
            return True
        return await self._database.read(partial(self._needs_early_rebuild, version=version), long=True)

    def _needs_early_rebuild(self, connection: ReadConnection, version: int) -> bool:
        """Return whether files must be rebuilt early because they contain a withdrawn recording."""
        made_downloads = read_downloads(self._store)
        delay_seconds = min(self._interval_seconds, WITHDRAWAL_DELAY_SECONDS)
        return (
            made_downloads is not None
            and is_outdated(made_downloads, version, time.time(), delay_seconds)
            and has_withdrawn_recordings(connection, self._store)
        )

    def _is_anything_due(self, version: int) -> bool:
        """Return whether files or packs are missing or outdated, and it is time to build them."""
        built_downloads, built_packs = read_downloads(self._store), read_packs(self._packs.store)
        # Files of other settings count as missing.
        if built_downloads is not None and not built_downloads.has_settings(self._formats, self._languages):
            built_downloads = None
        if built_packs is not None and not is_up_to_date(built_packs, self._packs.pairs):
            built_packs = None
        now = time.time()
        return any(
            is_due(each, version, now, started=self._started, interval_seconds=self._interval_seconds)
            for each in (built_downloads, built_packs)
        )

    async def _build(self) -> None:
        """Build files and packs in a child process, and log the old editions. Raises CommandError."""
        before = await asyncio.to_thread(list_edition_names, self._store)
        await run_low_priority_command(COMMAND, self._environment)
        remaining = await asyncio.to_thread(list_edition_names, self._store)
        deleted = [name for name in before if name not in remaining]
        _log.info("the download files have been created", deleted_editions=deleted, old_editions=remaining)


def is_due(
    built_files: Downloads | Packs | None, version: int, now: float, *, started: float, interval_seconds: float
) -> bool:
    """Return whether missing or outdated files must be built now.

    An interval of a day or more waits for the night, but at most a day longer, for servers that are off at night.
    Missing files count as built when the server was `started`, but the first night builds them.
    """
    if built_files is not None and built_files.data_version == version:
        return False
    age = now - (started if built_files is None else built_files.made)
    if interval_seconds < DAY_SECONDS:
        return age >= interval_seconds
    is_night = time.localtime(now).tm_hour in NIGHT_HOURS
    # Files built late in one night are rebuilt in the next one, although the interval has not quite passed.
    min_age = HOUR_SECONDS if built_files is None else interval_seconds - len(NIGHT_HOURS) * HOUR_SECONDS
    return age >= (min_age if is_night else interval_seconds + DAY_SECONDS)


def is_outdated(built_files: Downloads | Packs, version: int, now: float, interval_seconds: float) -> bool:
    """Return whether files are of another data version and older than the interval."""
    return built_files.data_version != version and now - built_files.made >= interval_seconds
