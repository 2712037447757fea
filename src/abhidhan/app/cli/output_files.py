"""The files that commands write, and what is said when they are stopped."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from abhidhan.records.errors import InputError

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

    from abhidhan.records.settings import Settings

STANDARD_OUTPUT: Final = Path("-")
EXIT_STOPPED: Final = 130
"""The exit status after Ctrl+C, as shells have it."""

AGAIN: Final = 0.05
"""Seconds after which an interrupt that was dropped is sent once more."""


def refuse_database(target: Path, settings: "Settings") -> None:
    """Keep a command from writing over the dictionary itself. Raises InputError."""
    from abhidhan.platform.database.connections import parse_url, sqlite_file

    file = sqlite_file(parse_url(settings.database_url))
    if file is not None and target.resolve() in {Path(f"{file.resolve()}{end}") for end in ("", "-wal", "-shm")}:
        raise InputError.of("output", f"{target} is the dictionary itself: name another file.")


@contextmanager
def stoppable(said: str) -> Iterator[None]:
    """Say in a sentence what is left behind when somebody presses Ctrl+C, or ends the command otherwise (SIGTERM)."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _no_interrupt_dropped():
            yield
    except KeyboardInterrupt:
        typer.echo(f"\nabhidhan: {said}", err=True)
        raise typer.Exit(EXIT_STOPPED) from None
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _no_interrupt_dropped() -> Iterator[None]:
    """Send an interrupt once more that Python drops: one that came in a finalizer, or where a weak reference ends."""
    main = threading.get_ident()
    before = sys.unraisablehook
    waiting: list[threading.Timer] = []

    def send_again(unraisable: "UnraisableHookArgs") -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            before(unraisable)
            return
        # Not at once: that would be within the same finalizer.
        waiting.append(threading.Timer(AGAIN, signal.pthread_kill, (main, signal.SIGINT)))
        waiting[-1].start()

    sys.unraisablehook = send_again
    try:
        yield
    finally:
        sys.unraisablehook = before
        for timer in waiting:
            timer.cancel()
