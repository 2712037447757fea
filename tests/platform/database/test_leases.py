"""Leases: one holder at a time, by the clock of the database, and a holder that has lost one publishes nothing."""

import threading
import time

import pytest
from sqlalchemy import select, update

from abhidhan.platform.database import leases
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import Lease, acquire, ensure_held, hold_lease, release, renew
from abhidhan.records.errors import ConflictError
from abhidhan.schema import lease

pytestmark = pytest.mark.pooled

ELSEWHERE = "another-machine/7/7/0"
AT_ONCE = 4


def hold_elsewhere(database: Database, *, ends_in: float) -> Lease:
    """Let another machine hold a lease that ends in some seconds."""
    taken = acquire(database, "work", seconds=60)
    assert taken
    with database.engine.begin() as connection:
        ends = leases.NOW_MILLISECONDS[connection.dialect.name] + round(ends_in * 1000)
        connection.execute(update(lease).values(owner=ELSEWHERE, expires=ends))
    return taken._replace(owner=ELSEWHERE)


def test_a_lease_has_one_holder_until_it_is_released(database: Database) -> None:
    first = acquire(database, "work", seconds=60)

    assert first
    assert acquire(database, "work", seconds=60) is None
    assert acquire(database, "other work", seconds=60)

    release(database, first)

    assert acquire(database, "work", seconds=60)


def test_of_many_simultaneous_requests_one_acquires_the_lease(database: Database) -> None:
    began, got = threading.Barrier(AT_ONCE), []

    def ask() -> None:
        with Database(database.url.render_as_string(hide_password=False)) as other:
            began.wait()
            got.append(acquire(other, "work", seconds=60))

    threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(got) == AT_ONCE
    assert sum(lease is not None for lease in got) == 1


def test_an_expired_lease_is_taken_over_and_its_former_holder_publishes_nothing(
    database: Database,
) -> None:
    silent = hold_elsewhere(database, ends_in=-0.001)
    with database.engine.begin() as connection:
        ensure_held(connection, silent)  # no other holder has taken it yet

    taken = acquire(database, "work", seconds=60)

    assert taken
    assert not renew(database, silent)
    with database.engine.begin() as connection:
        ensure_held(connection, taken)
        with pytest.raises(ConflictError, match="another one has taken over"):
            ensure_held(connection, silent)
    release(database, silent)  # gives back nothing that is another's
    assert acquire(database, "work", seconds=60) is None


def test_a_renewed_lease_stays_with_its_holder(database: Database) -> None:
    held = hold_elsewhere(database, ends_in=-0.001)

    assert renew(database, held)
    assert acquire(database, "work", seconds=60) is None


def test_a_clock_that_was_set_back_does_not_prolong_a_lease(database: Database) -> None:
    hold_elsewhere(database, ends_in=3600)

    assert acquire(database, "work", seconds=60)


def test_the_lease_of_an_ended_process_is_free(database: Database) -> None:
    own = acquire(database, "work", seconds=60)
    assert own
    assert not leases.has_owner_ended(own.owner)
    machine, number, _start, mark = own.owner.split("/")
    with database.engine.begin() as connection:
        # Another process has its number now.
        connection.execute(update(lease).values(owner=f"{machine}/{number}/1/{mark}"))

    assert acquire(database, "work", seconds=60)


def test_a_lease_is_renewed_while_it_is_held(database: Database) -> None:
    with hold_lease(database, "work", seconds=0.3) as held, hold_lease(database, "work", seconds=0.3) as second:
        assert held
        assert second is None
        before = _ends(database)
        while _ends(database) == before:
            time.sleep(0.02)

    assert not held.is_lost
    assert acquire(database, "work", seconds=60)


def test_a_holder_notices_that_another_has_taken_the_lease(database: Database) -> None:
    with hold_lease(database, "work", seconds=0.1) as held:
        assert held
        with database.engine.begin() as connection:
            connection.execute(update(lease).values(owner=ELSEWHERE))
        while not held.is_lost:
            time.sleep(0.02)

    with database.engine.begin() as connection:
        assert connection.execute(select(lease.c.owner)).scalars().all() == [ELSEWHERE]


def _ends(database: Database) -> int:
    with database.engine.begin() as connection:
        return int(connection.execute(select(lease.c.expires)).scalar_one())
