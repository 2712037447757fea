"""The idea cache filled while the server serves, after an upgrade, a restore, or an edit that touched very many ideas.

One worker looks whether anything is missing; `python -m abhidhan.bootstrap.filling` then fills it beside the server.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

from abhidhan.background import going_on
from abhidhan.bootstrap.aside import is_elected, open_lock, run_aside
from abhidhan.errors import AbhidhanError, LostDatabaseError
from abhidhan.services.checking import fill_idea_cache, is_idea_cache_lacking
from abhidhan.settings import read_settings
from abhidhan.storage.engine.database import Database

COMMAND: Final = (sys.executable, "-m", "abhidhan.bootstrap.filling")

FIRST_LOOK: Final = 2.0
"""Seconds after its start at which a worker looks for the first time: at first it has more urgent things to do."""

BETWEEN_LOOKS: Final = 20.0
"""Seconds between two looks whether the data have changed. Whether an idea is missing is asked only then: it takes
60 ms at 120,000 ideas, in a thread."""

AFTER_FAILURE: Final = 600.0

BETWEEN_TRANSACTIONS: Final = 0.02
"""Seconds for which nothing is written, so that whoever waits to write comes first."""

_log = structlog.get_logger("abhidhan")


class Filling:
    """Sees to it that the idea cache is full. Of all workers of a server, one does."""

    def __init__(self, database: Database, lock: Path, *, environment: Mapping[str, str]) -> None:
        """Watch a dictionary. `lock` is a file that all workers share; `environment` names the dictionary."""
        self._database = database
        self._lock = lock
        self._environment = environment
        self._looked_at: int | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the cache full while the application runs; at its end the filling stops, and goes on another time."""
        async with going_on(self._keep()):
            yield

    async def _keep(self) -> None:
        await asyncio.sleep(FIRST_LOOK)
        while True:
            try:
                with suppress(LostDatabaseError):
                    await self._watch()
            except (AbhidhanError, OSError) as error:
                _log.error("the idea cache could not be filled", reason=str(error))
            await asyncio.sleep(AFTER_FAILURE)

    async def _watch(self) -> None:
        """Look again and again, if this worker is the elected one, until something goes wrong."""
        elected = open_lock(self._lock)
        try:
            # Another process changes the data; no event tells of it.
            while not is_elected(elected) or await self._look():  # noqa: ASYNC110
                await asyncio.sleep(BETWEEN_LOOKS)
        finally:
            os.close(elected)

    async def _look(self) -> bool:
        """Let the command fill what is missing, if the data are others than before; tell whether all went well."""
        version = await self._database.version()
        if version == self._looked_at:
            return True
        if await self._database.read(is_idea_cache_lacking, long=True) and not await self._fill():
            return False
        self._looked_at = version
        return True

    async def _fill(self) -> bool:
        ended = await run_aside(COMMAND, self._environment)
        if ended.status:
            _log.error("the idea cache could not be filled", reason=ended.reason, status=ended.status)
        elif ended.said != "0":
            _log.info("the idea cache is filled", ideas=int(ended.said))
        return not ended.status


def main() -> None:
    """Fill the cache, and say how many ideas were missing."""
    with Database(read_settings().database_url) as database:
        sys.stdout.write(str(fill_idea_cache(database, pause=BETWEEN_TRANSACTIONS)))


if __name__ == "__main__":
    main()
