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
from abhidhan.records.kinds.card import CARD_FIELDS, CARD_SET_FIELDS, NewCard, NewCardSet
from abhidhan.records.kinds.catalogue import LIST_ITEM_FIELDS
from abhidhan.records.kinds.entry import NewIdea
from abhidhan.records.kinds.field_types import LICENCE_FIELD
from abhidhan.records.kinds.fields import (
    INVALID_CHARACTERS,
    MAX_KEY_LENGTH,
    MAX_WORD_LENGTH,
    Fields,
    invalid_characters_message,
)
from abhidhan.records.kinds.idea import IDEA_FIELDS, IdeaRef, NewRelation
from abhidhan.records.kinds.phrase import PHRASE_FIELDS, NewPhrase
from abhidhan.records.kinds.word import (
    FREQUENCY_FIELDS,
    RANK_FIELD,
    SENSE_FIELDS,
    SPELLING_FIELD,
    WORD_DETAIL_FIELDS,
    NewFrequency,
    NewWord,
)
from abhidhan.records.lift_entries import LiftEntry
from abhidhan.records.lookup_lists import PART_OF_SPEECH_CODES, ListName
from abhidhan.records.reference_resolution import FileRecordReader, NameIds, parse_inverse_id
from abhidhan.records.sources import is_web_url
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
    "check_catalogue_record",
    "convert_card_set",
    "convert_frequency",
    "convert_idea",
    "convert_list_item",
    "convert_phrase",
    "parse_inverse_id",
]

T = TypeVar("T")

IMPORTABLE_LISTS: Final = frozenset(ListName) - {ListName.LANGUAGES}
"""Lists whose values can be imported from files."""


class ConflictPolicy(StrEnum):
    """The treatment of existing records by an import. New records are always added."""

    UPDATE = "update"
    """Replace values from an earlier import unless a user has changed them."""
    KEEP = "keep"
    """Leave existing records unchanged, including empty fields."""
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


class UnstoredValue(msgspec.Struct, frozen=True):
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
    losses: tuple[UnstoredValue, ...]


class SourceDeletion(msgspec.Struct, frozen=True):
    """A deletion in the original data of a source: the ideas whose keys contain `part` are deleted."""

    source: str
    part: str


def check_catalogue_record(record: SourceRecord | LanguageRecord | ListItemRecord) -> None:
    """Check that a catalogue entry can be stored. Raises InputError with all problems."""
    values = msgspec.structs.asdict(record)
    problems = [
        Problem(field, invalid_characters_message(field))
        for field, value in values.items()
        if isinstance(value, str) and INVALID_CHARACTERS.search(value)
    ]
    problems += [
        Problem(field, f"An ID is a whole number from 0 to {MAX_ID:,} (in {field}).")
        for field, value in values.items()
        if isinstance(value, int) and not 0 <= value <= MAX_ID
    ]
    if values.get("list") == ListName.RELATIONS and values["code"] and parse_inverse_id(values["code"]) is None:
        problems.append(Problem("code", "The code of a relation is the ID of its inverse (in code)."))
    if isinstance(record, SourceRecord) and record.url is not None and not is_web_url(record.url):
        problems.append(Problem("url", "The URL of a source begins with http:// or https:// (in url)."))
    if problems:
        raise InputError(*problems)


def convert_list_item(record: ListItemRecord, names: NameIds) -> ListItemRecord:
    """Validate and convert a list value for storage. Raises InputError with all problems."""
    if record.list not in IMPORTABLE_LISTS:
        lists = ", ".join(sorted(IMPORTABLE_LISTS))
        raise InputError.of("list", f"There is no list {quoted(record.list)}; the lists are {lists}.")
    check_catalogue_record(record)
    field_reader = FileRecordReader(names)
    values = field_reader.read_fields(LIST_ITEM_FIELDS, record)
    field_reader.raise_problems()
    short = collapse_whitespace(nfc(record.short or "")) or None
    if record.list == ListName.PARTS_OF_SPEECH:
        short = short or PART_OF_SPEECH_CODES.get(record.value.casefold())
    return msgspec.structs.replace(record, short=short, **values)


def convert_idea(record: IdeaRecord, names: NameIds) -> NewIdea:
    """Validate and convert an idea for storage. Raises InputError with all problems."""
    field_reader = FileRecordReader(names)
    idea = NewIdea(
        source_id=field_reader.resolve_source(record.source),
        key=field_reader.clean_line("key", record.key, MAX_KEY_LENGTH),
        relations=_deduplicate([_convert_relation(relation, record, field_reader) for relation in record.relations]),
        words=_merge_words([_convert_word(word, record.created, field_reader) for word in record.words]),
        created=field_reader.check_timestamp(record.created),
        updated=field_reader.check_timestamp(_value_or_default(record.updated, record.created)),
        licence=LICENCE_FIELD.kind.read(field_reader, LICENCE_FIELD.name, record.licence),
        aliases=_deduplicate([_convert_alias(name, field_reader) for name in record.aliases]),
        **field_reader.read_fields(IDEA_FIELDS, record),
    )
    field_reader.raise_problems()
    return idea


def convert_phrase(record: PhraseRecord, names: NameIds) -> NewPhrase:
    """Validate and convert a phrase for storage. Raises InputError with all problems."""
    field_reader = FileRecordReader(names)
    phrase = NewPhrase(
        source_id=field_reader.resolve_source(record.source),
        key=field_reader.clean_line("key", record.key, MAX_KEY_LENGTH),
        language_id=field_reader.resolve_language("language", record.language),
        language=record.language,
        added=field_reader.check_timestamp(record.added),
        **field_reader.read_fields(_FILE_PHRASE_FIELDS, record),
    )
    field_reader.raise_problems()
    return phrase


def convert_frequency(record: FrequencyRecord, names: NameIds) -> NewFrequency:
    """Validate and convert a word frequency for storage. Raises InputError with all problems."""
    field_reader = FileRecordReader(names)
    frequency = NewFrequency(
        language_id=field_reader.resolve_language("language", record.language),
        text=SPELLING_FIELD.kind.read(field_reader, SPELLING_FIELD.name, record.text),
        **field_reader.read_fields(FREQUENCY_FIELDS, record),
    )
    field_reader.raise_problems()
    return frequency


def convert_card_set(record: CardSetRecord, names: NameIds) -> NewCardSet:
    """Validate and convert a set of flashcards for storage. Raises InputError with all problems."""
    field_reader = FileRecordReader(names)
    card_set = NewCardSet(
        source_id=field_reader.resolve_source(record.source),
        key=field_reader.clean_line("key", record.key, MAX_KEY_LENGTH),
        language_id=field_reader.resolve_language("language", record.language),
        answer_language_id=field_reader.resolve_language("answer_language", record.answer_language),
        cards=tuple(_convert_card(card, field_reader) for card in record.cards),
        **field_reader.read_fields(CARD_SET_FIELDS, record),
    )
    field_reader.raise_problems()
    return card_set


def _convert_card(card: CardRecord, field_reader: FileRecordReader) -> NewCard:
    return NewCard(
        idea=field_reader.parse_idea_ref("idea", card.idea) if card.idea else None,
        **field_reader.read_fields(CARD_FIELDS, card),
    )


def _convert_word(word: WordRecord, idea_created: int | None, field_reader: FileRecordReader) -> NewWord:
    created = _value_or_default(word.created, idea_created)
    return NewWord(
        language_id=field_reader.resolve_language("words", word.language),
        language=word.language,
        text=SPELLING_FIELD.kind.read(field_reader, SPELLING_FIELD.name, word.text),
        source_id=field_reader.resolve_source(word.source) if word.source else None,
        forms=tuple([field_reader.clean_line("forms", form, MAX_WORD_LENGTH) for form in word.forms]),
        created=field_reader.check_timestamp(created),
        updated=field_reader.check_timestamp(_value_or_default(word.updated, created)),
        added=field_reader.check_timestamp(_value_or_default(word.added, idea_created)),
        **field_reader.read_fields(_FILE_WORD_FIELDS, word),
    )


_FILE_WORD_FIELDS: Final = Fields((*WORD_DETAIL_FIELDS, *SENSE_FIELDS, RANK_FIELD, LICENCE_FIELD))
_FILE_PHRASE_FIELDS: Final = Fields((*PHRASE_FIELDS, LICENCE_FIELD))


def _convert_relation(relation: RelationRecord, record: IdeaRecord, field_reader: FileRecordReader) -> NewRelation:
    type_id = field_reader.resolve_item("relations", ListName.RELATIONS, relation.type)
    other = field_reader.parse_idea_ref("relations", relation.idea)
    if other == IdeaRef(record.source, record.key):
        field_reader.add_problem("relations", "An idea cannot be related to itself.")
    return NewRelation(type_id, field_reader.find_inverse(type_id), other)


def _convert_alias(name: str, field_reader: FileRecordReader) -> tuple[int, str]:
    ref = field_reader.parse_idea_ref("aliases", name)
    return field_reader.resolve_source(ref.source), ref.key


def _value_or_default(timestamp: int | None, default: int | None) -> int | None:
    return default if timestamp is None else timestamp


def _deduplicate(values: Sequence[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values)) if len(values) > 1 else tuple(values)


def _merge_words(words: Sequence[NewWord]) -> tuple[NewWord, ...]:
    """Merge duplicate words of an idea.

    The first value of each field wins; other values of the fields in `MERGED_NOTE_FIELDS` are added to the note.
    """
    if len(words) <= 1:
        return tuple(words)
    merged: dict[tuple[int, str], NewWord] = {}
    for word in words:
        earlier = merged.get((word.language_id, word.text))
        merged[word.language_id, word.text] = _merge_word(earlier, word) if earlier else word
    return tuple(merged.values())


MERGED_NOTE_FIELDS: Final = ("note", "roman", "ipa", "asm", "origin", "plural", "definitive", "reference")
"""Fields of a word whose additional values are stored in the note."""


def _merge_word(first: NewWord, second: NewWord) -> NewWord:
    missing = {field: getattr(second, field) for field in NewWord.__struct_fields__ if getattr(first, field) is None}
    missing["forms"] = _deduplicate((*first.forms, *second.forms))
    further = [
        value if field == "note" else f"{field}: {value}"
        for field in MERGED_NOTE_FIELDS
        if (value := getattr(second, field)) is not None and getattr(first, field) not in {None, value}
    ]
    if further:
        missing["note"] = "; ".join(filter(None, (first.note or missing.get("note"), *further)))
    return msgspec.structs.replace(first, **missing)
