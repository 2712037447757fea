"""Flashcards and their sets: the types for input, storage and output."""

from typing import ClassVar, Final

import msgspec

from abhidhan.records.ids import ID
from abhidhan.records.kinds.field_types import Line, LocalTextData, LocalTextRecord, LocalTexts, Text
from abhidhan.records.kinds.fields import MAX_PHRASE_LENGTH, MAX_WORD_LENGTH, Field, Fields, InputData, Reference, State
from abhidhan.records.kinds.idea import IdeaRef

CARD_FIELDS: Final = Fields(
    (
        Field("clue", Line(MAX_PHRASE_LENGTH, is_required=True)),
        Field("roman", Line()),
        Field("answer", Line(MAX_PHRASE_LENGTH, is_required=True)),
        Field("picture", Line()),
    )
)

CARD_SET_FIELDS: Final = Fields(
    (
        Field("name", Line(MAX_WORD_LENGTH, is_required=True)),
        Field("description", Text()),
        Field("names", LocalTexts(MAX_WORD_LENGTH, is_single_line=True, english_column="name")),
        Field("descriptions", LocalTexts(english_column="description")),
    )
)


class CardState(State, frozen=True, tag="card"):
    """A flashcard with its position in a set."""

    card_set_id: int
    position: int
    clue: str
    answer: str
    roman: str | None = None
    idea_id: int | None = None
    picture: str | None = None


class CardSetState(State, frozen=True, tag="card_set"):
    """A set of flashcards, without its cards.

    `name` and `description` are in English, `names` and `descriptions` in other languages, as (language ID, text).
    """

    name: str
    language_id: int
    answer_language_id: int
    description: str | None = None
    source_id: int | None = None
    external_key: str | None = None
    names: tuple[tuple[int, str], ...] = ()
    descriptions: tuple[tuple[int, str], ...] = ()


class CardRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A flashcard with its clue and answer. `picture` is an emoji; `idea` is `source:key`."""

    clue: str
    answer: str
    roman: str | None = None
    picture: str | None = None
    idea: str | None = None


class CardSetRecord(msgspec.Struct, frozen=True, tag_field="record", tag="card_set", omit_defaults=True):
    """A set of flashcards. `language` is that of its clues, `answer_language` that of its answers."""

    source: str
    key: str
    name: str
    language: str
    answer_language: str
    description: str | None = None
    cards: tuple[CardRecord, ...] = ()
    names: tuple[LocalTextRecord, ...] = ()
    descriptions: tuple[LocalTextRecord, ...] = ()


class NewCard(msgspec.Struct, frozen=True, kw_only=True):
    """A flashcard of a file, validated for storage."""

    clue: str
    answer: str
    idea: IdeaRef | None
    roman: str | None = None
    picture: str | None = None


class NewCardSet(msgspec.Struct, frozen=True, kw_only=True):
    """A set of flashcards of a file, validated for storage."""

    source_id: int
    key: str
    name: str
    language_id: int
    answer_language_id: int
    cards: tuple[NewCard, ...]
    description: str | None = None
    names: tuple[tuple[int, str], ...] = ()
    descriptions: tuple[tuple[int, str], ...] = ()


class CardData(InputData, frozen=True):
    """A new flashcard for an existing set. `picture` is an emoji."""

    fields: ClassVar = CARD_FIELDS
    set_id: ID
    clue: str
    answer: str
    roman: str | None = None
    idea_id: ID | None = None
    picture: str | None = None


class CardChanges(InputData, frozen=True):
    """Changes to a flashcard; omitted fields are not changed."""

    fields: ClassVar = CARD_FIELDS
    clue: str | msgspec.UnsetType = msgspec.UNSET
    answer: str | msgspec.UnsetType = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET
    picture: str | msgspec.UnsetType | None = msgspec.UNSET


class CardSetData(InputData, frozen=True):
    """A new set of flashcards. `language` is that of its clues, `answer_language` that of its answers."""

    fields: ClassVar = CARD_SET_FIELDS
    name: str
    language: Reference
    answer_language: Reference
    description: str | None = None
    names: tuple[LocalTextData, ...] = ()
    descriptions: tuple[LocalTextData, ...] = ()


class CardSetChanges(InputData, frozen=True):
    """Changes to a set of flashcards; omitted fields are not changed."""

    fields: ClassVar = CARD_SET_FIELDS
    name: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType | None = msgspec.UNSET
    names: tuple[LocalTextData, ...] | msgspec.UnsetType = msgspec.UNSET
    descriptions: tuple[LocalTextData, ...] | msgspec.UnsetType = msgspec.UNSET
