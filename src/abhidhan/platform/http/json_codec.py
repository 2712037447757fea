"""JSON of requests and responses: bodies that are read or refused, and values that are written."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import msgspec
from litestar import Litestar, MediaType, Request
from litestar.datastructures import Cookie, State
from litestar.exceptions import ClientException, HTTPException
from litestar.response import Response
from litestar.response.base import ASGIResponse
from litestar.serialization import default_serializer
from litestar.types import Receive, Scope, Send

from abhidhan.records.errors import InputError
from abhidhan.records.lazy_json import LazyList, as_json

JSON_TYPE: Final = re.compile(r"(?:application|text)/(?:[a-z0-9.-]+\+)?json")
UNSUPPORTED: Final = 415
NUL: Final = "\x00"
ESCAPED_NUL: Final = b"\\u0000"
"""The JSON escape of the one character that no database keeps in a text; as itself it cannot stand in JSON."""

_decoder: Final = msgspec.json.Decoder()


class CleanRequest(Request[object, object, State]):
    """A request whose JSON is read as the program reads it: its query is that which the edge has cleaned."""

    async def json(self) -> object:
        """Read the body as JSON. Raises what `read_json` raises."""
        return read_json(await self.body(), self.headers.get("content-type", ""))


def read_json(body: bytes, content_type: str) -> object:
    """Read the body of a request; None when it is empty. A client that names no type is taken to mean JSON.

    Raises HTTPException (415) for another type, ClientException for what is no JSON, InputError for a NUL in it.
    """
    if not body:
        return None
    named = content_type.partition(";")[0].strip().lower()
    if named and not JSON_TYPE.fullmatch(named):
        raise HTTPException(status_code=UNSUPPORTED, detail="Send the body as JSON: Content-Type: application/json.")
    try:
        read: object = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ClientException("The body is not JSON.") from error
    if ESCAPED_NUL in body and (key := _key_of_nul(read)) is not None:
        raise InputError.of(key, f"`{key}` must not hold the character U+0000.")
    return read


def _key_of_nul(value: object) -> str | None:
    """Find the field in which a NUL stands; None when there is none after all."""
    waiting = [("body", value)]
    while waiting:
        key, found = waiting.pop()
        if isinstance(found, str) and NUL in found:
            return key
        if isinstance(found, dict):
            if any(NUL in name for name in found):
                return key
            waiting += found.items()
        elif isinstance(found, list):
            waiting += [(key, each) for each in found]
    return None


T = TypeVar("T")

OK: Final = 200
MEDIA_TYPE: Final = b"application/json"
JSON: Final = (b"content-type", MEDIA_TYPE)


NO_STORE: Final = {"Cache-Control": "no-store"}


class Perishable(msgspec.Struct, frozen=True):
    """An answer that may soon be outdated, and is then not cached."""

    def may_be_cached(self) -> bool:
        """Return whether this one is worth as much as any other."""
        raise NotImplementedError


def may_be_cached(value: object) -> bool:
    """Return whether an answer is as good as another to the same question, until the data change."""
    return not isinstance(value, Perishable) or value.may_be_cached()


class JsonAnswer(Response[T]):
    """The answer of a handler that gives a value and neither headers nor cookies: its JSON, and nothing else.

    The edge gives every answer its headers. The framework's own way builds and copies mappings of headers and cookies
    first, which takes 12 of the 240 µs of a look-up.
    """

    def to_asgi_response(
        self,
        app: Litestar | None,
        request: Request[Any, Any, State],
        *,
        cookies: Iterable[Cookie] | None = None,
        headers: dict[str, str] | None = None,
        **others: Any,  # noqa: ANN401  # whatever else the framework hands over goes back to it
    ) -> ASGIResponse:
        """Write the value; an answer with headers, cookies, another status or media type is left to the framework."""
        if not may_be_cached(self.content):
            headers = {**(headers or {}), **NO_STORE}
        plain = self.status_code == OK and self.media_type == MediaType.JSON and not self.background
        if not plain or headers or cookies or self.headers or self.cookies:
            return super().to_asgi_response(app, request, cookies=cookies, headers=headers, **others)
        return _Written(encode_json(self.content))


def _plain(value: object) -> object:
    """Return the JSON value for a value that JSON does not know."""
    return as_json(value) if isinstance(value, LazyList) else default_serializer(value)


encode_json: Final[Callable[[object], bytes]] = msgspec.json.Encoder(enc_hook=_plain).encode
"""Write a value as the JSON of responses."""


class _Written(ASGIResponse):
    """A body that is ready to be sent."""

    def __init__(self, body: bytes) -> None:
        """Keep the body; nothing else of the framework's answer is needed."""
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # as every answer
        """Send it."""
        await send({"type": "http.response.start", "status": OK, "headers": [JSON]})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
