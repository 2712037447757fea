"""Words, and the senses that link them to ideas: the types for input, storage and output."""

from typing import Annotated, ClassVar, Final, NamedTuple

import msgspec

from abhidhan.records.ids import ID, Count
from abhidhan.records.kinds.field_types import Boolean, Line, ListChoice, Number, Text, WholeNumber
from abhidhan.records.kinds.fields import (
    MAX_POSITION,
    MAX_WORD_LENGTH,
    Field,
    Fields,
    InputData,
    Reference,
    State,
    list_columns,
)
from abhidhan.records.kinds.idea import IdeaData
from abhidhan.records.lookup_lists import ListName

MAX_FREQUENCY: Final = 1_000_000
"""The maximum frequency, in occurrences per million running words."""

MAX_TRANSLATIONS: Final = 50
"""The maximum number of translations submitted with a word."""

SPELLING_FIELD: Final = Field("word", Line(MAX_WORD_LENGTH, is_required=True), stored_as="text")

FREQUENCY_FIELDS: Final = Fields((Field("frequency", Number(MAX_FREQUENCY)), Field("frequency_source", Line())))
"""The frequency of a word and the source of this number, which files always set together."""

WORD_DETAIL_FIELDS: Final = Fields(
    (
        Field("roman", Line(), headings="romanization|romanisation|transliteration|latin"),
        Field("ipa", Line(), headings="pronunciation|phonetic"),
        Field("asm", Line()),
        Field("variant", ListChoice(ListName.VARIANTS), stored_as="variant_id", headings="dialect"),
        Field("origin", Text(), headings="etymology", separator="; "),
        Field("countable", Boolean()),
        Field("plural", Line(), headings="plc"),
        Field("definitive", Line(), headings="dfc"),
        *FREQUENCY_FIELDS,
    )
)
"""The fields of a word other than its spelling, in the order of edit forms and spreadsheet columns."""

ALL_WORD_FIELDS: Final = Fields((SPELLING_FIELD, *WORD_DETAIL_FIELDS))
WORD_DETAIL_COLUMNS: Final = list_columns(WORD_DETAIL_FIELDS)

POSITION_FIELD: Final = Field("position", WholeNumber(MAX_POSITION))
RANK_FIELD: Final = Field("rank", WholeNumber(MAX_POSITION))
REMARK_FIELDS: Final = Fields(
    (
        Field("reference", Text(), headings="ref", separator="; "),
        Field("note", Text(), headings="notes|comment|remark|remarks", separator="; "),
    )
)
"""The remarks of a sense: a reference and a note."""

SENSE_FIELDS: Final = Fields((POSITION_FIELD, *REMARK_FIELDS))


class WordTextFields(msgspec.Struct, frozen=True, kw_only=True):
    """The details of a word that need no lookup list.

    `frequency` is in occurrences per million running words, counted by `frequency_source`. `countable` is whether the
    word has a plural; if it is null, the part of speech decides (`assamese/paradigms.py`).
    """

    roman: str | None = None
    ipa: str | None = None
    asm: str | None = None
    origin: str | None = None
    countable: bool | None = None
    plural: str | None = None
    definitive: str | None = None
    frequency: float | None = None
    frequency_source: str | None = None


class StoredWordFields(WordTextFields, frozen=True, kw_only=True):
    """The details of a word as stored, with the ID of its variant."""

    variant_id: int | None = None


class WordState(State, StoredWordFields, frozen=True, tag="word"):
    """A spelling in a language. Forms are (exact key of an inflected form, tag)."""

    language_id: int
    text: str
    created: int
    forms: tuple[tuple[str, str], ...] = ()


class NewWord(StoredWordFields, frozen=True):
    """A word of a new idea in a file, validated for storage. `language` is the code of `language_id`."""

    language_id: int
    language: str
    text: str
    source_id: int | None
    forms: tuple[str, ...]
    created: int | None
    updated: int | None
    added: int | None
    position: int | None = None
    rank: int | None = None
    reference: str | None = None
    note: str | None = None
    licence: str | None = None


class WordRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word of an idea. `roman` to `frequency_source` belong to the word, `reference` and `note` to this sense.

    `source` is the source of the sense, if it differs from that of the idea. `position` orders the meanings of the
    word, `rank` the idea's words of one language; both default to the next number. `created` and `added` (of the sense)
    default to `created` of the idea, `updated` to `created`. `licence` is that of a user's contribution of the sense.
    """

    language: str
    text: str
    roman: str | None = None
    ipa: str | None = None
    asm: str | None = None
    variant: str | None = None
    origin: str | None = None
    countable: bool | None = None
    plural: str | None = None
    definitive: str | None = None
    frequency: float | None = None
    frequency_source: str | None = None
    reference: str | None = None
    note: str | None = None
    source: str | None = None
    position: int | None = None
    rank: int | None = None
    forms: tuple[str, ...] = ()
    created: int | None = None
    updated: int | None = None
    added: int | None = None
    licence: str | None = None


class TranslationData(InputData, frozen=True):
    """A word with the same meaning, in any language."""

    fields: ClassVar = Fields((SPELLING_FIELD,))
    language: Reference
    word: str


class WordData(WordTextFields, InputData, frozen=True):
    """A new word for an existing idea (`idea_id`) or with a new one (`meaning`).

    `translations` are other words of the idea; those that it already has are ignored.
    """

    fields: ClassVar = Fields((*ALL_WORD_FIELDS, *REMARK_FIELDS))
    language: Reference
    word: str
    idea_id: ID | None = None
    meaning: IdeaData | None = None
    variant: Reference | None = None
    reference: str | None = None
    note: str | None = None
    translations: Annotated[tuple[TranslationData, ...], msgspec.Meta(max_length=MAX_TRANSLATIONS)] = ()


class WordChanges(InputData, frozen=True):
    """Changes to a word; omitted fields are not changed."""

    fields: ClassVar = ALL_WORD_FIELDS
    word: str | msgspec.UnsetType = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET
    ipa: str | msgspec.UnsetType | None = msgspec.UNSET
    asm: str | msgspec.UnsetType | None = msgspec.UNSET
    variant: Reference | msgspec.UnsetType | None = msgspec.UNSET
    origin: str | msgspec.UnsetType | None = msgspec.UNSET
    countable: bool | msgspec.UnsetType | None = msgspec.UNSET
    plural: str | msgspec.UnsetType | None = msgspec.UNSET
    definitive: str | msgspec.UnsetType | None = msgspec.UNSET
    frequency: float | msgspec.UnsetType | None = msgspec.UNSET
    frequency_source: str | msgspec.UnsetType | None = msgspec.UNSET


class SenseState(State, frozen=True, tag="sense"):
    """The link of a word to an idea: the numbered meaning.

    `position` orders the meanings of the word, `rank` the idea's words of one language. Older history entries have no
    rank (null): a restored sense then becomes the last one, and an existing sense keeps its rank.
    """

    word_id: int
    idea_id: int
    position: int
    added: int
    reference: str | None = None
    note: str | None = None
    source_id: int | None = None
    licence: str | None = None
    rank: int | None = None


class SenseChanges(InputData, frozen=True):
    """Changes to a sense, the link of a word to an idea; omitted fields are not changed."""

    fields: ClassVar = SENSE_FIELDS
    position: Count | msgspec.UnsetType = msgspec.UNSET
    reference: str | msgspec.UnsetType | None = msgspec.UNSET
    note: str | msgspec.UnsetType | None = msgspec.UNSET


class FormsRecord(msgspec.Struct, frozen=True, tag_field="record", tag="forms", omit_defaults=True):
    """Inflected forms of a word for look-up, each with its tag. A missing word is reported unless `optional` is set."""

    language: str
    text: str
    forms: tuple[tuple[str, str], ...]
    optional: bool = False


class NumberedForms(NamedTuple):
    """A file record of forms, with the ID of the word in this database."""

    word_id: int
    record: FormsRecord


class FrequencyRecord(msgspec.Struct, frozen=True, tag_field="record", tag="frequency"):
    """The frequency of an existing word, with its source. A missing word is reported."""

    language: str
    text: str
    frequency: float
    frequency_source: str


class NewFrequency(msgspec.Struct, frozen=True):
    """The frequency of the word with this spelling and language, validated for storage."""

    language_id: int
    text: str
    frequency: float
    frequency_source: str | None = None
