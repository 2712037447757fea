"""Bodies of uploads: read under deadlines of their own, and read on after a refusal so that its answer is heard."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from litestar import Request
from litestar.types import Receive

from abhidhan.platform.http.request_bodies import INCOMING, Deadlines, Incoming
from abhidhan.records.errors import InputError, UnreadableRequestError, sentence

IDLE_SECONDS: Final = 20
"""Idle timeout of an upload, in seconds."""

TOTAL_SECONDS: Final = 300
"""Total timeout of an upload, in seconds: 3 MB at 10 kB a second."""

OWN_DEADLINES: Final = Deadlines(3600, 3600)
"""The edge's deadlines for a body whose reader keeps those above; waiting for a place at the gate included."""

DISCARDED_BYTES: Final = 32 * 1024 * 1024
DISCARDED_SECONDS: Final = 10
"""Bytes and seconds that are still read of a body that is refused: a client cut off while sending would see a broken
connection, and not the answer."""


class UploadBody:
    """The body of an upload as it comes in."""

    def __init__(self, receive: Receive, field: str) -> None:
        """Read from an ASGI `receive`. `field` holds the file: what is wrong with the body is told of it."""
        self._receive = receive
        self.field = field
        self.finished = False

    async def pieces(self) -> AsyncIterator[bytes]:
        """Read piece by piece. Raises InputError when nothing comes for long, or all of it takes too long."""
        end = asyncio.get_running_loop().time() + TOTAL_SECONDS
        while not self.finished:
            patience = min(IDLE_SECONDS, end - asyncio.get_running_loop().time())
            try:
                async with asyncio.timeout(patience):
                    piece = await self._next()
            except TimeoutError:
                raise InputError.of(
                    self.field, sentence("The upload was too slow, or stopped; send it again.")
                ) from None
            yield piece

    async def discard_rest(self) -> None:
        """Read on for a while and discard everything, until the body ends or breaks off."""
        size = 0
        try:
            async with asyncio.timeout(DISCARDED_SECONDS):
                while not self.finished and size < DISCARDED_BYTES:
                    size += len(await self._next())
        except (TimeoutError, UnreadableRequestError):
            return

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] != "http.request":
            self.finished = True
            return b""
        self.finished = not message.get("more_body", False)
        return message.get("body", b"")


def body_of(request: Request[Any, Any, Any], field: str) -> UploadBody:
    """Return the body of an upload with a file in `field`, which may take longer than other bodies."""
    incoming: Incoming | None = request.scope.get(INCOMING)  # type: ignore[assignment]  # a key of our own
    if incoming is not None:
        incoming.deadlines = OWN_DEADLINES
    return UploadBody(request.receive, field)
