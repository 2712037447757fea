"""Validation of file records: clean texts and resolve names to IDs, or report all problems."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, TypeVar

import msgspec

from abhidhan.records.errors import InputError, Problem, quoted
from abhidhan.records.ids import MAX_ID
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    FrequencyRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.kinds.card import CARD, CARD_SET, NewCard, NewCardSet
from abhidhan.records.kinds.catalogue import LIST_ITEM
from abhidhan.records.kinds.entry import NewIdea
from abhidhan.records.kinds.field_types import LICENCE
from abhidhan.records.kinds.fields import MAX_KEY_LENGTH, MAX_WORD_LENGTH, NOT_TEXT, Fields, not_text
from abhidhan.records.kinds.idea import IDEA, IdeaRef, NewRelation
from abhidhan.records.kinds.phrase import PHRASE, NewPhrase
from abhidhan.records.kinds.word import DETAILS, FREQUENCY, RANK, SENSE, SPELLING, NewFrequency, NewWord
from abhidhan.records.lift_entries import LiftEntry
from abhidhan.records.lookup_lists import PART_OF_SPEECH_CODES, ListName
from abhidhan.records.reference_resolution import FileRecordReader, NameIds, inverse_of
from abhidhan.records.sources import is_web_address
from assamese.normalization import collapse_whitespace, nfc

__all__ = [
    "ConflictPolicy",
    "IdeaRef",
    "LocatedRecord",
    "NameIds",
    "NewCard",
    "NewCardSet",
    "NewFrequency",
    "NewIdea",
    "NewPhrase",
    "NewRelation",
    "NewWord",
    "RecordError",
    "check_entry",
    "inverse_of",
    "new_card_set",
    "new_frequency",
    "new_idea",
    "new_list_item",
    "new_phrase",
]

T = TypeVar("T")

IMPORTABLE_LISTS: Final = frozenset(ListName) - {ListName.LANGUAGES}
"""Lists whose values can be imported from files."""


class ConflictPolicy(StrEnum):
    """The treatment of existing records by an import. New records are always added."""

    UPDATE = "update"
    """Replace values from an earlier import unless a user has changed them."""
    KEEP = "keep"
    """Keep existing records unchanged, including empty fields."""
    FILL = "fill"
    """Keep existing values and fill empty fields."""
    REPLACE = "replace"
    """Replace existing values by those of the file."""


class LocatedRecord(msgspec.Struct, frozen=True):
    """A record with its file and line, for error messages."""

    file: str
    line: int
    record: Record


class RecordError(msgspec.Struct, frozen=True):
    """An error at a line of a file; the record there is skipped."""

    file: str
    line: int
    detail: str
    problems: tuple[Problem, ...] = ()
    """The problems of single fields of the record, if known."""

    @classmethod
    def of(cls, located: LocatedRecord, error: InputError) -> "RecordError":
        """Return the error for the invalid fields of a record."""
        return cls(located.file, located.line, str(error), error.problems)

    def __str__(self) -> str:
        """Format the error like a compiler message."""
        return f"{self.file}:{self.line}: {self.detail}"


class Loss(msgspec.Struct, frozen=True):
    """A value in a file that no record has a field for, with its file, line and field name."""

    file: str
    line: int
    field: str
    value: str

    @property
    def detail(self) -> str:
        """The message about the value that is not stored."""
        value = quoted(" ".join(self.value.split()))
        return f"The value {value} of {self.field} is not kept."

    def __str__(self) -> str:
        """Format the loss like a compiler message."""
        return f"{self.file}:{self.line}: {self.detail}"


class RawEntry(msgspec.Struct, frozen=True):
    """A LIFT entry in its original form. The losses are reported only if the entry is not stored."""

    entry: LiftEntry
    losses: tuple[Loss, ...]


class Deletion(msgspec.Struct, frozen=True):
    """A deletion in the original data of a source: the ideas whose keys contain `part` are deleted."""

    source: str
    part: str


def check_entry(record: SourceRecord | LanguageRecord | ListItemRecord) -> None:
    """Check that a catalogue entry can be stored. Raises InputError with all problems."""
    values = msgspec.structs.asdict(record)
    problems = [
        Problem(field, not_text(field))
        for field, value in values.items()
        if isinstance(value, str) and NOT_TEXT.search(value)
    ]
    problems += [
        Problem(field, f"An ID is a whole number from 0 to {MAX_ID:,} (in {field}).")
        for field, value in values.items()
        if isinstance(value, int) and not 0 <= value <= MAX_ID
    ]
    if values.get("list") == ListName.RELATIONS and values["code"] and inverse_of(values["code"]) is None:
        problems.append(Problem("code", "The code of a relation is the ID of its inverse (in code)."))
    if isinstance(record, SourceRecord) and record.url is not None and not is_web_address(record.url):
        problems.append(Problem("url", "The URL of a source begins with http:// or https:// (in url)."))
    if problems:
        raise InputError(*problems)


def new_list_item(record: ListItemRecord, names: NameIds) -> ListItemRecord:
    """Validate and convert a list value for storage. Raises InputError with all problems."""
    if record.list not in IMPORTABLE_LISTS:
        lists = ", ".join(sorted(IMPORTABLE_LISTS))
        raise InputError.of("list", f"There is no list {quoted(record.list)}; the lists are {lists}.")
    check_entry(record)
    reading = FileRecordReader(names)
    values = reading.new(LIST_ITEM, record)
    reading.finish()
    short = collapse_whitespace(nfc(record.short or "")) or None
    if record.list == ListName.PARTS_OF_SPEECH:
        short = short or PART_OF_SPEECH_CODES.get(record.value.casefold())
    return msgspec.structs.replace(record, short=short, **values)


def new_idea(record: IdeaRecord, names: NameIds) -> NewIdea:
    """Validate and convert an idea for storage. Raises InputError with all problems."""
    reading = FileRecordReader(names)
    idea = NewIdea(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MAX_KEY_LENGTH),
        relations=_unique([_new_relation(relation, record, reading) for relation in record.relations]),
        words=_merged([_new_word(word, record.created, reading) for word in record.words]),
        created=reading.moment(record.created),
        updated=reading.moment(_first(record.updated, record.created)),
        licence=LICENCE.kind.read(reading, LICENCE.name, record.licence),
        aliases=_unique([_alias(name, reading) for name in record.aliases]),
        **reading.new(IDEA, record),
    )
    reading.finish()
    return idea


def new_phrase(record: PhraseRecord, names: NameIds) -> NewPhrase:
    """Validate and convert a phrase for storage. Raises InputError with all problems."""
    reading = FileRecordReader(names)
    phrase = NewPhrase(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MAX_KEY_LENGTH),
        language_id=reading.language("language", record.language),
        language=record.language,
        added=reading.moment(record.added),
        **reading.new(_PHRASE_FIELDS, record),
    )
    reading.finish()
    return phrase


def new_frequency(record: FrequencyRecord, names: NameIds) -> NewFrequency:
    """Validate and convert a word frequency for storage. Raises InputError with all problems."""
    reading = FileRecordReader(names)
    frequency = NewFrequency(
        language_id=reading.language("language", record.language),
        text=SPELLING.kind.read(reading, SPELLING.name, record.text),
        **reading.new(FREQUENCY, record),
    )
    reading.finish()
    return frequency


def new_card_set(record: CardSetRecord, names: NameIds) -> NewCardSet:
    """Validate and convert a set of flashcards for storage. Raises InputError with all problems."""
    reading = FileRecordReader(names)
    card_set = NewCardSet(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MAX_KEY_LENGTH),
        language_id=reading.language("language", record.language),
        answer_language_id=reading.language("answer_language", record.answer_language),
        cards=tuple(_new_card(card, reading) for card in record.cards),
        **reading.new(CARD_SET, record),
    )
    reading.finish()
    return card_set


def _new_card(card: CardRecord, reading: FileRecordReader) -> NewCard:
    return NewCard(idea=reading.idea_name("idea", card.idea) if card.idea else None, **reading.new(CARD, card))


def _new_word(word: WordRecord, idea_created: int | None, reading: FileRecordReader) -> NewWord:
    created = _first(word.created, idea_created)
    return NewWord(
        language_id=reading.language("words", word.language),
        language=word.language,
        text=SPELLING.kind.read(reading, SPELLING.name, word.text),
        source_id=reading.source(word.source) if word.source else None,
        forms=tuple([reading.line("forms", form, MAX_WORD_LENGTH) for form in word.forms]),
        created=reading.moment(created),
        updated=reading.moment(_first(word.updated, created)),
        added=reading.moment(_first(word.added, idea_created)),
        **reading.new(_WORD_FIELDS, word),
    )


_WORD_FIELDS: Final = Fields((*DETAILS, *SENSE, RANK, LICENCE))
_PHRASE_FIELDS: Final = Fields((*PHRASE, LICENCE))


def _new_relation(relation: RelationRecord, record: IdeaRecord, reading: FileRecordReader) -> NewRelation:
    type_id = reading.item("relations", ListName.RELATIONS, relation.type)
    other = reading.idea_name("relations", relation.idea)
    if other == IdeaRef(record.source, record.key):
        reading.problem("relations", "An idea cannot be related to itself.")
    return NewRelation(type_id, reading.inverse(type_id), other)


def _alias(name: str, reading: FileRecordReader) -> tuple[int, str]:
    ref = reading.idea_name("aliases", name)
    return reading.source(ref.source), ref.key


def _first(moment: int | None, usual: int | None) -> int | None:
    return usual if moment is None else moment


def _unique(values: Sequence[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values)) if len(values) > 1 else tuple(values)


def _merged(words: Sequence[NewWord]) -> tuple[NewWord, ...]:
    """Merge duplicate words of an idea.

    The first value of each field wins; other values of the fields in `MERGED_NOTE_FIELDS` are added to the note.
    """
    if len(words) <= 1:
        return tuple(words)
    merged: dict[tuple[int, str], NewWord] = {}
    for word in words:
        earlier = merged.get((word.language_id, word.text))
        merged[word.language_id, word.text] = _filled(earlier, word) if earlier else word
    return tuple(merged.values())


NOTE_FIELDS: Final = ("note", "roman", "ipa", "asm", "origin", "plural", "definitive", "reference")
"""Fields of a word whose additional values are stored in the note."""


def _filled(first: NewWord, second: NewWord) -> NewWord:
    missing = {field: getattr(second, field) for field in NewWord.__struct_fields__ if getattr(first, field) is None}
    missing["forms"] = _unique((*first.forms, *second.forms))
    further = [
        value if field == "note" else f"{field}: {value}"
        for field in NOTE_FIELDS
        if (value := getattr(second, field)) is not None and getattr(first, field) not in {None, value}
    ]
    if further:
        missing["note"] = "; ".join(filter(None, (first.note or missing.get("note"), *further)))
    return msgspec.structs.replace(first, **missing)
