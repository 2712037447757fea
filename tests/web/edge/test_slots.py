import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

from abhidhan.web.edge.slots import SharedSlots


def test_workers_add_up_what_they_hold_and_a_killed_one_gives_it_back(tmp_path: Path) -> None:
    places = SharedSlots(tmp_path, "held", workers=2)
    context = multiprocessing.get_context("spawn")
    holding = context.Event()
    worker = context.Process(target=_hold, args=(tmp_path, holding), daemon=True)
    worker.start()
    assert holding.wait(60)

    assert places.held("a") == 3
    assert places.take("a", 4)
    assert not places.take("a", 4)
    assert places.take("b", 4)

    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(60)

    give_up = time.monotonic() + 60
    while not places.take("a", 4) and time.monotonic() < give_up:
        threading.Event().wait(0.05)
    assert [places.take("a", 4) for _ in range(3)] == [True, True, False]


def _hold(folder: Path, holding: Any) -> None:  # noqa: ANN401 (the event of multiprocessing has no public type)
    places = SharedSlots(folder, "held", workers=2)
    assert all(places.take("a", 4) for _ in range(3))
    holding.set()
    threading.Event().wait(60)


def test_a_worker_that_ends_gives_back_what_it_held(tmp_path: Path) -> None:
    here, there = SharedSlots(tmp_path, "held", workers=2), SharedSlots(tmp_path, "held", workers=2)
    assert there.take("a", 1)
    assert not here.take("a", 1)

    there.close()
    there.give_back("a")

    assert here.take("a", 1)
