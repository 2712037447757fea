"""An idea as pieces of the JSON of answers, and a meaning as one line of text.

An idea of the Open Multilingual Wordnet has up to a thousand words: its JSON is written once, cached, and copied.

The usual lines of an idea, in English and in Assamese, are kept with it: a list of words has one for every meaning.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.field_selection import DEFINITIONS, TEXT, TRANSLATIONS, Selection
from abhidhan.dictionary.model.packed_json import (
    NO_WORDS,
    count_languages,
    pack,
    texts_of_language,
    texts_of_others,
    unpack,
    unpack_of_languages,
)
from abhidhan.records.ideas import Definition, Example, IdeaWord, LazyWords, PhotoReference, Relation
from abhidhan.records.languages import ASSAMESE, ENGLISH
from abhidhan.records.lookup_lists import Named
from assamese.normalization import exact_key, squeeze


class IdeaDetails(msgspec.Struct, frozen=True):
    """Everything that belongs to one idea but its words, in the order of answers."""

    contexts: tuple[Named, ...] = ()
    definitions: tuple[Definition, ...] = ()
    examples: tuple[Example, ...] = ()
    relations: tuple[Relation, ...] = ()
    photos: tuple[PhotoReference, ...] = ()


class IdeaJSON(NamedTuple):
    """An idea's part of speech and gender, and pieces of JSON: what stands before its words, they, and what follows.

    `words` are packed; a piece that would be its own default is None. `licence` is that under which it was given.
    `lines` are the usual lines that tell it (`dictionary/model/meaning_text.py`), where it is cached with them.
    """

    pos_id: int | None
    gender_id: int | None
    before: bytes | None
    words: bytes | None
    after: bytes | None
    licence: str | None = None
    lines: bytes | None = None


class _Before(msgspec.Struct):
    contexts: Sequence[Named] = ()
    definitions: Sequence[Definition] = ()


class _After(msgspec.Struct):
    examples: Sequence[Example] = ()
    relations: Sequence[Relation] = ()
    photos: Sequence[PhotoReference] = ()


_ENCODER: Final = msgspec.json.Encoder()


def _members(value: msgspec.Struct) -> bytes:
    """Write the members of a JSON object, without the braces round them."""
    return _ENCODER.encode(value)[1:-1]


NOTHING_BEFORE: Final = _members(_Before())
NOTHING_AFTER: Final = _members(_After())

KEYS_OF_PIECES: Final = {
    "before": frozenset(_Before.__struct_fields__),
    "words": frozenset({TRANSLATIONS}),
    "after": frozenset(_After.__struct_fields__),
}
"""Which members of an answer stand in each piece of an idea."""


def write_idea(
    pos_id: int | None,
    gender_id: int | None,
    details: IdeaDetails,
    words: Sequence[IdeaWord],
    licence: str | None = None,
) -> IdeaJSON:
    """Write what belongs to an idea as pieces of JSON."""
    before = _members(_Before(details.contexts, details.definitions))
    after = _members(_After(details.examples, details.relations, details.photos))
    return IdeaJSON(
        pos_id,
        gender_id,
        None if before == NOTHING_BEFORE else before,
        pack(_ENCODER.encode(words)) if words else None,
        None if after == NOTHING_AFTER else after,
        licence,
    )


def read_details(idea: IdeaJSON, languages: frozenset[int] | None = None) -> IdeaDetails:
    """Read all but the words of an idea, with the definitions of some languages or of all."""
    details = _DETAILS.decode(b"{%b,%b}" % (idea.before or NOTHING_BEFORE, idea.after or NOTHING_AFTER))
    if languages is None:
        return details
    return msgspec.structs.replace(details, definitions=in_languages(details.definitions, languages))


def read_words(idea: IdeaJSON, languages: frozenset[int] | None = None) -> LazyWords:
    """Return the words of an idea, of some languages or of all, which stay JSON until somebody looks at them."""
    return LazyWords(words_json(idea, languages))


def count_by_language(idea: IdeaJSON) -> dict[int, int]:
    """Count the words of an idea by the IDs of their languages; the words themselves are not read."""
    return count_languages(idea.words or b"")


def words_json(idea: IdeaJSON, languages: frozenset[int] | None) -> bytes:
    """Return the JSON of the words of an idea, of some languages or of all."""
    if not idea.words:
        return NO_WORDS
    return unpack(idea.words) if languages is None else unpack_of_languages(idea.words, languages)


def in_languages(definitions: Sequence[Definition], languages: frozenset[int]) -> tuple[Definition, ...]:
    """Return those definitions that are in some languages."""
    return tuple([each for each in definitions if each.language_id in languages])


def pieces_of(selection: Selection) -> frozenset[str]:
    """Return which pieces of an idea what is selected of meanings is written of."""
    wanted = selection.of_meanings
    if TEXT in wanted:
        wanted |= {DEFINITIONS, TRANSLATIONS}
    return frozenset(piece for piece, keys in KEYS_OF_PIECES.items() if keys & wanted)


def pieces_of_idea(selection: Selection) -> frozenset[str]:
    """Return which pieces of an idea what is selected of the idea itself is written of: its words are `words`."""
    keys = {TRANSLATIONS if key == "words" else key for key in selection.keys}
    return frozenset(piece for piece, of_piece in KEYS_OF_PIECES.items() if of_piece & keys)


_DETAILS: Final = msgspec.json.Decoder(IdeaDetails)


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
