"""What must stand in order in a file, sorted without holding all of it in memory."""

import heapq
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec

from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import Fault

MOST_HELD: Final = 100_000
"""How many entries are sorted in memory; then they are written away, and merged with the others at the end."""

BLOCK: Final = 1_000
"""How many entries of each such run are in memory while they are merged."""


class Entry(NamedTuple):
    """What is sorted: first by `key`, then by `name`, then by `number`; `numbers` go with it."""

    key: bytes
    name: bytes
    number: int
    numbers: tuple[int, ...] = ()


class Sorted:
    """Takes entries in any order, and gives them in theirs."""

    def __init__(self, folder: Path) -> None:
        """Begin with none; those beyond MOST_HELD go into a file of a folder, whose name nobody sees."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  # closed at the end of the `with` block
        self._held: list[Entry] = []
        self._runs: list[list[tuple[int, int]]] = []
        self._end = 0

    def add(self, entry: Entry) -> None:
        """Take an entry."""
        self._held.append(entry)
        if len(self._held) >= MOST_HELD:
            self._write_away()

    def __iter__(self) -> Iterator[Entry]:
        """Yield all entries, the least first."""
        self._held.sort()
        return heapq.merge(*(self._read(run) for run in self._runs), self._held)

    def _write_away(self) -> None:
        self._held.sort()
        run = []
        for start in range(0, len(self._held), BLOCK):
            raw = msgspec.msgpack.encode(self._held[start : start + BLOCK])
            self._file.write(raw)
            run.append((self._end, len(raw)))
            self._end += len(raw)
        self._runs.append(run)
        self._held = []

    def _read(self, run: list[tuple[int, int]]) -> Iterator[Entry]:
        for place, size in run:
            self._file.seek(place)
            yield from msgspec.msgpack.decode(self._file.read(size), type=list[Entry])

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._file.close()


# --- IDs that several elements of a file have -----------------------------------------------------------------------


class RepeatedIds:
    """Takes the IDs of elements, and finds those that several have; memory stays flat."""

    def __init__(self, folder: Path) -> None:
        """Begin with none; those that memory should not hold go into a file in a folder."""
        self._sorted = Sorted(folder)

    def add(self, element: str, identifier: str | None, file: str, line: int) -> None:
        """Take the ID of an element."""
        if identifier:
            name = f"{element}\0{file}"
            self._sorted.add(Entry(_bytes(identifier), _bytes(name), line))

    def faults(self) -> Iterator[Fault]:
        """Tell each ID that several elements of a name have in a file, once."""
        for (identifier, name), entries in groupby(self._sorted, key=lambda entry: (entry.key, entry.name)):
            lines = (entry.number for entry in entries)
            first, second = next(lines), next(lines, None)
            if second is not None:
                element, _, file = name.decode("utf-8", "replace").partition("\0")
                detail = (
                    f"{2 + sum(1 for _ in lines):,} elements `{element}` have the ID "
                    f"{quoted(identifier.decode('utf-8', 'replace'))}, the first on line {first}. "
                    "Give each an ID of its own, so that relations lead to the right one."
                )
                yield Fault(file, second, detail, (Problem("id", detail),))

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._sorted.__exit__(kind, error, trace)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
