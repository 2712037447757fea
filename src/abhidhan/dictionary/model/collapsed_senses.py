"""Rules for collapsing entries and senses on the page of a word."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

OPEN_SENSES: Final = 4
"""Maximum number of senses that are all open; on a page with more, only the first is open."""

LISTED_SENSES: Final = 60
"""Maximum number of senses listed on a page; the rest are on the page of the entry."""

OPEN_ENTRIES: Final = 3
"""Maximum number of entries that are all shown; of more, only the first and those in the reader's languages."""

FEW_LANGUAGES: Final = 8
"""Maximum number of languages of a sense that are all shown to every reader."""

OPEN_WORDS: Final = 3
"""In a query of several words, the number of words whose first sense is open; later ones show a line."""

LISTED_OF_SEVERAL: Final = 3
"""In a query of several words, the number of senses listed for each; the rest are on the word's page."""

NAMED_OF_SEVERAL: Final = 3
"""In a query of several words, the number of further entries named for each open word; later words have one entry."""

OPEN_EXAMPLES: Final = 3
OPEN_RELATED: Final = 8
"""Maximum number of related ideas per relation of a sense; OPEN_EXAMPLES is that of examples."""


class Shown(NamedTuple):
    """Extent to which an entry is shown: whether beyond its name, and its numbers of listed and open senses."""

    is_shown: bool
    listed: int
    opened: int


FOLDED: Final = Shown(is_shown=False, listed=0, opened=0)


def shown_of_words(
    words: Sequence[Sequence[tuple[int, int]]], mine: Collection[int], most: int = LISTED_SENSES
) -> list[Shown]:
    """Return how the entries of each word of a query are shown, by (language, number of senses)."""
    entries = [entry for word in words for entry in word]
    if len(words) > 1 and not are_few(entries):
        return [each for place, word in enumerate(words) for each in shown_of_several(place, word)]
    is_shown = shown_entries([language for language, _ in entries], mine)
    counts = [count if shown else 0 for (_, count), shown in zip(entries, is_shown, strict=True)]
    return [Shown(*each) for each in zip(is_shown, listed_senses(counts, most), open_senses(counts), strict=True)]


def are_few(entries: Sequence[tuple[int, int]]) -> bool:
    """Return whether all senses of some entries may be open."""
    return len(entries) <= OPEN_SENSES and sum(count for _, count in entries) <= OPEN_SENSES


def shown_of_several(place: int, entries: Sequence[tuple[int, int]]) -> list[Shown]:
    """Return how the entries of one of several words are shown: a limited part of the first."""
    most = LISTED_OF_SEVERAL if place < OPEN_WORDS else 1
    first = [
        Shown(is_shown=True, listed=min(count, most), opened=min(count, int(place < OPEN_WORDS)))
        for _, count in entries[:1]
    ]
    return [*first, *[FOLDED] * len(entries[1:])]


def named_of_several(words: int) -> list[int]:
    """Return the number of entries named or shown for each of several words."""
    return [1 + NAMED_OF_SEVERAL if place < OPEN_WORDS else 1 for place in range(words)]


def shown_entries(languages: Sequence[int], mine: Collection[int]) -> list[bool]:
    """Return whether each entry is shown, by language: the first, the reader's, and others if there are few."""
    if len(languages) <= OPEN_ENTRIES:
        return [True] * len(languages)
    return [place == 0 or language in mine for place, language in enumerate(languages)]


def open_senses(counts: Sequence[int]) -> list[int]:
    """Return the number of open senses of each entry, by its number of senses."""
    if sum(counts) <= OPEN_SENSES:
        return list(counts)
    first = next((place for place, count in enumerate(counts) if count), 0)
    return [int(place == first) for place in range(len(counts))]


def listed_senses(counts: Iterable[int], most: int = LISTED_SENSES) -> list[int]:
    """Return the number of listed senses of each entry, by its number of senses; at least one of each."""
    listed, left = [], most
    for count in counts:
        listed.append(min(count, max(left, 1)))
        left -= listed[-1]
    return listed


def shown_languages(counts: Mapping[int, int], mine: Collection[int]) -> frozenset[int]:
    """Return the languages in which a sense is shown: all if there are few, otherwise the reader's."""
    return frozenset(counts if len(counts) <= FEW_LANGUAGES else counts.keys() & set(mine))


def in_order(languages: Iterable[int], mine: Sequence[int]) -> list[int]:
    """Sort languages in the reader's order, the others by ID."""
    places = {language_id: place for place, language_id in reversed([*enumerate(mine)])}
    return sorted(languages, key=lambda each: (places.get(each, len(places)), each))
