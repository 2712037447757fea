"""Numbers in pages: what stored words have, small enough for every worker to hold, and read anew a page at a time."""

from collections.abc import Callable, Collection, Iterable
from typing import Final, Generic, NamedTuple, TypeVar

P = TypeVar("P")
"""A page as it is held in memory."""

PAGES: Final = 256


class Paging(NamedTuple, Generic[P]):
    """How numbers stand in pages: `form` names all of it, and is raised when the number of any word becomes another."""

    form: int
    within_page: int
    """How many of the lowest bits of a number tell its place within its page; those above name the page."""
    empty: P
    lacking: Callable[[P, Collection[int]], set[int]]
    """Choose the numbers that a page lacks."""
    with_more: Callable[[P, Collection[int]], P]
    pack: Callable[[P], bytes]
    """Write a page as it is stored."""
    unpack: Callable[[bytes], P]

    def by_page(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Sort numbers into their pages."""
        pages: dict[int, list[int]] = {}
        for number in numbers:
            pages.setdefault(number >> self.within_page, []).append(number)
        return pages
