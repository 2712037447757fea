"""One page of a long list, by offset or by the alphabet."""

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

import msgspec

T = TypeVar("T")

MAX_OFFSET: Final = 100_000
"""The maximum `offset`; beyond it, alphabetical paging is faster."""


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list, with the length of the whole list."""

    items: Sequence[T]
    total: int


class AlphabeticalPage(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list in the alphabetical order of a language.

    `next` is the first text of the next page, or None at the end.
    """

    items: Sequence[T]
    language_id: int
    next: str | None
