"""Ideas: what words of every language mean. POS, gender, contexts, definitions, relations and photos are theirs."""

from collections.abc import Sequence

import msgspec

from abhidhan.records.lazy_json import LazyList
from abhidhan.records.lookup_lists import Named


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
