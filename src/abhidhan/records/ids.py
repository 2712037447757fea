"""The numbers that name records: one range for all of them, which the columns of both engines hold."""

from typing import Annotated, Final

import msgspec

GREATEST_ID: Final = 2**31 - 1
"""The greatest number that a column of IDs holds: PostgreSQL refuses to look for a greater one, SQLite for 2^63."""

FIRST_OWN_ID: Final = 1001
"""Languages and values of lists that an installation adds begin here; numbers below belong to the program."""

MOST_DIGITS: Final = 10

ID = Annotated[int, msgspec.Meta(ge=1, le=GREATEST_ID)]
"""The ID of a record, in the body of a request."""

Count = Annotated[int, msgspec.Meta(ge=0, le=GREATEST_ID)]
"""A version, a place or a number of things, in the body of a request."""


def read_number(text: str) -> int | None:
    """Read a number from 0 to the greatest ID, written in digits of ASCII; None for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    number = int(text)
    return number if number <= GREATEST_ID else None


def is_id(number: int) -> bool:
    """Return whether a number that somebody asked for can be an ID at all."""
    return 0 < number <= GREATEST_ID
