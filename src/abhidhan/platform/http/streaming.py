"""Answers sent piece by piece: files, and refusals to clients that are still sending.

Litestar's own streams listen for the client's going away by reading the rest of the request: that would swallow what
an upload still sends.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from email.utils import formatdate, parsedate_to_datetime
from typing import Any, Final, NamedTuple

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

SILENT: Final = "abhidhan.silent"
"""Where in the scope of a request it stands that only the headers of the answer are wanted."""


class Pieces(Response[bytes]):
    """An answer whose body comes piece by piece: so many bytes in all, or (None) nobody knows yet how many."""

    def __init__(self, pieces: AsyncIterator[bytes], size: int | None, **rest: Any) -> None:  # noqa: ANN401  # passed on
        """Keep the pieces until they are sent; `rest` is what every response takes."""
        super().__init__(b"", **rest)
        if size is not None:
            self.headers["Content-Length"] = str(size)
        self._pieces = pieces

    def to_asgi_response(self, *_: Any, **rest: Any) -> ASGIResponse:  # noqa: ANN401  # the base class's own
        """Make what is sent."""
        return _Sent(self, self._send, rest.get("status_code"))

    async def _send(self, send: Send) -> None:
        async for piece in self._pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class ReadingOn(Response[bytes]):
    """An answer to a client that is still sending: it is sent, and only then is the rest thrown away.

    It does not say how long it is: HTTP servers take an answer whose length is told and sent for finished, and cut off
    a client that still sends.
    """

    def __init__(self, content: bytes, read_on: Callable[[], Awaitable[None]], **rest: Any) -> None:  # noqa: ANN401
        """Keep the body, and what reads the rest of the request; `rest` is what every response takes."""
        super().__init__(content, **rest)
        self._read_on = read_on

    def to_asgi_response(self, *_: Any, **rest: Any) -> ASGIResponse:  # noqa: ANN401  # the base class's own
        """Make what is sent."""
        return _Sent(self, self._send, rest.get("status_code"))

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.body", "body": self.content, "more_body": True})
        await self._read_on()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _Sent(ASGIStreamingResponse):
    """Sends the head of an answer as that of any stream, without a length of its own, and its body in its own way."""

    def __init__(
        self, answer: Response[bytes], send_body: Callable[[Send], Awaitable[None]], status: int | None
    ) -> None:
        super().__init__(
            iterator=(),
            status_code=answer.status_code or status or 200,
            headers=answer.headers,
            media_type=answer.media_type,
        )
        self._send_body = send_body

    async def send_body(self, send: Send, receive: Receive) -> None:
        del receive
        await self._send_body(send)


_RANGE: Final = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


class ByteRange(NamedTuple):
    """Bytes of a file: the first, and how many."""

    first: int
    length: int

    def described(self, size: int) -> str:
        """Write it as `Content-Range` does."""
        return f"bytes {self.first}-{self.first + self.length - 1}/{size}"


def http_date(seconds: int) -> str:
    """Write a moment as HTTP headers do."""
    return formatdate(seconds, usegmt=True)


def read_range(header: str, size: int) -> ByteRange | None:
    """Read which part is asked for; None when it is the whole, or several parts, which are answered with the whole.

    Raises ValueError for a part that the file does not have.
    """
    found = _RANGE.fullmatch(header)
    if found is None or found[1] == found[2] == "":
        return None
    if not found[1]:
        length = min(int(found[2]), size)
        if not length:
            raise ValueError(header)
        return ByteRange(size - length, length)
    first = int(found[1])
    last = min(int(found[2]), size - 1) if found[2] else size - 1
    if found[2] and int(found[2]) < first:
        return None
    if first >= size:
        raise ValueError(header)
    return ByteRange(first, last - first + 1)


def is_same(condition: str, tag: str, modified: int) -> bool:
    """Return whether `If-Range` names these very bytes: by their ETag, or by the moment they were made."""
    return condition in {tag, http_date(modified)}


def is_unchanged(headers: Mapping[str, str], tag: str, modified: int) -> bool:
    """Return whether who asks has these bytes: by `If-None-Match`, or where that is not sent by `If-Modified-Since`."""
    tags = headers.get("if-none-match")
    if tags is not None:
        names = [part.strip().removeprefix("W/") for part in tags.split(",")]
        return tag in names or names == ["*"]
    try:
        return modified <= parsedate_to_datetime(headers.get("if-modified-since", "")).timestamp()
    except (ValueError, OverflowError):
        return False
