"""Lists of languages that stay readable when there are a thousand: by the first letter of their names."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")


def first_letter(name: str) -> str:
    """Return the letter under which a name stands: a capital without its marks, or a letter of another script."""
    letter = next((character for character in name if character.isalpha()), "#")
    return unicodedata.normalize("NFD", letter)[0].upper()


def by_letter(items: Iterable[T], name_of: Callable[[T], str]) -> list[tuple[str, Sequence[T]]]:
    """Group items by the first letter of their names, in the order of these."""
    ordered = sorted(items, key=lambda item: (first_letter(name_of(item)), name_of(item).casefold()))
    return [(letter, list(group)) for letter, group in groupby(ordered, key=lambda item: first_letter(name_of(item)))]
