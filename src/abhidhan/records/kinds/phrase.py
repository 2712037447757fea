"""Proverbs and idioms: the types for input, storage and output."""

from typing import ClassVar, Final

import msgspec

from abhidhan.records.kinds.field_types import Line, ListChoice, LocalTextData, LocalTextRecord, LocalTexts, Text
from abhidhan.records.kinds.fields import MAX_PHRASE_LENGTH, Field, Fields, InputData, Reference, State
from abhidhan.records.lookup_lists import ListName

PHRASE_FIELDS: Final = Fields(
    (
        Field("text", Line(MAX_PHRASE_LENGTH, is_required=True)),
        Field("roman", Line()),
        Field("meaning", Text()),
        Field("meanings", LocalTexts(english_column="meaning")),
        Field("category", ListChoice(ListName.PHRASE_CATEGORIES, is_required=True), stored_as="category_id"),
    )
)


class PhraseState(State, frozen=True, tag="phrase"):
    """A proverb or idiom. `meaning` is in English, `meanings` are in other languages, as (language ID, text)."""

    language_id: int
    text: str
    added: int
    category_id: int | None = None
    roman: str | None = None
    meaning: str | None = None
    source_id: int | None = None
    external_key: str | None = None
    licence: str | None = None
    meanings: tuple[tuple[int, str], ...] = ()


class PhraseRecord(msgspec.Struct, frozen=True, tag_field="record", tag="phrase", omit_defaults=True):
    """A proverb or idiom; `category` is a value of FJCAT, `meaning` a gloss in English, `meanings` in any language."""

    source: str
    key: str
    language: str
    text: str
    category: str
    meaning: str | None = None
    roman: str | None = None
    added: int | None = None
    licence: str | None = None
    meanings: tuple[LocalTextRecord, ...] = ()


class NewPhrase(msgspec.Struct, frozen=True, kw_only=True):
    """A proverb or idiom of a file, validated for storage."""

    source_id: int
    key: str
    language_id: int
    language: str
    text: str
    category_id: int
    added: int | None
    roman: str | None = None
    meaning: str | None = None
    meanings: tuple[tuple[int, str], ...] = ()
    licence: str | None = None


class ProverbData(InputData, frozen=True):
    """A proverb or idiom; `meaning` is a gloss in English, `meanings` in any language, `category` a value of FJCAT."""

    fields: ClassVar = PHRASE_FIELDS
    text: str
    category: Reference
    language: Reference = "as"
    meaning: str | None = None
    roman: str | None = None
    meanings: tuple[LocalTextData, ...] = ()


class PhraseChanges(InputData, frozen=True):
    """Changes to a proverb; omitted fields are not changed."""

    fields: ClassVar = PHRASE_FIELDS
    text: str | msgspec.UnsetType = msgspec.UNSET
    category: Reference | msgspec.UnsetType | None = msgspec.UNSET
    meaning: str | msgspec.UnsetType | None = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET
    meanings: tuple[LocalTextData, ...] | msgspec.UnsetType = msgspec.UNSET
