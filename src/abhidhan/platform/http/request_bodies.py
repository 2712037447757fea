"""Bodies of requests on their way in: each under deadlines, whole or refused, so many of one client at a time."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from litestar.types import Receive
from litestar.types.asgi_types import HTTPRequestEvent, ReceiveMessage

from abhidhan.platform.http.client_address import limited_as
from abhidhan.records.errors import (
    AbhidhanError,
    SlowRequestError,
    TooManyRequestsError,
    UnreadableRequestError,
    sentence,
)

INCOMING: Final = "abhidhan.incoming"
"""The key of the Incoming in the scope of a request with a body."""

DEFAULT_UNFINISHED: Final = 64
"""Default limit of requests of one client that wait for their bodies at a time."""

SOON: Final = 1
"""Retry-After of a client with too many unfinished requests, in seconds."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Timeouts of a body, in seconds: idle, and in all."""

    between_pieces: float = 10.0
    in_all: float = 60.0


def announces_body(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether the head of a request says that a body follows."""
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


class Incoming:
    """The body of one request, as whoever answers receives it.

    What goes wrong on the way is raised once, as the error that is answered; whoever goes on listening then hears that
    the client is gone.
    """

    def __init__(self, receive: Receive, deadlines: Deadlines, on_end: Callable[[], None]) -> None:
        """Wait for what `receive` brings; `on_end` is called once, when nothing more is awaited."""
        self._receive = receive
        self.deadlines = deadlines
        self._on_end = on_end
        self._since = asyncio.get_running_loop().time()
        self._awaited = True
        self.failed = False

    async def receive(self) -> ReceiveMessage:
        """Return the next message. Raises SlowRequestError, and UnreadableRequestError for a body that breaks off."""
        if self.failed:
            return {"type": "http.disconnect"}
        if not self._awaited:
            return await self._receive()
        try:
            message = await self._next()
        except AbhidhanError:
            self.failed = True
            self.end()
            raise
        if not message.get("more_body", False):
            self.end()
        return message

    async def _next(self) -> HTTPRequestEvent:
        spent = asyncio.get_running_loop().time() - self._since
        try:
            async with asyncio.timeout(min(self.deadlines.between_pieces, self.deadlines.in_all - spent)):
                message = await self._receive()
        except TimeoutError:
            detail = sentence("The body of the request came too slowly, or stopped; send it again.")
            raise SlowRequestError(detail) from None
        if message["type"] != "http.request":
            detail = sentence("The body of the request broke off, or was not written as HTTP asks for.")
            raise UnreadableRequestError(detail)
        return message

    def end(self) -> None:
        """Await nothing more."""
        if self._awaited:
            self._awaited = False
            self._on_end()


class Bodies:
    """The deadlines of bodies, and how many of one client may be unfinished at a time in this worker."""

    def __init__(self, deadlines: Deadlines | None = None, limit: int = DEFAULT_UNFINISHED) -> None:
        """Limit the unfinished bodies of each client."""
        self._deadlines = deadlines or Deadlines()
        self._limit = limit
        self._unfinished: Counter[str] = Counter()

    def expect(self, client: str, receive: Receive) -> Incoming:
        """Await a body of a client ("" is never refused). Raises TooManyRequestsError if too many are unfinished."""
        name = limited_as(client)
        if client and self._unfinished[name] >= self._limit:
            raise TooManyRequestsError(
                sentence("Too many of your requests are unfinished: send the rest of them first."), SOON
            )
        self._unfinished[name] += 1
        return Incoming(receive, self._deadlines, partial(self._forget_one, name))

    def _forget_one(self, name: str) -> None:
        self._unfinished[name] -= 1
        if not self._unfinished[name]:
            del self._unfinished[name]
