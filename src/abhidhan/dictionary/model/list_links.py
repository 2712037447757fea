"""Lists of words that an address has in itself: whoever is given the address sees the list, and no server keeps it."""

import re
from typing import Final

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import GREATEST_ID, is_id, read_number

MOST_SHARED: Final = 200
"""So many words an address holds: with seven digits each 1,600 characters, which every program sends on."""

LONGEST_NAME: Final = 80
"""So many characters of a list's name are shown; what is longer is cut."""

WORDS: Final = "words"

_UNSEEN: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]")
"""What would act upon a page or a file instead of standing on it. The joiners of Assamese letters are not among it."""


def read_shared_words(text: str) -> tuple[int, ...]:
    """Read the IDs of a shared list, each once, in their order. Raises InputError.

    A number that no word can have is one of a word that is not there.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError.of(WORDS, sentence("A list in an address is the numbers of words, with commas between them."))
    if len(parts) > MOST_SHARED:
        raise InputError.of(
            WORDS,
            sentence("A list in an address has at most %(most)s words; this one has more.", most=MOST_SHARED),
        )
    numbers = (read_number(part) for part in parts)
    known = (number if number is not None and is_id(number) else GREATEST_ID for number in numbers)
    return tuple(dict.fromkeys(known))


def shared_name(text: str) -> str:
    """Make of what an address says a name that can be shown: one line, cut where it is too long.

    Anybody may have written it: it is told as the name that a stranger gave, and is no sentence of this site's.
    """
    line = " ".join(_UNSEEN.sub(" ", text).split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1].rstrip() + "…"
