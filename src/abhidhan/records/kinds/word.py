"""Words, and the senses that link them to ideas: every shape in which they come in, are kept and go out."""

from typing import Annotated, ClassVar, Final, NamedTuple

import msgspec

from abhidhan.records.ids import ID, Count
from abhidhan.records.kinds.field_types import Line, Number, OneOf, Text, Whole, YesOrNo
from abhidhan.records.kinds.fields import (
    MOST_POSITION,
    MOST_WORD_LETTERS,
    Field,
    Fields,
    Given,
    Reference,
    State,
    columns,
)
from abhidhan.records.kinds.idea import IdeaData
from abhidhan.records.lookup_lists import ListName

MOST_FREQUENCY: Final = 1_000_000
"""A word has at most so many occurrences in a million running words."""

MOST_TRANSLATIONS: Final = 50
"""How many words of other languages may come with one."""

SPELLING: Final = Field("word", Line(MOST_WORD_LETTERS, is_needed=True), stored_as="text")

FREQUENCY: Final = Fields((Field("frequency", Number(MOST_FREQUENCY)), Field("frequency_source", Line())))
"""How common a word is, and who counted it: they are given, taken and changed together by files."""

DETAILS: Final = Fields(
    (
        Field("roman", Line(), headings="romanization|romanisation|transliteration|latin"),
        Field("ipa", Line(), headings="pronunciation|phonetic"),
        Field("asm", Line()),
        Field("variant", OneOf(ListName.VARIANTS), stored_as="variant_id", headings="dialect"),
        Field("origin", Text(), headings="etymology", joint="; "),
        Field("countable", YesOrNo()),
        Field("plural", Line(), headings="plc"),
        Field("definitive", Line(), headings="dfc"),
        *FREQUENCY,
    )
)
"""What is told of a word besides its spelling, in the order of forms and of the columns of sheets."""

WORD: Final = Fields((SPELLING, *DETAILS))
DETAIL_COLUMNS: Final = columns(DETAILS)

POSITION: Final = Field("position", Whole(MOST_POSITION))
RANK: Final = Field("rank", Whole(MOST_POSITION))
REMARKS: Final = Fields(
    (
        Field("reference", Text(), headings="ref", joint="; "),
        Field("note", Text(), headings="notes|comment|remark|remarks", joint="; "),
    )
)
"""What is told of a sense: where it is found, and what should be known of it."""

SENSE: Final = Fields((POSITION, *REMARKS))


class WordTexts(msgspec.Struct, frozen=True, kw_only=True):
    """The details of a word, without those that stand for a value of a list.

    `frequency` is in occurrences per million running words, as `frequency_source` has counted them. `countable` says
    whether the word has a plural; without it, its part of speech decides (`assamese/paradigms.py`).
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


class WordFacts(WordTexts, frozen=True, kw_only=True):
    """The details of a word as its columns hold them."""

    variant_id: int | None = None


class WordState(State, WordFacts, frozen=True, tag="word"):
    """A spelling in a language. Forms are (exact key of an inflected form, what form it is)."""

    language_id: int
    text: str
    created: int
    forms: tuple[tuple[str, str], ...] = ()


class NewWord(WordFacts, frozen=True):
    """A word of a file under a new idea. `language` is the code that goes with `language_id`."""

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
    """A word under an idea. `roman` to `frequency_source` belong to the word, `reference` and `note` to this sense.

    `source` is where the sense comes from, if not where the idea does. `position` numbers this meaning among those
    of the word, `rank` the word among those of its language under a new idea; without it, either is the next one.
    `created` and `added` (of the sense) are the idea's unless they are said, `updated` is `created`. `licence` is that
    under which somebody has given the sense.
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


class TranslationData(Given, frozen=True):
    """A word that means the same as another one, in any language."""

    fields: ClassVar = Fields((SPELLING,))
    language: Reference
    word: str


class WordData(WordTexts, Given, frozen=True):
    """A word for an idea that is there (`idea_id`), or with a meaning that is new (`meaning`).

    `translations` are other words of the idea; one that it has already is passed over.
    """

    fields: ClassVar = Fields((*WORD, *REMARKS))
    language: Reference
    word: str
    idea_id: ID | None = None
    meaning: IdeaData | None = None
    variant: Reference | None = None
    reference: str | None = None
    note: str | None = None
    translations: Annotated[tuple[TranslationData, ...], msgspec.Meta(max_length=MOST_TRANSLATIONS)] = ()


class WordChanges(Given, frozen=True):
    """What shall be different of a word; fields left out stay as they are."""

    fields: ClassVar = WORD
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

    `position` is the place of the meaning among those of the word, `rank` that of the word among those of its language
    under the idea. A rank of None stands for the last one, or for the one that is stored: older entries of the history
    have none.
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


class SenseChanges(Given, frozen=True):
    """What shall be different of the link of a word to an idea; fields left out stay as they are."""

    fields: ClassVar = SENSE
    position: Count | msgspec.UnsetType = msgspec.UNSET
    reference: str | msgspec.UnsetType | None = msgspec.UNSET
    note: str | msgspec.UnsetType | None = msgspec.UNSET


class FormsRecord(msgspec.Struct, frozen=True, tag_field="record", tag="forms", omit_defaults=True):
    """Inflected forms, each with its tag, that should find a word; one that is not there is told, unless optional."""

    language: str
    text: str
    forms: tuple[tuple[str, str], ...]
    optional: bool = False


class NumberedForms(NamedTuple):
    """The forms of a word, with the ID it has here."""

    word_id: int
    record: FormsRecord


class FrequencyRecord(msgspec.Struct, frozen=True, tag_field="record", tag="frequency"):
    """How common a word is that is there already, by whom it was counted; one that is not there is told."""

    language: str
    text: str
    frequency: float
    frequency_source: str


class NewFrequency(msgspec.Struct, frozen=True):
    """How common the word is that stands under a text in a language."""

    language_id: int
    text: str
    frequency: float
    frequency_source: str | None = None
