"""Numbers in pages, as they come out of a database."""

from collections.abc import Iterable

from abhidhan.dictionary.store.acceleration.pages import P, Paging


def in_pages(paging: Paging[P], numbers: Iterable[int]) -> dict[int, P]:
    """Put numbers into pages, store these, and read them again."""
    return {
        page: paging.unpack(paging.pack(paging.add(paging.empty, some)))
        for page, some in paging.by_page(numbers).items()
    }
