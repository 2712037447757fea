"""Record IDs and their range, which fits the integer columns of SQLite and PostgreSQL."""

from typing import Annotated, Final

import msgspec

MAX_ID: Final = 2**31 - 1
"""The maximum ID. PostgreSQL rejects queries with a greater number, SQLite those with 2^63 or more."""

FIRST_LOCAL_ID: Final = 1001
"""The first ID of languages and list values that an installation adds; lower ones are reserved for the program."""

MAX_ID_DIGITS: Final = 10

ID = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
"""The ID of a record in a request body."""

Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_ID)]
"""A version, a position or a count in a request body."""


def parse_number(text: str) -> int | None:
    """Parse a number from 0 to `MAX_ID` in ASCII digits; return None for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_ID_DIGITS):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def is_valid_id(number: int) -> bool:
    """Return whether a number is in the range of IDs."""
    return 0 < number <= MAX_ID
