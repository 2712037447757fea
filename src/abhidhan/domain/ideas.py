"""Ideas: what words of every language mean. POS, gender, contexts, definitions, relations and photos are theirs."""

import msgspec

from abhidhan.domain.lists import Named


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
    """A relation to another idea, shown by the first few words of that idea in the order of languages."""

    type: Named
    idea_id: int
    words: tuple[str, ...]


class PhotoReference(msgspec.Struct, frozen=True):
    """An approved photo of an idea: where its bytes are, its credit, and its size in pixels."""

    url: str
    thumbnail_url: str
    credit: str
    width: int
    height: int


class IdeaWord(msgspec.Struct, frozen=True):
    """A word of an idea, without its meanings: a translation or synonym of the other words of the idea."""

    id: int
    word: str
    language_id: int
    language: str
    roman: str | None
    variant: Named | None


class SourceReference(msgspec.Struct, frozen=True):
    """The source of an idea as readers see it. `notice` may say that no speaker has reviewed it yet."""

    name: str
    licence: str
    url: str | None
    notice: str | None


class Idea(msgspec.Struct, frozen=True):
    """An idea with everything that belongs to it, as `/api/ideas/{id}` answers it."""

    id: int
    glyph: str | None
    pos: Named | None
    gender: Named | None
    contexts: tuple[Named, ...]
    definitions: tuple[Definition, ...]
    examples: tuple[Example, ...]
    relations: tuple[Relation, ...]
    photos: tuple[PhotoReference, ...]
    words: tuple[IdeaWord, ...]
    source: SourceReference | None
