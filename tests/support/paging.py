"""Pages of numbers, as read from a database."""

from collections.abc import Iterable

from abhidhan.dictionary.store.acceleration.stored_pages import P, PageFormat


def encode_pages(paging: PageFormat[P], numbers: Iterable[int]) -> dict[int, P]:
    """Encode numbers as pages, store them, and read them again."""
    return {
        page: paging.unpack(paging.pack(paging.add(paging.empty_page, some)))
        for page, some in paging.group_by_page(numbers).items()
    }
