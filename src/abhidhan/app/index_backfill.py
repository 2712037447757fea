"""Backfill of look-up indexes and caches while the server runs, after an upgrade, a restore or a large edit.

One worker checks whether anything is missing; `python -m abhidhan.app.index_backfill` then builds it in a separate
process.
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
"""Seconds between a worker's start and its first check, so that it does not slow down the start."""

BETWEEN_LOOKS: Final = 20.0
"""Seconds between two checks of the data version. Only a change leads to a check for missing ideas, which takes 60 ms
for 120,000 ideas, in a thread."""

AFTER_FAILURE: Final = 600.0

BETWEEN_TRANSACTIONS: Final = 0.02
"""Pause in seconds between two transactions, so that other writers get their turn."""

_log = structlog.get_logger("abhidhan")


class Filled(NamedTuple):
    """A backfill job: `is_lacking` checks whether it is due; `fill` runs it and returns the number of records.

    After a run it pauses for `rests` times the duration of the run. Otherwise a job that any new word makes due would
    run permanently in a very large dictionary.
    """

    name: str
    """The job's name in the log, and the argument of the command."""
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
    """Task that runs the due backfill jobs; one worker of a server is elected to run it."""

    def __init__(self, database: Database, lock: Path, *, environment: Mapping[str, str]) -> None:
        """`lock` is a file that all workers share; `environment` selects the dictionary for the command."""
        self._database = database
        self._lock = FileLock(lock)
        self._environment = environment
        self._looked_at: dict[str, int] = {}
        self._rests_until: dict[str, float] = {}

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that runs the due jobs; a cancelled job is completed by a later run."""
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
        """Run all due jobs, even if some fail. Raises AbhidhanError."""
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
        """Run a job in its own process if it is due, the data have changed, and its pause is over."""
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
    """Run the job named by the first argument, and print the number of records."""
    chosen = next(filled for filled in FILLED if filled.name == sys.argv[1])
    with Database(read_settings().database_url) as database:
        sys.stdout.write(str(chosen.fill(database)))


if __name__ == "__main__":
    main()
