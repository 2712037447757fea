"""The parent of the workers: it replaces those that end unasked, never gives up, and is never outlived by them.

Granian's own respawning (`respawn_failed_workers`) ends the whole server when a worker ends twice within 5.5 seconds
(granian/server/common.py, `_serve_loop`), tells nobody why a worker ended, and leaves the workers of a killed parent
behind. So its loop and its way to replace workers are written anew here; all else is Granian's.
"""

import ctypes
import math
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import structlog
from granian import net
from granian.server.mp import MPServer, WorkerProcess

from abhidhan.domain.respawning import ends_in_a_row, pause_before_next
from abhidhan.errors import AbhidhanError
from abhidhan.web.edge import listening
from abhidhan.web.edge.metrics import ParentCounters

LOOK_EVERY: Final = 0.05
ORPHAN_LOOKS_EVERY: Final = 0.5
"""Polling interval of processes, in seconds."""

LONGEST_START: Final = 300.0
"""Timeout for new workers to be ready, in seconds: after it the old ones stay."""

PR_SET_PDEATHSIG: Final = 1
"""From <linux/prctl.h>."""

Target = Callable[..., None]
Loader = Callable[..., Callable[..., Any]]
"""Program of a worker's process, and what finds the application in it."""

_log = structlog.get_logger("abhidhan")


class StartError(AbhidhanError):
    """No worker could start. The log says why."""


class Bell:
    """What wakes the parent. Unlike a `threading.Event` a signal handler may ring it at any moment."""

    def __init__(self) -> None:
        """Make one that has not rung."""
        self._rings: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Ring."""
        self._rings.put(None)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it has rung, or for so many seconds."""
        try:
            self._rings.get(timeout=timeout)
        except Empty:
            return


class Supervisor(MPServer):
    """Granian's server with several processes, one that goes on whatever becomes of its workers."""

    def __init__(
        self,
        target: str,
        *,
        folder: Path,
        patience: float,
        listener: socket.socket | None = None,
        **options: Any,  # noqa: ANN401 (Granian's)
    ) -> None:
        """Serve `target`, at `listener` if it is open. Workers count in `folder`, and are killed after `patience` s."""
        super().__init__(target, workers_kill_timeout=math.ceil(patience), **options)
        self._patience = patience
        self._listener = listener
        self._counters = ParentCounters(folder)
        self._ends: dict[int, int] = {}
        self._due: dict[int, float] = {}
        self._replaced: list[WorkerProcess] = []
        self._has_served = False
        self._failed = False
        self.main_loop_interrupt = Bell()  # type: ignore[assignment]  # what of an Event is used here

    def serve(self, *_: object, **__: object) -> None:
        """Serve until asked to stop. Raises StartError if no worker ever got as far as to answer."""
        super().serve(spawn_target=partial(run_worker, self._patience))
        if self._failed:
            raise StartError("No worker could start, so the server has stopped. The log above says why.")

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        """Stop; who asks twice does not want to wait."""
        if self.interrupt_signal:
            for worker in (*self.wrks, *self._replaced):
                worker.kill()
        self.interrupt_signal = True
        self.main_loop_interrupt.set()

    def _init_shared_socket(self) -> None:
        """Let the parent hold the socket of a single worker, so that clients wait while the worker is replaced.

        It is what Granian does on other systems. Of several workers each has a socket of its own on Linux
        (SO_REUSEPORT): clients are spread evenly over them, and over the others when one has ended.
        """
        if self._listener is not None:
            self._ssp, self._sso, self._sfd = None, self._listener, self._listener.fileno()  # type: ignore[assignment]
            handed: Any = net.SocketHolder  # type: ignore[attr-defined]  # what Granian itself sends a worker one by
            self._shd = handed(self._sfd, uds=False, backlog=self.backlog)
            return
        super()._init_shared_socket()  # type: ignore[no-untyped-call]  # Granian's
        spec: Any = self._ssp
        if self.workers == 1 and spec is not None:
            self._ssp = None
            holder: Any = spec.build()
            self._shd = holder
            self._sfd = holder.get_fd()
            self._sso = socket.socket(fileno=self._sfd)
            self._sso.set_inheritable(True)
            self._sso.listen(self.backlog)

    def _serve_loop(self, spawn_target: Target, target_loader: Loader) -> None:
        while not (self.interrupt_signal or self._failed):
            self.main_loop_interrupt.wait(self._until_next())
            while self.interrupt_children and not self.interrupt_signal:
                self._note_end(self.interrupt_children.pop())
            if self.reload_signal:
                self._reload(spawn_target, target_loader)
            for idx in self._now_due():
                self._replace(idx, spawn_target, target_loader)
        self.interrupt_children.clear()
        if not self._failed:
            _log.info("stopping: what has begun is finished first. Ask again to stop at once")

    def _until_next(self) -> float | None:
        return max(0.0, min(self._due.values()) - time.monotonic()) if self._due else None

    def _now_due(self) -> list[int]:
        """Return the places of the workers whose replacements may start now, and forget them."""
        now = [idx for idx, moment in self._due.items() if moment <= time.monotonic()]
        for idx in now:
            del self._due[idx]
        return [] if self.interrupt_signal or self._failed else now

    def _start(self, idx: int, spawn_target: Target, target_loader: Loader) -> WorkerProcess:
        if self._sso is not None:
            # The worker before may have shut it when it left.
            listening.accept(self._sso)
        worker = self._spawn_worker(idx, spawn_target, target_loader)
        try:
            worker.start()
        except RuntimeError:
            # There is a process, and no thread to watch it.
            worker.kill()
            raise
        return worker

    def _replace(self, idx: int, spawn_target: Target, target_loader: Loader) -> None:
        """Start another worker in the place of one that has ended; later, if the system lets no process begin now."""
        try:
            self.wrks[idx] = self._start(idx, spawn_target, target_loader)
        except (OSError, RuntimeError) as error:
            self._ends[idx] += 1
            self._due[idx] = time.monotonic() + pause_before_next(self._ends[idx])
            _log.warning("a worker cannot be replaced yet", worker=idx + 1, reason=str(error))

    def _note_end(self, idx: int) -> None:
        """Take note of a worker that has ended unasked, and decide when another takes its place."""
        worker = self.wrks[idx]
        if worker.is_alive() or idx in self._due:
            return
        self._has_served |= self._inherit(worker)
        code = worker.inner.exitcode or 0
        if code > 0 and not (self._has_served or self._is_any_ready(self.wrks)):
            self._failed = True
            return
        self._ends[idx] = ends_in_a_row(self._ends.get(idx, 0), time.monotonic() - worker.birth)
        pause = pause_before_next(self._ends[idx])
        self._due[idx] = time.monotonic() + pause
        self._counters.replaced()
        _log.warning(
            "a worker has ended and is replaced",
            worker=idx + 1,
            process=worker.inner.pid,
            ended=how_it_ended(code),
            in_seconds=pause,
        )

    def _inherit(self, worker: WorkerProcess) -> bool:
        try:
            return self._counters.inherit(worker.inner.pid)
        except OSError as error:
            _log.warning("what a worker had counted is lost", reason=str(error))
            return False

    def _is_any_ready(self, workers: Iterable[WorkerProcess]) -> bool:
        return any(self._counters.is_ready(worker.inner.pid) for worker in workers)

    def _reload(self, spawn_target: Target, target_loader: Loader) -> None:
        """Put new workers, which read the settings anew, in the place of all; unless they do not start (SIGHUP)."""
        self.reload_signal = False
        _log.info("replacing all workers")
        new: list[WorkerProcess] = []
        with suppress(OSError, RuntimeError):
            new.extend(self._start(idx, spawn_target, target_loader) for idx in range(self.workers))
        if len(new) < self.workers or not self._have_started(new):
            self._part_with(new)
            _log.error("the new workers do not start, and so the old ones stay. The log above says why")
            return
        old, self.wrks = self.wrks, new
        self._due.clear()
        self._part_with(old)
        if self._sso is not None:
            listening.accept(self._sso)
        _log.info("all workers are replaced")

    def _have_started(self, workers: list[WorkerProcess]) -> bool:
        """Wait until all these workers are ready; return False when one has ended, or takes too long, or all shall."""
        give_up = time.monotonic() + LONGEST_START
        while not all(self._counters.is_ready(worker.inner.pid) for worker in workers):
            ended = not all(worker.is_alive() for worker in workers)
            if ended or self.interrupt_signal or time.monotonic() > give_up:
                return False
            time.sleep(LOOK_EVERY)
        return True

    def _part_with(self, workers: list[WorkerProcess]) -> None:
        """End workers that others have replaced, and keep what they counted."""
        self._replaced = workers
        for worker in workers:
            worker.terminate()
        give_up = time.monotonic() + self._patience
        for worker in workers:
            while worker.is_alive() and time.monotonic() < give_up:
                time.sleep(LOOK_EVERY)
            worker.kill()
            worker.join()
            self._inherit(worker)
        self._replaced = []


def how_it_ended(code: int) -> str:
    """Return in words what the exit code of a process says (negative: the signal that ended it)."""
    if code >= 0:
        return f"exit status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    hint = " (somebody killed it, or memory ran out)" if -code == signal.SIGKILL else ""
    return f"killed by {name}{hint}"


def run_worker(patience: float, *arguments: Any) -> None:  # noqa: ANN401 (what Granian hands to its own)
    """Run one worker in its process. If the parent dies, it ends as it does when it is asked to, `patience` at most."""
    _hear_the_parent_alone()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.pid, patience), daemon=True).start()
    try:
        MPServer._spawn_asgi_lifespan_worker(*arguments)  # noqa: SLF001 (what `serve` would run)
    except AbhidhanError as error:
        _log.error("a worker cannot start", reason=str(error))
        sys.exit(1)


def _hear_the_parent_alone() -> None:
    """Let Ctrl+C and a closed terminal reach the parent alone, which tells its workers what to do."""
    os.setpgid(0, 0)
    # A forked process has the handlers of its parent. Until it answers anybody it may end at once when it is asked to.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # A terminal may be set to stop whoever writes to it from another process group (`stty tostop`).
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    if sys.platform == "linux":
        # The signal comes when the thread ends that made this process: Granian starts workers in its main thread.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _watch(parent: int | None, patience: float) -> None:
    """End this worker when its parent has died, whatever the system says of that and when."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_LOOKS_EVERY)
    # The system ends it, if it cannot end itself.
    signal.alarm(int(patience) + 1)
    os.kill(os.getpid(), signal.SIGTERM)
