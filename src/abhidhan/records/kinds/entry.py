"""Ideas in files: a record contains the idea with its words, definitions, examples and relations."""

from typing import NamedTuple

import msgspec

from abhidhan.records.kinds.idea import DefinitionRecord, ExampleRecord, NewRelation, RelationRecord
from abhidhan.records.kinds.word import NewWord, WordRecord


class IdeaRecord(msgspec.Struct, frozen=True, tag_field="record", tag="idea", omit_defaults=True):
    """An idea with all of its parts. `source` and `key` together identify it permanently.

    `pos` is null if the source does not give the part of speech. `updated` defaults to `created`. `licence` is the
    licence of a user's contribution, if it differs from that of the source. `aliases` (`source:key`) refer to ideas
    that were merged into this one.
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
    licence: str | None = None
    aliases: tuple[str, ...] = ()


class NumberedIdea(NamedTuple):
    """A file record of an idea, with the database IDs of the idea, its words and its related ideas."""

    id: int
    record: IdeaRecord
    word_ids: tuple[int, ...]
    related_ids: tuple[int, ...]


class NewIdea(msgspec.Struct, frozen=True):
    """An idea of a file, validated for storage.

    Definitions are (language ID, text), examples (language ID, text, translation), and aliases (source ID, key). Times
    are seconds since 1970, or None if the file has none.
    """

    source_id: int
    key: str
    relations: tuple[NewRelation, ...]
    words: tuple[NewWord, ...]
    created: int | None
    updated: int | None
    pos_id: int | None = None
    gender_id: int | None = None
    glyph: str | None = None
    contexts: tuple[int, ...] = ()
    definitions: tuple[tuple[int, str], ...] = ()
    examples: tuple[tuple[int, str, str | None], ...] = ()
    licence: str | None = None
    aliases: tuple[tuple[int, str], ...] = ()
