"""In-memory filter of the sound keys of words, and of the spellings of words in Assamese script.

Most keys with a typing error belong to no word.

This is a Bloom filter of three functions (B. H. Bloom, Space/Time Trade-offs in Hash Coding with Allowable Errors,
1970): the number of a sound key determines a page and three bits in it, all of which are set if a word has the key.
With a million keys, one of 240 absent keys is a false positive; with two bits, one of 80 was.

The number is the CRC-32 of the key, which is linear: the effect of a changed letter depends only on that letter and on
the number of bytes after it. The numbers of a thousand keys with an error are thus computed without building the keys:
among 1.4 million words a misspelled search took 4.7 ms with built keys, and 3.2 ms with numbers alone.
"""

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import zip_longest
from typing import Any, Final, Self, TypeAlias, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from abhidhan.dictionary.model.sound_frames import MAX_SLIP_KEY_BYTES
from abhidhan.dictionary.store.acceleration.number_pages import NumberPages
from abhidhan.dictionary.store.acceleration.stored_pages import PAGE_COUNT, PageFormat
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import sound_filter
from assamese.normalization import Script, detect_script, exact_key

Numbers: TypeAlias = "NDArray[np.integer[Any]]"
N = TypeVar("N", int, Numbers)
"""One number, or an array."""

_POSITION_BITS: Final = 24
"""Number of bits below the page number; the lowest 16 of them locate one bit of the page, the highest 16 another."""

_PAGE_BITS: Final = 16
_SECOND_BIT_SHIFT: Final = _POSITION_BITS - _PAGE_BITS
_MIXING_SHIFT: Final = 7
"""Shift that mixes a number for the position of the third bit; of 3, 5, 7 and 8 none is better than 7."""

_PAGE_MASK: Final = (1 << _PAGE_BITS) - 1
_PAGE_BYTES: Final = (1 << _PAGE_BITS) // 8
_EMPTY: Final = bytes(_PAGE_BYTES)


def _bit_position(number: N, position: N) -> N:
    """Return the position in the joined pages of a bit with a position in the page of a number; also for arrays.

    Within its page, the number is the position of the first bit, `number >> 8` of the second, `_mix` of the
    third. In all pages, the second bit is at `number >> 8`, too.
    """
    return number >> _POSITION_BITS << _PAGE_BITS | position & _PAGE_MASK


def _mix(number: N) -> N:
    """Mix the bits of a number, for the position of the third bit."""
    return number ^ number >> _MIXING_SHIFT


SPELLING_PREFIX: Final = "="
"""Prefix of exact keys in the filter, which sound keys do not contain."""


def hash_sound_key(sound_key: str) -> tuple[int, ...]:
    """Return the number of a sound key; an empty tuple for an empty key, which is never looked up."""
    return (crc32(sound_key.encode()),) if sound_key else ()


def hash_sound_and_spelling(text: str, sound_key: str) -> tuple[int, ...]:
    """Return the number of a word's sound key and, in Assamese script, that of its exact key."""
    if detect_script(text) is not Script.EASTERN_NAGARI:
        return hash_sound_key(sound_key)
    return (*hash_sound_key(sound_key), *hash_sound_key(SPELLING_PREFIX + exact_key(text)))


class SoundFilter:
    """Bloom filter of the sound keys of stored words."""

    __slots__ = ("bits",)

    def __init__(self, bits: bytes) -> None:
        """Initialise with the concatenated bits of all pages."""
        self.bits = bits

    @classmethod
    def from_pages(cls, before: Self | None, changed: Mapping[int, bytes]) -> Self:
        """Return a filter with the changed pages replaced in the previous one, or in an empty one."""
        previous = memoryview(before.bits if before is not None else bytes(PAGE_COUNT * _PAGE_BYTES))
        return cls(
            b"".join(
                changed.get(page, previous[page * _PAGE_BYTES : (page + 1) * _PAGE_BYTES]) for page in range(PAGE_COUNT)
            )
        )

    def may_contain(self, sound_key: str) -> bool:
        """Return whether a word may have a sound key; False is certain."""
        return bool(self.filter_possible_keys((sound_key,)))

    def may_spell(self, exact_keys: Iterable[str]) -> bool:
        """Return whether a word in Assamese script may have one of the exact keys; False is certain."""
        return bool(self.filter_possible_keys([SPELLING_PREFIX + key for key in exact_keys]))

    def filter_possible_keys(self, sound_keys: Iterable[str]) -> list[str]:
        """Return the sound keys that a word may have, in their order."""
        bits = self.bits
        possible = []
        # Inlined: a call for each of a hundred keys would double the time. Nine of ten absent keys lack the second bit,
        # whose position in all pages is the number without its lowest byte.
        for key in sound_keys:
            number = crc32(key.encode())
            if bits[number >> _SECOND_BIT_SHIFT + 3] >> (number >> _SECOND_BIT_SHIFT & 7) & 1:
                first = _bit_position(number, number)
                if bits[first >> 3] >> (first & 7) & 1 and key:
                    third = _bit_position(number, _mix(number))
                    if bits[third >> 3] >> (third & 7) & 1:
                        possible.append(key)
        return possible

    def find_slip_keys(self, sound_keys: Iterable[str], letters: str) -> frozenset[str]:
        """Return those of the keys one typing error away from `sound_keys` that a word may have.

        An error is an added or replaced letter (one of `letters`), a missing letter, or two swapped neighbours. Raises
        UnicodeEncodeError for letters that are not ASCII.
        """
        short_keys = [key for key in sound_keys if len(key.encode()) <= MAX_SLIP_KEY_BYTES]
        slips = _SlipNumbers(short_keys)
        if not slips.behind:
            return frozenset()
        gap_numbers = np.array(slips.numbers_of_gaps, np.uint32)[:, np.newaxis]
        letter_numbers = gap_numbers ^ _letter_deltas(letters).take(slips.behind, axis=0)
        numbers = np.concatenate((letter_numbers.ravel(), np.array(slips.numbers_of_others, np.uint32)))
        # Only a few of two thousand keys may belong to words; only their texts are built.
        existing = frozenset([slips.text(index, letters) for index in self._find_all_set(numbers)])
        return existing.difference(short_keys, ("",))

    def _find_all_set(self, numbers: Numbers) -> list[int]:
        """Return the indexes of the numbers whose bits are all set; the second bit is tested first, as most lack it."""
        indexes = self._are_bits_set(numbers >> _SECOND_BIT_SHIFT).nonzero()[0]
        candidates = numbers[indexes]
        other_bits = (
            self._are_bits_set(_bit_position(candidates, within)) for within in (candidates, _mix(candidates))
        )
        result: list[int] = indexes[np.logical_and(*other_bits)].tolist()
        return result

    def _are_bits_set(self, positions: Numbers) -> NDArray[np.bool_]:
        """Return whether the bits at these positions, in all pages joined, are set."""
        bits: NDArray[np.uint8] = np.frombuffer(self.bits, np.uint8).take(positions >> 3)
        bits >>= positions.astype(np.uint8) & 7
        bits &= 1
        return bits.view(np.bool_)


# --- typing errors ----------------------------------------------------------------------------------------------------


class _SlipNumbers:
    """Numbers of keys with one error, in the order in which `text` reconstructs them.

    A gap is the position of an added or replaced letter; its number has a zero byte there, and `behind` is the number
    of bytes after it. The others have a missing letter or two swapped ones.
    """

    __slots__ = ("_keys", "behind", "numbers_of_gaps", "numbers_of_others")

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self.numbers_of_gaps: list[int] = []
        self.behind: list[int] = []
        self.numbers_of_others: list[int] = []
        for key in keys:
            self._add([letter.encode() for letter in key], key.encode())

    def _add(self, letters: Sequence[bytes], remaining: bytes) -> None:
        """Add the numbers for each letter of a key; `remaining` are the bytes of the key."""
        gaps, behind, others = self.numbers_of_gaps, self.behind, self.numbers_of_others
        crc = 0
        for letter, after in zip_longest(letters, letters[1:], fillvalue=b""):
            end, gap = remaining[len(letter) :], crc32(b"\0", crc)
            gaps += (crc32(remaining, gap), crc32(end, gap))
            behind += (len(remaining), len(end))
            others += (crc32(end, crc), crc32(after + letter + end[len(after) :], crc))
            crc, remaining = crc32(letter, crc), end
        gaps.append(crc32(b"\0", crc))
        behind.append(0)

    def text(self, index: int, letters: str) -> str:
        """Return the key of a number by its index: each gap with each letter comes first, then the others."""
        gap, letter = divmod(index, len(letters))
        if gap < len(self.behind):
            key, gap = self._locate_key(gap, extra=1)
            return key[: gap >> 1] + letters[letter] + key[gap + 1 >> 1 :]
        key, other = self._locate_key(index - len(self.behind) * len(letters), extra=0)
        first, is_exchanged = divmod(other, 2)
        return key[:first] + (key[first + 1 : first + 2] + key[first]) * is_exchanged + key[first + 1 + is_exchanged :]

    def _locate_key(self, index: int, extra: int) -> tuple[str, int]:
        """Find the key at an index, and the index within its own numbers: two for each letter, and `extra`."""
        for key in self._keys:
            key_numbers = 2 * len(key) + extra
            if index < key_numbers:
                return key, index
            index -= key_numbers
        raise IndexError(index)


@cache
def _letter_deltas(letters: str) -> NDArray[np.uint32]:
    """Return the XOR effect of each letter on a number, as an array: number of bytes after the letter x letters."""
    rows = (
        [crc32(letter.encode("ascii") + bytes(behind)) ^ crc32(bytes(behind + 1)) for letter in letters]
        for behind in range(MAX_SLIP_KEY_BYTES + 1)
    )
    return np.array(list(rows), np.uint32)


# --- pages ------------------------------------------------------------------------------------------------------------


def _find_missing(page: bytes, numbers: Collection[int]) -> set[int]:
    return {number for number in numbers if not all(page[bit >> 3] >> (bit & 7) & 1 for bit in _bit_positions(number))}


def _add_to_page(page: bytes, numbers: Collection[int]) -> bytes:
    bits = bytearray(page)
    for number in numbers:
        for bit in _bit_positions(number):
            bits[bit >> 3] |= 1 << (bit & 7)
    return bytes(bits)


def _bit_positions(number: int) -> tuple[int, int, int]:
    """Return the positions of the three bits of a number within its page."""
    return number & _PAGE_MASK, number >> _SECOND_BIT_SHIFT & _PAGE_MASK, _mix(number) & _PAGE_MASK


def _unpack(stored: bytes) -> bytes:
    return zlib.decompress(stored, bufsize=_PAGE_BYTES)


PAGE_FORMAT: Final = PageFormat(
    version=3,
    position_bits=_POSITION_BITS,
    empty_page=_EMPTY,
    find_missing=_find_missing,
    add=_add_to_page,
    pack=partial(zlib.compress, level=1),  # a million words: 2 MB to 1 MB; level 6: 7 % less, 4 times as slow
    unpack=_unpack,
)

SOUND_FILTER: Final = NumberPages(sound_filter, PAGE_FORMAT, hash_sound_and_spelling, SoundFilter.from_pages)
"""Sound keys of all words, and exact keys of words in Assamese script."""


def may_spell(connection: ReadConnection, exact_keys: Iterable[str]) -> bool:
    """Return whether a word in Assamese script may have one of the exact keys; True if unknown."""
    sounds = SOUND_FILTER.current(connection)
    return sounds is None or sounds.may_spell(exact_keys)
