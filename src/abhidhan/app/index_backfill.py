"""Backfill of look-up indexes and caches while the server runs, after an upgrade, a restore or a large edit.

One worker checks which indexes are incomplete; `python -m abhidhan.app.index_backfill` then completes them in a
separate process.
"""

import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from abhidhan.exchange.service.maintenance import (
    fill_idea_cache,
    fill_readable_words,
    is_idea_cache_incomplete,
    is_readable_word_index_incomplete,
)
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.files import FileLock
from abhidhan.platform.runtime.task_scope import CommandError, PeriodicTask, run_low_priority_command
from abhidhan.records.settings_reading import load_settings

COMMAND: Final = (sys.executable, "-m", "abhidhan.app.index_backfill")

FIRST_CHECK_DELAY_SECONDS: Final = 2.0
"""Seconds between a worker's start and its first check, so that it does not slow down the start."""

CHECK_INTERVAL_SECONDS: Final = 20.0
"""Seconds between two checks of the data version. If it has changed, a query in a thread looks for missing ideas, which
takes 60 ms for 120,000 ideas."""

FAILURE_DELAY_SECONDS: Final = 600.0

TRANSACTION_DELAY_SECONDS: Final = 0.02
"""Pause in seconds between two transactions, so that other writers get their turn."""

_log = structlog.get_logger("abhidhan")


class BackfillJob(NamedTuple):
    """A backfill job: `is_due` checks whether it is due; `run` runs it and returns the number of records.

    After a run it pauses for `pause_factor` times the duration of the run. Otherwise a job that any new word makes due
    would run permanently in a very large dictionary.
    """

    name: str
    """The job's name in the log, and the argument of the command."""
    is_due: Callable[[ReadConnection], bool]
    run: Callable[[Database], int]
    pause_factor: int = 0


BACKFILL_JOBS: Final = (
    BackfillJob(
        "idea cache", is_idea_cache_incomplete, partial(fill_idea_cache, pause_seconds=TRANSACTION_DELAY_SECONDS)
    ),
    BackfillJob(
        "list of readable words",
        is_readable_word_index_incomplete,
        partial(fill_readable_words, pause_seconds=TRANSACTION_DELAY_SECONDS),
        pause_factor=100,
    ),
)


class IndexBackfill:
    """Task that runs the due backfill jobs; one worker of a server is elected to run it."""

    def __init__(self, database: Database, lock_file: Path, *, environment: Mapping[str, str]) -> None:
        """All workers share `lock_file`; `environment` selects the dictionary for the command."""
        self._database = database
        self._lock = FileLock(lock_file)
        self._environment = environment
        self._checked_versions: dict[str, int] = {}
        self._paused_until: dict[str, float] = {}

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that runs the due jobs; a later run completes a job that was cancelled."""
        return [
            PeriodicTask(
                "filling caches",
                self.run_due_jobs,
                CHECK_INTERVAL_SECONDS,
                first_delay_seconds=FIRST_CHECK_DELAY_SECONDS,
                failure_delay_seconds=FAILURE_DELAY_SECONDS,
                lock=self._lock,
            )
        ]

    async def run_due_jobs(self) -> None:
        """Run all due jobs, even if some fail. Raises AbhidhanError."""
        version = await self._database.version()
        failures = []
        for job in BACKFILL_JOBS:
            try:
                await self._run_if_due(job, version)
            except CommandError as error:
                failures.append(f"{job.name}: {error}")
        if failures:
            raise CommandError("; ".join(failures))

    async def _run_if_due(self, job: BackfillJob, version: int) -> None:
        """Run a job in its own process if it is due, the data have changed, and its pause is over."""
        name = job.name
        if version == self._checked_versions.get(name) or time.monotonic() < self._paused_until.get(name, 0.0):
            return
        if await self._database.read(job.is_due, long=True):
            start = time.monotonic()
            records = int(await run_low_priority_command((*COMMAND, name), self._environment))
            if records:
                _log.info(f"the {name} is filled", records=records)
            now = time.monotonic()
            self._paused_until[name] = now + job.pause_factor * (now - start)
        self._checked_versions[name] = version


def main() -> None:
    """Run the job named by the first argument, and print the number of records."""
    job = next(candidate for candidate in BACKFILL_JOBS if candidate.name == sys.argv[1])
    with Database(load_settings().database_url) as database:
        sys.stdout.write(str(job.run(database)))


if __name__ == "__main__":
    main()
