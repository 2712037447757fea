"""Graceful shutdown of a worker, which cuts no request off: connections are closed, then no new ones accepted."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from abhidhan.web.edge import listening
from abhidhan.web.edge.headers import CLOSING

ASKED_TO_LEAVE: Final = signal.SIGTERM
ENDS_AT_ONCE: Final = signal.SIGINT
"""Signals that stop a worker. Granian's own handler of the second one stands: it finishes what has begun, and ends."""

LOOK_EVERY: Final = 0.05
HANDSHAKE: Final = 0.25
"""Time for connections that have begun to be made, in seconds: a round trip to anywhere on Earth."""


class Draining:
    """Whether a worker has been asked to stop, and what it does then.

    Granian closes idle connections at once when it is told to stop, and a request that is on its way on one of them is
    lost. So for a while every answer says `Connection: close`, after which no client sends anything more on it.
    """

    def __init__(self, seconds: float) -> None:
        """Let clients in for so many seconds more, and wait as long for the last of them."""
        self.has_begun = False
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self, _app: Litestar, *, ready: Callable[[], object]) -> AsyncIterator[None]:
        """Hear that the worker should end while the application runs (a Litestar lifespan, the last one).

        `ready` is called when clients can connect: others end when this worker is ready to take their place.
        """
        # In place of Granian's handler, which is there before any lifespan (granian/server/mp.py, set_loop_signals).
        asyncio.get_running_loop().add_signal_handler(ASKED_TO_LEAVE, self._begin)
        # Granian listens only after the last lifespan has begun.
        looking = asyncio.create_task(_call_when_listening(ready))
        yield
        looking.cancel()

    def closing_connections(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application so that its last answers close their connections."""

        def answer(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            if self.has_begun and scope.get("http_version", "2").startswith("1"):
                return app(scope, receive, partial(_send_last, send))
            return app(scope, receive, send)

        return answer

    def _begin(self) -> None:
        """Begin to leave; whoever asks again changes nothing, since some service managers ask every process."""
        if not self.has_begun:
            self.has_begun = True
            self._task = asyncio.get_running_loop().create_task(self._leave())

    async def _leave(self) -> None:
        # Asked before this worker stops listening: clients are known by the port that they came to.
        ports = _ports()
        await self._until_alone(ports)
        with suppress(OSError):
            if listening.stays_open():
                listening.leave_new_clients_to_others()
            else:
                listening.refuse_new_clients()
        await asyncio.sleep(min(HANDSHAKE, self._seconds))
        await self._until_alone(ports)
        signal.raise_signal(ENDS_AT_ONCE)

    async def _until_alone(self, ports: frozenset[int]) -> None:
        give_up = time.monotonic() + self._seconds
        while time.monotonic() < give_up and _has_clients(ports):  # noqa: ASYNC110 (no event tells who has gone)
            await asyncio.sleep(LOOK_EVERY)


async def _call_when_listening(ready: Callable[[], object]) -> None:
    with suppress(OSError):  # where a process may not look at its own files, it is believed to listen
        while not listening.is_listening():  # noqa: ASYNC110 (no event tells)
            await asyncio.sleep(LOOK_EVERY)
    ready()


def _ports() -> frozenset[int]:
    try:
        return listening.ports()
    except OSError:
        return frozenset()


def _has_clients(ports: frozenset[int]) -> bool:
    try:
        return bool(listening.clients(ports))
    except OSError:
        # Where a process may not look at its own files, somebody may be there.
        return True


async def _send_last(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start" and CLOSING not in message["headers"]:
        message["headers"] = [*message["headers"], CLOSING]
    await send(message)
