"""External sorting of items with bounded memory."""

import heapq
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec

from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import RecordError

MAX_MEMORY_ITEMS: Final = 100_000
"""Number of items sorted in memory before they are written to disk as a run, to be merged at the end."""

BLOCK_ITEMS: Final = 1_000
"""Number of items of each run in memory during the merge."""


class SortItem(NamedTuple):
    """An item to sort: ordered by `key`, `payload` and `number`; `data` is only carried along."""

    key: bytes
    payload: bytes
    number: int
    data: tuple[int, ...] = ()


class ExternalSorter:
    """A collection that sorts its items with bounded memory, and yields them in order."""

    def __init__(self, folder: Path) -> None:
        """Initialise; items beyond `MAX_MEMORY_ITEMS` go into an unnamed file in a folder."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  # closed at the end of the `with` block
        self._buffer: list[SortItem] = []
        self._runs: list[list[tuple[int, int]]] = []
        self._end_offset = 0

    def add(self, item: SortItem) -> None:
        """Add an item."""
        self._buffer.append(item)
        if len(self._buffer) >= MAX_MEMORY_ITEMS:
            self._flush()

    def __iter__(self) -> Iterator[SortItem]:
        """Yield all items in ascending order."""
        self._buffer.sort()
        return heapq.merge(*(self._read(run) for run in self._runs), self._buffer)

    def _flush(self) -> None:
        self._buffer.sort()
        run = []
        for start in range(0, len(self._buffer), BLOCK_ITEMS):
            raw = msgspec.msgpack.encode(self._buffer[start : start + BLOCK_ITEMS])
            self._file.write(raw)
            run.append((self._end_offset, len(raw)))
            self._end_offset += len(raw)
        self._runs.append(run)
        self._buffer = []

    def _read(self, run: list[tuple[int, int]]) -> Iterator[SortItem]:
        for offset, size in run:
            self._file.seek(offset)
            yield from msgspec.msgpack.decode(self._file.read(size), type=list[SortItem])

    def __enter__(self) -> Self:
        """Return the collection itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._file.close()


# --- duplicate IDs in a file ----------------------------------------------------------------------------------------


class DuplicateIdDetector:
    """Detector of duplicate element IDs, with bounded memory."""

    def __init__(self, folder: Path) -> None:
        """Initialise; IDs beyond a limit go into a file in a folder."""
        self._sorter = ExternalSorter(folder)

    def add(self, element: str, identifier: str | None, file: str, line: int) -> None:
        """Add the ID of an element."""
        if identifier:
            name = f"{element}\0{file}"
            self._sorter.add(SortItem(_encode(identifier), _encode(name), line))

    def iter_errors(self) -> Iterator[RecordError]:
        """Yield an error for each ID shared by several elements with the same name in a file."""
        for (identifier, name), entries in groupby(self._sorter, key=lambda entry: (entry.key, entry.payload)):
            lines = (entry.number for entry in entries)
            first, second = next(lines), next(lines, None)
            if second is not None:
                element, _, file = name.decode("utf-8", "replace").partition("\0")
                detail = (
                    f"{2 + sum(1 for _ in lines):,} elements `{element}` have the ID "
                    f"{quoted(identifier.decode('utf-8', 'replace'))}, the first on line {first}. "
                    "Give each an ID of its own, so that relations lead to the right one."
                )
                yield RecordError(file, second, detail, (Problem("id", detail),))

    def __enter__(self) -> Self:
        """Return the detector itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._sorter.__exit__(kind, error, trace)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
