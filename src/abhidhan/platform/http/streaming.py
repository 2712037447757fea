"""Streamed responses: files, and refusals to clients that are still sending.

Litestar's own streaming responses detect disconnects by reading from the request, which would consume the rest of an
upload.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from email.utils import formatdate, parsedate_to_datetime
from typing import Any, Final, NamedTuple

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

OMIT_BODY_KEY: Final = "abhidhan.silent"
"""Key in a request's scope that is true if the response has no body (HEAD)."""


class StreamedResponse(Response[bytes]):
    """A response with a streamed body of `size` bytes, or of unknown size (None)."""

    def __init__(self, chunks: AsyncIterator[bytes], size: int | None, **options: Any) -> None:  # noqa: ANN401  # passed on
        """`chunks` is the body; `options` are the arguments of every Litestar response."""
        super().__init__(b"", **options)
        if size is not None:
            self.headers["Content-Length"] = str(size)
        self._chunks = chunks

    def to_asgi_response(self, *_: Any, **options: Any) -> ASGIResponse:  # noqa: ANN401  # the base class's signature
        """Return the ASGI response that sends the body."""
        return _AsgiStream(self, self._send, options.get("status_code"))

    async def _send(self, send: Send) -> None:
        async for piece in self._chunks:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class DiscardingResponse(Response[bytes]):
    """A response to a client that is still sending: it is sent first, then the rest of the body is discarded.

    It has no `Content-Length`: otherwise HTTP servers consider it finished after that many bytes, and close the
    connection while the client is still sending.
    """

    def __init__(self, content: bytes, discard: Callable[[], Awaitable[None]], **options: Any) -> None:  # noqa: ANN401
        """`discard` discards the rest of the request; `options` are the arguments of every Litestar response."""
        super().__init__(content, **options)
        self._discard = discard

    def to_asgi_response(self, *_: Any, **options: Any) -> ASGIResponse:  # noqa: ANN401  # the base class's signature
        """Return the ASGI response that sends the body."""
        return _AsgiStream(self, self._send, options.get("status_code"))

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.body", "body": self.content, "more_body": True})
        await self._discard()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _AsgiStream(ASGIStreamingResponse):
    """An ASGI response with the headers of a stream, without a computed length, and a custom body sender."""

    def __init__(
        self, response: Response[bytes], send_body: Callable[[Send], Awaitable[None]], status: int | None
    ) -> None:
        super().__init__(
            iterator=(),
            status_code=response.status_code or status or 200,
            headers=response.headers,
            media_type=response.media_type,
        )
        self._send_body = send_body

    async def send_body(self, send: Send, receive: Receive) -> None:
        del receive
        await self._send_body(send)


_RANGE: Final = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


class ByteRange(NamedTuple):
    """A range of a file: the offset of its first byte, and its length."""

    start: int
    length: int

    def format_content_range(self, size: int) -> str:
        """Format the range for `Content-Range`."""
        return f"bytes {self.start}-{self.start + self.length - 1}/{size}"


def format_http_date(seconds: int) -> str:
    """Format a timestamp for HTTP headers."""
    return formatdate(seconds, usegmt=True)


def parse_range(header: str, size: int) -> ByteRange | None:
    """Parse a `Range` header; None if it must be ignored, as for several ranges, and the whole file sent.

    Raises ValueError for a range outside the file.
    """
    match = _RANGE.fullmatch(header)
    if match is None or match[1] == match[2] == "":
        return None
    if not match[1]:
        length = min(int(match[2]), size)
        if not length:
            raise ValueError(header)
        return ByteRange(size - length, length)
    first = int(match[1])
    last = min(int(match[2]), size - 1) if match[2] else size - 1
    if match[2] and int(match[2]) < first:
        return None
    if first >= size:
        raise ValueError(header)
    return ByteRange(first, last - first + 1)


def matches_if_range(condition: str, tag: str, modified: int) -> bool:
    """Return whether `If-Range` matches the file: its ETag or its modification time."""
    return condition in {tag, format_http_date(modified)}


def is_unchanged(headers: Mapping[str, str], tag: str, modified: int) -> bool:
    """Return whether the client has the current file: by `If-None-Match`, or without it by `If-Modified-Since`."""
    tags = headers.get("if-none-match")
    if tags is not None:
        names = [part.strip().removeprefix("W/") for part in tags.split(",")]
        return tag in names or names == ["*"]
    try:
        return modified <= parsedate_to_datetime(headers.get("if-modified-since", "")).timestamp()
    except (ValueError, OverflowError):
        return False
