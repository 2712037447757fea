"""Which words in plain letters others may be meant by, words in Indic letters that sound so: told by a number of each.

Whether Roman letters may be read as the sound of any word takes 20 µs to find out, and which words are meant where they
may, 300 to 400. What is looked up in Roman letters is mostly a word of the dictionary, of which that was found out
beforehand: of the English words in WordNet, beside the starter dictionary, one in eighteen may mean another, too.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Self
from zlib import crc32

import msgspec

from abhidhan.domain.matching import ranking, sorted_numbers
from abhidhan.domain.matching.frames import Frames, number_of_sound
from abhidhan.domain.matching.query import WAYS_TO_READ
from abhidhan.domain.matching.ranking import may_be_typed_for
from abhidhan.domain.matching.sorted_numbers import Numbers, has
from abhidhan.domain.text.keys import by_group, eastern_from_devanagari, roman_sound_keys
from abhidhan.domain.text.letters import units_of
from abhidhan.domain.text.normal import Script, exact_key, script_of
from abhidhan.domain.text.weighted_distance import COSTS

PAGING: Final = sorted_numbers.paging(form=1)

_SAMPLE: Final = "kkhongshyatraa"
_EASTERN: Final = "".join(map(chr, range(0x980, 0xA00)))
_DEVANAGARI: Final = "".join(map(chr, range(0x900, 0x980)))

RULES: Final = crc32(
    msgspec.msgpack.encode(
        (
            1,  # for what these do not tell of the functions: raise it when reading or comparing changes otherwise
            (WAYS_TO_READ, by_group(lambda readings, _begins, _ends: readings), roman_sound_keys(_SAMPLE)),
            (COSTS, units_of(_EASTERN), exact_key(_EASTERN), eastern_from_devanagari(_DEVANAGARI)),
            (ranking.TYPED_FREELY, ranking.FOREIGN_TYPED_FREELY, ranking.TYPED_FREELY_A_LETTER),
        )
    )
)
"""Names the rules by which letters are read and compared: what was found out by others is not to be relied on."""


def is_plain(text: str) -> bool:
    """Return whether a text is one word of plain letters and digits: its exact key is itself, but for letter case."""
    return text.isascii() and text.isalnum()


def number_of(plain: str) -> int:
    """Return the number of a plain word, in whatever letter case."""
    return crc32(plain.lower().encode())


# --- what letters may mean --------------------------------------------------------------------------------------------


def sounds_of(frames: Frames, text: str) -> list[str]:
    """List the sounds of stored words as which Roman letters may be read, the likeliest first."""
    # Of English words one in six has a frame that is there, and one in ten a reading.
    return _readings_there(frames, text) if frames.may_lead_to_words(text) else []


def sounds_of_plain(frames: Frames, exact_keys: Iterable[str]) -> dict[str, list[str]]:
    """List them for those of very many words, by their exact keys, that are plain and have any."""
    plain = {key for key in exact_keys if is_plain(key)}
    return {key: sounds for key in frames.leading_to_words(plain) if (sounds := _readings_there(frames, key))}


def _readings_there(frames: Frames, text: str) -> list[str]:
    return frames.there(roman_sound_keys(text, WAYS_TO_READ))


def may_mean(typed: str, text: str, language_id: int) -> bool:
    """Return whether a word that sounds like Roman letters is one in other letters that people may type so."""
    return script_of(text) is not Script.LATIN and may_be_typed_for(typed, text, language_id)


# --- what is known of stored words ------------------------------------------------------------------------------------


class FoundOut(msgspec.Struct, frozen=True, array_like=True):
    """By which rules all words were gone through, and what has come since."""

    rules: int
    times: int
    """Another number each time that all were gone through, or that they have to be."""
    is_whole: bool = False
    """Whether they were: until then nobody goes by the numbers, and what comes is noted for who goes through them."""
    since: tuple[int, ...] = ()
    """The numbers of the sounds of words in Indic letters that have come since, in the order in which they came."""

    @property
    def is_valid(self) -> bool:
        """Say whether the numbers are to be gone by, now that these are the rules."""
        return self.is_whole and self.rules == RULES

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Read what is stored."""
        return msgspec.msgpack.decode(stored, type=cls)

    def write(self) -> bytes:
        """Write it as it is stored."""
        return msgspec.msgpack.encode(self)


class Readable:
    """The numbers of the stored words that may mean others (and maybe of some that may not), and what came since."""

    __slots__ = ("pages", "since")

    def __init__(self, pages: Sequence[Numbers] | None, since: Collection[int] = ()) -> None:
        """Take all pages, and the numbers of new sounds; None where not all words were gone through."""
        self.pages, self.since = pages, frozenset(since)

    @classmethod
    def of_pages(cls, before: Self | None, changed: Mapping[int, Numbers], since: Collection[int] = ()) -> Self:
        """Take the pages that were there before, or none, but for those that have changed, and all new sounds."""
        return cls(sorted_numbers.of_pages(before.pages if before is not None else None, changed), since)

    def may_mean_others(self, frames: Frames, stored: str) -> bool:
        """Return whether what is spelled like a stored word may mean a word in Indic letters; if not, it cannot."""
        if self.pages is None or not is_plain(stored) or has(self.pages, number_of(stored)):
            return True
        return bool(self.since) and not self.since.isdisjoint(map(number_of_sound, sounds_of(frames, stored)))


UNKNOWN: Final = Readable(None)
"""Of every word it is to be found out whether it may mean others."""
