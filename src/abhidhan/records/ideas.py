"""Ideas, the meanings that words of all languages share, with their parts and confirmations."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from abhidhan.records.lazy_json import LazyList
from abhidhan.records.lookup_lists import Named
from assamese.word_frequency import COUNTED_LANGUAGE, UNKNOWN_BAND, find_word_band


class Definition(msgspec.Struct, frozen=True):
    """A definition of an idea in one language."""

    language_id: int
    text: str


class Example(msgspec.Struct, frozen=True):
    """A usage example of an idea, with its translation if there is one."""

    language_id: int
    text: str
    translation: str | None


class Relation(msgspec.Struct, frozen=True):
    """A relation to another idea, with the first few words of that idea, ordered by language."""

    type: Named
    idea_id: int
    words: tuple[str, ...]


class PhotoReference(msgspec.Struct, frozen=True):
    """An approved photo of an idea: its URLs, credit, size in pixels, and licence if stated."""

    url: str
    thumbnail_url: str
    credit: str
    width: int
    height: int
    licence: str | None = None


class IdeaWord(msgspec.Struct, frozen=True):
    """A word of an idea, without its meanings. The words of one idea are translations or synonyms of each other."""

    id: int
    word: str
    language_id: int
    language: str
    roman: str | None
    variant: Named | None


class LazyWords(LazyList[IdeaWord]):
    """The words of an idea as JSON, decoded on first access."""

    __slots__ = ()

    def __init__(self, json: bytes) -> None:
        """Initialise with the JSON."""
        super().__init__(json, _WORDS.decode)


_WORDS = msgspec.json.Decoder(tuple[IdeaWord, ...])


def drop_word(json: bytes, word_id: int) -> bytes:
    """Remove a word from the JSON of an idea's words, so that its translations and synonyms remain.

    The search strings cannot occur inside a JSON string, where quotation marks are escaped.
    """
    start = json.find(b'{"id":%d,"word":' % word_id)
    if start < 0:
        return json
    end = json.find(b'},{"id":', start)
    if end < 0:
        # It is the last one: remove the comma before it too, if there is one.
        return json[: max(start - 1, 1)] + b"]"
    return json[:start] + json[end + 2 :]


class SourceReference(msgspec.Struct, frozen=True):
    """The source of an idea. `notice` is a note for readers, such as that no speaker has reviewed it yet."""

    name: str
    licence: str
    url: str | None
    notice: str | None


class Idea(msgspec.Struct, frozen=True):
    """An idea with all of its parts, as returned by `/api/ideas/{id}`.

    `licence` is the licence under which a user contributed it; null means that of its source, or not stated.
    """

    id: int
    glyph: str | None
    pos: Named | None
    gender: Named | None
    contexts: Sequence[Named]
    definitions: Sequence[Definition]
    examples: Sequence[Example]
    relations: Sequence[Relation]
    photos: Sequence[PhotoReference]
    words: Sequence[IdeaWord]
    source: SourceReference | None
    licence: str | None = None


class Confirmation(msgspec.Struct, frozen=True):
    """A confirmation that an idea is correct, with the user and the time (seconds since 1970).

    `person` is empty if the account was deleted without a name.
    """

    idea_id: int
    person: str
    confirmed: int


class IdeaWithWord(NamedTuple):
    """An idea with the exact key and frequency of one of its Assamese words; both are None if it has no such word."""

    idea_id: int
    exact_key: str | None
    frequency: float | None


def sort_by_frequency(ideas: Iterable[IdeaWithWord]) -> tuple[int, ...]:
    """Sort ideas by the frequency of their most common word, highest first, then by ID; return their IDs."""
    bands: dict[int, int] = {}
    for idea in ideas:
        bands[idea.idea_id] = max(bands.get(idea.idea_id, UNKNOWN_BAND), _frequency_band(idea))
    return tuple(sorted(bands, key=lambda idea_id: (-bands[idea_id], idea_id)))


def _frequency_band(idea: IdeaWithWord) -> int:
    return UNKNOWN_BAND if idea.exact_key is None else find_word_band(idea.exact_key, idea.frequency, COUNTED_LANGUAGE)
