import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import insert, select, text, update

from abhidhan.platform.database import shared_limits
from abhidhan.platform.database import shared_limits as stored
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.shared_limits import SharedLimits
from abhidhan.platform.http.rate_limit import Rate, RateLimiter, hash_client
from abhidhan.platform.runtime.task_scope import run_tasks
from abhidhan.schema import shared_limit
from tests.support.databases import PostgresqlDatabases, leave_empty, open_database

pytestmark = pytest.mark.thorough

RATE = Rate(10, 86_400)
A_DAY = 86_400
HERE = "192.0.2.1"


class Clock:
    """A clock of the tests'."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Machine(NamedTuple):
    """One of the machines over a database."""

    limiter: RateLimiter
    shared: SharedLimits

    def allowed(self, times: int, client: str = HERE) -> int:
        """Ask so often, and tell how often that was allowed."""
        return sum(self.limiter.acquire(client).is_allowed for _ in range(times))

    def exchange(self) -> None:
        """Exchange with the others what clients have taken."""
        asyncio.run(self.shared.exchange())


@pytest.fixture
def postgres(postgresql_databases: PostgresqlDatabases) -> Iterator[Database]:
    """Open an empty database."""
    with open_database(postgresql_databases, leave_empty) as database:
        yield database


def make_machine(database: Database, home: Path, name: str, rate: Rate = RATE) -> Machine:
    limiter = RateLimiter(rate, home / name, clock=Clock())
    shared = SharedLimits(database, limiter.raise_deficit, max_deficit=limiter.max_deficit)
    limiter.on_consumption = shared.record
    return Machine(limiter, shared)


def rows(database: Database) -> dict[int, int]:
    with database.engine.begin() as connection:
        return {row.client: row.full_at for row in connection.execute(select(shared_limit))}


def test_a_client_that_has_used_up_the_limit_at_one_machine_is_rejected_by_the_others(
    postgres: Database, tmp_path: Path
) -> None:
    first, second = (make_machine(postgres, tmp_path, name) for name in "ab")

    assert first.allowed(12) == 10
    first.exchange()
    # The second knows nothing of this client before it has let something through itself and told of it.
    assert second.allowed(3) == 3
    second.exchange()
    assert second.allowed(5) == 0
    assert second.allowed(1, "192.0.2.2") == 1


def test_machines_that_exchange_counts_share_one_limit(postgres: Database, tmp_path: Path) -> None:
    machines = [make_machine(postgres, tmp_path, name) for name in "abc"]
    passed = 0
    for _ in range(8):
        for machine in machines:
            passed += machine.allowed(1)
            machine.exchange()

    # Each but the one that hears of the last request first lets through one more.
    assert RATE.requests <= passed <= RATE.requests + 2


def test_a_client_below_the_limit_over_all_machines_is_not_rejected(postgres: Database, tmp_path: Path) -> None:
    machines = [make_machine(postgres, tmp_path, name) for name in "ab"]
    for machine in machines:
        assert machine.allowed(3) == 3
        # What came between the telling and the answer is counted once.
        machine.exchange()
        machine.exchange()
        assert machine.allowed(2) == 2
        machine.exchange()

    assert machines[0].limiter.acquire("192.0.2.9").remaining == 9


def test_requests_allowed_beyond_the_limit_prolong_the_wait(postgres: Database, tmp_path: Path) -> None:
    first, second = (make_machine(postgres, tmp_path, name) for name in "ab")
    assert first.allowed(10) + second.allowed(10) == 20
    first.exchange()
    second.exchange()

    refused = second.limiter.acquire(HERE)

    assert not refused.is_allowed
    # Ten too many, and one more.
    assert refused.retry_after == pytest.approx(11 * A_DAY / 10, abs=60)


def test_a_clock_that_was_set_back_does_not_prolong_the_limit(postgres: Database) -> None:
    stored_add = {hash_client(HERE): 1.0}
    postgres.write_now(lambda connection: stored.add_consumption(connection, consumption=stored_add, max_deficit=120.0))
    with postgres.engine.begin() as connection:
        connection.execute(update(shared_limit).values(full_at=shared_limit.c.full_at + 10**6 * A_DAY))

    lacking = postgres.write_now(
        lambda connection: stored.add_consumption(connection, consumption=stored_add, max_deficit=120.0)
    )

    assert lacking[hash_client(HERE)] == pytest.approx(121.0)


def test_rows_of_full_buckets_are_deleted(postgres: Database) -> None:
    ahead = {"client": 10, "full_at": 10**17}
    with postgres.engine.begin() as connection:
        connection.execute(insert(shared_limit), [{"client": number, "full_at": number} for number in range(5)])
        connection.execute(insert(shared_limit), [ahead])
    postgres.write_now(lambda connection: stored.add_consumption(connection, consumption={7: 60.0}, max_deficit=120.0))

    assert postgres.write_now(lambda connection: stored.delete_full_buckets(connection, max_deficit=120.0)) == 6
    assert set(rows(postgres)) == {7}


def test_each_machine_limits_on_its_own_without_the_database(
    postgresql_databases: PostgresqlDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_limits, "EXCHANGE_INTERVAL_SECONDS", 0.01)
    url = postgresql_databases.copy(leave_empty)
    postgresql_databases.remove(url)

    async def serve(machine: Machine) -> int:
        async with run_tasks(machine.shared.periodic_tasks()):
            allowed = machine.allowed(6)
            await asyncio.sleep(0.1)
            return allowed + machine.allowed(6)

    with Database(url) as gone:
        assert asyncio.run(serve(make_machine(gone, tmp_path, "a"))) == 10


def test_a_running_server_exchanges_counts_periodically(
    postgres: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_limits, "EXCHANGE_INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(shared_limits, "EXCHANGES_PER_CLEANUP", 1)
    with postgres.engine.begin() as connection:
        connection.execute(insert(shared_limit).values(client=1, full_at=1))
    first, second = (make_machine(postgres, tmp_path, name) for name in "ab")

    async def serve() -> None:
        async with run_tasks(first.shared.periodic_tasks()), run_tasks(second.shared.periodic_tasks()):
            first.allowed(10)
            while second.allowed(1) or 1 in rows(postgres):  # noqa: ASYNC110  # the database tells nobody
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(serve(), 30))
    assert set(rows(postgres)) == {hash_client(HERE)}


def test_the_number_of_exchanged_clients_is_limited(
    postgres: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_limits, "MAX_REPORTED_CLIENTS", 5)
    machine = make_machine(postgres, tmp_path, "a")
    for number in range(50):
        machine.allowed(1, f"2001:db8:{number:x}::1")
    machine.exchange()
    machine.exchange()

    assert len(rows(postgres)) == 5


def test_the_counts_are_stored_in_an_unlogged_table(postgres: Database) -> None:
    with postgres.engine.begin() as connection:
        kind = connection.execute(
            text("SELECT relpersistence FROM pg_class WHERE relname = 'shared_limit'")
        ).scalar_one()

    assert kind in {"u", b"u"}
