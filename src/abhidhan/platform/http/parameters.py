"""Parameters that many addresses share: their limits and their documentation, in one place."""

from typing import Annotated, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.ids import GREATEST_ID

LONGEST_TEXT: Final = 200
LONGEST_FIELDS: Final = 500
LONGEST_PHRASE: Final = 500
LONGEST_PASSAGE: Final = 5_000
GREATEST_LIMIT: Final = 1_000
GREATEST_SHORT_LIMIT: Final = 100

LimitUpTo1000 = Annotated[
    int,
    QueryParameter(ge=1, description="How many to answer, from 1. Above 1,000: 1,000."),
]

LimitUpTo100 = Annotated[
    int,
    QueryParameter(ge=1, description="How many to answer, from 1. Above 100: 100."),
]


def text_examples(*values: str) -> list[Example]:
    """Make the examples of a parameter that takes text."""
    return [Example(summary=value, value=value) for value in values]


_CONTROL: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"
TEXT: Final = f"^[^{_CONTROL}]*$"
"""The pattern of a text in a query: anything but control characters, tab and line ends aside."""

SOME_TEXT: Final = rf"^[^\S{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*$"
"""The same, and not all of it white space; written so that a text is read but once to see it."""

_SPACES: Final = r"[^\S\x0b\x0c\x1c-\x1f\x85]*"
"""White space that may stand in a query: no control characters but tab and line ends."""


def list_of(names: str, most: int | None = None) -> str:
    """Make the pattern of a parameter that lists names, each of them described by a pattern."""
    name = f"{_SPACES}(?:{names}){_SPACES}"
    return f"^{name}(?:,{name})" + ("*$" if most is None else f"{{0,{most - 1}}}$")


def record_id(description: str) -> PathParameter:
    """Describe an ID in a path. What no record can have is answered as what no record has."""
    return PathParameter(ge=1, le=GREATEST_ID, description=description)


PathID = Annotated[int, record_id("The ID of a record.")]

Offset = Annotated[int, QueryParameter(ge=0, le=GREATEST_ID, description="How many to pass over.")]

LANGUAGE_EXAMPLES: Final = [
    Example(summary="by ID", value="2"),
    Example(summary="by BCP 47 code", value="as"),
]


async def one_address_each(
    connection: ASGIConnection[object, object, object, State], _handler: BaseRouteHandler
) -> None:
    """Refuse other ways to write a record's number (a guard; one that is not async would run in a thread each time).

    Python, and so the framework, reads `1_0`, `+1`, `01` and the digits of every script as numbers too.
    Raises NotFoundError.
    """
    numbers = [str(each) for each in connection.path_params.values() if isinstance(each, int)]
    if numbers and not set(numbers) <= set(connection.scope["path"].split("/")):
        raise NotFoundError(sentence("Write a record's number in plain digits: 10, not 010, +10 or 1_0."))
