"""The records of Abhidhan's own JSONL: what importers make, exporters read and the starter dictionary is written in.

One JSON object a line; `"record"` says which kind. Lists (POS, CTX, ...) and languages are named by their value
and code, ideas by `source:key`, so that a file means the same in every database. Times are seconds since 1970, UTC;
what has none is of the time of its import.
"""

import msgspec


class SourceRecord(msgspec.Struct, frozen=True, tag_field="record", tag="source", omit_defaults=True):
    """Where records come from. `notice` is what readers should know of them, such as that nobody reviewed them yet."""

    code: str
    name: str
    licence: str
    url: str | None = None
    attribution: str | None = None
    notice: str | None = None


class LanguageRecord(msgspec.Struct, frozen=True, tag_field="record", tag="language", omit_defaults=True):
    """A language: its ID, BCP 47 code, ISO 639-3 code, names, ISO 15924 script code and direction (ltr, rtl).

    The ID 0 asks for the next free one.
    """

    id: int
    code: str
    iso639_3: str | None
    name: str
    native_name: str
    script: str
    direction: str = "ltr"


class ListItemRecord(msgspec.Struct, frozen=True, tag_field="record", tag="list_item", omit_defaults=True):
    """A value of a lookup list (POS, GEN, CTX, VRT, RIC, HAC, FJCAT). `parent` is an ID of the same list.

    `code` is a short form (VRT: `sci`); for POS it is the major class (`Noun`); for RIC the ID, as text, of the
    inverse relation.
    """

    list: str
    id: int
    value: str
    code: str | None = None
    parent: int | None = None


class DefinitionRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A definition of an idea, in the language whose code is given."""

    language: str
    text: str


class ExampleRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A usage example of an idea, with its translation (of English into Assamese, else into English)."""

    language: str
    text: str
    translation: str | None = None


class RelationRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A relation of an idea to another: the type's value in RIC, the other idea as `source:key`."""

    type: str
    idea: str


class WordRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word under an idea. `roman` to `definitive` belong to the word, `reference` and `note` to this sense of it.

    `source` is where the sense comes from, if not where the idea does. `position` numbers this meaning among those
    of the word; without it, it is the next one. `created` and `added` (of the sense) are the idea's unless they are
    said, `updated` is `created`.
    """

    language: str
    text: str
    roman: str | None = None
    ipa: str | None = None
    asm: str | None = None
    variant: str | None = None
    origin: str | None = None
    plural: str | None = None
    definitive: str | None = None
    reference: str | None = None
    note: str | None = None
    source: str | None = None
    position: int | None = None
    forms: tuple[str, ...] = ()
    created: int | None = None
    updated: int | None = None
    added: int | None = None


class IdeaRecord(msgspec.Struct, frozen=True, tag_field="record", tag="idea", omit_defaults=True):
    """An idea with everything that belongs to it. `source` and `key` together name it for good.

    `pos` is null where the source does not tell the part of speech. `updated` is `created` unless it is said.
    """

    source: str
    key: str
    pos: str | None
    words: tuple[WordRecord, ...]
    gender: str | None = None
    glyph: str | None = None
    contexts: tuple[str, ...] = ()
    definitions: tuple[DefinitionRecord, ...] = ()
    examples: tuple[ExampleRecord, ...] = ()
    relations: tuple[RelationRecord, ...] = ()
    created: int | None = None
    updated: int | None = None


class PhraseRecord(msgspec.Struct, frozen=True, tag_field="record", tag="phrase", omit_defaults=True):
    """A proverb or idiom; `category` is a value of FJCAT, `meaning` a gloss in English."""

    source: str
    key: str
    language: str
    text: str
    category: str
    meaning: str | None = None
    roman: str | None = None
    added: int | None = None


class CardRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A flashcard: a clue to be answered. `picture` is an emoji; `idea` is `source:key`."""

    clue: str
    answer: str
    roman: str | None = None
    picture: str | None = None
    idea: str | None = None


class CardSetRecord(msgspec.Struct, frozen=True, tag_field="record", tag="card_set", omit_defaults=True):
    """A set of flashcards: the languages of its clues and of its answers."""

    source: str
    key: str
    name: str
    language: str
    answer_language: str
    description: str | None = None
    cards: tuple[CardRecord, ...] = ()


class FormsRecord(msgspec.Struct, frozen=True, tag_field="record", tag="forms", omit_defaults=True):
    """Inflected forms, each with its tag, that should find a word; one that is not there is told, unless optional."""

    language: str
    text: str
    forms: tuple[tuple[str, str], ...]
    optional: bool = False


Record = SourceRecord | LanguageRecord | ListItemRecord | IdeaRecord | PhraseRecord | CardSetRecord | FormsRecord
