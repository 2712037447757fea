"""Numbers of 32 bits in pages, each sorted: whether one is among a hundred thousand is told within a microsecond."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from abhidhan.dictionary.store.acceleration.pages import PAGES, Paging

Numbers: TypeAlias = "array[int]"
"""The numbers of a page, the lowest first."""

WITHIN_PAGE: Final = 24
"""The first eight of the 32 bits of a number name its page."""

_IS_LITTLE_ENDIAN: Final = sys.byteorder == "little"
_EMPTY: Final = array("I")


def has(pages: Sequence[Numbers], number: int) -> bool:
    """Return whether a number stands in its page."""
    page = pages[number >> WITHIN_PAGE]
    place = bisect_left(page, number)
    return place < len(page) and page[place] == number


def of_pages(before: Sequence[Numbers] | None, changed: Mapping[int, Numbers]) -> list[Numbers]:
    """Take the pages that were there before, or empty ones, but for those that have changed."""
    return [changed.get(page, numbers) for page, numbers in enumerate(before or [_EMPTY] * PAGES)]


def paging(form: int) -> Paging[Numbers]:
    """Return how such numbers stand in pages; `form` names what they mean."""
    return Paging(form, WITHIN_PAGE, _EMPTY, lacking=_lacking, with_more=_with_more, pack=_pack, unpack=_unpack)


def _lacking(page: Numbers, numbers: Collection[int]) -> set[int]:
    return {*numbers}.difference(page)


def _with_more(page: Numbers, numbers: Collection[int]) -> Numbers:
    return array("I", sorted({*page, *numbers}))


def _pack(page: Numbers) -> bytes:
    """Write a page as it is stored: four bytes for each number, the lowest first."""
    return _in_stored_order(page[:]).tobytes()


def _unpack(stored: bytes) -> Numbers:
    numbers = array("I")
    numbers.frombytes(stored)
    return _in_stored_order(numbers)


def _in_stored_order(numbers: Numbers) -> Numbers:
    """Swap the bytes of numbers where the machine has the greatest first."""
    if not _IS_LITTLE_ENDIAN:
        numbers.byteswap()
    return numbers
