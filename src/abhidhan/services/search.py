"""Search: words across languages, by every way in which they can be found; and completions while somebody types."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.lookup import WAYS_TO_READ, sound_keys
from abhidhan.domain.ranking import (
    Asked,
    Completion,
    FoundWord,
    SearchMatch,
    ask,
    by_letters_to_type,
    how_far,
    likeness,
    may_be_typed_for,
    nearest,
    score,
)
from abhidhan.domain.text.collation import prefix_end, sort_key
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.normal import query_words
from abhidhan.services import inflected
from abhidhan.services.lookup import find_misspelled
from abhidhan.storage import definitions, entries, near, words
from abhidhan.storage.database import Reader
from abhidhan.storage.words import KeyColumn, Range

Hit = tuple[int, float]
"""A word's ID, and from 0 to 1 how close it is within its class."""

Step = Callable[[Reader, Asked, int, int], Iterable[Hit]]
"""Finds words in the language of an ID (0: all), at most about as many as the last argument says."""

LAGS = {KeyColumn.EXACT: 0.0, KeyColumn.LOOSE: 0.25, KeyColumn.SOUND: 0.75}
"""How far a completion by each key stands behind one that begins just as typed, in letters to type."""

LEAST_COMPLETIONS = 30
"""So many completions of each kind are compared, also when fewer are asked for."""


def search(reader: Reader, text: str, language_id: int | None, *, fuzzy: bool, limit: int) -> tuple[FoundWord, ...]:
    """Search words by spelling, sound, beginning, with slips, and by what their definitions say; best first.

    Not `fuzzy`: by exact and loose spelling and by beginning only.
    """
    wanted = language_id or ALL_LANGUAGES
    asked = ask(text, reader.catalogue.orthographies(wanted))
    found: dict[int, tuple[SearchMatch, float]] = {}
    for match, step in _STEPS.items():
        if len(found) >= limit:
            break
        if fuzzy or match in _PLAIN:
            for word_id, closeness in sorted(step(reader, asked, wanted, limit), key=lambda hit: -hit[1]):
                found.setdefault(word_id, (match, score(match, closeness)))
    return _gather(reader, dict(list(found.items())[:limit]))


def suggest(reader: Reader, text: str, language_id: int | None, limit: int) -> tuple[str, ...]:
    """List headwords that begin with `text` or sound like it, those with the fewest letters to type first."""
    wanted = language_id or ALL_LANGUAGES
    asked = ask(text, reader.catalogue.orthographies(wanted))
    most = max(limit, LEAST_COMPLETIONS)
    completions = (
        *_completions(reader, KeyColumn.EXACT, (asked.exact,), wanted, most),
        *_completions_in_alphabet(reader, asked, wanted, most),
        *_completions(reader, KeyColumn.LOOSE, asked.beginnings(asked.loose_keys()), wanted, most),
        *_completions(reader, KeyColumn.SOUND, asked.beginnings(asked.sound_keys()), wanted, most),
    )
    return tuple(dict.fromkeys(each.text for each in by_letters_to_type(completions)))[:limit]


def _gather(reader: Reader, found: dict[int, tuple[SearchMatch, float]]) -> tuple[FoundWord, ...]:
    return tuple(
        FoundWord(**msgspec.structs.asdict(word), match=found[word.id][0], score=found[word.id][1])
        for word in entries.gather(reader, list(found))
    )


# --- the classes of match -------------------------------------------------------------------------------------------


def _exact(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterable[Hit]:
    found = words.find(reader, KeyColumn.EXACT, [asked.exact], language_id, most=limit)
    return ((hit.word_id, likeness(hit.text, asked.text)) for hit in found)


def _loose(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterable[Hit]:
    found = words.find(reader, KeyColumn.LOOSE, asked.loose_keys(), language_id, most=limit)
    return (
        (hit.word_id, likeness(exact_key(hit.text), asked.exact))
        for hit in found
        if hit.key == asked.loose.of(hit.language_id, "")
    )


def _inflected(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterable[Hit]:
    forms = words.find(reader, KeyColumn.FORM, [asked.exact], language_id, most=limit)
    if not forms and find_misspelled(reader, [asked.text], language_id):
        return iter(())
    hits = forms or inflected.find_by_rule(reader, [asked.text], language_id).get(asked.text, [])
    return ((hit.word_id, 1 - place / len(hits)) for place, hit in enumerate(hits))


def _phonetic(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterable[Hit]:
    wanted = sound_keys(asked.text, reader.catalogue.orthographies(language_id), WAYS_TO_READ)
    keys = sorted(frozenset().union(*wanted.values()))
    found = words.find(reader, KeyColumn.SOUND, keys, language_id, most=limit)
    return (
        (hit.word_id, 1 / (1 + how_far(asked.text, hit.text, hit.language_id)))
        for hit in found
        if hit.key in wanted.of(hit.language_id, frozenset()) and may_be_typed_for(asked.text, hit.text)
    )


def _prefix(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterable[Hit]:
    completions = [
        *_completions(reader, KeyColumn.EXACT, (asked.exact,), language_id, limit),
        *_completions_in_alphabet(reader, asked, language_id, limit),
    ]
    return ((each.word_id, len(each.typed) / len(each.key)) for each in by_letters_to_type(completions))


def _fuzzy(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterable[Hit]:
    """Find words of which the text is a form, as it sounds, and then near spellings and sounds."""
    forms = inflected.find_by_sound(reader, [asked.text], language_id).get(asked.text, [])
    yield from ((hit.word_id, 1.0) for hit in forms[:limit])
    for place, each in enumerate(nearest(asked, near.candidates(reader, asked))):
        if language_id in {ALL_LANGUAGES, each.candidate.language_id}:
            yield each.candidate.word_id, 1 / (2 + place)


def _definition(reader: Reader, asked: Asked, language_id: int, limit: int) -> Iterator[Hit]:
    """Find words of ideas that the text means in another language, and of those whose definition has all its words."""
    meant = words.find(reader, KeyColumn.EXACT, [asked.exact]) if language_id != ALL_LANGUAGES else []
    ideas = definitions.ideas_of_words(reader, [hit.word_id for hit in meant])
    for each in definitions.words_of_ideas(reader, ideas, language_id)[:limit]:
        yield each.word_id, 1.0
    keys = [exact_key(word) for word in query_words(asked.text)]
    lengths = {each.idea_id: each.length for each in definitions.ideas_defined_with(reader, keys)}
    for each in definitions.words_of_ideas(reader, list(lengths), language_id)[:limit]:
        yield each.word_id, len(asked.exact) / max(lengths[each.idea_id], len(asked.exact))


_STEPS: dict[SearchMatch, Step] = {
    SearchMatch.EXACT: _exact,
    SearchMatch.LOOSE: _loose,
    SearchMatch.INFLECTED: _inflected,
    SearchMatch.PHONETIC: _phonetic,
    SearchMatch.PREFIX: _prefix,
    SearchMatch.FUZZY: _fuzzy,
    SearchMatch.DEFINITION: _definition,
}
"""One step for each class of match, best class first."""

_PLAIN = frozenset({SearchMatch.EXACT, SearchMatch.LOOSE, SearchMatch.PREFIX})
"""The classes of a search that is not fuzzy."""


# --- completions ----------------------------------------------------------------------------------------------------


def _completions(
    reader: Reader, column: KeyColumn, prefixes: tuple[str, ...], language_id: int, most: int
) -> Iterable[Completion]:
    typed = tuple(prefix for prefix in prefixes if prefix)
    for each in near.beginning(reader, column, typed, language_id, most):
        yield Completion(*each, lag=LAGS[column])


def _completions_in_alphabet(reader: Reader, asked: Asked, language_id: int, most: int) -> Iterable[Completion]:
    """Find words of one language by its own alphabet, also where words of others crowd round the same letters."""
    if language_id == ALL_LANGUAGES or not asked.exact:
        return
    code = reader.catalogue.language(language_id).code
    stretch = Range(language_id, sort_key(asked.exact, code), "", prefix_end(asked.exact, code))
    for place in words.in_alphabetical_order(reader, stretch, None, most):
        key = exact_key(place.text)
        if key.startswith(asked.exact):
            yield Completion(place.word_id, language_id, place.text, key, asked.exact, LAGS[KeyColumn.EXACT])
