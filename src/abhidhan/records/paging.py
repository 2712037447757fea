"""Pages of lists, as services and storage return them."""

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

import msgspec

T = TypeVar("T")

GREATEST_OFFSET: Final = 100_000
"""How far `offset` may reach: beyond it, following the alphabet is the quicker way."""


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list, and the length of the whole list."""

    items: Sequence[T]
    total: int


class AlphabeticalPage(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list in the alphabetical order of a language.

    `next` is the text that the following page starts with; None at the end.
    """

    items: Sequence[T]
    language_id: int
    next: str | None
