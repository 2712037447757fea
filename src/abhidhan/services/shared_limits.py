"""The limit of requests over several machines: what each has let through is told to the others by the database.

No request waits for that, or asks the database. Each worker counts by itself, with those of its machine; about once a
second it adds to the database what it has let through since, and learns of the same clients what all others have. A
machine whose database is a standby limits by itself.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from hashlib import blake2b
from heapq import nlargest
from typing import Final

import structlog

from abhidhan.background import going_on
from abhidhan.errors import AbhidhanError
from abhidhan.storage import shared_limits as stored
from abhidhan.storage.engine.database import Database

BETWEEN_TURNS: Final = 1.0
"""Seconds between two exchanges with the database, about: workers do not come all at once."""

TURNS_BEFORE_FORGETTING: Final = 60

MOST_HELD: Final = 20_000
"""Clients that a worker counts for the others between two exchanges, which only a database that hangs makes long."""

MOST_TOLD: Final = 1_000
"""Clients that are told of in one exchange: those that took most. Whoever asks from very many addresses asks little
from each, and each is limited by itself whatever others know."""

LEARNT_AT_ONCE: Final = 100
"""Clients that are learnt about before other work of the event loop has its turn: 0.5 ms."""

Learn = Callable[[str, float], object]
"""Takes a client, and how many seconds its bucket lacks."""

_log = structlog.get_logger("abhidhan")


class SharedLimits:
    """What the workers of this machine let through, told to those of others, and theirs to it."""

    def __init__(self, database: Database, *, most: float, clock: Callable[[], float]) -> None:
        """Count in a database, PostgreSQL. A bucket lacks `most` seconds at most; `clock` gives seconds."""
        self._database = database
        self._most = most
        self._clock = clock
        self._taken: dict[str, float] = {}
        self._is_told = True

    def note(self, client: str, seconds: float) -> None:
        """Note that a client has taken so many seconds of its bucket: in memory, on the event loop."""
        if self._database.is_read_only:
            return
        taken = self._taken
        if client in taken or len(taken) < MOST_HELD:
            taken[client] = taken.get(client, 0.0) + seconds

    @asynccontextmanager
    async def running(self, learn: Learn) -> AsyncIterator[None]:
        """Exchange now and then while the application runs, and for the last time at its end."""
        try:
            async with going_on(self._keep(learn)):
                yield
        finally:
            await self._turn(learn)

    async def _keep(self, learn: Learn) -> None:
        turns = random.randrange(TURNS_BEFORE_FORGETTING)  # noqa: S311  # nothing secret hangs on it
        while True:
            await asyncio.sleep(BETWEEN_TURNS * random.uniform(0.8, 1.2))  # noqa: S311
            turns += 1
            await self._turn(learn, forgetting=not turns % TURNS_BEFORE_FORGETTING)

    async def _turn(self, learn: Learn, *, forgetting: bool = False) -> None:
        """Exchange once. Without the database each machine limits by itself, and what was not told is told no more."""
        if self._database.is_read_only:
            return
        try:
            await self.exchange(learn)
            if forgetting:
                await self._forget()
        except AbhidhanError as error:
            if self._is_told:
                _log.warning("each machine limits requests by itself for now", reason=str(error))
            self._is_told = False
        else:
            self._is_told = True

    async def _forget(self) -> None:
        job, gone = partial(stored.forget, most=self._most), stored.FORGOTTEN_AT_ONCE
        while gone == stored.FORGOTTEN_AT_ONCE:
            gone = await self._database.write_aside(job)

    async def exchange(self, learn: Learn) -> None:
        """Write what clients have taken since then, and learn what their buckets lack. Raises DatabaseError."""
        taken, self._taken = self._taken, {}
        if not taken:
            return
        names = {hash_of(client): client for client in nlargest(MOST_TOLD, taken, key=taken.__getitem__)}
        told = {key: taken[client] for key, client in names.items()}
        began = self._clock()
        lacking = await self._database.write_aside(partial(stored.add, taken=told, most=self._most))
        for number, (key, seconds) in enumerate(lacking.items(), 1):
            # What it has taken meanwhile nobody knows but this worker.
            since = self._taken.get(names[key], 0.0) - (self._clock() - began)
            learn(names[key], min(seconds, self._most) + since)
            if not number % LEARNT_AT_ONCE:
                await asyncio.sleep(0)


def hash_of(client: str) -> int:
    """Return the number by which the database knows a client."""
    return int.from_bytes(blake2b(client.encode(), digest_size=8, person=b"abhidhan limits").digest(), signed=True)
