"""Wildcard searches, which compare candidate words with a pattern one by one for a limited time."""

from asyncio import Semaphore
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from abhidhan.dictionary.model.field_queries import WildcardPattern
from abhidhan.dictionary.store import word_filters
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.word_filters import PatternCandidate, WordFilter, iter_words_by_id, iter_words_like
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence

COMPARE_ALL_THRESHOLD: Final = 20_000
"""Number of words below which all words chosen by fields are compared, without a search by key."""

MAX_WILDCARD_SEARCHES: Final = 8
"""Maximum number of running and waiting wildcard searches; the last one waits up to 15 s."""

TIME_LIMIT_SECONDS: Final = 2.0
"""Approximate time limit of one search, in seconds; the matches found by then are returned."""


class WildcardQueue:
    """Queue that runs wildcard searches one at a time, so that they occupy only one thread."""

    def __init__(self) -> None:
        """Initialise an empty queue."""
        self._semaphore = Semaphore(1)
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
            async with self._semaphore:
                yield
        finally:
            self._length -= 1


def find_pattern_matches(
    connection: ReadConnection, pattern: WildcardPattern, language_id: int, word_filter: WordFilter, limit: int
) -> tuple[list[PatternCandidate], bool]:
    """Find the words that match a pattern, shortest loose keys first; return also whether the result is complete."""
    deadline = monotonic() + TIME_LIMIT_SECONDS
    filtered_ids = (
        None
        if word_filter.matches_all
        else word_filters.list_by_ideas(connection, word_filter, language_id, COMPARE_ALL_THRESHOLD)
    )
    if filtered_ids is not None and len(filtered_ids) < COMPARE_ALL_THRESHOLD:
        # They are not ordered by length, so all of them are compared.
        sources, max_matches = iter([iter_words_by_id(connection, filtered_ids, language_id)]), COMPARE_ALL_THRESHOLD
    else:
        sources, max_matches = _candidate_sources(connection, pattern, language_id), limit
    results: set[PatternCandidate] = set()
    for pages in sources:
        number = 0
        for words in pages:
            matches = _filter_matching(connection, pattern, word_filter, words)
            results.update(matches)
            number += len(matches)
            if number >= max_matches:
                break
            if monotonic() >= deadline:
                return _sort_by_length(results, limit), False
    return _sort_by_length(results, limit), True


def _candidate_sources(
    connection: ReadConnection, pattern: WildcardPattern, language_id: int
) -> Iterator[Iterator[list[PatternCandidate]]]:
    """Yield candidates by their loose keys and, unless the pattern is ASCII, by their exact keys.

    `*গ` matches বিহংগ only by its exact key, since its loose key is বিহং. ASCII letters also occur in loose keys.
    """
    for folded in sorted(set(pattern.loose.values())):
        yield iter_words_like(connection, KeyColumn.LOOSE, folded, language_id)
    if not pattern.exact.text.isascii():
        yield iter_words_like(
            connection, KeyColumn.EXACT, pattern.exact, language_id, excluded_pattern=pattern.loose[""].sql_like
        )


def _filter_matching(
    connection: ReadConnection, pattern: WildcardPattern, word_filter: WordFilter, words: list[PatternCandidate]
) -> list[PatternCandidate]:
    get_language = connection.catalogue.language
    matches = [
        candidate
        for candidate in words
        if pattern.matches(candidate.exact_key, candidate.loose_key, get_language(candidate.language_id).code)
    ]
    allowed_ids = word_filters.filter_ids(connection, word_filter, [candidate.id for candidate in matches])
    return [candidate for candidate in matches if candidate.id in allowed_ids]


def _sort_by_length(words: set[PatternCandidate], limit: int) -> list[PatternCandidate]:
    return sorted(words, key=lambda candidate: (len(candidate.loose_key), candidate.loose_key, candidate.id))[:limit]
