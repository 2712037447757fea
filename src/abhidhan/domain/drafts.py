"""Drafts: words, ideas, proverbs and flashcards as people and programs write them, and what they submit."""

from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.domain.ids import ID, Count
from abhidhan.domain.records import (
    CardSetRecord,
    FormsRecord,
    IdeaRecord,
    LanguageRecord,
    PhraseRecord,
    SourceRecord,
)

Reference = str | Count
"""A language or a value of a lookup list: by its ID, its code, or its value in words."""


class Kind(StrEnum):
    """What kind of thing a submission is."""

    WORD = "word"
    CORRECTION = "correction"
    PROVERB = "proverb"
    EXAMPLE = "example"
    CARD = "card"
    REPORT = "report"
    RECORD = "record"


class DefinitionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A definition of an idea in one language."""

    language: Reference
    text: str


class ExampleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A usage example of an idea, with its translation where there is one."""

    language: Reference
    text: str
    translation: str | None = None


class IdeaData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new idea: what words will mean."""

    pos: Reference
    gender: Reference | None = None
    glyph: str | None = None
    contexts: tuple[Reference, ...] = ()
    definitions: tuple[DefinitionData, ...] = ()
    examples: tuple[ExampleText, ...] = ()


class WordData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word for an idea that is there (`idea_id`), or with a meaning that is new (`meaning`)."""

    language: Reference
    word: str
    idea_id: ID | None = None
    meaning: IdeaData | None = None
    roman: str | None = None
    ipa: str | None = None
    asm: str | None = None
    variant: Reference | None = None
    origin: str | None = None
    plural: str | None = None
    definitive: str | None = None
    reference: str | None = None
    note: str | None = None


class ProverbData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proverb or idiom; `meaning` is a gloss in English, `category` a value of FJCAT."""

    text: str
    category: Reference
    language: Reference = "as"
    meaning: str | None = None
    roman: str | None = None


class ExampleData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A usage example for an idea that is there."""

    idea_id: ID
    language: Reference
    text: str
    translation: str | None = None


class CardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A flashcard for a set that is there; `picture` is an emoji."""

    set_id: ID
    clue: str
    answer: str
    roman: str | None = None
    idea_id: ID | None = None
    picture: str | None = None


class IdeaChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of an idea; fields left out stay as they are."""

    pos: Reference | msgspec.UnsetType | None = msgspec.UNSET
    gender: Reference | msgspec.UnsetType | None = msgspec.UNSET
    glyph: str | msgspec.UnsetType | None = msgspec.UNSET
    contexts: tuple[Reference, ...] | msgspec.UnsetType = msgspec.UNSET
    definitions: tuple[DefinitionData, ...] | msgspec.UnsetType = msgspec.UNSET
    examples: tuple[ExampleText, ...] | msgspec.UnsetType = msgspec.UNSET


class WordChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a word; fields left out stay as they are."""

    word: str | msgspec.UnsetType = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET
    ipa: str | msgspec.UnsetType | None = msgspec.UNSET
    asm: str | msgspec.UnsetType | None = msgspec.UNSET
    variant: Reference | msgspec.UnsetType | None = msgspec.UNSET
    origin: str | msgspec.UnsetType | None = msgspec.UNSET
    plural: str | msgspec.UnsetType | None = msgspec.UNSET
    definitive: str | msgspec.UnsetType | None = msgspec.UNSET


class PhraseChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a proverb; fields left out stay as they are."""

    text: str | msgspec.UnsetType = msgspec.UNSET
    category: Reference | msgspec.UnsetType | None = msgspec.UNSET
    meaning: str | msgspec.UnsetType | None = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET


class SenseChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of the link of a word to an idea; fields left out stay as they are."""

    position: Count | msgspec.UnsetType = msgspec.UNSET
    reference: str | msgspec.UnsetType | None = msgspec.UNSET
    note: str | msgspec.UnsetType | None = msgspec.UNSET


class CardChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a flashcard; fields left out stay as they are."""

    clue: str | msgspec.UnsetType = msgspec.UNSET
    answer: str | msgspec.UnsetType = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET
    picture: str | msgspec.UnsetType | None = msgspec.UNSET


class CardSetData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new set of flashcards: the language of its clues, and that of its answers."""

    name: str
    language: Reference
    answer_language: Reference
    description: str | None = None


class CardSetChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a set of flashcards; fields left out stay as they are."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType | None = msgspec.UNSET


class ListItemChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a value of a lookup list: its name."""

    value: str


class CorrectionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction of one record: the word, the idea or the proverb with an ID, what shall be different, and why."""

    word_id: ID | None = None
    idea_id: ID | None = None
    phrase_id: ID | None = None
    word: WordChanges | None = None
    idea: IdeaChanges | None = None
    phrase: PhraseChanges | None = None
    comment: str | None = None


class ReportData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An error in a word, told by anybody."""

    word_id: ID
    text: str


class WordSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="word", forbid_unknown_fields=True):
    """A word that waits for an editor."""

    data: WordData


class CorrectionSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="correction", forbid_unknown_fields=True):
    """A correction that waits for an editor."""

    data: CorrectionData


class ProverbSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="proverb", forbid_unknown_fields=True):
    """A proverb that waits for an editor."""

    data: ProverbData


class ExampleSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="example", forbid_unknown_fields=True):
    """A usage example that waits for an editor."""

    data: ExampleData


class CardSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="card", forbid_unknown_fields=True):
    """A flashcard that waits for an editor."""

    data: CardData


class ReportSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="report", forbid_unknown_fields=True):
    """A reported error that waits for an editor."""

    data: ReportData


ReviewedRecord = IdeaRecord | PhraseRecord | CardSetRecord | FormsRecord
"""What of a file can wait for an editor; of a set of flashcards, each card with its set."""


class RecordData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record of an imported file, with the sources it names and the languages that would be new with it."""

    record: ReviewedRecord
    sources: tuple[SourceRecord, ...] = ()
    languages: tuple[LanguageRecord, ...] = ()


class RecordSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="record", forbid_unknown_fields=True):
    """A record of an imported file that waits for an editor."""

    data: RecordData


Submitted = WordSubmission | CorrectionSubmission | ProverbSubmission | ExampleSubmission | CardSubmission
"""What somebody who is signed in submits."""

AnySubmission = Submitted | ReportSubmission | RecordSubmission

_DECODER: Final = msgspec.json.Decoder(AnySubmission)


def encode_submission(submission: AnySubmission) -> str:
    """Write a submission as it is stored."""
    return msgspec.json.encode(submission).decode()


def decode_submission(text: str) -> AnySubmission:
    """Read a submission as it is stored."""
    submission: AnySubmission = _DECODER.decode(text)
    return submission


def kind_of(submission: AnySubmission) -> Kind:
    """Tell the kind of a submission."""
    return Kind(str(type(submission).__struct_config__.tag))
