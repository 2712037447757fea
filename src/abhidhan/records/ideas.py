"""Ideas: what words of every language mean, with all that belongs to them, and who has confirmed them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from abhidhan.records.lazy_json import LazyList
from abhidhan.records.lookup_lists import Named
from assamese.word_frequency import COUNTED, UNKNOWN, band_of_word


class Definition(msgspec.Struct, frozen=True):
    """A definition of an idea in one language."""

    language_id: int
    text: str


class Example(msgspec.Struct, frozen=True):
    """A usage example of an idea, with its translation where there is one."""

    language_id: int
    text: str
    translation: str | None


class Relation(msgspec.Struct, frozen=True):
    """A relation to another idea, shown by the first few words of that idea, by language and in their order."""

    type: Named
    idea_id: int
    words: tuple[str, ...]


class PhotoReference(msgspec.Struct, frozen=True):
    """An approved photo of an idea: where its bytes are, its credit, its size in pixels, and its licence if stated."""

    url: str
    thumbnail_url: str
    credit: str
    width: int
    height: int
    licence: str | None = None


class IdeaWord(msgspec.Struct, frozen=True):
    """A word of an idea, without its meanings: a translation or synonym of the other words of the idea."""

    id: int
    word: str
    language_id: int
    language: str
    roman: str | None
    variant: Named | None


class LazyWords(LazyList[IdeaWord]):
    """The words of an idea, kept as JSON."""

    __slots__ = ()

    def __init__(self, json: bytes) -> None:
        """Keep the JSON."""
        super().__init__(json, _WORDS.decode)


_WORDS = msgspec.json.Decoder(tuple[IdeaWord, ...])


def without_word(json: bytes, word_id: int) -> bytes:
    """Leave one word out of the JSON of an idea's words: its translations and synonyms are the others.

    What is looked for can stand in no text, where each quotation mark has a backslash before it.
    """
    start = json.find(b'{"id":%d,"word":' % word_id)
    if start < 0:
        return json
    end = json.find(b'},{"id":', start)
    if end < 0:
        # It is the last one: the comma before it goes too, if there is one.
        return json[: max(start - 1, 1)] + b"]"
    return json[:start] + json[end + 2 :]


class SourceReference(msgspec.Struct, frozen=True):
    """The source of an idea as readers see it. `notice` may say that no speaker has reviewed it yet."""

    name: str
    licence: str
    url: str | None
    notice: str | None


class Idea(msgspec.Struct, frozen=True):
    """An idea with everything that belongs to it, as `/api/ideas/{id}` answers it.

    `licence` is that under which somebody has given it; null: that of its source, or not stated.
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
    """That an idea was found right, by whom and when (seconds since 1970). `person` is empty where no name is left."""

    idea_id: int
    person: str
    confirmed: int


class IdeaWithWord(NamedTuple):
    """An idea with one of its Assamese words: its exact key, and its own frequency; None twice where it has no word."""

    idea_id: int
    exact_key: str | None
    frequency: float | None


def commonest_first(found: Iterable[IdeaWithWord]) -> tuple[int, ...]:
    """Return the IDs of ideas by the most common of their words, the commonest first, and then by ID."""
    bands: dict[int, int] = {}
    for each in found:
        bands[each.idea_id] = max(bands.get(each.idea_id, UNKNOWN), _band_of(each))
    return tuple(sorted(bands, key=lambda idea_id: (-bands[idea_id], idea_id)))


def _band_of(each: IdeaWithWord) -> int:
    return UNKNOWN if each.exact_key is None else band_of_word(each.exact_key, each.frequency, COUNTED)
