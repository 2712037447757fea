"""Shared parameters, pagination and documented responses of the API."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.ids import GREATEST_ID
from abhidhan.records.paging import GREATEST_OFFSET

LONGEST_TEXT: Final = 200
LONGEST_FIELDS: Final = 500
LONGEST_PHRASE: Final = 500
LONGEST_PASSAGE: Final = 5_000
GREATEST_LIMIT: Final = 1_000
GREATEST_SHORT_LIMIT: Final = 100

LimitUpTo1000 = Annotated[
    int,
    QueryParameter(ge=1, description="The number of results, at least 1. Values above 1,000 count as 1,000."),
]

LimitUpTo100 = Annotated[
    int,
    QueryParameter(ge=1, description="The number of results, at least 1. Values above 100 count as 100."),
]


def text_examples(*values: str) -> list[Example]:
    """Return the examples of a text parameter."""
    return [Example(summary=value, value=value) for value in values]


_CONTROL: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"
TEXT: Final = f"^[^{_CONTROL}]*$"
"""Pattern of a text in a query: no control characters except tab and line ends."""

SOME_TEXT: Final = rf"^[^\S{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*$"
"""Pattern of a text that is not blank, written so that it matches in linear time."""

_SPACES: Final = r"[^\S\x0b\x0c\x1c-\x1f\x85]*"
"""White space that is allowed in a query: no control characters except tab and line ends."""


def list_of(names: str, most: int | None = None) -> str:
    """Return the pattern of a comma-separated list of at most `most` names, which match the pattern `names`."""
    name = f"{_SPACES}(?:{names}){_SPACES}"
    return f"^{name}(?:,{name})" + ("*$" if most is None else f"{{0,{most - 1}}}$")


def record_id(description: str) -> PathParameter:
    """Return the definition of an ID in a path; impossible IDs give the same 404 as unknown ones."""
    return PathParameter(ge=1, le=GREATEST_ID, description=description)


PathID = Annotated[int, record_id("The ID of a record.")]

Offset = Annotated[int, QueryParameter(ge=0, le=GREATEST_ID, description="The number of results to skip.")]

LANGUAGE_EXAMPLES: Final = [
    Example(summary="by ID", value="2"),
    Example(summary="by BCP 47 code", value="as"),
]


async def one_address_each(
    connection: ASGIConnection[object, object, object, State], _handler: BaseRouteHandler
) -> None:
    """Reject non-canonical forms of IDs in the path (a guard; async, since others run in a thread).

    Python, and so the framework, also parses `1_0`, `+1`, `01` and the digits of other scripts.
    Raises NotFoundError.
    """
    numbers = [str(each) for each in connection.path_params.values() if isinstance(each, int)]
    if numbers and not set(numbers) <= set(connection.scope["path"].split("/")):
        raise NotFoundError(sentence("Write numbers in plain digits: 10, not 010, +10 or 1_0."))


LONGEST_ONCE: Final = 100


def once_of(request: Request[Any, Any, Any]) -> str | None:
    """Return the `Idempotency-Key` of a request; None if there is none. Raises InputError."""
    key = request.headers.get("idempotency-key")
    if key is not None and len(key) > LONGEST_ONCE:
        raise InputError.of(
            "Idempotency-Key",
            sentence("`Idempotency-Key` must have at most %(longest)s characters.", longest=LONGEST_ONCE),
        )
    return key


PagedOffset = Annotated[
    int,
    QueryParameter(
        ge=0, description="The number of results to skip, up to 100,000.", schema_extra={"maximum": GREATEST_OFFSET}
    ),
]

TOO_FAR: Final = "`offset` can be at most 100,000. To see later results, narrow the request with the other parameters."


def check_offset(offset: int) -> None:
    """Check the maximum offset. Raises InputError."""
    if offset > GREATEST_OFFSET:
        raise InputError.of("offset", TOO_FAR)


def next_page(path: str, total: int, size: int, offset: int, given: Mapping[str, str | None]) -> str | None:
    """Return the path and query of the next page; None after the last page or the maximum offset."""
    following = offset + size
    if following >= total or following > GREATEST_OFFSET:
        return None
    parameters = {"limit": size, "offset": following} | {name: value for name, value in given.items() if value}
    return f"{path}?{urlencode(parameters)}"


def link_to(following: str | None) -> dict[str, str]:
    """Return the `Link` header with the next page."""
    return {"Link": f'<{following}>; rel="next"'} if following else {}


_spec: Final = partial(ResponseSpec, generate_examples=False)

GONE: Final = {410: _spec(None, description="The requested data is no longer available.")}
CHANGED_MEANWHILE: Final = {412: _spec(None, description="`If-Match` does not match the current state.")}
UNCHANGED: Final = {304: _spec(None, description="Nothing has changed since the response named in `If-None-Match`.")}
PARTS_OF_RECORDINGS: Final = {
    206: _spec(bytes, description="The part requested by `Range`.", media_type="audio/mpeg"),
    416: _spec(None, description="The file has no such part; `Content-Range` gives its size."),
}
JSON_FILE: Final = {200: _spec(object, description="The file.")}
