"""Links that contain a list of words, so that the server need not store it."""

import re
from typing import Final

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import MAX_ID, is_valid_id, parse_number

MAX_LINKED_WORDS: Final = 200
"""Maximum number of words in a link: with seven digits each, 1,600 characters, which all programs accept."""

MAX_NAME_LENGTH: Final = 80
"""Maximum number of characters shown of a list's name; longer names are truncated."""

WORDS_PARAM: Final = "words"

_INVISIBLE_CHARACTERS: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]")
"""Control and formatting characters; the joiners of Assamese letters are not among them."""


def parse_linked_words(text: str) -> tuple[int, ...]:
    """Parse the IDs of a list link, each once, in their order. Raises InputError.

    A number that is no valid ID counts as a missing word.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError.of(WORDS_PARAM, sentence("A list link must contain word numbers separated by commas."))
    if len(parts) > MAX_LINKED_WORDS:
        raise InputError.of(
            WORDS_PARAM,
            sentence("A list link can hold at most %(most)s words; this one has more.", most=MAX_LINKED_WORDS),
        )
    numbers = (parse_number(part) for part in parts)
    word_ids = (number if number is not None and is_valid_id(number) else MAX_ID for number in numbers)
    return tuple(dict.fromkeys(word_ids))


def clean_list_name(text: str) -> str:
    """Return the name in a link as one line, truncated if too long.

    Anyone can write a link, so pages must present the name as that of a stranger, not as text of this site.
    """
    line = " ".join(_INVISIBLE_CHARACTERS.sub(" ", text).split())
    return line if len(line) <= MAX_NAME_LENGTH else line[: MAX_NAME_LENGTH - 1].rstrip() + "…"
