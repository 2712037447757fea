"""Search: words across languages, by every way in which they can be found."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.matching.cascade import (
    OF_PLAIN_SEARCH,
    OF_SEARCH,
    FoundWord,
    SearchMatch,
    Step,
    Way,
    score,
    steps_for,
)
from abhidhan.domain.matching.likelihood import MOST_COMMON, FoundKey, how_far
from abhidhan.domain.matching.query import SearchQuery, read_query, spellings_of
from abhidhan.domain.matching.ranking import likeness, nearest
from abhidhan.domain.selection import Selection, cut_words
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.normal import query_words
from abhidhan.services.dictionary.completions import complete_exactly
from abhidhan.services.dictionary.ways import MOST_ENTRIES, WAYS, Wanted
from abhidhan.storage import definitions, entries, near, word_choice, words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.word_choice import WordChoice
from abhidhan.storage.words import KeyColumn

Hit = tuple[int, float]
"""A word's ID, and from 0 to 1 how close it is within its class."""

Finder = Callable[[Reader, SearchQuery, int, int], Iterable[Hit]]
"""Finds words in the language of an ID (0: all), at most about as many as the last argument says."""

ANY_WORD: Final = WordChoice()

TO_CHOOSE_FROM: Final = 400
"""So many more words than are wanted each step finds where some are left out by what they mean."""


def search(  # noqa: PLR0913 (each is one parameter of the address)
    reader: Reader,
    text: str,
    language_id: int | None,
    *,
    fuzzy: bool,
    limit: int,
    selection: Selection | None = None,
    chosen: WordChoice = ANY_WORD,
) -> tuple[FoundWord, ...]:
    """Search words by spelling, sound, beginning, with slips, and by what their definitions say; best first.

    Not `fuzzy`: by exact and loose spelling and by beginning only. Only words that are `chosen` count.
    """
    wanted = language_id or ALL_LANGUAGES
    asked = read_query(text, reader.catalogue.orthographies(wanted))
    found: dict[int, tuple[SearchMatch, float]] = {}
    taken: dict[Way, list[Hit]] = {}
    for step in steps_for(OF_SEARCH if fuzzy else OF_PLAIN_SEARCH):
        if len(found) >= limit:
            break
        if step.way not in taken and not any(taken.get(way) for way in step.unless):
            taken[step.way] = _find_chosen(reader, chosen, step, asked, wanted, limit)
            for word_id, closeness in taken[step.way]:
                found.setdefault(word_id, (step.match, score(step.match, closeness)))
    return gather(reader, dict(list(found.items())[:limit]), selection)


def gather(
    reader: Reader, found: Mapping[int, tuple[SearchMatch, float]], selection: Selection | None
) -> tuple[FoundWord, ...]:
    """Read the words that were found, each with how and how well; only the parts that are selected."""
    shown = (
        FoundWord(**msgspec.structs.asdict(word), match=found[word.id][0], score=found[word.id][1])
        for word in entries.gather(reader, list(found), selection=selection)
    )
    return cut_words(tuple(shown), selection)


# --- the ways to find words -----------------------------------------------------------------------------------------


def _find(reader: Reader, step: Step, asked: SearchQuery, language_id: int, limit: int) -> list[Hit]:
    """Take one step, the closest words first."""
    own = OWN_WAYS.get(step.way)
    hits = (
        own(reader, asked, language_id, limit) if own else _find_as_looked_up(reader, step, asked, language_id, limit)
    )
    return sorted(hits, key=lambda hit: -hit[1])


def _find_chosen(  # noqa: PLR0913, PLR0917  # as `_find`, and what is chosen
    reader: Reader, chosen: WordChoice, step: Step, asked: SearchQuery, language_id: int, limit: int
) -> list[Hit]:
    if chosen.is_any:
        return _find(reader, step, asked, language_id, limit)
    hits = _find(reader, step, asked, language_id, limit + TO_CHOOSE_FROM)
    kept = word_choice.keep(reader, chosen, {word_id for word_id, _ in hits})
    return [hit for hit in hits if hit[0] in kept]


def _find_as_looked_up(reader: Reader, step: Step, asked: SearchQuery, language_id: int, limit: int) -> Iterator[Hit]:
    """Find words as a look-up does, which reads so many of them that the best are among them."""
    found = WAYS[step.way](reader, Wanted(spellings_of(asked.text), language_id, max(limit, MOST_ENTRIES)))
    closeness = CLOSENESS.get(step.way)
    for text, of_text in found.items():
        hits = of_text[:limit]
        for place, hit in enumerate(hits):
            yield hit.word_id, closeness(text, hit) if closeness else 1 - place / len(hits)


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
    return ((each.word_id, 1 - place / len(begun)) for place, each in enumerate(begun))


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
