"""Search for words across languages by all match strategies (`strategies/registry.py`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match, SearchMatch, StrategyName, compute_score
from abhidhan.dictionary.model.field_selection import FieldSelection, select_fields
from abhidhan.dictionary.model.guess_scoring import GUESS_PENALTIES, KeyMatch
from abhidhan.dictionary.model.query import clean_query, list_spellings, strip_punctuation
from abhidhan.dictionary.model.word_json import add_members, build_list_decoder, join_words
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, RankedWord
from abhidhan.dictionary.service.strategies.guess import GUESS_STRATEGIES, Guesses, guess
from abhidhan.dictionary.service.strategies.registry import (
    PLAIN_SEARCH_STRATEGIES,
    SEARCH_STRATEGIES,
    SearchStrategy,
    Strategy,
)
from abhidhan.dictionary.store import word_filters, word_rows
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.dictionary.store.word_rows import LoadOptions
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lazy_json import LazyList

_MATCH_CLASSES: Final = tuple(SearchMatch)
"""Match classes, best first."""

NO_FILTER: Final = WordFilter()

EXTRA_CANDIDATES: Final = 400
"""Number of extra words that each strategy finds if a filter may drop some of them."""


def search(  # noqa: PLR0913 (each is a query parameter)
    connection: ReadConnection,
    text: str,
    language_id: int | None,
    *,
    fuzzy: bool,
    limit: int,
    selection: FieldSelection | None = None,
    word_filter: WordFilter = NO_FILTER,
) -> Sequence[FoundWord]:
    """Search words by spelling, sound, prefix, near spelling and definition, best first.

    Without `fuzzy`, only by exact and loose spelling and prefix. Only words that match `word_filter` are returned.
    """
    runner = _StrategyRunner(connection, clean_query(text), language_id or ALL_LANGUAGES, limit, word_filter)
    results: dict[int, tuple[SearchMatch, float]] = {}
    tried: set[StrategyName] = set()
    matched: set[StrategyName] = set()
    for strategy in SEARCH_STRATEGIES if fuzzy else PLAIN_SEARCH_STRATEGIES:
        if len(results) >= limit:
            break
        if strategy.name in GUESS_PENALTIES and not results and not runner.has_guessed:
            results |= runner.run_guess()
        if strategy.name not in tried and strategy.superseded_by.isdisjoint(matched):
            hits = runner.find(strategy)
            tried.add(strategy.name)
            if hits:
                matched.add(strategy.name)
            for word_id, closeness in hits:
                if word_id not in results:
                    results[word_id] = runner.compute_match_score(strategy, closeness)
    return load_found_words(connection, dict(list(results.items())[:limit]), selection)


def load_found_words(
    connection: ReadConnection, results: Mapping[int, tuple[SearchMatch, float]], selection: FieldSelection | None
) -> Sequence[FoundWord]:
    """Load the words found, each with its match class and score, reduced to the selected fields."""
    words = word_rows.load_encoded_words(connection, list(results), LoadOptions(selection))
    encoded = [add_members(word.packed, _encode_match(*results[word.id])) for word in words]
    return select_fields(LazyList(join_words(encoded), _DECODE_FOUND_WORDS, len(encoded)), selection)


def _encode_match(match: SearchMatch, closeness: float) -> bytes:
    return b'"match":"%b","score":%b' % (match.encode(), msgspec.json.encode(closeness))


_DECODE_FOUND_WORDS: Final = build_list_decoder(FoundWord)


class _StrategyRunner:
    """Runs the strategies of one search, and reuses the results of the guess."""

    def __init__(
        self, connection: ReadConnection, text: str, language_id: int, limit: int, word_filter: WordFilter
    ) -> None:
        self._reader, self._language_id, self._word_filter = connection, language_id, word_filter
        self._limit = limit if word_filter.matches_all else limit + EXTRA_CANDIDATES
        self._batch = LookupBatch([text], language_id, self._limit)
        self._spelling_batch = self._batch._replace(texts=list_spellings(text), limit=max(self._limit, MAX_ENTRIES))
        self._bare_text = strip_punctuation(text)
        self._guesses: Guesses | None = None
        self._guess_class: SearchMatch | None = None

    @property
    def has_guessed(self) -> bool:
        """Return whether the guess has run."""
        return self._guesses is not None

    def run_guess(self) -> dict[int, tuple[SearchMatch, float]]:
        """Return the words that a look-up guesses, likeliest first, with their scores.

        Parts of a compound are not included: their own strategy finds them, after prefix matches and near spellings.
        """
        self._guesses = guess(self._reader, self._spelling_batch._replace(texts=[self._bare_text]))
        matches = self._guesses.matches
        if not matches.hits or matches.match is Match.COMPOUND:
            return {}
        match = self._guess_class = SearchMatch(matches.match.value)
        hits = [RankedWord(hit.word_id, 1 - position / len(matches.hits)) for position, hit in enumerate(matches.hits)]
        return {word_id: (match, compute_score(match, closeness)) for word_id, closeness in self._filter(hits)}

    def compute_match_score(self, strategy: Strategy | SearchStrategy, closeness: float) -> tuple[SearchMatch, float]:
        """Return the class and score of a word; words that the guess left out rank below its results."""
        guess_class, match = self._guess_class, strategy.match
        if (
            guess_class is None
            or strategy.name not in GUESS_PENALTIES
            or _MATCH_CLASSES.index(match) > _MATCH_CLASSES.index(guess_class)
        ):
            return match, compute_score(match, closeness, strategy.name)
        return guess_class, compute_score(guess_class, 0.0)

    def find(self, strategy: Strategy | SearchStrategy) -> list[RankedWord]:
        """Find the words that match the filter by one strategy, closest first."""
        return self._filter(sorted(self._iter_ranked(strategy), key=lambda hit: -hit.closeness))

    def _filter(self, hits: list[RankedWord]) -> list[RankedWord]:
        if self._word_filter.matches_all:
            return hits
        allowed_ids = word_filters.filter_ids(self._reader, self._word_filter, {hit.word_id for hit in hits})
        return [hit for hit in hits if hit.word_id in allowed_ids]

    def _iter_ranked(self, strategy: Strategy | SearchStrategy) -> Iterator[RankedWord]:
        """Yield the words that a strategy finds, with their closeness."""
        closeness = None if isinstance(strategy, SearchStrategy) else strategy.closeness
        if self._guesses is not None and strategy.name in GUESS_STRATEGIES:
            hits_by_text: Mapping[str, Sequence[KeyMatch]] = {
                self._bare_text: self._guesses.by_strategy.get(strategy.name, ())
            }
        elif isinstance(strategy, SearchStrategy):
            yield from strategy.find(self._reader, self._batch)
            return
        else:
            hits_by_text = strategy.find(self._reader, self._spelling_batch)
        for text, text_hits in hits_by_text.items():
            hits = text_hits[: self._limit]
            for position, hit in enumerate(hits):
                yield RankedWord(hit.word_id, closeness(text, hit) if closeness else 1 - position / len(hits))
