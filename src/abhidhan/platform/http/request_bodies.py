"""Bodies of requests and uploads, with timeouts and a limit of unfinished bodies per client."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from litestar import Request
from litestar.types import Receive
from litestar.types.asgi_types import HTTPRequestEvent, ReceiveMessage

from abhidhan.platform.http.client_address import rate_limit_key
from abhidhan.records.errors import (
    AbhidhanError,
    InputError,
    SlowRequestError,
    TooManyRequestsError,
    UnreadableRequestError,
    sentence,
)

INCOMING_BODY_KEY: Final = "abhidhan.incoming"
"""Key of the incoming body in the scope of a request with a body."""

DEFAULT_MAX_UNFINISHED_BODIES: Final = 64
"""Default maximum of unfinished request bodies per client."""

RETRY_AFTER_SECONDS: Final = 1
"""`Retry-After` for a client with too many unfinished bodies, in seconds."""


@dataclass(frozen=True, slots=True)
class BodyTimeouts:
    """Timeouts of a body in seconds: for the next part, and for the whole body."""

    idle_seconds: float = 10.0
    total_seconds: float = 60.0


def announces_body(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether the headers of a request announce a body."""
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


class IncomingBody:
    """The body of one request, as received by its handler.

    A failure is raised once, as the error of the response; later calls of `receive` return a disconnect.
    """

    def __init__(self, receive: Receive, timeouts: BodyTimeouts, on_end: Callable[[], None]) -> None:
        """Wrap `receive`; `on_end` is called once, at the end of the body."""
        self._receive = receive
        self.timeouts = timeouts
        self._on_end = on_end
        self._start_time = asyncio.get_running_loop().time()
        self._is_open = True
        self.has_failed = False

    async def receive(self) -> ReceiveMessage:
        """Return the next message. Raises SlowRequestError, or UnreadableRequestError for an incomplete body."""
        if self.has_failed:
            return {"type": "http.disconnect"}
        if not self._is_open:
            return await self._receive()
        try:
            message = await self._receive_next()
        except AbhidhanError:
            self.has_failed = True
            self.stop()
            raise
        if not message.get("more_body", False):
            self.stop()
        return message

    async def _receive_next(self) -> HTTPRequestEvent:
        spent = asyncio.get_running_loop().time() - self._start_time
        try:
            async with asyncio.timeout(min(self.timeouts.idle_seconds, self.timeouts.total_seconds - spent)):
                message = await self._receive()
        except TimeoutError:
            detail = sentence("The request body arrived too slowly or stopped. Please send it again.")
            raise SlowRequestError(detail) from None
        if message["type"] != "http.request":
            detail = sentence("The request body was incomplete or malformed.")
            raise UnreadableRequestError(detail)
        return message

    def stop(self) -> None:
        """Stop waiting for the body."""
        if self._is_open:
            self._is_open = False
            self._on_end()


class RequestBodyLimiter:
    """Applies timeouts to bodies, and limits the number of unfinished bodies per client in this worker."""

    def __init__(
        self, timeouts: BodyTimeouts | None = None, max_unfinished: int = DEFAULT_MAX_UNFINISHED_BODIES
    ) -> None:
        """`max_unfinished` is the maximum number of unfinished bodies per client."""
        self._timeouts = timeouts or BodyTimeouts()
        self._max_unfinished = max_unfinished
        self._unfinished: Counter[str] = Counter()

    def register(self, client: str, receive: Receive) -> IncomingBody:
        """Register a body of a client ("" has no limit). Raises TooManyRequestsError if too many are unfinished."""
        name = rate_limit_key(client)
        if client and self._unfinished[name] >= self._max_unfinished:
            raise TooManyRequestsError(
                sentence("Too many of your requests are incomplete. Finish sending them first."), RETRY_AFTER_SECONDS
            )
        self._unfinished[name] += 1
        return IncomingBody(receive, self._timeouts, partial(self._release, name))

    def _release(self, name: str) -> None:
        self._unfinished[name] -= 1
        if not self._unfinished[name]:
            del self._unfinished[name]


UPLOAD_IDLE_TIMEOUT_SECONDS: Final = 20
"""Idle timeout of an upload, in seconds."""

UPLOAD_TIMEOUT_SECONDS: Final = 300
"""Total timeout of an upload, in seconds: enough for 3 MB at 10 kB/s."""

UPLOAD_TIMEOUTS: Final = BodyTimeouts(3600, 3600)
"""The edge's timeouts for an upload, which may wait for a free slot; `UploadBody` applies those above."""

MAX_DISCARDED_BYTES: Final = 32 * 1024 * 1024
MAX_DISCARD_SECONDS: Final = 10
"""Limits in bytes and seconds for reading the rest of a refused body: a client that is cut off while sending would see
a broken connection instead of the response."""


class UploadBody:
    """The body of an upload, read in pieces."""

    def __init__(self, receive: Receive, field: str) -> None:
        """Read from an ASGI `receive`. `field` is the form field of the file, named in errors."""
        self._receive = receive
        self.field = field
        self.is_finished = False

    async def iter_chunks(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the body. Raises InputError after the idle or the total timeout."""
        deadline = asyncio.get_running_loop().time() + UPLOAD_TIMEOUT_SECONDS
        while not self.is_finished:
            timeout = min(UPLOAD_IDLE_TIMEOUT_SECONDS, deadline - asyncio.get_running_loop().time())
            try:
                async with asyncio.timeout(timeout):
                    piece = await self._receive_chunk()
            except TimeoutError:
                raise InputError.of(
                    self.field, sentence("The upload was too slow or stopped. Please send it again.")
                ) from None
            yield piece

    async def discard_rest(self) -> None:
        """Read and discard the rest of the body, within limits."""
        size = 0
        try:
            async with asyncio.timeout(MAX_DISCARD_SECONDS):
                while not self.is_finished and size < MAX_DISCARDED_BYTES:
                    size += len(await self._receive_chunk())
        except (TimeoutError, UnreadableRequestError):
            return

    async def _receive_chunk(self) -> bytes:
        message = await self._receive()
        if message["type"] != "http.request":
            self.is_finished = True
            return b""
        self.is_finished = not message.get("more_body", False)
        return message.get("body", b"")


def open_upload_body(request: Request[Any, Any, Any], field: str) -> UploadBody:
    """Return the body of an upload with a file in `field`, with the longer timeouts of uploads."""
    incoming: IncomingBody | None = request.scope.get(INCOMING_BODY_KEY)  # type: ignore[assignment]  # a key of our own
    if incoming is not None:
        incoming.timeouts = UPLOAD_TIMEOUTS
    return UploadBody(request.receive, field)
