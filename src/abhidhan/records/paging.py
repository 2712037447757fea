"""Pages of lists, as services and storage return them."""

from collections.abc import Sequence
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


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
