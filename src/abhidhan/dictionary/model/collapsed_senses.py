"""Folding: what the page of a word shows at first, and what a reader opens; pure functions of numbers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

OPEN_SENSES: Final = 4
"""So many senses stand open; of a page with more of them only the first does."""

LISTED_SENSES: Final = 60
"""So many senses a page lists; the others of a word are on the page of its entry."""

OPEN_ENTRIES: Final = 3
"""So many entries are shown, and all in the reader's own languages; others are folded."""

FEW_LANGUAGES: Final = 8
"""The words of a sense in so many languages are shown whoever reads."""

OPEN_WORDS: Final = 3
"""Of several words, of so many the first sense stands open; of the later ones it is a line."""

LISTED_OF_SEVERAL: Final = 3
"""So many senses of each of several words are listed; the others are on the page of that word."""

NAMED_OF_SEVERAL: Final = 3
"""So many further entries of each of the open ones of several words are named; the later ones have one entry."""

TOLD_BY_CLUES: Final = 12
"""So many senses are told by a word or two in the list of them; more by their numbers."""

KNOWN: Final = 3
"""So many of the languages shown without a choice tell the senses in a list: the largest may be strange."""

OPEN_EXAMPLES: Final = 3
OPEN_RELATED: Final = 8
"""So many examples, and ideas in one relation, stand under a sense."""


class Shown(NamedTuple):
    """What a page shows of an entry: whether more than its name, how many senses it lists, how many of them open."""

    is_shown: bool
    listed: int
    opened: int


FOLDED: Final = Shown(is_shown=False, listed=0, opened=0)


def shown_of_words(
    words: Sequence[Sequence[tuple[int, int]]], mine: Collection[int], most: int = LISTED_SENSES
) -> list[Shown]:
    """Say what is shown of the entries of each word of a query, by (language, number of senses)."""
    entries = [entry for word in words for entry in word]
    if len(words) > 1 and not are_few(entries):
        return [each for place, word in enumerate(words) for each in shown_of_several(place, word)]
    is_shown = shown_entries([language for language, _ in entries], mine)
    counts = [count if shown else 0 for (_, count), shown in zip(entries, is_shown, strict=True)]
    return [Shown(*each) for each in zip(is_shown, listed_senses(counts, most), open_senses(counts), strict=True)]


def are_few(entries: Sequence[tuple[int, int]]) -> bool:
    """Say whether all senses of some entries may stand open."""
    return len(entries) <= OPEN_SENSES and sum(count for _, count in entries) <= OPEN_SENSES


def shown_of_several(place: int, entries: Sequence[tuple[int, int]]) -> list[Shown]:
    """Say what is shown of the entries of one of several words: a bounded part of the first."""
    most = LISTED_OF_SEVERAL if place < OPEN_WORDS else 1
    first = [
        Shown(is_shown=True, listed=min(count, most), opened=min(count, int(place < OPEN_WORDS)))
        for _, count in entries[:1]
    ]
    return [*first, *[FOLDED] * len(entries[1:])]


def named_of_several(words: int) -> list[int]:
    """Return how many entries of each of several words are named or shown."""
    return [1 + NAMED_OF_SEVERAL if place < OPEN_WORDS else 1 for place in range(words)]


def shown_entries(languages: Sequence[int], mine: Collection[int]) -> list[bool]:
    """Say of each entry whether it is shown, by their languages: the first, the reader's, and a few others."""
    if len(languages) <= OPEN_ENTRIES:
        return [True] * len(languages)
    return [place == 0 or language in mine for place, language in enumerate(languages)]


def open_senses(counts: Sequence[int]) -> list[int]:
    """Return how many senses of each entry stand open, by how many it has."""
    if sum(counts) <= OPEN_SENSES:
        return list(counts)
    first = next((place for place, count in enumerate(counts) if count), 0)
    return [int(place == first) for place in range(len(counts))]


def listed_senses(counts: Iterable[int], most: int = LISTED_SENSES) -> list[int]:
    """Return how many senses of each entry are listed, by how many it has; each entry lists its first."""
    listed, left = [], most
    for count in counts:
        listed.append(min(count, max(left, 1)))
        left -= listed[-1]
    return listed


def shown_languages(counts: Mapping[int, int], mine: Collection[int]) -> frozenset[int]:
    """Return the languages in which a sense is shown: all where they are few, else the reader's that it has."""
    return frozenset(counts if len(counts) <= FEW_LANGUAGES else counts.keys() & set(mine))


def in_order(languages: Iterable[int], mine: Sequence[int]) -> list[int]:
    """Put languages in a reader's order; the others follow by their IDs."""
    places = {language_id: place for place, language_id in reversed([*enumerate(mine)])}
    return sorted(languages, key=lambda each: (places.get(each, len(places)), each))
