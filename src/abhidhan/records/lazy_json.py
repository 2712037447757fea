"""Lists stored as response JSON: copied into responses unchanged, and decoded only when accessed."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

import msgspec

T = TypeVar("T")


class LazyList(Sequence[T]):
    """A sequence of values that are decoded from JSON on first access.

    An idea may have a thousand words: decoding them takes a hundred times as long as copying their JSON into a
    response. `json` must be a JSON array that `decode` accepts.
    """

    __slots__ = ("_count", "_decode", "_items", "json")

    def __init__(self, json: bytes, decode: Callable[[bytes], tuple[T, ...]], count: int | None = None) -> None:
        """Initialise with a JSON array, its decoder, and the number of values if it is known."""
        self.json = json
        self._decode = decode
        self._count = count
        self._items: tuple[T, ...] | None = None

    @property
    def items(self) -> tuple[T, ...]:
        """The decoded values."""
        if self._items is None:
            self._items = self._decode(self.json)
        return self._items

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        """Return the value at an index, or those of a slice."""
        return self.items[index]

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self.items) if self._count is None else self._count

    def __bool__(self) -> bool:
        """Return whether there are any values, without decoding them."""
        return self.json != b"[]"

    def __iter__(self) -> Iterator[T]:
        """Iterate over the values."""
        return iter(self.items)

    def __eq__(self, other: object) -> bool:
        """Compare with any sequence of values."""
        return self.items == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        """Return the hash of the tuple of values."""
        return hash(self.items)

    def __repr__(self) -> str:
        """Return the representation of the values."""
        return repr(self.items)


def to_raw_json(lazy_list: LazyList[T]) -> msgspec.Raw:
    """Wrap the JSON of a lazy list, so that an encoder copies it unchanged."""
    return msgspec.Raw(lazy_list.json)
