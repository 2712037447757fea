import gc
import signal
import sys
import time

import pytest
import typer

from abhidhan.app.cli.output_files import EXIT_STOPPED, stoppable


class InterruptedAtItsEnd:
    """Something whose finalizer is where Ctrl+C arrives: Python drops what is raised there."""

    def __del__(self) -> None:
        """Press Ctrl+C."""
        signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def interrupts_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ctrl+C be heard, which what a shell runs in the background ignores; and tell no one what is dropped."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _unraisable: None)


def go_on_for_a_minute() -> None:
    """Work like a command that is interrupted at its beginning."""
    with stoppable("Stopped."):
        InterruptedAtItsEnd()
        gc.collect()
        for _ in range(600):
            time.sleep(0.1)
        pytest.fail("It was not stopped.")


def test_a_command_is_stopped_though_ctrl_c_came_where_nothing_can_be_raised() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(typer.Exit) as ended:
            go_on_for_a_minute()
    finally:
        signal.signal(signal.SIGINT, before)

    assert ended.value.exit_code == EXIT_STOPPED


def test_other_errors_in_finalizers_are_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: told.append(unraisable.exc_type))

    class Faulty:
        def __del__(self) -> None:
            raise ValueError

    with stoppable("Stopped."):
        Faulty()
        gc.collect()

    assert told == [ValueError]
