"""Rules for collapsing entries and senses on the page of a word."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

MAX_OPEN_SENSES: Final = 4
"""Maximum number of senses that are all open; on a page with more senses, only the first is open."""

MAX_LISTED_SENSES: Final = 60
"""Maximum number of senses listed on a page; the rest are on the page of the entry."""

MAX_OPEN_ENTRIES: Final = 3
"""Maximum number of entries that are all shown; of more, only the first and those in the reader's languages are."""

MAX_LANGUAGES_SHOWN: Final = 8
"""Maximum number of languages of a sense that are all shown; of more, only the reader's languages are."""

MAX_OPEN_WORDS: Final = 3
"""In a query of several words, the number of words whose first sense is open; later words have one line."""

MAX_SENSES_PER_WORD: Final = 3
"""In a query of several words, the number of senses listed for each; the rest are on the word's page."""

MAX_ENTRIES_PER_WORD: Final = 3
"""In a query of several words, the number of further entries named for each open word; later words have one entry."""

MAX_OPEN_EXAMPLES: Final = 3
MAX_OPEN_RELATED: Final = 8
"""Maximum number of related ideas per relation of a sense; `MAX_OPEN_EXAMPLES` is that of examples."""


class EntryDisplay(NamedTuple):
    """Display of an entry: whether more than its name is shown, and the numbers of listed and of open senses."""

    is_shown: bool
    listed_senses: int
    open_senses: int


COLLAPSED: Final = EntryDisplay(is_shown=False, listed_senses=0, open_senses=0)


def plan_entry_displays(
    words: Sequence[Sequence[tuple[int, int]]], reader_languages: Collection[int], limit: int = MAX_LISTED_SENSES
) -> list[EntryDisplay]:
    """Return the displays of the entries of a query's words; each entry is given as (language ID, number of senses)."""
    entries = [entry for word in words for entry in word]
    if len(words) > 1 and not may_all_be_open(entries):
        return [display for position, word in enumerate(words) for display in plan_word_displays(position, word)]
    is_shown = choose_visible_entries([language for language, _ in entries], reader_languages)
    counts = [count if visible else 0 for (_, count), visible in zip(entries, is_shown, strict=True)]
    return [
        EntryDisplay(*display)
        for display in zip(is_shown, count_listed_senses(counts, limit), count_open_senses(counts), strict=True)
    ]


def may_all_be_open(entries: Sequence[tuple[int, int]]) -> bool:
    """Return whether the entries, given as (language ID, number of senses), have few enough senses to open all."""
    return len(entries) <= MAX_OPEN_SENSES and sum(count for _, count in entries) <= MAX_OPEN_SENSES


def plan_word_displays(position: int, entries: Sequence[tuple[int, int]]) -> list[EntryDisplay]:
    """Return the displays of the entries of one of several words: the first with few senses, others collapsed."""
    limit = MAX_SENSES_PER_WORD if position < MAX_OPEN_WORDS else 1
    first = [
        EntryDisplay(
            is_shown=True, listed_senses=min(count, limit), open_senses=min(count, int(position < MAX_OPEN_WORDS))
        )
        for _, count in entries[:1]
    ]
    return [*first, *[COLLAPSED] * len(entries[1:])]


def count_entries_per_word(words: int) -> list[int]:
    """Return the number of entries named or shown for each of several words."""
    return [1 + MAX_ENTRIES_PER_WORD if position < MAX_OPEN_WORDS else 1 for position in range(words)]


def choose_visible_entries(languages: Sequence[int], reader_languages: Collection[int]) -> list[bool]:
    """Return whether each entry is shown, by language: the first, the reader's, and others if there are few."""
    if len(languages) <= MAX_OPEN_ENTRIES:
        return [True] * len(languages)
    return [position == 0 or language in reader_languages for position, language in enumerate(languages)]


def count_open_senses(counts: Sequence[int]) -> list[int]:
    """Return the number of open senses of each entry, by its number of senses."""
    if sum(counts) <= MAX_OPEN_SENSES:
        return list(counts)
    first = next((position for position, count in enumerate(counts) if count), 0)
    return [int(position == first) for position in range(len(counts))]


def count_listed_senses(counts: Iterable[int], limit: int = MAX_LISTED_SENSES) -> list[int]:
    """Return the number of listed senses of each entry, by its number of senses; at least one of each."""
    listed_counts, remaining = [], limit
    for count in counts:
        listed_counts.append(min(count, max(remaining, 1)))
        remaining -= listed_counts[-1]
    return listed_counts


def choose_visible_languages(counts: Mapping[int, int], reader_languages: Collection[int]) -> frozenset[int]:
    """Return the languages in which a sense is shown: all if there are few, otherwise the reader's."""
    return frozenset(counts if len(counts) <= MAX_LANGUAGES_SHOWN else counts.keys() & set(reader_languages))


def sort_languages(languages: Iterable[int], reader_languages: Sequence[int]) -> list[int]:
    """Sort languages in the reader's order, the others by ID."""
    positions = {language_id: position for position, language_id in reversed([*enumerate(reader_languages)])}
    return sorted(languages, key=lambda language: (positions.get(language, len(positions)), language))
