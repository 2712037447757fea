"""Search: words across languages, by every way in which they can be found."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import exp
from typing import Final

import msgspec

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.lazy_json import LazyList
from abhidhan.domain.matching.cascade import (
    MADE_OF_OTHERS,
    OF_PLAIN_SEARCH,
    OF_SEARCH,
    FoundWord,
    Match,
    SearchMatch,
    Step,
    Way,
    score,
    steps_for,
)
from abhidhan.domain.matching.likelihood import MOST_COMMON, UNSURE, FoundKey, how_far
from abhidhan.domain.matching.query import SearchQuery, bare_spelling, read_query, spellings_of
from abhidhan.domain.matching.ranking import likeness, nearest
from abhidhan.domain.selection import Selection, cut_words
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.normal import query_words
from abhidhan.domain.word_json import join, reading, with_more
from abhidhan.services.dictionary.completions import complete_exactly
from abhidhan.services.dictionary.guesses import Found, Guesses, guess_by_ways
from abhidhan.services.dictionary.ways import MOST_ENTRIES, WAYS, Wanted
from abhidhan.storage import definitions, entries, near, word_choice, words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.entries import Shape
from abhidhan.storage.key_columns import KeyColumn
from abhidhan.storage.word_choice import WordChoice

Hit = tuple[int, float]
"""A word's ID, and from 0 to 1 how close it is within its class."""

Finder = Callable[[Reader, SearchQuery, int, int], Iterable[Hit]]
"""Finds words in the language of an ID (0: all), at most about as many as the last argument says."""

_CLASSES: Final = tuple(SearchMatch)
"""The classes of matches, best first."""

ANY_WORD: Final = WordChoice()

SOON_TYPED: Final = 5.0
"""Letters to type that make a word that begins so about half as likely as one that is typed to its end."""

TO_CHOOSE_FROM: Final = 400
"""How many more words than are wanted each step finds where some are left out by what they mean."""


def search(  # noqa: PLR0913 (each is one parameter of the address)
    reader: Reader,
    text: str,
    language_id: int | None,
    *,
    fuzzy: bool,
    limit: int,
    selection: Selection | None = None,
    chosen: WordChoice = ANY_WORD,
) -> Sequence[FoundWord]:
    """Search words by spelling, sound, beginning, with slips, and by what their definitions say; best first.

    Not `fuzzy`: by exact and loose spelling and by beginning only. Only words that are `chosen` count.
    """
    wanted = language_id or ALL_LANGUAGES
    asked = read_query(text, reader.catalogue.orthographies(wanted))
    finding = _Finding(reader, asked, wanted, limit, chosen)
    found: dict[int, tuple[SearchMatch, float]] = {}
    taken: set[Way] = set()
    fruitful: set[Way] = set()
    for step in steps_for(OF_SEARCH if fuzzy else OF_PLAIN_SEARCH):
        if len(found) >= limit:
            break
        if step.way in UNSURE and not found and not finding.has_guessed:
            found |= finding.guessed()
        if step.way not in taken and step.unless.isdisjoint(fruitful):
            hits = finding.take(step)
            taken.add(step.way)
            if hits:
                fruitful.add(step.way)
            for word_id, closeness in hits:
                if word_id not in found:
                    found[word_id] = finding.place(step, closeness)
    return gather(reader, dict(list(found.items())[:limit]), selection)


def gather(
    reader: Reader, found: Mapping[int, tuple[SearchMatch, float]], selection: Selection | None
) -> Sequence[FoundWord]:
    """Read the words that were found, each with how and how well; only the parts that are selected."""
    words = entries.gather_written(reader, list(found), Shape(selection))
    written = [with_more(word.packed, _how_found(*found[word.id])) for word in words]
    return cut_words(LazyList(join(written), _READ_FOUND, len(written)), selection)


def _how_found(match: SearchMatch, closeness: float) -> bytes:
    return b'"match":"%b","score":%b' % (match.encode(), msgspec.json.encode(closeness))


_READ_FOUND: Final = reading(FoundWord)


# --- the ways to find words -----------------------------------------------------------------------------------------


class _Finding:
    """Takes the steps of one search; what the ways that guess have found is found once."""

    def __init__(self, reader: Reader, asked: SearchQuery, language_id: int, limit: int, chosen: WordChoice) -> None:
        self._reader, self._asked, self._language_id, self._chosen = reader, asked, language_id, chosen
        self._limit = limit if chosen.is_any else limit + TO_CHOOSE_FROM
        self._guesses: Mapping[str, Guesses] = {}
        self._guessed_class: SearchMatch | None = None
        self._typed = self._wanted(spellings_of(asked.text))

    @property
    def has_guessed(self) -> bool:
        """Say whether it has been guessed what is meant."""
        return bool(self._guesses)

    def guessed(self) -> dict[int, tuple[SearchMatch, float]]:
        """Return what a look-up answers to what is spelled like no word, the likeliest first, with its scores.

        The parts of a compound are left for their own step, behind words that begin or are nearly spelled so.
        """
        text = bare_spelling(self._asked.text)
        self._guesses = {text: guess_by_ways(self._reader, self._wanted([text]))}
        found: dict[int, tuple[SearchMatch, float]] = {}
        answered = self._answered()
        self._guessed_class = next((SearchMatch(each.match) for each in answered if each.hits), None)
        for each in answered:
            hits = [(hit.word_id, 1 - place / len(each.hits)) for place, hit in enumerate(each.hits)]
            for word_id, closeness in self._kept(hits):
                match = SearchMatch(each.match)
                found.setdefault(word_id, (match, score(match, closeness)))
        return found

    def _answered(self) -> list[Found]:
        """List what a look-up answers, without the parts of a compound."""
        found = (guesses.found for guesses in self._guesses.values())
        return [each for each in found if each.match is not Match.COMPOUND]

    def place(self, step: Step, closeness: float) -> tuple[SearchMatch, float]:
        """Return the class and score of what a step found; what a look-up has left out stands behind its guesses."""
        guessed = self._guessed_class
        if guessed is None or step.way not in UNSURE or _CLASSES.index(step.match) > _CLASSES.index(guessed):
            return step.match, score(step.match, closeness, step.way)
        return guessed, score(guessed, 0.0)

    def take(self, step: Step) -> list[Hit]:
        """Take one step, the closest words first; only of words that are chosen."""
        own = OWN_WAYS.get(step.way)
        if own and not (self._guesses and step.way in UNSURE):
            hits = own(self._reader, self._asked, self._language_id, self._limit)
        else:
            hits = self._as_looked_up(step)
        return self._kept(sorted(hits, key=lambda hit: -hit[1]))

    def _kept(self, hits: list[Hit]) -> list[Hit]:
        if self._chosen.is_any:
            return hits
        kept = word_choice.keep(self._reader, self._chosen, {word_id for word_id, _ in hits})
        return [hit for hit in hits if hit[0] in kept]

    def _as_looked_up(self, step: Step) -> Iterator[Hit]:
        """Find words as a look-up does, which reads so many of them that the best are among them."""
        closeness = CLOSENESS.get(step.way)
        for text, of_text in self._hits_by(step.way).items():
            hits = of_text[: self._limit]
            for place, hit in enumerate(hits):
                yield hit.word_id, closeness(text, hit) if closeness else 1 - place / len(hits)

    def _hits_by(self, way: Way) -> Mapping[str, Sequence[FoundKey]]:
        if way in MADE_OF_OTHERS or (self._guesses and way in UNSURE):
            return {text: guesses.by_way.get(way, ()) for text, guesses in self._guesses.items()}
        return WAYS[way](self._reader, self._typed)

    def _wanted(self, texts: Sequence[str]) -> Wanted:
        return Wanted(texts, self._language_id, max(self._limit, MOST_ENTRIES))


def _nearness(text: str, hit: FoundKey) -> float:
    return 1 / (1 + MOST_COMMON + how_far(text, hit))


CLOSENESS: Final[Mapping[Way, Callable[[str, FoundKey], float]]] = {
    Way.SAME_SPELLING: lambda text, hit: likeness(hit.text, text),
    Way.OTHER_SPELLING: lambda text, hit: likeness(exact_key(hit.text), exact_key(text)),
    Way.MISSPELLED: _nearness,
    Way.SAME_SOUND: _nearness,
    Way.FORM_BY_SOUND: lambda _text, _hit: 1.0,
}
"""How close a word is that was found by a way; the other ways of a look-up find the closest words first."""


def _begin_so(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> Iterable[Hit]:
    """Find words that begin just as typed: the likeliest, and those with the fewest letters to type."""
    begun = complete_exactly(reader, asked, language_id, limit)
    return ((each.word_id, 1 / (1 + exp(each.letters / SOON_TYPED))) for each in begun)


def _have_slips(reader: Reader, asked: SearchQuery, language_id: int, _limit: int) -> Iterator[Hit]:
    for place, each in enumerate(nearest(asked, near.candidates(reader, asked))):
        if language_id in {ALL_LANGUAGES, each.candidate.language_id}:
            yield each.candidate.word_id, 1 / (2 + place)


def _are_defined_so(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> Iterator[Hit]:
    """Find words of ideas that the text means in another language, and of those whose definition has all its words."""
    meant = words.find(reader, KeyColumn.EXACT, [asked.exact]) if language_id != ALL_LANGUAGES else []
    ideas = definitions.ideas_of_words(reader, [hit.word_id for hit in meant])
    for each in definitions.words_of_ideas(reader, ideas, language_id)[:limit]:
        yield each.word_id, 1.0
    keys = [exact_key(word) for word in query_words(asked.text)]
    lengths = {each.idea_id: each.length for each in definitions.ideas_defined_with(reader, keys)}
    for each in definitions.words_of_ideas(reader, list(lengths), language_id)[:limit]:
        yield each.word_id, len(asked.exact) / max(lengths[each.idea_id], len(asked.exact))


OWN_WAYS: Final[Mapping[Way, Finder]] = {
    Way.BEGINNING: _begin_so,
    Way.SLIPS: _have_slips,
    Way.DEFINITION: _are_defined_so,
}
"""What finds the words of each way that a look-up has not."""
