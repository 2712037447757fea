"""Wildcard searches, which compare candidate words with a pattern one by one for a limited time."""

from asyncio import Semaphore
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from abhidhan.dictionary.model.field_queries import Pattern
from abhidhan.dictionary.store import word_filters
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.word_filters import PatternCandidate, WordChoice, words_by_id, words_like
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence

MOST_CHOSEN: Final = 20_000
"""Number of words below which all words chosen by fields are compared, without a search by key."""

MAX_WILDCARD_SEARCHES: Final = 8
"""Maximum number of running and waiting wildcard searches; the last one waits up to 15 s."""

MOST_SECONDS: Final = 2.0
"""Approximate time limit of one search, in seconds; the matches found by then are returned."""


class WildcardQueue:
    """Queue that runs wildcard searches one at a time, so that they occupy only one thread."""

    def __init__(self) -> None:
        """Initialise an empty queue."""
        self._turn = Semaphore(1)
        self._length = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Raises UnavailableError if too many searches wait."""
        if self._length >= MAX_WILDCARD_SEARCHES:
            raise UnavailableError(
                sentence("Too many wildcard searches are running. Please try again soon."), RetryAfter.LONG_JOB
            )
        self._length += 1
        try:
            async with self._turn:
                yield
        finally:
            self._length -= 1


def find_fitting(
    reader: Reader, pattern: Pattern, language_id: int, choice: WordChoice, limit: int
) -> tuple[list[PatternCandidate], bool]:
    """Find the words that match a pattern, shortest loose keys first; return also whether the result is complete."""
    deadline = monotonic() + MOST_SECONDS
    chosen = None if choice.is_any else word_filters.few(reader, choice, language_id, MOST_CHOSEN)
    if chosen is not None and len(chosen) < MOST_CHOSEN:
        # They are not ordered by length, so all of them are compared.
        ways, enough = iter([words_by_id(reader, chosen, language_id)]), MOST_CHOSEN
    else:
        ways, enough = _ways(reader, pattern, language_id), limit
    found: set[PatternCandidate] = set()
    for pages in ways:
        number = 0
        for words in pages:
            fitting = _fitting(reader, pattern, choice, words)
            found.update(fitting)
            number += len(fitting)
            if number >= enough:
                break
            if monotonic() >= deadline:
                return _shortest(found, limit), False
    return _shortest(found, limit), True


def _ways(reader: Reader, pattern: Pattern, language_id: int) -> Iterator[Iterator[list[PatternCandidate]]]:
    """Yield candidates by their loose keys and, unless the pattern is ASCII, by their exact keys.

    `*গ` matches বিহংগ only by its exact key, since its loose key is বিহং. ASCII letters also occur in loose keys.
    """
    for folded in sorted(set(pattern.loose.values())):
        yield words_like(reader, KeyColumn.LOOSE, folded, language_id)
    if not pattern.exact.text.isascii():
        yield words_like(reader, KeyColumn.EXACT, pattern.exact, language_id, unlike=pattern.loose[""].like)


def _fitting(
    reader: Reader, pattern: Pattern, choice: WordChoice, words: list[PatternCandidate]
) -> list[PatternCandidate]:
    code_of = reader.catalogue.language
    fitting = [each for each in words if pattern.matches(each.exact, each.loose, code_of(each.language_id).code)]
    kept = word_filters.keep(reader, choice, [each.id for each in fitting])
    return [each for each in fitting if each.id in kept]


def _shortest(words: set[PatternCandidate], limit: int) -> list[PatternCandidate]:
    return sorted(words, key=lambda each: (len(each.loose), each.loose, each.id))[:limit]
