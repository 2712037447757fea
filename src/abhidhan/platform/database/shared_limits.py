"""Rate limits shared by several machines through the database.

No request queries the database or waits for it. Each worker counts requests together with the other workers of its
machine; about once a second it adds the consumption of its clients to the table, and reads the total of the same
clients over all machines. The table stores when each client's bucket will be full again, by the database's clock. It
is used on PostgreSQL only; a machine whose database is a standby applies its limits alone.
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

MICROSECONDS_PER_SECOND: Final = 1_000_000
NOW_SQL: Final = f"CAST(floor(extract(epoch FROM statement_timestamp()) * {MICROSECONDS_PER_SECOND}) AS bigint)"

# In the order of the key, so that no two of these transactions wait for each other.
ADD_CONSUMPTION_SQL: Final = text(f"""
    INSERT INTO shared_limit (client, full_at)
    SELECT client, {NOW_SQL} + taken
    FROM unnest(CAST(:clients AS bigint[]), CAST(:taken AS bigint[])) AS given (client, taken)
    ORDER BY client
    ON CONFLICT (client) DO UPDATE
    SET full_at = greatest({NOW_SQL}, least(shared_limit.full_at, {NOW_SQL} + :most)) + excluded.full_at - {NOW_SQL}
    RETURNING client, full_at - {NOW_SQL}
""")  # noqa: S608  # a constant

# A row too far ahead was written before the clock was set back.
DELETE_FULL_BUCKETS_SQL: Final = text(f"""
    DELETE FROM shared_limit WHERE client IN (
        SELECT client FROM shared_limit WHERE full_at NOT BETWEEN {NOW_SQL} AND {NOW_SQL} + 2 * :most
        LIMIT 10000 FOR UPDATE SKIP LOCKED
    )
""")  # noqa: S608  # a constant


def add_consumption(
    connection: Connection, *, consumption: Mapping[int, float], max_deficit: float
) -> dict[int, float]:
    """Add the seconds that clients have consumed to the table; return the deficit of each bucket over all machines.

    The deficit before the addition is capped at `max_deficit` seconds.
    """
    seconds = [round(each * MICROSECONDS_PER_SECOND) for each in consumption.values()]
    parameters = {"clients": list(consumption), "taken": seconds, "most": round(max_deficit * MICROSECONDS_PER_SECOND)}
    return {
        client: deficit / MICROSECONDS_PER_SECOND
        for client, deficit in connection.execute(ADD_CONSUMPTION_SQL, parameters)
    }


def delete_full_buckets(connection: Connection, *, max_deficit: float) -> int:
    """Delete the rows of at most 10,000 clients whose buckets are full again; return their number."""
    return connection.execute(DELETE_FULL_BUCKETS_SQL, {"most": round(max_deficit * MICROSECONDS_PER_SECOND)}).rowcount


EXCHANGE_INTERVAL_SECONDS: Final = 1.0
"""Seconds between two exchanges with the database."""

EXCHANGES_PER_CLEANUP: Final = 10

MAX_REPORTED_CLIENTS: Final = 1_000
"""Maximum number of clients that a worker reports per exchange, the first ones of each second.

A client with many requests is soon among them; an attacker with very many addresses sends few requests from each.
"""

_log = structlog.get_logger("abhidhan")


class SharedLimits:
    """Exchanges the clients' consumption with the workers of other machines."""

    def __init__(self, database: Database, on_deficit: Callable[[int, float], object], *, max_deficit: float) -> None:
        """`max_deficit` is in seconds; `on_deficit` receives a client and its deficit. Requires PostgreSQL."""
        self._database = database
        self._on_deficit = on_deficit
        self._max_deficit = max_deficit
        self._consumption: dict[int, float] = {}
        self._is_sharing = True

    def record(self, client: int, seconds: float) -> None:
        """Record, in memory, that a client has taken `seconds` from its bucket."""
        consumption = self._consumption
        if (client in consumption or len(consumption) < MAX_REPORTED_CLIENTS) and not self._database.is_read_only:
            consumption[client] = consumption.get(client, 0.0) + seconds

    def periodic_tasks(self) -> list[PeriodicTask]:
        """Return the task that exchanges consumption. During an outage each machine limits on its own."""
        return [
            PeriodicTask(
                "shared limits",
                self._try_exchange,
                EXCHANGE_INTERVAL_SECONDS,
                first_delay_seconds=EXCHANGE_INTERVAL_SECONDS,
            )
        ]

    async def _try_exchange(self) -> None:
        try:
            await self.exchange()
            if not random.randrange(EXCHANGES_PER_CLEANUP):  # noqa: S311  # not security-relevant
                await self._database.write_concurrently(partial(delete_full_buckets, max_deficit=self._max_deficit))
        except AbhidhanError as error:
            # It is retried a second later, so the failure is logged only once.
            if self._is_sharing:
                _log.warning("each machine limits requests on its own at the moment", reason=str(error))
            self._is_sharing = False
        else:
            self._is_sharing = True

    async def exchange(self) -> None:
        """Write the consumption since the last exchange, and read the clients' deficits. Raises DatabaseError."""
        consumption, self._consumption = self._consumption, {}
        if not consumption:
            return
        start = time.monotonic()
        deficits = await self._database.write_concurrently(
            partial(add_consumption, consumption=consumption, max_deficit=self._max_deficit)
        )
        for client, seconds in deficits.items():
            # Add what this worker has let through during the exchange.
            self._on_deficit(
                client,
                min(seconds, self._max_deficit) + self._consumption.get(client, 0.0) - (time.monotonic() - start),
            )
            await asyncio.sleep(0)
