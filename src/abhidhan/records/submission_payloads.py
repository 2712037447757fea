"""What people submit: words, corrections, proverbs, examples, flashcards, reports, missing words, records of files."""

from enum import StrEnum
from typing import ClassVar, Final

import msgspec

from abhidhan.records.ids import ID
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, LanguageRecord, PhraseRecord, SourceRecord
from abhidhan.records.kinds.card import CardChanges, CardData, CardSetChanges, CardSetData
from abhidhan.records.kinds.catalogue import ListItemChanges, ListValueRecord
from abhidhan.records.kinds.field_types import Line, Text
from abhidhan.records.kinds.fields import LONGEST_COMMENT, Field, Fields, Given, Reference
from abhidhan.records.kinds.idea import DefinitionData, ExampleData, ExampleText, IdeaChanges, IdeaData
from abhidhan.records.kinds.phrase import PhraseChanges, ProverbData
from abhidhan.records.kinds.word import SPELLING, SenseChanges, TranslationData, WordChanges, WordData

__all__ = [
    "AnySubmission",
    "CardChanges",
    "CardData",
    "CardSetChanges",
    "CardSetData",
    "CardSubmission",
    "CorrectionData",
    "CorrectionSubmission",
    "DefinitionData",
    "ExampleData",
    "ExampleSubmission",
    "ExampleText",
    "FileRecord",
    "IdeaChanges",
    "IdeaData",
    "Kind",
    "ListItemChanges",
    "ListValueRecord",
    "MissingData",
    "MissingSubmission",
    "PhraseChanges",
    "ProverbData",
    "ProverbSubmission",
    "RecordData",
    "RecordSubmission",
    "Reference",
    "ReportData",
    "ReportSubmission",
    "ReviewedRecord",
    "SenseChanges",
    "Submitted",
    "TranslationData",
    "WordChanges",
    "WordData",
    "WordSubmission",
    "decode_submission",
    "encode_submission",
    "kind_of",
]


class Kind(StrEnum):
    """What kind of thing a submission is."""

    WORD = "word"
    CORRECTION = "correction"
    PROVERB = "proverb"
    EXAMPLE = "example"
    CARD = "card"
    REPORT = "report"
    RECORD = "record"
    MISSING = "missing"


class CorrectionData(Given, frozen=True):
    """A correction of one record: the word, the idea or the proverb with an ID, what shall be different, and why.

    The link of a word to an idea is named by both IDs: `sense` says what shall be different, `unlink` that it shall go.
    """

    fields: ClassVar = Fields((Field("comment", Text(LONGEST_COMMENT)),))
    word_id: ID | None = None
    idea_id: ID | None = None
    phrase_id: ID | None = None
    word: WordChanges | None = None
    idea: IdeaChanges | None = None
    phrase: PhraseChanges | None = None
    sense: SenseChanges | None = None
    unlink: bool = False
    comment: str | None = None


class ReportData(Given, frozen=True):
    """An error in a word, told by anybody."""

    fields: ClassVar = Fields((Field("text", Line(LONGEST_COMMENT, is_needed=True)),))
    word_id: ID
    text: str


class WordSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="word", forbid_unknown_fields=True):
    """A word that waits for an editor."""

    data: WordData


class MissingData(Given, frozen=True):
    """A word that is not in the dictionary, told by anybody: its language and its spelling."""

    fields: ClassVar = Fields((SPELLING,))
    language: Reference
    word: str


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


class MissingSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="missing", forbid_unknown_fields=True):
    """A missing word that waits for an editor."""

    data: MissingData


FileRecord = IdeaRecord | PhraseRecord | CardSetRecord | FormsRecord
"""What of a file waits as it stands there; of a set of flashcards, each card with its set."""

ReviewedRecord = FileRecord | ListValueRecord
"""What of a file can wait for an editor."""


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

AnySubmission = Submitted | ReportSubmission | RecordSubmission | MissingSubmission

_DECODER: Final = msgspec.json.Decoder(AnySubmission)


def encode_submission(submission: AnySubmission) -> str:
    """Write a submission as it is stored."""
    return msgspec.json.encode(submission).decode()


def decode_submission(text: str) -> AnySubmission:
    """Read a submission as it is stored."""
    submission: AnySubmission = _DECODER.decode(text)
    return submission


def kind_of(submission: AnySubmission) -> Kind:
    """Return the kind of a submission."""
    return Kind(str(type(submission).__struct_config__.tag))
