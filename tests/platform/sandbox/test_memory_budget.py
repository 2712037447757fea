import multiprocessing
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from abhidhan.platform.sandbox.memory_budget import UNIT_BYTES, MemoryBudget
from abhidhan.records.errors import UnavailableError

LONG = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file in a folder that is not there yet."""
    return tmp_path / "run" / "photo-memory"


@pytest.fixture
def budget(path: Path) -> Iterator[MemoryBudget]:
    """Share eight units."""
    made = MemoryBudget(path, 8 * UNIT_BYTES)
    yield made
    made.close()


def test_what_is_held_is_not_given_twice(budget: MemoryBudget) -> None:
    with (
        budget.reserve(5 * UNIT_BYTES, LONG),
        pytest.raises(UnavailableError) as caught,
        budget.reserve(4 * UNIT_BYTES, 0.05),
    ):
        pass
    assert caught.value.retry_after

    with budget.reserve(8 * UNIT_BYTES, 0):
        pass


def test_small_reservations_are_held_together(budget: MemoryBudget) -> None:
    with ExitStack() as held:
        for _ in range(8):
            held.enter_context(budget.reserve(1, 0))
        with pytest.raises(UnavailableError), budget.reserve(1, 0):
            pass


def test_a_reservation_larger_than_the_budget_takes_all_of_it(budget: MemoryBudget) -> None:
    with budget.reserve(100 * UNIT_BYTES, 0), pytest.raises(UnavailableError), budget.reserve(1, 0):
        pass


def test_a_waiting_reservation_is_granted_when_others_end(budget: MemoryBudget) -> None:
    served = threading.Event()

    def wait_and_take() -> None:
        with budget.reserve(8 * UNIT_BYTES, LONG):
            served.set()

    waiting = threading.Thread(target=wait_and_take)
    with budget.reserve(1, 0):
        waiting.start()
        assert not served.wait(0.1)
    assert served.wait(LONG)
    waiting.join(LONG)


def test_threads_never_hold_more_than_the_budget(budget: MemoryBudget) -> None:
    held, most, counting = 0, 0, threading.Lock()

    def work(units: int) -> None:
        nonlocal held, most
        for _ in range(5):
            with budget.reserve(units * UNIT_BYTES, LONG):
                with counting:
                    held += units
                    most = max(most, held)
                time.sleep(0.001)
                with counting:
                    held -= units

    threads = [threading.Thread(target=work, args=(units,)) for units in (1, 2, 3, 8, 5, 1)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(LONG)

    assert not any(each.is_alive() for each in threads)
    assert most <= 8


def hold(path: Path, taken: "multiprocessing.synchronize.Event") -> None:
    with MemoryBudget(path, 8 * UNIT_BYTES).reserve(8 * UNIT_BYTES, LONG):
        taken.set()
        time.sleep(LONG)


@pytest.mark.thorough
def test_workers_share_one_budget_and_a_killed_worker_releases_its_part(budget: MemoryBudget, path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    taken = context.Event()
    other = context.Process(target=hold, args=(path, taken))
    other.start()
    try:
        assert taken.wait(LONG)
        with pytest.raises(UnavailableError), budget.reserve(1, 0.05):
            pass
    finally:
        other.kill()
        other.join(LONG)

    with budget.reserve(8 * UNIT_BYTES, LONG):
        pass
