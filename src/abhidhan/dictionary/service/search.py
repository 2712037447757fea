"""Search for words across languages by all match strategies (`strategies/registry.py`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match, SearchMatch, StrategyName, score
from abhidhan.dictionary.model.field_selection import FieldSelection, select_fields
from abhidhan.dictionary.model.guess_scoring import GUESS_PENALTIES, KeyMatch
from abhidhan.dictionary.model.query import bare_spelling, clean, spellings_of
from abhidhan.dictionary.model.word_json import add_members, join, lists_decoder
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, RankedWord
from abhidhan.dictionary.service.strategies.guess import GUESS_STRATEGIES, Guesses, guess
from abhidhan.dictionary.service.strategies.registry import PLAIN_SEARCH, SEARCH, SearchStrategy, Strategy
from abhidhan.dictionary.store import word_filters, word_rows
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.dictionary.store.word_rows import LoadOptions
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lazy_json import LazyList

_CLASSES: Final = tuple(SearchMatch)
"""Match classes, best first."""

ANY_WORD: Final = WordFilter()

EXTRA_CANDIDATES: Final = 400
"""Number of extra words that each strategy finds if a filter may drop some of them."""


def search(  # noqa: PLR0913 (each is a query parameter)
    reader: ReadConnection,
    text: str,
    language_id: int | None,
    *,
    fuzzy: bool,
    limit: int,
    selection: FieldSelection | None = None,
    word_filter: WordFilter = ANY_WORD,
) -> Sequence[FoundWord]:
    """Search words by spelling, sound, prefix, near spelling and definition, best first.

    Without `fuzzy`, only by exact and loose spelling and prefix. Only words that match `word_filter` are returned.
    """
    runner = _StrategyRunner(reader, clean(text), language_id or ALL_LANGUAGES, limit, word_filter)
    results: dict[int, tuple[SearchMatch, float]] = {}
    tried: set[StrategyName] = set()
    matched: set[StrategyName] = set()
    for strategy in SEARCH if fuzzy else PLAIN_SEARCH:
        if len(results) >= limit:
            break
        if strategy.name in GUESS_PENALTIES and not results and not runner.has_guessed:
            results |= runner.run_guess()
        if strategy.name not in tried and strategy.unless.isdisjoint(matched):
            hits = runner.find(strategy)
            tried.add(strategy.name)
            if hits:
                matched.add(strategy.name)
            for word_id, closeness in hits:
                if word_id not in results:
                    results[word_id] = runner.match_score(strategy, closeness)
    return load_found_words(reader, dict(list(results.items())[:limit]), selection)


def load_found_words(
    reader: ReadConnection, results: Mapping[int, tuple[SearchMatch, float]], selection: FieldSelection | None
) -> Sequence[FoundWord]:
    """Load the words found, each with its match class and score, reduced to the selected fields."""
    words = word_rows.load_encoded_words(reader, list(results), LoadOptions(selection))
    encoded = [add_members(word.packed, _match_members(*results[word.id])) for word in words]
    return select_fields(LazyList(join(encoded), _DECODE_FOUND_WORDS, len(encoded)), selection)


def _match_members(match: SearchMatch, closeness: float) -> bytes:
    return b'"match":"%b","score":%b' % (match.encode(), msgspec.json.encode(closeness))


_DECODE_FOUND_WORDS: Final = lists_decoder(FoundWord)


class _StrategyRunner:
    """Runs the strategies of one search, and reuses the results of the guess."""

    def __init__(
        self, reader: ReadConnection, text: str, language_id: int, limit: int, word_filter: WordFilter
    ) -> None:
        self._reader, self._language_id, self._word_filter = reader, language_id, word_filter
        self._limit = limit if word_filter.is_any else limit + EXTRA_CANDIDATES
        self._text = LookupBatch([text], language_id, self._limit)
        self._spellings = self._text._replace(texts=spellings_of(text), limit=max(self._limit, MAX_ENTRIES))
        self._bare = bare_spelling(text)
        self._guesses: Guesses | None = None
        self._guessed_class: SearchMatch | None = None

    @property
    def has_guessed(self) -> bool:
        """Return whether the guess has run."""
        return self._guesses is not None

    def run_guess(self) -> dict[int, tuple[SearchMatch, float]]:
        """Return the words that a look-up guesses, likeliest first, with their scores.

        Parts of a compound are not included: their own strategy finds them, after prefix matches and near spellings.
        """
        self._guesses = guess(self._reader, self._spellings._replace(texts=[self._bare]))
        matches = self._guesses.matches
        if not matches.hits or matches.match is Match.COMPOUND:
            return {}
        match = self._guessed_class = SearchMatch(matches.match.value)
        hits = [RankedWord(hit.word_id, 1 - position / len(matches.hits)) for position, hit in enumerate(matches.hits)]
        return {word_id: (match, score(match, closeness)) for word_id, closeness in self._filter(hits)}

    def match_score(self, strategy: Strategy | SearchStrategy, closeness: float) -> tuple[SearchMatch, float]:
        """Return the class and score of a word; words that the guess left out rank below its results."""
        guessed, match = self._guessed_class, strategy.match
        if guessed is None or strategy.name not in GUESS_PENALTIES or _CLASSES.index(match) > _CLASSES.index(guessed):
            return match, score(match, closeness, strategy.name)
        return guessed, score(guessed, 0.0)

    def find(self, strategy: Strategy | SearchStrategy) -> list[RankedWord]:
        """Find the words that match the filter by one strategy, closest first."""
        return self._filter(sorted(self._ranked(strategy), key=lambda hit: -hit.closeness))

    def _filter(self, hits: list[RankedWord]) -> list[RankedWord]:
        if self._word_filter.is_any:
            return hits
        allowed_ids = word_filters.filter_ids(self._reader, self._word_filter, {hit.word_id for hit in hits})
        return [hit for hit in hits if hit.word_id in allowed_ids]

    def _ranked(self, strategy: Strategy | SearchStrategy) -> Iterator[RankedWord]:
        """Yield the words that a strategy finds, with their closeness."""
        closeness = None if isinstance(strategy, SearchStrategy) else strategy.closeness
        if self._guesses is not None and strategy.name in GUESS_STRATEGIES:
            hits_by_text: Mapping[str, Sequence[KeyMatch]] = {
                self._bare: self._guesses.by_strategy.get(strategy.name, ())
            }
        elif isinstance(strategy, SearchStrategy):
            yield from strategy.find(self._reader, self._text)
            return
        else:
            hits_by_text = strategy.find(self._reader, self._spellings)
        for text, text_hits in hits_by_text.items():
            hits = text_hits[: self._limit]
            for position, hit in enumerate(hits):
                yield RankedWord(hit.word_id, closeness(text, hit) if closeness else 1 - position / len(hits))
