"""Payloads of submissions: words, corrections, proverbs, examples, flashcards, reports, missing words, file records."""

from enum import StrEnum
from typing import ClassVar, Final

import msgspec

from abhidhan.records.ids import ID
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, LanguageRecord, PhraseRecord, SourceRecord
from abhidhan.records.kinds.card import CardChanges, CardData, CardSetChanges, CardSetData
from abhidhan.records.kinds.catalogue import ListItemChanges, ListValueRecord
from abhidhan.records.kinds.field_types import Line, Text
from abhidhan.records.kinds.fields import MAX_COMMENT_LENGTH, Field, Fields, InputData, Reference
from abhidhan.records.kinds.idea import DefinitionData, ExampleData, ExampleText, IdeaChanges, IdeaData
from abhidhan.records.kinds.phrase import PhraseChanges, ProverbData
from abhidhan.records.kinds.word import SPELLING_FIELD, SenseChanges, TranslationData, WordChanges, WordData

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
    "TranslationData",
    "UserSubmission",
    "WordChanges",
    "WordData",
    "WordSubmission",
    "decode_submission",
    "encode_submission",
    "get_kind",
]


class Kind(StrEnum):
    """The kind of a submission."""

    WORD = "word"
    CORRECTION = "correction"
    PROVERB = "proverb"
    EXAMPLE = "example"
    CARD = "card"
    REPORT = "report"
    RECORD = "record"
    MISSING = "missing"


class CorrectionData(InputData, frozen=True):
    """A correction of one record: the ID of the word, idea or proverb, the proposed changes, and a comment.

    A sense is identified by the IDs of its word and idea: `sense` has its changes, `unlink` removes it.
    """

    fields: ClassVar = Fields((Field("comment", Text(MAX_COMMENT_LENGTH)),))
    word_id: ID | None = None
    idea_id: ID | None = None
    phrase_id: ID | None = None
    word: WordChanges | None = None
    idea: IdeaChanges | None = None
    phrase: PhraseChanges | None = None
    sense: SenseChanges | None = None
    unlink: bool = False
    comment: str | None = None


class ReportData(InputData, frozen=True):
    """An error in a word, reported with or without an account."""

    fields: ClassVar = Fields((Field("text", Line(MAX_COMMENT_LENGTH, is_required=True)),))
    word_id: ID
    text: str


class WordSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="word", forbid_unknown_fields=True):
    """A submitted word."""

    data: WordData


class MissingData(InputData, frozen=True):
    """The language and spelling of a word that is missing in the dictionary, reported with or without an account."""

    fields: ClassVar = Fields((SPELLING_FIELD,))
    language: Reference
    word: str


class CorrectionSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="correction", forbid_unknown_fields=True):
    """A submitted correction."""

    data: CorrectionData


class ProverbSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="proverb", forbid_unknown_fields=True):
    """A submitted proverb."""

    data: ProverbData


class ExampleSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="example", forbid_unknown_fields=True):
    """A submitted usage example."""

    data: ExampleData


class CardSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="card", forbid_unknown_fields=True):
    """A submitted flashcard."""

    data: CardData


class ReportSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="report", forbid_unknown_fields=True):
    """A reported error."""

    data: ReportData


class MissingSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="missing", forbid_unknown_fields=True):
    """A reported missing word."""

    data: MissingData


FileRecord = IdeaRecord | PhraseRecord | CardSetRecord | FormsRecord
"""The file records that are submitted unchanged; a set of flashcards is submitted once for each of its cards."""

ReviewedRecord = FileRecord | ListValueRecord
"""The file records that can be submitted for review."""


class RecordData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record of an imported file, with the sources and the new languages that it references."""

    record: ReviewedRecord
    sources: tuple[SourceRecord, ...] = ()
    languages: tuple[LanguageRecord, ...] = ()


class RecordSubmission(msgspec.Struct, frozen=True, tag_field="kind", tag="record", forbid_unknown_fields=True):
    """A submitted record of an imported file."""

    data: RecordData


UserSubmission = WordSubmission | CorrectionSubmission | ProverbSubmission | ExampleSubmission | CardSubmission
"""The submissions that require a signed-in user."""

AnySubmission = UserSubmission | ReportSubmission | RecordSubmission | MissingSubmission

_DECODER: Final = msgspec.json.Decoder(AnySubmission)


def encode_submission(submission: AnySubmission) -> str:
    """Encode a submission for storage."""
    return msgspec.json.encode(submission).decode()


def decode_submission(text: str) -> AnySubmission:
    """Decode a stored submission."""
    submission: AnySubmission = _DECODER.decode(text)
    return submission


def get_kind(submission: AnySubmission) -> Kind:
    """Return the kind of a submission by its type."""
    return Kind(str(type(submission).__struct_config__.tag))
