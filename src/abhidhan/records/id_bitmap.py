"""Sets of IDs as bitmaps: a million IDs take a few hundred kilobytes."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

IDS_PER_PAGE: Final = 4096


class IdRun(NamedTuple):
    """A run of consecutive IDs, including `first` and `last`."""

    first: int
    last: int


class IdSet:
    """A set of IDs that iterates in ascending order."""

    __slots__ = ("_pages",)

    def __init__(self, ids: Iterable[int] = ()) -> None:
        """Initialise with some IDs."""
        self._pages: dict[int, int] = {}
        self.update(ids)

    def add(self, record_id: int) -> None:
        """Add an ID."""
        page, bit = divmod(record_id, IDS_PER_PAGE)
        self._pages[page] = self._pages.get(page, 0) | 1 << bit

    def update(self, ids: Iterable[int]) -> None:
        """Add IDs."""
        for record_id in ids:
            self.add(record_id)

    def add_run(self, run: IdRun) -> None:
        """Add all IDs of a run, in constant time per page."""
        for page in range(run.first // IDS_PER_PAGE, run.last // IDS_PER_PAGE + 1):
            start = page * IDS_PER_PAGE
            low, high = max(run.first - start, 0), min(run.last - start, IDS_PER_PAGE - 1)
            self._pages[page] = self._pages.get(page, 0) | ((1 << (high - low + 1)) - 1) << low

    def discard(self, record_id: int) -> None:
        """Remove an ID if it is in the set."""
        page, bit = divmod(record_id, IDS_PER_PAGE)
        remaining = self._pages.get(page, 0) & ~(1 << bit)
        if remaining:
            self._pages[page] = remaining
        else:
            self._pages.pop(page, None)

    def iter_runs(self) -> Iterator[IdRun]:
        """Yield the longest possible runs of IDs, in ascending order."""
        pending: IdRun | None = None
        for run in self._iter_page_runs():
            if pending is not None and pending.last + 1 == run.first:
                pending = IdRun(pending.first, run.last)
                continue
            if pending is not None:
                yield pending
            pending = run
        if pending is not None:
            yield pending

    def _iter_page_runs(self) -> Iterator[IdRun]:
        for page in sorted(self._pages):
            bits, start = self._pages[page], page * IDS_PER_PAGE
            while bits:
                zeros = (bits & -bits).bit_length() - 1
                bits >>= zeros
                ones = (~bits & (bits + 1)).bit_length() - 1
                bits >>= ones
                start += zeros
                yield IdRun(start, start + ones - 1)
                start += ones

    def __iter__(self) -> Iterator[int]:
        """Yield the IDs in ascending order."""
        for first, last in self._iter_page_runs():
            yield from range(first, last + 1)

    def __contains__(self, record_id: int) -> bool:
        """Return whether an ID is in the set."""
        page, bit = divmod(record_id, IDS_PER_PAGE)
        return bool(self._pages.get(page, 0) >> bit & 1)

    def __bool__(self) -> bool:
        """Return whether the set is not empty."""
        return bool(self._pages)
