"""The connections of a worker: how many there may be, clients that do not read, and graceful shutdown.

Connections on which no request comes are closed by the HTTP server.
"""

import asyncio
import resource
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from abhidhan.platform.http.request_headers import CONNECTION_CLOSE
from abhidhan.platform.runtime.task_scope import going_on

ENOUGH_FILES: Final = 65_536
"""Limit of open files that a worker asks the system for; each connection is one."""

OTHER_FILES: Final = 256
"""Open files reserved for all but connections: databases, photos, pipes."""

POLL_SECONDS: Final = 0.1


def allowed_connections(wanted: int) -> int:
    """Return how many connections a worker may keep, having asked the system for as many open files as it allows."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    now, most = (ENOUGH_FILES if each == resource.RLIM_INFINITY else each for each in limits)
    files = max(now, min(ENOUGH_FILES, most))
    if files > now:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, limits[1]))
    return min(wanted, max(files - OTHER_FILES, files // 2))


@asynccontextmanager
async def ending_unread_answers(_app: Litestar, *, seconds: float) -> AsyncIterator[None]:
    """Let the system end connections whose clients read nothing for so many seconds (a Litestar lifespan)."""
    async with going_on(_limit_unread(round(seconds * 1000))):
        yield


async def _limit_unread(milliseconds: int) -> None:
    """Set the option of the socket that listens: connections have it from there."""
    option: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)  # macOS lacks it
    with suppress(OSError):  # where a process may not look at its own files
        # Granian listens only after the last lifespan has begun.
        while option and not _set_on_listeners(option, milliseconds):  # noqa: ASYNC110 (no event tells)
            await asyncio.sleep(POLL_SECONDS)


def _set_on_listeners(option: int, value: int) -> bool:
    """Set a TCP option of all sockets of this process that listen; return whether there are any."""
    found = False
    for file in Path("/dev/fd").iterdir():
        # It may be no TCP socket, or be closed meanwhile by another thread.
        with suppress(OSError):
            if file.is_socket():
                with socket.fromfd(int(file.name), socket.AF_INET, socket.SOCK_STREAM) as own:
                    if own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                        own.setsockopt(socket.IPPROTO_TCP, option, value)
                        found = True
    return found


class Draining:
    """Whether a worker has been asked to stop, and for how long it still accepts connections.

    Granian finishes the requests that it has begun to read, and closes idle connections at once: a request that is on
    its way on one of them is lost. So for a while every answer says `Connection: close`, after which clients connect
    anew, elsewhere if a load balancer knows of another server.
    """

    def __init__(self, seconds: float) -> None:
        """Accept connections for so many seconds more."""
        self.is_draining = False
        self._seconds = seconds

    @asynccontextmanager
    async def running(self, _app: Litestar, *, ready: Callable[[], object]) -> AsyncIterator[None]:
        """Call `ready`, and drain at SIGTERM while the application runs (a Litestar lifespan, the last one)."""
        # In place of Granian's handler, which is there before any lifespan (granian/server/mp.py, set_loop_signals).
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._begin)
        ready()
        yield

    def closing_connections(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application so that its last answers close their connections."""

        def answer(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            if self.is_draining and scope.get("http_version", "2").startswith("1"):
                return app(scope, receive, partial(_send_last, send))
            return app(scope, receive, send)

        return answer

    def _begin(self) -> None:
        """Begin to drain, once: some service managers ask every process."""
        if not self.is_draining:
            self.is_draining = True
            # Granian's handler of SIGINT stands: it accepts nobody, finishes the requests that have begun, and ends.
            asyncio.get_running_loop().call_later(self._seconds, signal.raise_signal, signal.SIGINT)


async def _send_last(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start" and CONNECTION_CLOSE not in message["headers"]:
        message["headers"] = [*message["headers"], CONNECTION_CLOSE]
    await send(message)
