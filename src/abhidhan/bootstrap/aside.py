"""What is done beside the requests: by one of a server's workers, in a process of its own, at the lowest priority."""

import asyncio
import fcntl
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.errors import cannot_be_written

LOWEST_PRIORITY: Final = 19
SECONDS_TO_STOP: Final = 5
NAME_OF_COMMAND: Final = "abhidhan: "


def open_lock(file: Path) -> int:
    """Open the file by which workers elect one of them. Raises UnwritableError."""
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise cannot_be_written(file, error) from error


def is_elected(descriptor: int) -> bool:
    """Return whether this worker is the one; another takes over when it ends."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Ended(NamedTuple):
    """How a command has ended, and what it said: `reason` is the last line of its errors."""

    status: int
    said: str
    reason: str


async def run_aside(command: Sequence[str], environment: Mapping[str, str]) -> Ended:
    """Run a command at the lowest priority; it is stopped where whoever waits for it is."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
        start_new_session=True,  # Ctrl+C reaches the server alone, which then ends this process
    )
    try:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST_PRIORITY)
        said, errors = await process.communicate()
    finally:
        await _stop(process)
    reason = errors.decode(errors="replace").strip().rpartition("\n")[2].removeprefix(NAME_OF_COMMAND)
    return Ended(process.returncode or 0, said.decode(errors="replace").strip(), reason)


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), SECONDS_TO_STOP)
    except TimeoutError:
        process.kill()
