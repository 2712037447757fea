"""Options and helpers shared by the commands: settings, checks of the user and of output files, and Ctrl+C."""

import os
import pwd
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from abhidhan.records.errors import InputError, SettingError

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

    from abhidhan.records.settings import Settings

MAX_ID: Final = 2**31 - 1
INVITATION_DAYS: Final = 14
"""Copies of constants of the model, whose modules take too long to import for `abhidhan --help`."""

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        "--errors",
        help="The file for a list of everything rejected, dropped, changed, kept or removed (.csv: as a table).",
    ),
]


ROOT_UID: Final = 0


def load_command_settings(**overrides: object) -> "Settings":
    """Read the settings; `overrides` take precedence. Raises SettingError, also if root must not run the command."""
    from abhidhan.records.settings_reading import load_settings

    settings = load_settings(**overrides)
    _check_database_urls(settings)
    if os.geteuid() == ROOT_UID:
        _refuse_root(settings)
    return settings


def _check_database_urls(settings: "Settings") -> None:
    """Check that the database URLs are valid. Raises SettingError, which names the setting."""
    from abhidhan.platform.database.connections import parse_url

    parse_url(settings.database_url, settings.get_display_name("database"))
    parse_url(
        settings.direct_url, settings.get_display_name("database_direct" if settings.database_direct else "database")
    )


def _refuse_root(settings: "Settings") -> None:
    """Raise SettingError if the data folder, or the folder of the SQLite database, belongs to another account.

    The server could not use files that root creates in such a folder.
    """
    from abhidhan.platform.database.connections import parse_url, sqlite_file

    file = sqlite_file(parse_url(settings.database_url))
    for name, folder in (("data folder", settings.home), ("folder of the database", file.parent if file else None)):
        if folder and folder.is_dir() and folder.stat().st_uid != ROOT_UID:
            raise SettingError(_format_refusal(name, folder.absolute()))


def _format_refusal(name: str, folder: Path) -> str:
    """Return a message that names the owner of a folder, and says how to run the command as that account."""
    status = folder.stat()
    try:
        owner = pwd.getpwuid(status.st_uid).pw_name
        become = ["runuser", "-u", owner, "--"]
    except KeyError:
        owner = f"user ID {status.st_uid}"
        become = ["setpriv", f"--reuid={status.st_uid}", f"--regid={status.st_gid}", "--clear-groups"]
    started_as_module = Path(sys.argv[0]).name == "__main__.py"
    program = [sys.executable, "-m", "abhidhan"] if started_as_module else sys.argv[:1]
    return f"The {name} {folder} belongs to {owner}. Run: {shlex.join([*become, *program, *sys.argv[1:]])}"


STANDARD_OUTPUT: Final = Path("-")
EXIT_INTERRUPTED: Final = 130
"""The exit status after Ctrl+C, as in shells (128 + SIGINT)."""

RESEND_DELAY_SECONDS: Final = 0.05
"""Delay in seconds before a dropped interrupt is sent again."""


def check_output_file(target: Path, settings: "Settings") -> None:
    """Ensure that an output file is not the dictionary itself. Raises InputError."""
    from abhidhan.platform.database.connections import parse_url, sqlite_file

    file = sqlite_file(parse_url(settings.database_url))
    if file is not None and target.resolve() in {Path(f"{file.resolve()}{end}") for end in ("", "-wal", "-shm")}:
        raise InputError.of("output", f"{target} is the dictionary itself: choose another file.")


@contextmanager
def interruptible(message: str) -> Iterator[None]:
    """Exit with `message` if the command is interrupted by Ctrl+C or SIGTERM."""
    previous_handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _resend_dropped_interrupts():
            yield
    except KeyboardInterrupt:
        typer.echo(f"\nabhidhan: {message}", err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


@contextmanager
def _resend_dropped_interrupts() -> Iterator[None]:
    """Resend interrupts that Python drops because they arrive in a finalizer or the callback of a weak reference."""
    main_thread_id = threading.get_ident()
    previous_hook = sys.unraisablehook
    timers: list[threading.Timer] = []

    def resend_interrupt(unraisable: "UnraisableHookArgs") -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            previous_hook(unraisable)
            return
        # After a delay, since it would be dropped again within the same finalizer.
        timers.append(threading.Timer(RESEND_DELAY_SECONDS, signal.pthread_kill, (main_thread_id, signal.SIGINT)))
        timers[-1].start()

    sys.unraisablehook = resend_interrupt
    try:
        yield
    finally:
        sys.unraisablehook = previous_hook
        for timer in timers:
            timer.cancel()
