"""Pages of numbers, as read from a database."""

from collections.abc import Iterable

from abhidhan.dictionary.store.acceleration.pages import P, Paging


def in_pages(paging: Paging[P], numbers: Iterable[int]) -> dict[int, P]:
    """Encode numbers as pages, store them, and read them again."""
    return {
        page: paging.unpack(paging.pack(paging.add(paging.empty, some)))
        for page, some in paging.by_page(numbers).items()
    }
