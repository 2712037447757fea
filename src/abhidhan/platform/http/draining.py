"""Graceful shutdown of a worker: its answers close their connections for a while, then Granian finishes the rest."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from abhidhan.platform.http.request_headers import CONNECTION_CLOSE


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
