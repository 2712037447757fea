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
from abhidhan.records.ids import MAX_ID
from abhidhan.records.paging import MAX_OFFSET

MAX_TEXT_LENGTH: Final = 200
MAX_FIELDS_LENGTH: Final = 500
MAX_PHRASE_LENGTH: Final = 500
MAX_PASSAGE_LENGTH: Final = 5_000
MAX_LIMIT: Final = 1_000
MAX_SHORT_LIMIT: Final = 100

LimitUpTo1000 = Annotated[
    int,
    QueryParameter(ge=1, description="The number of results, at least 1. Values above 1,000 count as 1,000."),
]

LimitUpTo100 = Annotated[
    int,
    QueryParameter(ge=1, description="The number of results, at least 1. Values above 100 count as 100."),
]


def build_text_examples(*values: str) -> list[Example]:
    """Return the examples of a text parameter."""
    return [Example(summary=value, value=value) for value in values]


_CONTROL_CHARACTERS: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"
TEXT_PATTERN: Final = f"^[^{_CONTROL_CHARACTERS}]*$"
"""Pattern of a text in a query: no control characters except tab and line ends."""

NON_BLANK_TEXT_PATTERN: Final = rf"^[^\S{_CONTROL_CHARACTERS}]*[^\s{_CONTROL_CHARACTERS}][^{_CONTROL_CHARACTERS}]*$"
"""Pattern of a text that is not blank, written so that it matches in linear time."""

_SPACES_PATTERN: Final = r"[^\S\x0b\x0c\x1c-\x1f\x85]*"
"""White space that is allowed in a query: no control characters except tab and line ends."""


def build_list_pattern(names: str, max_items: int | None = None) -> str:
    """Return the pattern of a comma-separated list of at most `max_items` names, which match the pattern `names`."""
    name = f"{_SPACES_PATTERN}(?:{names}){_SPACES_PATTERN}"
    return f"^{name}(?:,{name})" + ("*$" if max_items is None else f"{{0,{max_items - 1}}}$")


def build_id_parameter(description: str) -> PathParameter:
    """Return the definition of a path parameter with an ID; impossible IDs give the same 404 as unknown ones."""
    return PathParameter(ge=1, le=MAX_ID, description=description)


PathID = Annotated[int, build_id_parameter("The ID of a record.")]

Offset = Annotated[int, QueryParameter(ge=0, le=MAX_ID, description="The number of results to skip.")]

LANGUAGE_EXAMPLES: Final = [
    Example(summary="by ID", value="2"),
    Example(summary="by BCP 47 code", value="as"),
]


async def require_canonical_ids(
    connection: ASGIConnection[object, object, object, State], _handler: BaseRouteHandler
) -> None:
    """Reject non-canonical forms of IDs in the path (a guard; async, since others run in a thread).

    Python, and so the framework, also parses `1_0`, `+1`, `01` and the digits of other scripts.
    Raises NotFoundError.
    """
    numbers = [str(each) for each in connection.path_params.values() if isinstance(each, int)]
    if numbers and not set(numbers) <= set(connection.scope["path"].split("/")):
        raise NotFoundError(sentence("Write numbers in plain digits: 10, not 010, +10 or 1_0."))


MAX_IDEMPOTENCY_KEY_LENGTH: Final = 100


def read_idempotency_key(request: Request[Any, Any, Any]) -> str | None:
    """Return the `Idempotency-Key` of a request; None if there is none. Raises InputError."""
    key = request.headers.get("idempotency-key")
    if key is not None and len(key) > MAX_IDEMPOTENCY_KEY_LENGTH:
        raise InputError.of(
            "Idempotency-Key",
            sentence("`Idempotency-Key` must have at most %(longest)s characters.", longest=MAX_IDEMPOTENCY_KEY_LENGTH),
        )
    return key


PagedOffset = Annotated[
    int,
    QueryParameter(
        ge=0, description="The number of results to skip, up to 100,000.", schema_extra={"maximum": MAX_OFFSET}
    ),
]

OFFSET_TOO_LARGE_MESSAGE: Final = (
    "`offset` can be at most 100,000. To see later results, narrow the request with the other parameters."
)


def check_offset(offset: int) -> None:
    """Raise InputError if the offset exceeds the maximum."""
    if offset > MAX_OFFSET:
        raise InputError.of("offset", OFFSET_TOO_LARGE_MESSAGE)


def build_next_page_address(
    path: str, total: int, size: int, offset: int, filters: Mapping[str, str | None]
) -> str | None:
    """Return the path and query of the next page; None after the last page or the maximum offset."""
    next_offset = offset + size
    if next_offset >= total or next_offset > MAX_OFFSET:
        return None
    parameters = {"limit": size, "offset": next_offset} | {name: value for name, value in filters.items() if value}
    return f"{path}?{urlencode(parameters)}"


def build_link_header(next_address: str | None) -> dict[str, str]:
    """Return the `Link` header with the next page."""
    return {"Link": f'<{next_address}>; rel="next"'} if next_address else {}


_response_spec: Final = partial(ResponseSpec, generate_examples=False)

GONE_RESPONSE: Final = {410: _response_spec(None, description="The requested data is no longer available.")}
PRECONDITION_FAILED_RESPONSE: Final = {
    412: _response_spec(None, description="`If-Match` does not match the current state.")
}
NOT_MODIFIED_RESPONSE: Final = {
    304: _response_spec(None, description="Nothing has changed since the response named in `If-None-Match`.")
}
RANGE_RESPONSES: Final = {
    206: _response_spec(bytes, description="The part requested by `Range`.", media_type="audio/mpeg"),
    416: _response_spec(None, description="The file has no such part; `Content-Range` gives its size."),
}
JSON_FILE_RESPONSE: Final = {200: _response_spec(object, description="The file.")}
