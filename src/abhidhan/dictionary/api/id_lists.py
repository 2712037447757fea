"""Parameters of addresses that list the IDs of records."""

import re
from typing import Final

from abhidhan.dictionary.model.field_selection import names_of
from abhidhan.records.errors import InputError
from abhidhan.records.ids import read_number

MOST_IDS: Final = 100
NUMBER: Final = "[1-9][0-9]*"


def read_ids(parameter: str, text: str, of_what: str) -> list[int]:
    """Read a list of IDs; a number that no ID can be is an unknown one, and left out. Raises InputError."""
    names = names_of(text)
    if len(names) > MOST_IDS or not all(re.fullmatch(NUMBER, name) for name in names):
        raise InputError.of(
            parameter, f"`{parameter}` must be at most {MOST_IDS} IDs of {of_what}, separated by commas."
        )
    numbers = (read_number(name) for name in names)
    return [number for number in numbers if number is not None]
