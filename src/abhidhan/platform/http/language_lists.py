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
    """Group items by the first letter of their names, in the order of these.

    Names in the letters of the reader's language come before those that are known in Latin ones only.
    """
    given = list(items)
    named = sorted((first_letter(name_of(item)), name_of(item).casefold(), place) for place, item in enumerate(given))
    ordered = sorted(named, key=lambda each: each[0].isascii())
    groups = groupby(ordered, key=lambda each: each[0])
    return [(letter, [given[place] for _, _, place in group]) for letter, group in groups]


def matching(items: Iterable[T], wanted: str, names_of: Callable[[T], Iterable[str | None]]) -> list[T]:
    """List the items one of whose names begins with what somebody wrote, then those that hold it."""
    typed = wanted.strip().casefold()
    named = [(item, [name.casefold() for name in names_of(item) if name]) for item in items]
    first = [item for item, names in named if any(name.startswith(typed) for name in names)]
    others = [item for item, names in named if any(typed in name and not name.startswith(typed) for name in names)]
    return [*first, *(item for item in others if item not in first)]
