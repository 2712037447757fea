"""What makes look-ups faster, filled while the server serves: after an upgrade, a restore, or what reaches far.

One worker looks whether anything is missing; `python -m abhidhan.bootstrap.filling` then fills it beside the server.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from abhidhan.background import going_on
from abhidhan.bootstrap.aside import is_elected, open_lock, run_aside
from abhidhan.errors import AbhidhanError, LostDatabaseError
from abhidhan.services.checking import (
    are_readable_words_lacking,
    fill_idea_cache,
    fill_readable_words,
    is_idea_cache_lacking,
)
from abhidhan.settings import read_settings
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader

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


class Filled(NamedTuple):
    """Something that is filled: what says that it is lacking, and what fills it and tells how many records that took.

    After that it rests for so many times as long as that took: what any new word may leave lacking would otherwise be
    filled without end where there are very many words.
    """

    name: str
    """As the log tells it, and as the command is told what to fill."""
    is_lacking: Callable[[Reader], bool]
    fill: Callable[[Database], int]
    rests: int = 0


FILLED: Final = (
    Filled("idea cache", is_idea_cache_lacking, partial(fill_idea_cache, pause=BETWEEN_TRANSACTIONS)),
    Filled(
        "list of readable words",
        are_readable_words_lacking,
        partial(fill_readable_words, pause=BETWEEN_TRANSACTIONS),
        rests=100,
    ),
)


class Filling:
    """Sees to it that nothing is missing. Of all workers of a server, one does."""

    def __init__(self, database: Database, lock: Path, *, environment: Mapping[str, str]) -> None:
        """Watch a dictionary. `lock` is a file that all workers share; `environment` names the dictionary."""
        self._database = database
        self._lock = lock
        self._environment = environment
        self._looked_at: dict[str, int] = {}
        self._rests_until: dict[str, float] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Fill what is missing while the application runs; at its end the filling stops, and goes on another time."""
        async with going_on(self._keep()):
            yield

    async def _keep(self) -> None:
        await asyncio.sleep(FIRST_LOOK)
        while True:
            try:
                with suppress(LostDatabaseError):
                    await self._watch()
            except (AbhidhanError, OSError) as error:
                _log.error("what makes look-ups faster could not be filled", reason=str(error))
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
        """See to each thing that is filled, whatever became of the others; tell whether all went well."""
        version = await self._database.version()
        return all([await self._see_to(filled, version) for filled in FILLED])

    async def _see_to(self, filled: Filled, version: int) -> bool:
        """Let the command fill what is missing, if the data are others than before and it does not rest."""
        name = filled.name
        if version == self._looked_at.get(name) or time.monotonic() < self._rests_until.get(name, 0.0):
            return True
        if await self._database.read(filled.is_lacking, long=True):
            began = time.monotonic()
            if not await self._fill(name):
                return False
            now = time.monotonic()
            self._rests_until[name] = now + filled.rests * (now - began)
        self._looked_at[name] = version
        return True

    async def _fill(self, name: str) -> bool:
        ended = await run_aside((*COMMAND, name), self._environment)
        if ended.status:
            _log.error(f"the {name} could not be filled", reason=ended.reason, status=ended.status)
        elif ended.said != "0":
            _log.info(f"the {name} is filled", records=int(ended.said))
        return not ended.status


def main() -> None:
    """Fill what the first argument names, and say how many records that took."""
    chosen = next(filled for filled in FILLED if filled.name == sys.argv[1])
    with Database(read_settings().database_url) as database:
        sys.stdout.write(str(chosen.fill(database)))


if __name__ == "__main__":
    main()
