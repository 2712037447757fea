"""JSON of requests and responses: decoding with checks, and fast encoding."""

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
from abhidhan.records.lazy_json import LazyList, to_raw_json

JSON_TYPE_PATTERN: Final = re.compile(r"(?:application|text)/(?:[a-z0-9.-]+\+)?json")
UNSUPPORTED_MEDIA_TYPE: Final = 415
NUL: Final = "\x00"
ESCAPED_NUL: Final = b"\\u0000"
"""The JSON escape of the only character that the databases cannot store; JSON does not allow it unescaped."""

_decoder: Final = msgspec.json.Decoder()


class CleanRequest(Request[object, object, State]):
    """A request with a normalised query, whose JSON body is decoded by `read_json`."""

    async def json(self) -> object:
        """Decode the body as JSON. Raises the errors of `read_json`."""
        return read_json(await self.body(), self.headers.get("content-type", ""))


def read_json(body: bytes, content_type: str) -> object:
    """Decode the body of a request; None if it is empty. Without a `Content-Type`, JSON is assumed.

    Raises HTTPException (415) for another type, ClientException for invalid JSON, InputError for a NUL character.
    """
    if not body:
        return None
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type and not JSON_TYPE_PATTERN.fullmatch(media_type):
        raise HTTPException(
            status_code=UNSUPPORTED_MEDIA_TYPE, detail="Send the body as JSON: Content-Type: application/json."
        )
    try:
        value: object = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ClientException("The body is not JSON.") from error
    if ESCAPED_NUL in body and (key := _find_nul_key(value)) is not None:
        raise InputError.of(key, f"`{key}` must not contain the character U+0000.")
    return value


def _find_nul_key(value: object) -> str | None:
    """Return the name of the field that contains a NUL; None if the escape in the body was itself escaped."""
    pending = [("body", value)]
    while pending:
        key, item = pending.pop()
        if isinstance(item, str) and NUL in item:
            return key
        if isinstance(item, dict):
            if any(NUL in name for name in item):
                return key
            pending += item.items()
        elif isinstance(item, list):
            pending += [(key, member) for member in item]
    return None


T = TypeVar("T")

OK_STATUS: Final = 200
JSON_MEDIA_TYPE: Final = b"application/json"
JSON_HEADER: Final = (b"content-type", JSON_MEDIA_TYPE)


NO_STORE_HEADERS: Final = {"Cache-Control": "no-store"}


class ProvisionalResponse(msgspec.Struct, frozen=True):
    """A response that may be provisional, and is cached only once it is final."""

    def is_cacheable(self) -> bool:
        """Return whether the response is final until the data change."""
        raise NotImplementedError


def is_cacheable(value: object) -> bool:
    """Return whether a response is final until the data change."""
    return not isinstance(value, ProvisionalResponse) or value.is_cacheable()


class JsonResponse(Response[T]):
    """The JSON response of a handler that returns a plain value without headers or cookies.

    The edge adds the headers of every response. The framework would first build and copy mappings of headers and
    cookies, which takes 12 of the 240 µs of a look-up.
    """

    def to_asgi_response(
        self,
        app: Litestar | None,
        request: Request[Any, Any, State],
        *,
        cookies: Iterable[Cookie] | None = None,
        headers: dict[str, str] | None = None,
        **options: Any,  # noqa: ANN401  # passed on to the framework
    ) -> ASGIResponse:
        """Encode the value; leave responses with headers, cookies, another status or type to the framework."""
        if not is_cacheable(self.content):
            headers = {**(headers or {}), **NO_STORE_HEADERS}
        is_plain = self.status_code == OK_STATUS and self.media_type == MediaType.JSON and not self.background
        if not is_plain or headers or cookies or self.headers or self.cookies:
            return super().to_asgi_response(app, request, cookies=cookies, headers=headers, **options)
        return _EncodedResponse(encode_json(self.content))


def _encode_hook(value: object) -> object:
    """Convert a value that msgspec cannot encode."""
    return to_raw_json(value) if isinstance(value, LazyList) else default_serializer(value)


encode_json: Final[Callable[[object], bytes]] = msgspec.json.Encoder(enc_hook=_encode_hook).encode
"""Encodes a value as JSON for responses."""


class _EncodedResponse(ASGIResponse):
    """An ASGI response with an encoded body."""

    def __init__(self, body: bytes) -> None:
        """Store the body without calling the base class, whose other fields are not needed."""
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # the base class's signature
        """Send the response."""
        await send({"type": "http.response.start", "status": OK_STATUS, "headers": [JSON_HEADER]})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
