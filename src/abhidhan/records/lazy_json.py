"""Lists kept as the JSON of answers: written into an answer as they are, and read only by who looks into them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

import msgspec

T = TypeVar("T")


class LazyList(Sequence[T]):
    """A list of values that stays JSON until somebody asks for one of them.

    An idea has a thousand words in a thousand languages: to make values of them takes a hundred times as long as to
    write their JSON into an answer. `json` must be a list that `read` reads.
    """

    __slots__ = ("_count", "_items", "_read", "json")

    def __init__(self, json: bytes, read: Callable[[bytes], tuple[T, ...]], count: int | None = None) -> None:
        """Keep the JSON, who can read it, and how many values it has, where that is known without reading."""
        self.json = json
        self._read = read
        self._count = count
        self._items: tuple[T, ...] | None = None

    @property
    def items(self) -> tuple[T, ...]:
        """The values themselves, read when they are first asked for."""
        if self._items is None:
            self._items = self._read(self.json)
        return self._items

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        """Return the value at a place, or those of a stretch."""
        return self.items[place]

    def __len__(self) -> int:
        """Count the values."""
        return len(self.items) if self._count is None else self._count

    def __bool__(self) -> bool:
        """Return whether there are any, without reading them."""
        return self.json != b"[]"

    def __iter__(self) -> Iterator[T]:
        """Go through the values."""
        return iter(self.items)

    def __eq__(self, other: object) -> bool:
        """Be equal to every list of the same values, kept or not."""
        return self.items == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        """Be found where the same values would be found."""
        return hash(self.items)

    def __repr__(self) -> str:
        """Show the values."""
        return repr(self.items)


def as_json(kept: LazyList[T]) -> msgspec.Raw:
    """Return what an encoder writes for a kept list: its JSON as it is."""
    return msgspec.Raw(kept.json)
