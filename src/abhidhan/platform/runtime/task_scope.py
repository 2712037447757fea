"""Background tasks of the application: periodic functions, and commands at low priority."""

import asyncio
import os
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog

from abhidhan.platform.runtime.files import FileLock
from abhidhan.records.errors import AbhidhanError, LostDatabaseError, ReadOnlyError, UnavailableError

T = TypeVar("T")

POLL_INTERVAL_SECONDS: Final = 1.0
"""Seconds between two checks whether a task is allowed to run."""

_log = structlog.get_logger("abhidhan")


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """A function that is called periodically. A failure is logged, and the function is called again after a pause."""

    name: str
    """The task's name in the log."""

    function: Callable[[], Awaitable[object]]
    interval_seconds: float
    """The pause between the end of a run and the start of the next one."""

    first_delay_seconds: float = 0.0
    failure_delay_seconds: float = 0.0
    """The pause after a failed run, if longer than the interval."""

    lock: FileLock | None = None
    """The lock whose holder runs the task; when that worker ends, another one takes over. None: all run it."""

    async def run(self, is_allowed: Callable[[], bool] = _always) -> None:
        """Run the function periodically while it is allowed, until cancelled."""
        try:
            await asyncio.sleep(self.first_delay_seconds)
            while True:
                pause = await self._run_once() if is_allowed() else POLL_INTERVAL_SECONDS
                await asyncio.sleep(pause)
        finally:
            if self.lock is not None:
                self.lock.release()

    async def _run_once(self) -> float:
        """Run the function unless another worker is elected; return the seconds until the next run."""
        try:
            if self.lock is None or self.lock.acquire(blocking=False):
                await self.function()
        except Exception as error:  # noqa: BLE001  # the task must survive any error
            pause = max(self.interval_seconds, self.failure_delay_seconds)
            self._log_failure(error, pause)
            return pause
        return self.interval_seconds

    def _log_failure(self, error: Exception, pause: float) -> None:
        fields: dict[str, object] = {"task": self.name, "reason": str(error), "again_after_seconds": pause}
        match error:
            case LostDatabaseError() | ReadOnlyError():
                pass  # the outage is logged elsewhere, and a standby is not a failure
            case UnavailableError():
                _log.warning("a periodic task failed", **fields)
            case AbhidhanError() | OSError():
                _log.error("a periodic task failed", **fields)
            case _:
                # The message of an unexpected error may contain personal data; a stack trace does not.
                fields |= {"reason": type(error).__name__, "stack": "".join(traceback.format_tb(error.__traceback__))}
                _log.error("a periodic task failed", **fields)


def run_tasks(
    tasks: Iterable[PeriodicTask], is_allowed: Callable[[], bool] = _always
) -> AbstractAsyncContextManager[None]:
    """Run periodic tasks during the block; at its end cancel them and wait for them."""
    return run_in_background(*(task.run(is_allowed) for task in tasks))


@asynccontextmanager
async def run_in_background(*coroutines: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run coroutines during the block; at its end cancel them and wait for them."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def run_uninterrupted(coroutine: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine that a shutdown must not interrupt: a cancellation takes effect after its end."""
    task = asyncio.create_task(coroutine)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(Exception):
            await task
        raise


LOWEST_PRIORITY_NICENESS: Final = 19
STOP_TIMEOUT_SECONDS: Final = 5
ERROR_PREFIX: Final = "abhidhan: "


class CommandError(AbhidhanError):
    """Error of a failed command, with the last line of its stderr."""


async def run_low_priority_command(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run a command at the lowest priority and return its output; stop it if the caller is cancelled.

    Raises CommandError.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
        start_new_session=True,  # Ctrl+C reaches only the server, which then stops this process
    )
    try:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST_PRIORITY_NICENESS)
        output, errors = await process.communicate()
    finally:
        await _stop_process(process)
    if process.returncode:
        reason = errors.decode(errors="replace").strip().rpartition("\n")[2].removeprefix(ERROR_PREFIX)
        raise CommandError(f"{reason} (exit status {process.returncode})")
    return output.decode(errors="replace").strip()


async def _stop_process(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_TIMEOUT_SECONDS)
    except TimeoutError:
        process.kill()
