"""From interchange records to what is stored: texts cleaned, names turned into IDs, or what is wrong with them."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, TypeVar

import msgspec

from abhidhan.records.errors import InputError, Problem, quoted
from abhidhan.records.ids import GREATEST_ID
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
from abhidhan.records.kinds.fields import MOST_KEY_LETTERS, MOST_WORD_LETTERS, NOT_TEXT, Fields, not_text
from abhidhan.records.kinds.idea import IDEA, Named, NewRelation
from abhidhan.records.kinds.phrase import PHRASE, NewPhrase
from abhidhan.records.kinds.word import DETAILS, FREQUENCY, RANK, SENSE, SPELLING, NewFrequency, NewWord
from abhidhan.records.lift_entries import LiftEntry
from abhidhan.records.lookup_lists import PART_OF_SPEECH_CODES, ListName
from abhidhan.records.reference_resolution import FileReading, Names, inverse_of
from abhidhan.records.sources import is_web_address
from assamese.normalization import nfc, squeeze

__all__ = [
    "Fault",
    "Named",
    "Names",
    "NewCard",
    "NewCardSet",
    "NewFrequency",
    "NewIdea",
    "NewPhrase",
    "NewRelation",
    "NewWord",
    "Placed",
    "Policy",
    "check_entry",
    "inverse_of",
    "new_card_set",
    "new_frequency",
    "new_idea",
    "new_list_item",
    "new_phrase",
]

T = TypeVar("T")

LOADED_LISTS: Final = frozenset(ListName) - {ListName.LANGUAGES}
"""Lists whose values files bring."""


class Policy(StrEnum):
    """What an import does with a record that is there already. New records come in under each of them."""

    UPDATE = "update"
    """What an earlier import has given and nobody has changed since is replaced by what the file gives now."""
    KEEP = "keep"
    """What is there stays as it is, even where it is empty."""
    FILL = "fill"
    """What is there stays, and what it lacks is filled."""
    REPLACE = "replace"
    """What the file gives takes the place of what is there."""


class Placed(msgspec.Struct, frozen=True):
    """A record with the file and line where it stands, so that a mistake in it can be found."""

    file: str
    line: int
    record: Record


class Fault(msgspec.Struct, frozen=True):
    """What is wrong at a line of a file; the record that stands there is left out."""

    file: str
    line: int
    detail: str
    problems: tuple[Problem, ...] = ()
    """What is wrong with each field of the record, where that is known."""

    @classmethod
    def of(cls, placed: Placed, error: InputError) -> "Fault":
        """Say what is wrong with the fields of a record."""
        return cls(placed.file, placed.line, str(error), error.problems)

    def __str__(self) -> str:
        """Say it as compilers do."""
        return f"{self.file}:{self.line}: {self.detail}"


class Loss(msgspec.Struct, frozen=True):
    """A value of a file that no record holds: where it stands, the name of its field in the file, and the value."""

    file: str
    line: int
    field: str
    value: str

    @property
    def detail(self) -> str:
        """Say what is not kept."""
        value = quoted(" ".join(self.value.split()))
        return f"The value {value} of {self.field} is not kept."

    def __str__(self) -> str:
        """Say it as compilers do."""
        return f"{self.file}:{self.line}: {self.detail}"


class Unread(msgspec.Struct, frozen=True):
    """An entry that is kept as it came. What no record holds of it is lost only where it is not kept."""

    entry: LiftEntry
    losses: tuple[Loss, ...]


class Deletion(msgspec.Struct, frozen=True):
    """What a file says was deleted where it comes from: the ideas of a source whose keys have this part."""

    source: str
    part: str


def check_entry(record: SourceRecord | LanguageRecord | ListItemRecord) -> None:
    """Make sure that an entry of the catalogue can be stored. Raises InputError that tells everything wrong with it."""
    given = msgspec.structs.asdict(record)
    problems = [
        Problem(field, not_text(field))
        for field, value in given.items()
        if isinstance(value, str) and NOT_TEXT.search(value)
    ]
    problems += [
        Problem(field, f"An ID is a whole number from 0 to {GREATEST_ID:,} (in {field}).")
        for field, value in given.items()
        if isinstance(value, int) and not 0 <= value <= GREATEST_ID
    ]
    if given.get("list") == ListName.RELATIONS and given["code"] and inverse_of(given["code"]) is None:
        problems.append(Problem("code", "The code of a relation is the ID of its inverse (in code)."))
    if isinstance(record, SourceRecord) and record.url is not None and not is_web_address(record.url):
        problems.append(Problem("url", "The address of a source begins with http:// or https:// (in url)."))
    if problems:
        raise InputError(*problems)


def new_list_item(record: ListItemRecord, names: Names) -> ListItemRecord:
    """Make a value of a list ready to be stored. Raises InputError that tells everything wrong with it."""
    if record.list not in LOADED_LISTS:
        lists = ", ".join(sorted(LOADED_LISTS))
        raise InputError.of("list", f"There is no list {quoted(record.list)}; there are {lists}.")
    check_entry(record)
    reading = FileReading(names)
    values = reading.new(LIST_ITEM, record)
    reading.finish()
    short = squeeze(nfc(record.short or "")) or None
    if record.list == ListName.PARTS_OF_SPEECH:
        short = short or PART_OF_SPEECH_CODES.get(record.value.casefold())
    return msgspec.structs.replace(record, short=short, **values)


def new_idea(record: IdeaRecord, names: Names) -> NewIdea:
    """Make an idea ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = FileReading(names)
    idea = NewIdea(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MOST_KEY_LETTERS),
        relations=_unique([_new_relation(one, record, reading) for one in record.relations]),
        words=_merged([_new_word(word, record.created, reading) for word in record.words]),
        created=reading.moment(record.created),
        updated=reading.moment(_first(record.updated, record.created)),
        licence=LICENCE.kind.read(reading, LICENCE.name, record.licence),
        aliases=_unique([_alias(name, reading) for name in record.aliases]),
        **reading.new(IDEA, record),
    )
    reading.finish()
    return idea


def new_phrase(record: PhraseRecord, names: Names) -> NewPhrase:
    """Make a phrase ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = FileReading(names)
    phrase = NewPhrase(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MOST_KEY_LETTERS),
        language_id=reading.language("language", record.language),
        language=record.language,
        added=reading.moment(record.added),
        **reading.new(_OF_A_PHRASE, record),
    )
    reading.finish()
    return phrase


def new_frequency(record: FrequencyRecord, names: Names) -> NewFrequency:
    """Make a frequency ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = FileReading(names)
    frequency = NewFrequency(
        language_id=reading.language("language", record.language),
        text=SPELLING.kind.read(reading, SPELLING.name, record.text),
        **reading.new(FREQUENCY, record),
    )
    reading.finish()
    return frequency


def new_card_set(record: CardSetRecord, names: Names) -> NewCardSet:
    """Make a set of flashcards ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = FileReading(names)
    card_set = NewCardSet(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MOST_KEY_LETTERS),
        language_id=reading.language("language", record.language),
        answer_language_id=reading.language("answer_language", record.answer_language),
        cards=tuple(_new_card(card, reading) for card in record.cards),
        **reading.new(CARD_SET, record),
    )
    reading.finish()
    return card_set


def _new_card(card: CardRecord, reading: FileReading) -> NewCard:
    return NewCard(idea=reading.idea_name("idea", card.idea) if card.idea else None, **reading.new(CARD, card))


def _new_word(word: WordRecord, idea_created: int | None, reading: FileReading) -> NewWord:
    created = _first(word.created, idea_created)
    return NewWord(
        language_id=reading.language("words", word.language),
        language=word.language,
        text=SPELLING.kind.read(reading, SPELLING.name, word.text),
        source_id=reading.source(word.source) if word.source else None,
        forms=tuple([reading.line("forms", form, MOST_WORD_LETTERS) for form in word.forms]),
        created=reading.moment(created),
        updated=reading.moment(_first(word.updated, created)),
        added=reading.moment(_first(word.added, idea_created)),
        **reading.new(_OF_A_WORD, word),
    )


_OF_A_WORD: Final = Fields((*DETAILS, *SENSE, RANK, LICENCE))
_OF_A_PHRASE: Final = Fields((*PHRASE, LICENCE))


def _new_relation(relation: RelationRecord, record: IdeaRecord, reading: FileReading) -> NewRelation:
    type_id = reading.item("relations", ListName.RELATIONS, relation.type)
    other = reading.idea_name("relations", relation.idea)
    if other == Named(record.source, record.key):
        reading.problem("relations", "An idea cannot be related to itself.")
    return NewRelation(type_id, reading.inverse(type_id), other)


def _alias(name: str, reading: FileReading) -> tuple[int, str]:
    named = reading.idea_name("aliases", name)
    return reading.source(named.source), named.key


def _first(moment: int | None, usual: int | None) -> int | None:
    return usual if moment is None else moment


def _unique(values: Sequence[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values)) if len(values) > 1 else tuple(values)


def _merged(words: Sequence[NewWord]) -> tuple[NewWord, ...]:
    """Make words that stand twice under an idea one.

    Of each field the first value counts; what else was given of `NOTED` stands in the note.
    """
    if len(words) <= 1:
        return tuple(words)
    merged: dict[tuple[int, str], NewWord] = {}
    for word in words:
        kept = merged.get((word.language_id, word.text))
        merged[word.language_id, word.text] = _filled(kept, word) if kept else word
    return tuple(merged.values())


NOTED: Final = ("note", "roman", "ipa", "asm", "origin", "plural", "definitive", "reference")
"""Fields of a word of which a note can hold one value more."""


def _filled(kept: NewWord, other: NewWord) -> NewWord:
    missing = {field: getattr(other, field) for field in NewWord.__struct_fields__ if getattr(kept, field) is None}
    missing["forms"] = _unique((*kept.forms, *other.forms))
    further = [
        value if field == "note" else f"{field}: {value}"
        for field in NOTED
        if (value := getattr(other, field)) is not None and getattr(kept, field) not in {None, value}
    ]
    if further:
        missing["note"] = "; ".join(filter(None, (kept.note or missing.get("note"), *further)))
    return msgspec.structs.replace(kept, **missing)
