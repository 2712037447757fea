"""The limit of requests over several machines: each adds to the database what its clients' requests have taken.

No request waits for that, or asks the database. Each worker counts by itself, with those of its machine; about once a
second it adds to the database what it has let through since, and learns of the same clients what all others have. The
table says of each client when its bucket is full again. Only PostgreSQL has it filled, and its clock is the only one
that counts here. A machine whose database is a standby limits by itself.
"""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import structlog
from sqlalchemy import Connection, text

from abhidhan.platform.database.database import Database
from abhidhan.platform.runtime.task_scope import PeriodicTask
from abhidhan.records.errors import AbhidhanError

MICROSECONDS: Final = 1_000_000
NOW: Final = f"CAST(floor(extract(epoch FROM statement_timestamp()) * {MICROSECONDS}) AS bigint)"

# In the order of the key, so that no two of these transactions wait for each other.
ADD: Final = text(f"""
    INSERT INTO shared_limit (client, full_at)
    SELECT client, {NOW} + taken
    FROM unnest(CAST(:clients AS bigint[]), CAST(:taken AS bigint[])) AS given (client, taken)
    ORDER BY client
    ON CONFLICT (client) DO UPDATE
    SET full_at = greatest({NOW}, least(shared_limit.full_at, {NOW} + :most)) + excluded.full_at - {NOW}
    RETURNING client, full_at - {NOW}
""")  # noqa: S608  # a constant

# A row too far ahead was written before the clock was set back.
FORGET: Final = text(f"""
    DELETE FROM shared_limit WHERE client IN (
        SELECT client FROM shared_limit WHERE full_at NOT BETWEEN {NOW} AND {NOW} + 2 * :most
        LIMIT 10000 FOR UPDATE SKIP LOCKED
    )
""")  # noqa: S608  # a constant


def add_taken(connection: Connection, *, taken: Mapping[int, float], most: float) -> dict[int, float]:
    """Add the seconds that clients have taken of their buckets; return what each bucket lacks now, with those of all.

    What a bucket lacked before counts for `most` seconds.
    """
    seconds = [round(each * MICROSECONDS) for each in taken.values()]
    given = {"clients": list(taken), "taken": seconds, "most": round(most * MICROSECONDS)}
    return {client: lacking / MICROSECONDS for client, lacking in connection.execute(ADD, given)}


def delete_full_buckets(connection: Connection, *, most: float) -> int:
    """Forget clients whose buckets are full again, 10,000 at a time; return how many."""
    return connection.execute(FORGET, {"most": round(most * MICROSECONDS)}).rowcount


BETWEEN_TURNS: Final = 1.0
"""Seconds between two exchanges with the database."""

TURNS_BEFORE_FORGETTING: Final = 10

MOST_NOTED: Final = 1_000
"""Clients of which a worker tells at a time: the first. Whoever asks much is soon among them; whoever asks from very
many addresses asks little from each, and each is limited by itself whatever others know."""

_log = structlog.get_logger("abhidhan")


class SharedLimits:
    """What the workers of this machine let through, told to those of others, and theirs to it."""

    def __init__(self, database: Database, learn: Callable[[int, float], object], *, most: float) -> None:
        """Count in a database, PostgreSQL. A bucket lacks `most` seconds at most; `learn` hears what one lacks."""
        self._database = database
        self._learn = learn
        self._most = most
        self._taken: dict[int, float] = {}
        self._is_told = True

    def note(self, client: int, seconds: float) -> None:
        """Note that a client has taken so many seconds of its bucket: in memory, on the event loop."""
        taken = self._taken
        if (client in taken or len(taken) < MOST_NOTED) and not self._database.is_read_only:
            taken[client] = taken.get(client, 0.0) + seconds

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that exchanges with other machines. Without the database each machine limits by itself."""
        return [PeriodicTask("shared limits", self._exchange, BETWEEN_TURNS, first_delay_seconds=BETWEEN_TURNS)]

    async def _exchange(self) -> None:
        try:
            await self.exchange()
            if not random.randrange(TURNS_BEFORE_FORGETTING):  # noqa: S311  # nothing secret hangs on it
                await self._database.write_aside(partial(delete_full_buckets, most=self._most))
        except AbhidhanError as error:
            # A second later it is tried again: the log says once that it fails.
            if self._is_told:
                _log.warning("each machine limits requests by itself for now", reason=str(error))
            self._is_told = False
        else:
            self._is_told = True

    async def exchange(self) -> None:
        """Write what clients have taken since then, and learn what their buckets lack. Raises DatabaseError."""
        taken, self._taken = self._taken, {}
        if not taken:
            return
        began = time.monotonic()
        lacking = await self._database.write_aside(partial(add_taken, taken=taken, most=self._most))
        for client, seconds in lacking.items():
            # What it has taken meanwhile nobody knows but this worker.
            self._learn(client, min(seconds, self._most) + self._taken.get(client, 0.0) - (time.monotonic() - began))
            await asyncio.sleep(0)
