"""A meaning of a word as one line that a person can read: what the word is in another language, and a definition.

The usual lines of an idea, in English and in Assamese, are kept with it: a list of words has one for every meaning.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.idea_json import IdeaJSON
from abhidhan.dictionary.model.packed_json import texts_of_language, texts_of_others
from abhidhan.records.languages import ASSAMESE, ENGLISH
from assamese.normalization import exact_key, squeeze

BETWEEN_WORDS: Final = ", "
BEFORE_DEFINITION: Final = " – "
NOTHING: Final = "—"
MOST_OF_OTHERS: Final = 5
"""So many words of other languages stand for a meaning that has none in the languages asked for."""

BETWEEN_LINES: Final = b"\x01"
"""What stands between the usual lines of an idea; no JSON holds it."""

MOST_INVISIBLE: Final = 32
"""Letters by which a text is longer than its exact key, at most."""

KEYS_KEPT: Final = 1024
"""Exact keys that are kept at hand: of the words of one idea each is needed several times."""

_key: Final = lru_cache(KEYS_KEPT)(exact_key)


class Headword(NamedTuple):
    """The word whose meanings are told: its language, and its exact key, which no line repeats."""

    language_id: int
    key: str


def text_of_meaning(idea: IdeaJSON, headword: Headword, languages: Iterable[int] = ()) -> bytes:
    """Write a meaning as the JSON of one line, in the first of some languages in which it has words or a definition.

    Without languages: Assamese for English words, English for all others. A meaning with none of them is told by words
    of the idea in other languages than the word's, else by its first definition.
    """
    return _json(_line(idea, headword, languages or _usual_languages(headword)))


def usual_text(idea: IdeaJSON, language_id: int) -> bytes:
    """Return the usual line that tells an idea to a word of a language, as it is kept; nothing where none is."""
    if not idea.lines:
        return b""
    for_others, _, for_english = idea.lines.partition(BETWEEN_LINES)
    return for_english if language_id == ENGLISH else for_others


def usual_lines(idea: IdeaJSON) -> bytes | None:
    """Write the lines that tell an idea to words of other languages than English, and to English ones; None: neither.

    The first is left out where the idea has nothing in English; each where a word that it tells is spelled like
    something in it, and so has another line.
    """
    packed = idea.words or b""
    for_others = _line_in(ENGLISH, idea, "")
    for_english = _line(idea, _ANY_ENGLISH_WORD, _usual_languages(_ANY_ENGLISH_WORD))
    lines = (
        _usual_line(for_others, texts_of_others(packed, ENGLISH)) if for_others else b"",
        _usual_line(for_english, texts_of_language(packed, ENGLISH)),
    )
    return BETWEEN_LINES.join(lines) if any(lines) else None


_ANY_ENGLISH_WORD: Final = Headword(ENGLISH, "")


def _usual_languages(headword: Headword) -> tuple[int, ...]:
    return (ASSAMESE if headword.language_id == ENGLISH else ENGLISH,)


class _Line(NamedTuple):
    """The words of a line, and its definition, "" where it has none."""

    words: tuple[str, ...]
    definition: str = ""


def _usual_line(line: _Line, told: Iterable[str]) -> bytes:
    keys = {*map(_key, told)}
    parts = (*line.words, line.definition)
    longest = max(map(len, keys), default=0) + MOST_INVISIBLE
    return _json(line) if keys.isdisjoint([_key(part) for part in parts if len(part) <= longest]) else b""


def _line(idea: IdeaJSON, headword: Headword, languages: Iterable[int]) -> _Line:
    in_language = (_line_in(language_id, idea, headword.key) for language_id in languages)
    return next(filter(None, in_language), None) or _line_of_others(idea, headword)


def _line_in(language_id: int, idea: IdeaJSON, key: str) -> _Line | None:
    """Put together words and the first definition in a language; None where there are none."""
    words = tuple(_distinct(texts_of_language(idea.words or b"", language_id), key))
    definition = _first_definition(idea, key, language_id)
    return _Line(words, definition) if words or definition else None


def _line_of_others(idea: IdeaJSON, headword: Headword) -> _Line:
    others = _distinct(texts_of_others(idea.words or b"", headword.language_id), headword.key)
    words = tuple(islice(others, MOST_OF_OTHERS))
    return _Line(words or (_first_definition(idea, headword.key) or NOTHING,))


def _distinct(texts: Iterable[str], key: str) -> Iterator[str]:
    """Yield texts, each once and without the word itself, by their exact keys."""
    seen = {key}
    for text in texts:
        of_text = _key(text)
        if of_text not in seen:
            seen.add(of_text)
            yield text


def _first_definition(idea: IdeaJSON, key: str, language_id: int | None = None) -> str:
    """Return the first definition, in one language or any, that is not the word itself; "" where there is none."""
    for found in _DEFINITION.finditer(idea.before or b""):
        if language_id is None or int(found[1]) == language_id:
            text = msgspec.json.decode(found[2], type=str)
            if not _is_same(text, key):
                return text
    return ""


def _is_same(text: str, key: str) -> bool:
    """Tell whether a text is spelled so; to make the key of a long one, which is not, would take long."""
    return len(text) <= len(key) + MOST_INVISIBLE and exact_key(text) == key


_DEFINITION: Final = re.compile(rb'\{"language_id":(\d+),"text":("(?:[^"\\]|\\.)*")')
"""A definition among what stands before the words of an idea; no text holds it, where quotation marks are escaped."""


def _json(line: _Line) -> bytes:
    """Write a line, with one space wherever there is white space."""
    told = BEFORE_DEFINITION.join(filter(None, (BETWEEN_WORDS.join(line.words), line.definition)))
    return msgspec.json.encode(squeeze(told))
