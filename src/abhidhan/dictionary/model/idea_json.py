"""Ideas as fragments of the JSON of responses, and meanings as one line of text.

An idea of the Open Multilingual Wordnet has up to a thousand words: its JSON is encoded once, cached, and copied. The
default lines that describe an idea, in English and in Assamese, are cached with it, since a list of words needs one for
every meaning.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.field_selection import DEFINITIONS_KEY, TEXT_KEY, TRANSLATIONS_KEY, FieldSelection
from abhidhan.dictionary.model.packed_json import (
    NO_WORDS,
    count_languages,
    iter_texts_in_language,
    iter_texts_in_other_languages,
    pack,
    unpack,
    unpack_languages,
)
from abhidhan.records.ideas import Definition, Example, IdeaWord, LazyWords, PhotoReference, Relation
from abhidhan.records.languages import ASSAMESE, ENGLISH
from abhidhan.records.lookup_lists import Named
from assamese.normalization import collapse_whitespace, exact_key


class IdeaDetails(msgspec.Struct, frozen=True):
    """Data of an idea except its words, in the order of responses."""

    contexts: tuple[Named, ...] = ()
    definitions: tuple[Definition, ...] = ()
    examples: tuple[Example, ...] = ()
    relations: tuple[Relation, ...] = ()
    photos: tuple[PhotoReference, ...] = ()


class IdeaJSON(NamedTuple):
    """Part of speech and gender of an idea, and fragments of JSON: before its words, the words, and after them.

    `words` are packed; a fragment with only defaults is None. `licence` is that of the contribution. `lines` are the
    default descriptions (`build_default_lines`), if cached with the idea.
    """

    pos_id: int | None
    gender_id: int | None
    before: bytes | None
    words: bytes | None
    after: bytes | None
    licence: str | None = None
    lines: bytes | None = None


class _BeforeWords(msgspec.Struct):
    contexts: Sequence[Named] = ()
    definitions: Sequence[Definition] = ()


class _AfterWords(msgspec.Struct):
    examples: Sequence[Example] = ()
    relations: Sequence[Relation] = ()
    photos: Sequence[PhotoReference] = ()


_ENCODER: Final = msgspec.json.Encoder()


def _encode_members(struct: msgspec.Struct) -> bytes:
    """Encode the members of a JSON object without its braces."""
    return _ENCODER.encode(struct)[1:-1]


EMPTY_BEFORE: Final = _encode_members(_BeforeWords())
EMPTY_AFTER: Final = _encode_members(_AfterWords())

KEYS_BY_FRAGMENT: Final = {
    "before": frozenset(_BeforeWords.__struct_fields__),
    "words": frozenset({TRANSLATIONS_KEY}),
    "after": frozenset(_AfterWords.__struct_fields__),
}
"""Members of a response in each fragment of an idea."""


def encode_idea(
    pos_id: int | None,
    gender_id: int | None,
    details: IdeaDetails,
    words: Sequence[IdeaWord],
    licence: str | None = None,
) -> IdeaJSON:
    """Encode the data of an idea as fragments of JSON."""
    before = _encode_members(_BeforeWords(details.contexts, details.definitions))
    after = _encode_members(_AfterWords(details.examples, details.relations, details.photos))
    return IdeaJSON(
        pos_id,
        gender_id,
        None if before == EMPTY_BEFORE else before,
        pack(_ENCODER.encode(words)) if words else None,
        None if after == EMPTY_AFTER else after,
        licence,
    )


def decode_details(idea: IdeaJSON, languages: frozenset[int] | None = None) -> IdeaDetails:
    """Decode all data of an idea except its words, with the definitions in some languages or all."""
    details = _DETAILS_DECODER.decode(b"{%b,%b}" % (idea.before or EMPTY_BEFORE, idea.after or EMPTY_AFTER))
    if languages is None:
        return details
    return msgspec.structs.replace(details, definitions=filter_by_language(details.definitions, languages))


def read_words(idea: IdeaJSON, languages: frozenset[int] | None = None) -> LazyWords:
    """Return the words of an idea in some languages or all, decoded on first use."""
    return LazyWords(select_words_json(idea, languages))


def count_by_language(idea: IdeaJSON) -> dict[int, int]:
    """Count the words of an idea by language ID, without decoding them."""
    return count_languages(idea.words or b"")


def select_words_json(idea: IdeaJSON, languages: frozenset[int] | None) -> bytes:
    """Return the JSON of the words of an idea in some languages or all."""
    if not idea.words:
        return NO_WORDS
    return unpack(idea.words) if languages is None else unpack_languages(idea.words, languages)


def filter_by_language(definitions: Sequence[Definition], languages: frozenset[int]) -> tuple[Definition, ...]:
    """Return the definitions in some languages."""
    return tuple([definition for definition in definitions if definition.language_id in languages])


def fragments_for_meanings(selection: FieldSelection) -> frozenset[str]:
    """Return the fragments of ideas needed for the selected keys of meanings."""
    meaning_keys = selection.meaning_keys
    if TEXT_KEY in meaning_keys:
        meaning_keys |= {DEFINITIONS_KEY, TRANSLATIONS_KEY}
    return frozenset(piece for piece, keys in KEYS_BY_FRAGMENT.items() if keys & meaning_keys)


def fragments_for_idea(selection: FieldSelection) -> frozenset[str]:
    """Return the fragments needed for the selected keys of an idea, which has `words` instead of `translations`."""
    keys = {TRANSLATIONS_KEY if key == "words" else key for key in selection.keys}
    return frozenset(piece for piece, piece_keys in KEYS_BY_FRAGMENT.items() if piece_keys & keys)


_DETAILS_DECODER: Final = msgspec.json.Decoder(IdeaDetails)


WORD_SEPARATOR: Final = ", "
DEFINITION_SEPARATOR: Final = " – "
NO_DESCRIPTION: Final = "—"
MAX_OTHER_WORDS: Final = 5
"""Maximum number of words in other languages that describe a meaning without words in the requested languages."""

LINE_SEPARATOR: Final = b"\x01"
"""Separator of the default lines of an idea; JSON cannot contain this byte."""

MAX_INVISIBLE_CHARACTERS: Final = 32
"""Maximum difference in length between a text and its exact key, in characters."""

KEY_CACHE_SIZE: Final = 1024
"""Size of the cache of exact keys, which are needed several times for the words of one idea."""

_cached_exact_key: Final = lru_cache(KEY_CACHE_SIZE)(exact_key)


class HeadwordKey(NamedTuple):
    """Headword whose meanings are described: its language, and its exact key, which descriptions must not repeat."""

    language_id: int
    key: str


def describe_meaning(idea: IdeaJSON, headword: HeadwordKey, languages: Iterable[int] = ()) -> bytes:
    """Return the description of a meaning as a JSON string, in the first language with words or a definition.

    Default languages: Assamese for English words, English for all others. If it has neither in these, the line consists
    of words of the idea in languages other than the headword's, or else of its first definition.
    """
    return _encode_line(_choose_line(idea, headword, languages or _default_languages(headword)))


def get_cached_line(idea: IdeaJSON, language_id: int) -> bytes:
    """Return the cached description of an idea for headwords of a language; empty if none is cached."""
    if not idea.lines:
        return b""
    for_other_words, _, for_english = idea.lines.partition(LINE_SEPARATOR)
    return for_english if language_id == ENGLISH else for_other_words


def build_default_lines(idea: IdeaJSON) -> bytes | None:
    """Encode the default descriptions of an idea, for non-English and for English headwords; None if both are empty.

    The first is empty if the idea has no word or definition in English. Each is empty if a headword that it would
    describe is spelled like one of its parts, and so needs a different description.
    """
    packed = idea.words or b""
    for_other_words = _line_in_language(ENGLISH, idea, "")
    for_english = _choose_line(idea, _ANY_ENGLISH_WORD, _default_languages(_ANY_ENGLISH_WORD))
    lines = (
        _encode_default_line(for_other_words, iter_texts_in_other_languages(packed, ENGLISH))
        if for_other_words
        else b"",
        _encode_default_line(for_english, iter_texts_in_language(packed, ENGLISH)),
    )
    return LINE_SEPARATOR.join(lines) if any(lines) else None


_ANY_ENGLISH_WORD: Final = HeadwordKey(ENGLISH, "")


def _default_languages(headword: HeadwordKey) -> tuple[int, ...]:
    return (ASSAMESE if headword.language_id == ENGLISH else ENGLISH,)


class _DescriptionLine(NamedTuple):
    """Line that describes a meaning: its words, and its definition or an empty string."""

    words: tuple[str, ...]
    definition: str = ""


def _encode_default_line(line: _DescriptionLine, texts: Iterable[str]) -> bytes:
    keys = {*map(_cached_exact_key, texts)}
    parts = (*line.words, line.definition)
    longest = max(map(len, keys), default=0) + MAX_INVISIBLE_CHARACTERS
    return (
        _encode_line(line)
        if keys.isdisjoint([_cached_exact_key(part) for part in parts if len(part) <= longest])
        else b""
    )


def _choose_line(idea: IdeaJSON, headword: HeadwordKey, languages: Iterable[int]) -> _DescriptionLine:
    in_language = (_line_in_language(language_id, idea, headword.key) for language_id in languages)
    return next(filter(None, in_language), None) or _line_in_other_languages(idea, headword)


def _line_in_language(language_id: int, idea: IdeaJSON, key: str) -> _DescriptionLine | None:
    """Return the words and the first definition in a language; None if there are none."""
    words = tuple(_iter_distinct(iter_texts_in_language(idea.words or b"", language_id), key))
    definition = _find_first_definition(idea, key, language_id)
    return _DescriptionLine(words, definition) if words or definition else None


def _line_in_other_languages(idea: IdeaJSON, headword: HeadwordKey) -> _DescriptionLine:
    other_texts = _iter_distinct(iter_texts_in_other_languages(idea.words or b"", headword.language_id), headword.key)
    words = tuple(islice(other_texts, MAX_OTHER_WORDS))
    return _DescriptionLine(words or (_find_first_definition(idea, headword.key) or NO_DESCRIPTION,))


def _iter_distinct(texts: Iterable[str], key: str) -> Iterator[str]:
    """Yield texts with distinct exact keys other than `key`."""
    seen = {key}
    for text in texts:
        text_key = _cached_exact_key(text)
        if text_key not in seen:
            seen.add(text_key)
            yield text


def _find_first_definition(idea: IdeaJSON, key: str, language_id: int | None = None) -> str:
    """Return the first definition, in one language or any, that is not the word itself; "" if there is none."""
    for match in _DEFINITION_PATTERN.finditer(idea.before or b""):
        if language_id is None or int(match[1]) == language_id:
            text = msgspec.json.decode(match[2], type=str)
            if not _has_exact_key(text, key):
                return text
    return ""


def _has_exact_key(text: str, key: str) -> bool:
    """Return whether a text has the exact key `key`, without computing the key of a much longer text."""
    return len(text) <= len(key) + MAX_INVISIBLE_CHARACTERS and exact_key(text) == key


_DEFINITION_PATTERN: Final = re.compile(rb'\{"language_id":(\d+),"text":("(?:[^"\\]|\\.)*")')
"""Definition in the fragment before the words; no text can match, since its quotation marks are escaped."""


def _encode_line(line: _DescriptionLine) -> bytes:
    """Encode a line, with single spaces."""
    text = DEFINITION_SEPARATOR.join(filter(None, (WORD_SEPARATOR.join(line.words), line.definition)))
    return msgspec.json.encode(collapse_whitespace(text))
