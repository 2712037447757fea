"""Bodies of requests on their way in: each under deadlines, whole or refused, so many of one client at a time."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from litestar.types import Receive
from litestar.types.asgi_types import ReceiveMessage

from abhidhan.errors import SlowRequestError, TooManyRequestsError, UnreadableRequestError, sentence
from abhidhan.web.edge.limits import limited_as
from abhidhan.web.edge.slots import SharedSlots

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

    def __init__(self, receive: Receive, deadlines: Deadlines, ended: Callable[[], None]) -> None:
        """Wait for what `receive` brings; `ended` is called once, when nothing more is awaited."""
        self._receive = receive
        self._deadlines = deadlines
        self._ended = ended
        self._since = asyncio.get_running_loop().time()
        self._whole = False
        self.failed = False

    def wait(self, deadlines: Deadlines) -> None:
        """Wait by other deadlines from now on."""
        self._deadlines = deadlines

    async def receive(self) -> ReceiveMessage:
        """Return the next message. Raises SlowRequestError, and UnreadableRequestError for a body that breaks off."""
        if self._whole:
            return await self._receive()
        if self.failed:
            return {"type": "http.disconnect"}
        message = await self._next()
        if message["type"] != "http.request":
            self._fail()
            raise UnreadableRequestError(
                sentence("The body of the request broke off, or was not written as HTTP asks for.")
            )
        if not message.get("more_body", False):
            self._whole = True
            self.end()
        return message

    def end(self) -> None:
        """Await nothing more."""
        ended, self._ended = self._ended, _nothing
        ended()

    async def _next(self) -> ReceiveMessage:
        spent = asyncio.get_running_loop().time() - self._since
        try:
            async with asyncio.timeout(min(self._deadlines.between_pieces, self._deadlines.in_all - spent)):
                return await self._receive()
        except TimeoutError:
            self._fail()
            raise SlowRequestError(
                sentence("The body of the request came too slowly, or stopped; send it again.")
            ) from None

    def _fail(self) -> None:
        self.failed = True
        self.end()


class Bodies:
    """The deadlines of bodies, and how many of one client may be unfinished at a time, over all workers."""

    def __init__(
        self, deadlines: Deadlines | None = None, slots: SharedSlots | None = None, limit: int = DEFAULT_UNFINISHED
    ) -> None:
        """Count in `slots`; without them nothing is counted."""
        self._deadlines = deadlines or Deadlines()
        self._slots = slots
        self._limit = limit

    def expect(self, client: str, receive: Receive) -> Incoming:
        """Await a body of a client ("" is never counted). Raises TooManyRequestsError if too many are unfinished."""
        if self._slots is None or not client:
            return Incoming(receive, self._deadlines, _nothing)
        name = limited_as(client)
        if not self._slots.take(name, self._limit):
            raise TooManyRequestsError(
                sentence("Too many of your requests are unfinished: send the rest of them first."), SOON
            )
        return Incoming(receive, self._deadlines, partial(self._slots.give_back, name))


def _nothing() -> None:
    """Do nothing: the end of this body has been reported already."""
