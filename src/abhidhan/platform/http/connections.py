"""The connections of a worker: their maximum number, a timeout for clients that do not read, and graceful shutdown.

Idle connections are closed by the HTTP server.
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
from abhidhan.platform.runtime.task_scope import run_in_background

MAX_OPEN_FILES: Final = 65_536
"""The limit of open files that a worker requests from the system; each connection is one."""

RESERVED_FILES: Final = 256
"""Open files reserved for other uses: databases, photos, pipes."""

POLL_INTERVAL_SECONDS: Final = 0.1


def raise_connection_limit(requested: int) -> int:
    """Raise the limit of open files as far as the system allows, and return the maximum number of connections."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft_limit, hard_limit = (MAX_OPEN_FILES if limit == resource.RLIM_INFINITY else limit for limit in limits)
    files = max(soft_limit, min(MAX_OPEN_FILES, hard_limit))
    if files > soft_limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, limits[1]))
    return min(requested, max(files - RESERVED_FILES, files // 2))


@asynccontextmanager
async def close_unread_connections(_app: Litestar, *, seconds: float) -> AsyncIterator[None]:
    """Set a timeout after which the system closes connections whose clients do not read (a Litestar lifespan)."""
    async with run_in_background(_set_unread_timeout(round(seconds * 1000))):
        yield


async def _set_unread_timeout(milliseconds: int) -> None:
    """Set the timeout on the listening sockets, from which connections inherit it."""
    option: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)  # macOS lacks it
    with suppress(OSError):  # where a process may not list its own files
        # Granian starts to listen only after the last lifespan has started.
        while option and not _set_on_listeners(option, milliseconds):  # noqa: ASYNC110 (there is no event to wait for)
            await asyncio.sleep(POLL_INTERVAL_SECONDS)


def _set_on_listeners(option: int, value: int) -> bool:
    """Set a TCP option on all listening sockets of this process; return whether there are any."""
    has_listeners = False
    for file in Path("/dev/fd").iterdir():
        # It may not be a TCP socket, or another thread may have closed it.
        with suppress(OSError):
            if file.is_socket():
                with socket.fromfd(int(file.name), socket.AF_INET, socket.SOCK_STREAM) as listener:
                    if listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                        listener.setsockopt(socket.IPPROTO_TCP, option, value)
                        has_listeners = True
    return has_listeners


class Draining:
    """Graceful shutdown of a worker, with a period in which it still accepts connections.

    On shutdown Granian finishes requests that it has started to read and closes idle connections immediately, so a
    request in transit on one of them is lost. Therefore, for a while before, every response has `Connection: close`,
    and clients open new connections, to another server if there is a load balancer.
    """

    def __init__(self, seconds: float) -> None:
        """`seconds` is the period in which connections are still accepted."""
        self.is_draining = False
        self._seconds = seconds

    @asynccontextmanager
    async def running(self, _app: Litestar, *, ready: Callable[[], object]) -> AsyncIterator[None]:
        """Call `ready`, and on SIGTERM start draining (a Litestar lifespan, which must be the last one)."""
        # Replaces Granian's handler, which is set before any lifespan (granian/server/mp.py, set_loop_signals).
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._start_draining)
        ready()
        yield

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application so that responses close their connections while draining."""

        def respond(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            if self.is_draining and scope.get("http_version", "2").startswith("1"):
                return app(scope, receive, partial(_send_with_close_header, send))
            return app(scope, receive, send)

        return respond

    def _start_draining(self) -> None:
        """Start draining, once: some service managers signal every process."""
        if not self.is_draining:
            self.is_draining = True
            # Granian's handler of SIGINT stops accepting connections, finishes running requests, and exits.
            asyncio.get_running_loop().call_later(self._seconds, signal.raise_signal, signal.SIGINT)


async def _send_with_close_header(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start" and CONNECTION_CLOSE not in message["headers"]:
        message["headers"] = [*message["headers"], CONNECTION_CLOSE]
    await send(message)
