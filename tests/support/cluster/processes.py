"""Processes of a cluster, which end as in a power failure: all at the same time, without a chance to clean up."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

TIMEOUT_SECONDS: Final = 180
"""Timeout of any step on a busy machine; its value proves nothing about speed."""

SKIP_REASON: Final = "the cluster is left out: `apt-get install postgresql-15` brings what it is made of (no {missing})"
POSTGRESQL_FOLDER: Final = "/usr/lib/postgresql"


class Daemon:
    """A program that a cluster needs, which can be started, killed with all its children, and restarted."""

    def __init__(self, command: Sequence[str], log: Path, is_up: Callable[[], bool]) -> None:
        """Set the command, the log file, and the check whether the program responds."""
        self._command = list(command)
        self._log = log
        self.is_up = is_up
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The ID of the main process, or None."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def start(self) -> None:
        """Start the program, and wait until it responds."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # the programs of the cluster
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=find_unprivileged_account(),
                cwd="/",
            )
        wait_until(self.is_up, f"{self._command[0]} answers", lambda: self.pid is not None, self._log)

    def kill(self) -> None:
        """Kill the program and all its children."""
        if self._process is not None:
            kill_all(self._process.pid)
            self._process.wait(TIMEOUT_SECONDS)


def kill_all(pid: int) -> None:
    """Kill a process, then its descendants, so that it cannot start others; wait until all have ended."""
    family = [pid, *find_descendants(pid)]
    for each in family:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    wait_until(lambda: all(map(_is_gone, family)), "processes that were killed are gone")


def find_descendants(pid: int) -> list[int]:
    """Return the IDs of a process's descendants."""
    children = [child for child, parent in _iter_parents() if parent == pid]
    return [*children, *(deeper for child in children for deeper in find_descendants(child))]


def _is_gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    # A zombie holds no resources; it waits until its status is read.
    return state == "Z"


def _iter_parents() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                # The name before it may contain spaces and brackets.
                after_name = folder.joinpath("stat").read_text().rpartition(")")[2].split()
                yield int(folder.name), int(after_name[1])


def wait_until(
    condition: Callable[[], bool],
    description: str,
    is_alive: Callable[[], bool] = lambda: True,
    log: Path | None = None,
) -> None:
    """Wait until a condition is true."""
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        said = "" if log is None else f":\n{log.read_text()[-3000:]}"
        assert is_alive(), f"{description}: it has ended{said}"
        assert time.monotonic() < give_up, f"{description}: not within {TIMEOUT_SECONDS} s{said}"
        time.sleep(0.05)


def find_program(name: str) -> str:
    """Return the path of one of Debian's programs. Without it, skip the test, or fail if ABHIDHAN_CI is set."""
    versions = sorted(Path(POSTGRESQL_FOLDER).glob("*/bin"), reverse=True)
    found = shutil.which(name, path=":".join([*map(str, versions), os.environ.get("PATH", ""), "/usr/sbin"]))
    if found is None:
        reason = SKIP_REASON.format(missing=name)
        if os.environ.get("ABHIDHAN_CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def find_unprivileged_account() -> str | None:
    """Return the account for programs that must not run as root; None if the tests do not run as root."""
    if os.geteuid() != 0:
        return None
    known = {each.pw_name for each in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in known)


def change_owner(folder: Path) -> None:
    """Make the unprivileged account the owner of a folder; do nothing if the tests do not run as root."""
    account = find_unprivileged_account()
    if account is not None:
        shutil.chown(folder, account)
