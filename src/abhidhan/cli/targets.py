"""The files that commands write, and what is said when they are stopped."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from abhidhan.errors import InputError
from abhidhan.settings import Settings
from abhidhan.storage.engine.connections import parse_url, sqlite_file

STANDARD_OUTPUT: Final = Path("-")
EXIT_STOPPED: Final = 130
"""The exit status after Ctrl+C, as shells have it."""


def refuse_database(target: Path, settings: Settings) -> None:
    """Keep a command from writing over the dictionary itself. Raises InputError."""
    file = sqlite_file(parse_url(settings.database_url))
    if file is not None and target.resolve() in {Path(f"{file.resolve()}{end}") for end in ("", "-wal", "-shm")}:
        raise InputError.of("output", f"{target} is the dictionary itself: name another file.")


@contextmanager
def stoppable(said: str) -> Iterator[None]:
    """Say in a sentence what is left behind when somebody presses Ctrl+C, or ends the command otherwise (SIGTERM)."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"\nabhidhan: {said}", err=True)
        raise typer.Exit(EXIT_STOPPED) from None
    finally:
        signal.signal(signal.SIGTERM, before)
