"""Commands that run beside the requests, in processes of their own, at the lowest priority."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from abhidhan.records.errors import AbhidhanError

LOWEST_PRIORITY: Final = 19
SECONDS_TO_STOP: Final = 5
NAME_OF_COMMAND: Final = "abhidhan: "


class CommandError(AbhidhanError):
    """A command has failed. The sentence is the last line of its errors."""


async def run_aside(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run a command at the lowest priority and return its output. It is stopped when its caller is cancelled.

    Raises CommandError.
    """
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
        output, errors = await process.communicate()
    finally:
        await _stop(process)
    if process.returncode:
        reason = errors.decode(errors="replace").strip().rpartition("\n")[2].removeprefix(NAME_OF_COMMAND)
        raise CommandError(f"{reason} (exit status {process.returncode})")
    return output.decode(errors="replace").strip()


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), SECONDS_TO_STOP)
    except TimeoutError:
        process.kill()
