"""Which words in plain letters may be read as the sound of a stored word: told of each by one number.

Whether Roman letters may be read so is told of any text by its frames (`domain/matching/frames.py`), which takes 20 µs.
Of what is looked up in Roman letters most is a word of the dictionary itself, and that was found out beforehand: of the
English words in WordNet, beside 3,000 Assamese ones, one in ten may be read so.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self
from zlib import crc32

from abhidhan.domain.matching import sorted_numbers
from abhidhan.domain.matching.frames import Frames
from abhidhan.domain.matching.query import WAYS_TO_READ
from abhidhan.domain.matching.sorted_numbers import Numbers, has
from abhidhan.domain.text.keys import by_group, roman_sound_keys

PAGING: Final = sorted_numbers.paging(form=1)

RULES: Final = crc32(repr((WAYS_TO_READ, by_group(lambda readings, _begins, _ends: readings))).encode())
"""Names the rules by which letters are read: what was found out by others is not to be relied on."""


def is_plain(text: str) -> bool:
    """Return whether a text is one word of plain letters and digits: its exact key is itself, but for letter case."""
    return text.isascii() and text.isalnum()


def number_of(plain: str) -> int:
    """Return the number of a plain word, in whatever letter case."""
    return crc32(plain.lower().encode())


def sounds_of(frames: Frames, text: str) -> list[str]:
    """List the sounds of stored words as which Roman letters may be read, the likeliest first."""
    # Of English words one in six has a frame that is there, and one in ten a reading.
    return _readings_there(frames, text) if frames.may_lead_to_words(text) else []


def numbers_of_readable(frames: Frames, exact_keys: Iterable[str]) -> set[int]:
    """Return the numbers of those words, by their exact keys, that are plain and may be read."""
    plain = {key for key in exact_keys if is_plain(key)}
    return {number_of(key) for key in frames.leading_to_words(plain) if _readings_there(frames, key)}


def _readings_there(frames: Frames, text: str) -> list[str]:
    return frames.there(roman_sound_keys(text, WAYS_TO_READ))


class Readable:
    """The numbers of the stored words that may be read, and maybe of some that may not."""

    __slots__ = ("pages",)

    def __init__(self, pages: Sequence[Numbers] | None) -> None:
        """Take all pages; None where not every word was gone through."""
        self.pages = pages

    @classmethod
    def of_pages(cls, before: Self | None, changed: Mapping[int, Numbers]) -> Self:
        """Take the pages that were there before, or none, but for those that have changed."""
        return cls(sorted_numbers.of_pages(before.pages if before is not None else None, changed))

    def may_be_read(self, stored: str) -> bool:
        """Return whether what is spelled like a stored word may be read as the sound of another; if not, it cannot."""
        return self.pages is None or not is_plain(stored) or has(self.pages, number_of(stored))


UNKNOWN: Final = Readable(None)
"""Of every word it is to be found out whether it may be read."""
