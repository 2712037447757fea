"""Search for words across languages by all match strategies (`strategies/registry.py`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match, SearchMatch, StrategyName, score
from abhidhan.dictionary.model.field_selection import Selection, select_fields
from abhidhan.dictionary.model.guess_scoring import UNSURE, FoundKey
from abhidhan.dictionary.model.query import bare_spelling, clean, spellings_of
from abhidhan.dictionary.model.word_json import join, reading, with_more
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, RankedWord
from abhidhan.dictionary.service.strategies.guess import GUESSED, Guesses, guess
from abhidhan.dictionary.service.strategies.registry import PLAIN_SEARCH, SEARCH, SearchStrategy, Strategy
from abhidhan.dictionary.store import word_filters, word_rows
from abhidhan.dictionary.store.word_filters import WordChoice
from abhidhan.dictionary.store.word_rows import Shape
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lazy_json import LazyList

_CLASSES: Final = tuple(SearchMatch)
"""Match classes, best first."""

ANY_WORD: Final = WordChoice()

TO_CHOOSE_FROM: Final = 400
"""Number of extra words that each strategy finds if a filter may drop some of them."""


def search(  # noqa: PLR0913 (each is a query parameter)
    reader: Reader,
    text: str,
    language_id: int | None,
    *,
    fuzzy: bool,
    limit: int,
    selection: Selection | None = None,
    chosen: WordChoice = ANY_WORD,
) -> Sequence[FoundWord]:
    """Search words by spelling, sound, prefix, near spelling and definition, best first.

    Without `fuzzy`, only by exact and loose spelling and prefix. Only words that match `chosen` are returned.
    """
    finding = _Finding(reader, clean(text), language_id or ALL_LANGUAGES, limit, chosen)
    found: dict[int, tuple[SearchMatch, float]] = {}
    tried: set[StrategyName] = set()
    fruitful: set[StrategyName] = set()
    for strategy in SEARCH if fuzzy else PLAIN_SEARCH:
        if len(found) >= limit:
            break
        if strategy.name in UNSURE and not found and not finding.has_guessed:
            found |= finding.guessed()
        if strategy.name not in tried and strategy.unless.isdisjoint(fruitful):
            hits = finding.find(strategy)
            tried.add(strategy.name)
            if hits:
                fruitful.add(strategy.name)
            for word_id, closeness in hits:
                if word_id not in found:
                    found[word_id] = finding.place(strategy, closeness)
    return gather(reader, dict(list(found.items())[:limit]), selection)


def gather(
    reader: Reader, found: Mapping[int, tuple[SearchMatch, float]], selection: Selection | None
) -> Sequence[FoundWord]:
    """Load the words found, each with its match class and score, reduced to the selected fields."""
    words = word_rows.load_encoded_words(reader, list(found), Shape(selection))
    written = [with_more(word.packed, _how_found(*found[word.id])) for word in words]
    return select_fields(LazyList(join(written), _READ_FOUND, len(written)), selection)


def _how_found(match: SearchMatch, closeness: float) -> bytes:
    return b'"match":"%b","score":%b' % (match.encode(), msgspec.json.encode(closeness))


_READ_FOUND: Final = reading(FoundWord)


class _Finding:
    """Runs the strategies of one search, and reuses the results of the guess."""

    def __init__(self, reader: Reader, text: str, language_id: int, limit: int, chosen: WordChoice) -> None:
        self._reader, self._language_id, self._chosen = reader, language_id, chosen
        self._limit = limit if chosen.is_any else limit + TO_CHOOSE_FROM
        self._text = LookupBatch([text], language_id, self._limit)
        self._spellings = self._text._replace(texts=spellings_of(text), limit=max(self._limit, MAX_ENTRIES))
        self._bare = bare_spelling(text)
        self._guesses: Guesses | None = None
        self._guessed_class: SearchMatch | None = None

    @property
    def has_guessed(self) -> bool:
        """Return whether the guess has run."""
        return self._guesses is not None

    def guessed(self) -> dict[int, tuple[SearchMatch, float]]:
        """Return the words that a look-up guesses, likeliest first, with their scores.

        The parts of a compound are left to their own strategy, after prefix matches and near spellings.
        """
        self._guesses = guess(self._reader, self._spellings._replace(texts=[self._bare]))
        matches = self._guesses.matches
        if not matches.hits or matches.match is Match.COMPOUND:
            return {}
        match = self._guessed_class = SearchMatch(matches.match.value)
        hits = [RankedWord(hit.word_id, 1 - place / len(matches.hits)) for place, hit in enumerate(matches.hits)]
        return {word_id: (match, score(match, closeness)) for word_id, closeness in self._selected(hits)}

    def place(self, strategy: Strategy | SearchStrategy, closeness: float) -> tuple[SearchMatch, float]:
        """Return the class and score of a word; words that the guess left out rank below its results."""
        guessed, match = self._guessed_class, strategy.match
        if guessed is None or strategy.name not in UNSURE or _CLASSES.index(match) > _CLASSES.index(guessed):
            return match, score(match, closeness, strategy.name)
        return guessed, score(guessed, 0.0)

    def find(self, strategy: Strategy | SearchStrategy) -> list[RankedWord]:
        """Find the words that match the filter by one strategy, closest first."""
        return self._selected(sorted(self._ranked(strategy), key=lambda hit: -hit.closeness))

    def _selected(self, hits: list[RankedWord]) -> list[RankedWord]:
        if self._chosen.is_any:
            return hits
        kept = word_filters.keep(self._reader, self._chosen, {hit.word_id for hit in hits})
        return [hit for hit in hits if hit.word_id in kept]

    def _ranked(self, strategy: Strategy | SearchStrategy) -> Iterator[RankedWord]:
        """Yield words with their closeness; look-up strategies find enough words to include the best ones."""
        closeness = None if isinstance(strategy, SearchStrategy) else strategy.closeness
        if self._guesses is not None and strategy.name in GUESSED:
            found: Mapping[str, Sequence[FoundKey]] = {self._bare: self._guesses.by_strategy.get(strategy.name, ())}
        elif isinstance(strategy, SearchStrategy):
            yield from strategy.find(self._reader, self._text)
            return
        else:
            found = strategy.find(self._reader, self._spellings)
        for text, of_text in found.items():
            hits = of_text[: self._limit]
            for place, hit in enumerate(hits):
                yield RankedWord(hit.word_id, closeness(text, hit) if closeness else 1 - place / len(hits))
