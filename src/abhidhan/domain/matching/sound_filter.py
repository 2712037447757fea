"""Which sound keys some word may have, told in memory: most keys that are tried with a slip no word has.

A Bloom filter of two functions (B. H. Bloom, Space/Time Trade-offs in Hash Coding with Allowable Errors, 1970): each
sound key has a number, which names a page and two bits in it, and both are set if a word has the key. Among a million
keys, one of a hundred that no word has finds both of its bits set by others.

The number is the CRC-32 of the key, which is linear: what another letter makes of it depends on that letter and on how
many bytes come behind it, and on nothing else. So the numbers of a thousand keys with a slip are found without making
the keys: among 1.4 million words a misspelled search took 4.7 ms when they were made, and takes 3.2.
"""

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple, Self, TypeAlias, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from abhidhan.domain.matching.paging import PAGES, Paging

Numbers: TypeAlias = "NDArray[np.integer[Any]]"
N = TypeVar("N", int, Numbers)
"""A number, or many."""

LONGEST: Final = 40
"""Keys of more bytes are not tried with a slip: no word is so long that people type with one."""

_WITHIN_PAGE: Final = 24
"""Of the 32 bits of a number, the lowest 16 name one bit of the page, and the highest 16 of these 24 the other."""

_PAGE_BITS: Final = 16
_SECOND: Final = _WITHIN_PAGE - _PAGE_BITS
_PLACE_IN_PAGE: Final = (1 << _PAGE_BITS) - 1
_PAGE_BYTES: Final = (1 << _PAGE_BITS) // 8
_EMPTY: Final = bytes(_PAGE_BYTES)


def number_of(sound_key: str) -> int | None:
    """Return the number of a sound key; None for one without a sound, which nobody looks for."""
    return crc32(sound_key.encode()) if sound_key else None


class SoundFilter:
    """The bits of the sound keys of stored words."""

    __slots__ = ("bits",)

    def __init__(self, bits: bytes) -> None:
        """Take the bits of all pages, one after the other."""
        self.bits = bits

    @classmethod
    def of_pages(cls, before: Self | None, changed: Mapping[int, bytes]) -> Self:
        """Make a filter of what one held before, or of nothing, and of the pages that have changed."""
        held = memoryview(before.bits if before is not None else bytes(PAGES * _PAGE_BYTES))
        return cls(
            b"".join(changed.get(page, held[page * _PAGE_BYTES : (page + 1) * _PAGE_BYTES]) for page in range(PAGES))
        )

    def may_have(self, sound_key: str) -> bool:
        """Say whether a word may have a sound key; if not, none surely has."""
        number = number_of(sound_key)
        if number is None:
            return False
        page = number >> _WITHIN_PAGE << _PAGE_BITS
        first, second = _bits_of(number)
        first, second = page | first, page | second
        return bool(self.bits[first >> 3] >> (first & 7) & self.bits[second >> 3] >> (second & 7) & 1)

    def there(self, sound_keys: Iterable[str]) -> list[str]:
        """Choose the sound keys that a word may have, in their order."""
        return [key for key in sound_keys if self.may_have(key)]

    def one_slip_away(self, sound_keys: Iterable[str], letters: str) -> frozenset[str]:
        """List the keys that a word may have, and that are one slip from one of some keys.

        That is one of `letters` more or in the place of another, a letter less, or two neighbours exchanged. Raises
        UnicodeEncodeError for letters that are not ASCII.
        """
        tried = [key for key in sound_keys if len(key.encode()) <= LONGEST]
        fewer = (other for key in tried for other in _with_fewer_or_exchanged(key))
        return frozenset(self.there(fewer)).union(self._with_a_letter(tried, letters)).difference(tried)

    def _with_a_letter(self, sound_keys: Sequence[str], letters: str) -> Iterator[str]:
        """Yield the keys that a word may have among those with one letter more, or with another one."""
        gaps = [gap for key in sound_keys for gap in _gaps(key)]
        if not gaps:
            return
        without = np.array([gap.number for gap in gaps], np.uint32)
        numbers = without[:, np.newaxis] ^ _deltas(letters)[[len(gap.end.encode()) for gap in gaps]]
        for place, letter in np.argwhere(self._are_set(numbers)).tolist():
            yield gaps[place].start + letters[letter] + gaps[place].end

    def _are_set(self, numbers: Numbers) -> NDArray[np.uint8]:
        pages = numbers >> _WITHIN_PAGE << _PAGE_BITS
        first, second = _bits_of(numbers)
        return self._bits_at(pages | first) & self._bits_at(pages | second)

    def _bits_at(self, places: Numbers) -> NDArray[np.uint8]:
        """Return the bits at some places, each the lowest of a byte."""
        found: NDArray[np.uint8] = np.frombuffer(self.bits, np.uint8)[places >> 3] >> (places & 7).astype(np.uint8) & 1
        return found


class Gap(NamedTuple):
    """A key with room for one letter, and its number with a zero byte there."""

    start: str
    end: str
    number: int


def _gaps(key: str) -> Iterator[Gap]:
    """Yield the gaps between the letters of a key, and those in the place of each."""
    for place in range(len(key) + 1):
        start, end = key[:place], key[place:]
        begun = crc32(b"\0", crc32(start.encode()))
        yield Gap(start, end, crc32(end.encode(), begun))
        if end:
            yield Gap(start, end[1:], crc32(end[1:].encode(), begun))


def _with_fewer_or_exchanged(key: str) -> Iterator[str]:
    for place in range(len(key)):
        yield key[:place] + key[place + 1 :]
        yield key[:place] + key[place + 1 : place + 2] + key[place] + key[place + 2 :]


@cache
def _deltas(letters: str) -> NDArray[np.uint32]:
    """Return what each letter changes of a number, by how many bytes come behind it: (LONGEST + 1) x letters."""
    rows = (
        [crc32(letter.encode("ascii") + bytes(behind)) ^ crc32(bytes(behind + 1)) for letter in letters]
        for behind in range(LONGEST + 1)
    )
    return np.array(list(rows), np.uint32)


@cache
def everything() -> SoundFilter:
    """Return the filter by which words may have any key: as long as not all are known."""
    return SoundFilter(b"\xff" * PAGES * _PAGE_BYTES)


# --- pages ------------------------------------------------------------------------------------------------------------


def _lacking(page: bytes, numbers: Collection[int]) -> set[int]:
    return {number for number in numbers if not all(page[bit >> 3] >> (bit & 7) & 1 for bit in _bits_of(number))}


def _with_more(page: bytes, numbers: Collection[int]) -> bytes:
    bits = bytearray(page)
    for number in numbers:
        for bit in _bits_of(number):
            bits[bit >> 3] |= 1 << (bit & 7)
    return bytes(bits)


def _bits_of(number: N) -> tuple[N, N]:
    """Return the two bits of a number, or of many, within its page."""
    return number & _PLACE_IN_PAGE, number >> _SECOND & _PLACE_IN_PAGE


def _unpack(stored: bytes) -> bytes:
    return zlib.decompress(stored, bufsize=_PAGE_BYTES)


PAGING: Final = Paging(
    form=1,
    within_page=_WITHIN_PAGE,
    empty=_EMPTY,
    lacking=_lacking,
    with_more=_with_more,
    pack=partial(zlib.compress, level=1),  # of the bits of a million words, 1 MB of 2; by level 6, 7 % less in 4 times
    unpack=_unpack,
)
