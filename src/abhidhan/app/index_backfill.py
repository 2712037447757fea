"""Fill the accelerators of look-ups while the server serves: after an upgrade, a restore or a far-reaching edit.

One worker checks whether anything is missing; `python -m abhidhan.app.index_backfill` then fills it, in a process
of its own.
"""

import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from abhidhan.exchange.service.maintenance import (
    are_readable_words_lacking,
    fill_idea_cache,
    fill_readable_words,
    is_idea_cache_lacking,
)
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.runtime.files import FileLock
from abhidhan.platform.runtime.task_scope import CommandError, PeriodicTask, run_low_priority
from abhidhan.records.settings_reading import read_settings

COMMAND: Final = (sys.executable, "-m", "abhidhan.app.index_backfill")

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
        self._lock = FileLock(lock)
        self._environment = environment
        self._looked_at: dict[str, int] = {}
        self._rests_until: dict[str, float] = {}

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that fills what is missing; when it is cancelled, the rest is filled another time."""
        return [
            PeriodicTask(
                "filling caches",
                self.fill_lacking,
                BETWEEN_LOOKS,
                first_delay_seconds=FIRST_LOOK,
                failure_delay_seconds=AFTER_FAILURE,
                lock=self._lock,
            )
        ]

    async def fill_lacking(self) -> None:
        """Fill each thing that is lacking, whatever became of the others. Raises AbhidhanError."""
        version = await self._database.version()
        failures = []
        for filled in FILLED:
            try:
                await self._fill_if_lacking(filled, version)
            except CommandError as error:
                failures.append(f"{filled.name}: {error}")
        if failures:
            raise CommandError("; ".join(failures))

    async def _fill_if_lacking(self, filled: Filled, version: int) -> None:
        """Let the command fill what is missing, if the data are others than before and it does not rest."""
        name = filled.name
        if version == self._looked_at.get(name) or time.monotonic() < self._rests_until.get(name, 0.0):
            return
        if await self._database.read(filled.is_lacking, long=True):
            began = time.monotonic()
            records = int(await run_low_priority((*COMMAND, name), self._environment))
            if records:
                _log.info(f"the {name} is filled", records=records)
            now = time.monotonic()
            self._rests_until[name] = now + filled.rests * (now - began)
        self._looked_at[name] = version


def main() -> None:
    """Fill what the first argument names, and say how many records that took."""
    chosen = next(filled for filled in FILLED if filled.name == sys.argv[1])
    with Database(read_settings().database_url) as database:
        sys.stdout.write(str(chosen.fill(database)))


if __name__ == "__main__":
    main()
