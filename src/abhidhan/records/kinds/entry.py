"""An idea with its words, as a line of a file holds it."""

from typing import NamedTuple

import msgspec

from abhidhan.records.kinds.idea import DefinitionRecord, ExampleRecord, NewRelation, RelationRecord
from abhidhan.records.kinds.word import NewWord, WordRecord


class IdeaRecord(msgspec.Struct, frozen=True, tag_field="record", tag="idea", omit_defaults=True):
    """An idea with everything that belongs to it. `source` and `key` together name it for good.

    `pos` is null where the source does not tell the part of speech. `updated` is `created` unless it is said. `licence`
    is that under which somebody has given the idea, if not that of its source. `aliases` (`source:key`) are the names
    of ideas that were merged into it.
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
    """An idea as files hold it, with the IDs it has here: its own, of its words, and of the ideas of its relations."""

    id: int
    record: IdeaRecord
    word_ids: tuple[int, ...]
    related_ids: tuple[int, ...]


class NewIdea(msgspec.Struct, frozen=True):
    """An idea of a file, to be stored. Definitions are (language, text), examples (language, text, translation).

    Aliases are (source, key).

    Times (seconds since 1970) that a file does not tell are None.
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
