"""IDs that several elements of a file have: gathered on disk, and told when all was read."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Self

from abhidhan.formats.writers.external_sort import Entry, Sorted
from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import Fault


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
