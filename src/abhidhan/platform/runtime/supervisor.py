"""The parent process of the workers: Granian's server, changed to replace ended workers without limit.

Granian's own loop (granian/server/common.py, `_serve_loop`) stops the whole server when a worker ends twice within 5.5
seconds, and its workers outlive a killed parent. Starting, stopping and killing workers is left to Granian.
"""

import errno
import math
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog
from granian import net
from granian.server.mp import MPServer, WorkerProcess

from abhidhan.records.errors import AbhidhanError, SettingError, quoted

FIRST_LISTEN_FD: Final = 3
"""The first file descriptor that systemd passes (SD_LISTEN_FDS_START)."""


def get_systemd_socket() -> socket.socket | None:
    """Return the listening socket that systemd has passed to this process; None if it has not. Raises SettingError.

    The socket stays open during a restart (sd_listen_fds(3)), and new connections wait in it.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    number = os.environ.get("LISTEN_FDS")
    if number != "1":
        raise SettingError(
            f"systemd passes {number} sockets, but the server accepts one: one line ListenStream= in abhidhan.socket."
        )
    listener = socket.socket(fileno=FIRST_LISTEN_FD)
    if not _is_listening(listener):
        listener.close()
        raise SettingError("The socket from systemd is not a listening TCP socket: see deploy/abhidhan.socket.")
    return listener


def bind_socket(host: str, port: int, settings: tuple[str, str] = ("ABHIDHAN_HOST", "ABHIDHAN_PORT")) -> socket.socket:
    """Return a socket bound to an address, not listening yet. Raises SettingError, which names the wrong setting."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        host_setting, port_setting = settings
        if error.errno in {errno.EADDRINUSE, errno.EACCES}:
            remedy = "stop the program that uses it" if error.errno == errno.EADDRINUSE else "use one from 1024"
            raise SettingError(
                f"{port_setting} is {port}, but {host}:{port} cannot be listened on ({error.strerror}): choose another "
                f"port, or {remedy}."
            ) from error
        raise SettingError(
            f"{host_setting} is {quoted(host)}, but this machine cannot listen there ({error.strerror}): write one of "
            "its addresses, or 0.0.0.0 for all of them."
        ) from error
    return listener


def prepare_shared_socket(listener: socket.socket, workers: int) -> socket.socket | None:
    """Start to listen for a single worker; return the socket that all workers share, None if each opens its own.

    A single worker uses the shared socket, in which clients wait while the worker is replaced. Several workers have
    one each (SO_REUSEPORT): the kernel spreads clients evenly, and over the others when a worker has ended.
    """
    if _is_listening(listener):
        return listener
    if workers > 1:
        listener.close()
        return None
    listener.listen(socket.SOMAXCONN)
    return listener


def _is_listening(listener: socket.socket) -> bool:
    return (
        listener.family in {socket.AF_INET, socket.AF_INET6}
        and listener.type == socket.SOCK_STREAM
        and bool(listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    )


EXIT_CANNOT_START: Final = 3
"""Exit status of a worker that cannot create the application."""

MIN_LIFETIME_SECONDS: Final = 5.0
"""Lifetime in seconds below which an ended worker is replaced only after a pause."""

CHECK_INTERVAL_SECONDS: Final = 1.0
"""Seconds between two checks of the workers, and before the replacement of one with a short life."""

PARENT_CHECK_INTERVAL_SECONDS: Final = 0.5
"""Seconds between a worker's checks that its parent is running."""

WorkerTarget = Callable[..., None]
ApplicationLoader = Callable[..., Callable[..., Any]]
"""The target of a worker process, and the loader of the application."""

_log = structlog.get_logger("abhidhan")


class StartError(AbhidhanError):
    """Error raised when no worker could start; the log has the reason."""


class Supervisor(MPServer):
    """Granian's multiprocess server, which keeps running however often its workers end."""

    def __init__(
        self,
        target: str,
        *,
        kill_timeout_seconds: float,
        listener: socket.socket | None = None,
        **options: Any,  # noqa: ANN401 (Granian's)
    ) -> None:
        """Serve `target`, on `listener` if given; kill workers that do not stop within `kill_timeout_seconds`."""
        self._kill_timeout_seconds = math.ceil(kill_timeout_seconds)
        super().__init__(target, workers_kill_timeout=self._kill_timeout_seconds, **options)
        self._listener = listener
        self._failed = False

    def serve(self, *_: object, **__: object) -> None:
        """Serve until stopped by a signal. Raises StartError if the first workers cannot create the application."""
        super().serve(spawn_target=partial(run_worker, self._kill_timeout_seconds))
        if self._failed:
            raise StartError("No worker could start, so the server has stopped. The log above says why.")

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        """Stop gracefully on the first signal; kill the workers on the second."""
        if self.interrupt_signal:
            for worker in self.wrks:
                worker.kill()
        super().signal_handler_interrupt()  # type: ignore[no-untyped-call]  # Granian's

    def _init_shared_socket(self) -> None:
        """Share the open socket with all workers, as Granian does on systems without SO_REUSEPORT."""
        if self._listener is None:
            super()._init_shared_socket()  # type: ignore[no-untyped-call]  # Granian's
            return
        holder: Any = net.SocketHolder  # type: ignore[attr-defined]  # it is there
        self._ssp, self._sso, self._sfd = None, self._listener, self._listener.fileno()  # type: ignore[assignment]
        self._shd = holder(self._sfd, uds=False, backlog=self.backlog)

    def _serve_loop(self, spawn_target: WorkerTarget, target_loader: ApplicationLoader) -> None:
        initial_workers = list(self.wrks)
        while not (self.interrupt_signal or self._failed):
            self.main_loop_interrupt.wait(CHECK_INTERVAL_SECONDS)
            self.main_loop_interrupt.clear()
            if self.reload_signal:
                self._reload(spawn_target, target_loader)
            ended_workers = [worker for worker in self.wrks if not worker.is_alive()]
            self._failed = any(
                worker in initial_workers and worker.inner.exitcode == EXIT_CANNOT_START for worker in ended_workers
            )
            if any(time.monotonic() - worker.birth < MIN_LIFETIME_SECONDS for worker in ended_workers):
                time.sleep(CHECK_INTERVAL_SECONDS)
            for worker in ended_workers:
                if not self._failed and not self.interrupt_signal:
                    self._replace(worker, spawn_target, target_loader)
        self.interrupt_children.clear()
        if not self._failed:
            _log.info("stopping after the running requests; a second signal stops immediately")

    def _replace(
        self, ended_worker: WorkerProcess, spawn_target: WorkerTarget, target_loader: ApplicationLoader
    ) -> None:
        """Replace a worker that has ended unexpectedly."""
        worker = self._spawn_worker(ended_worker.idx, spawn_target, target_loader)
        try:
            worker.start()
        except (OSError, RuntimeError) as error:
            # The system allows no new process, or no thread to watch it. The next check of the workers retries.
            if worker.inner.pid is not None:
                worker.kill()
            _log.warning("a worker cannot be replaced yet", worker=ended_worker.idx + 1, reason=str(error))
            return
        self.wrks[ended_worker.idx] = worker
        _log.warning(
            "a worker has ended and is replaced",
            worker=ended_worker.idx + 1,
            process=ended_worker.inner.pid,
            ended=describe_exit(ended_worker.inner.exitcode or 0),
        )

    def _reload(self, spawn_target: WorkerTarget, target_loader: ApplicationLoader) -> None:
        """Replace the workers one after another with new ones, which read the settings again (SIGHUP).

        A trial process first creates the application. Each new worker then gets as much time to start as that took.
        """
        self.reload_signal = False
        _log.info("replacing all workers")
        start = time.monotonic()
        if not self._can_start(target_loader):
            _log.error("the new workers do not start, so the old ones stay. The log above says why")
            return
        delay = time.monotonic() - start
        for worker in list(self.wrks):
            if not self.interrupt_signal:
                self._respawn_workers([worker.idx], spawn_target, target_loader, delay)
        _log.info("all workers are replaced")

    def _can_start(self, target_loader: ApplicationLoader) -> bool:
        trial = multiprocessing.Process(target=load_application, args=(target_loader,))
        try:
            trial.start()
        except OSError as error:
            _log.error("no process can be started", reason=str(error))
            return False
        trial.join()
        return trial.exitcode == 0


def describe_exit(code: int) -> str:
    """Describe the exit code of a process; a negative one is the signal that ended it."""
    return f"exit status {code}" if code >= 0 else f"signal {-code} ({signal.strsignal(-code)})"


def run_worker(
    kill_timeout_seconds: int,
    worker: int,
    name: str,
    target_loader: ApplicationLoader,
    *arguments: Any,  # noqa: ANN401  # those of Granian
) -> None:
    """Run one worker in its process, which ends when its parent has died."""
    # Its own process group: Ctrl+C reaches only the parent, which stops the workers.
    os.setpgid(0, 0)
    # A forked process inherits its parent's handlers. Until it is ready, a signal may end it immediately.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_stop_with_parent, args=(kill_timeout_seconds,), daemon=True).start()
    loader = partial(load_application, target_loader)
    MPServer._spawn_asgi_lifespan_worker(worker, name, loader, *arguments)  # noqa: SLF001 (what `serve` would run)


def load_application(target_loader: ApplicationLoader) -> Callable[..., Any]:
    """Create the application; exit with status `EXIT_CANNOT_START` if that fails."""
    try:
        return target_loader()
    except AbhidhanError as error:
        _log.error("a worker cannot start", reason=str(error))
        sys.exit(EXIT_CANNOT_START)


def _stop_with_parent(kill_timeout_seconds: int) -> None:
    """Wait until the parent has died, then stop this worker gracefully within `kill_timeout_seconds`."""
    parent = multiprocessing.parent_process()
    while parent is not None and os.getppid() == parent.pid:
        time.sleep(PARENT_CHECK_INTERVAL_SECONDS)
    signal.alarm(kill_timeout_seconds)
    os.kill(os.getpid(), signal.SIGINT)
