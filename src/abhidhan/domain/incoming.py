"""From interchange records to what is stored: texts cleaned, names turned into IDs, or what is wrong with them."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeVar

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.ids import GREATEST_ID, read_number
from abhidhan.domain.lists import ListName
from abhidhan.domain.records import (
    CardSetRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.domain.text.normal import nfc, squeeze
from abhidhan.errors import InputError, Problem, quoted

T = TypeVar("T")

MOST_WORD_LETTERS: Final = 200
MOST_PHRASE_LETTERS: Final = 500
MOST_KEY_LETTERS: Final = 200
MOST_TEXT_LETTERS: Final = 20_000
MOST_MEANINGS: Final = 1_000_000
LAST_MOMENT: Final = 253_402_300_799
"""The end of the year 9999, in seconds since 1970."""

NOT_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class Policy(StrEnum):
    """What an import does with a record that is there already. New records come in under each of them."""

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

    def __str__(self) -> str:
        """Say it as compilers do."""
        return f"{self.file}:{self.line}: {self.detail}"


class Named(msgspec.Struct, frozen=True):
    """An idea as files name it: the code of its source, and its key there."""

    source: str
    key: str


class NewRelation(msgspec.Struct, frozen=True):
    """A relation to an idea that may come later; `inverse_id` is its type seen from there, if that has a name."""

    type_id: int
    inverse_id: int | None
    other: Named


class NewWord(msgspec.Struct, frozen=True):
    """A word under a new idea. `language` is the code that goes with `language_id`."""

    language_id: int
    language: str
    text: str
    roman: str | None
    ipa: str | None
    asm: str | None
    variant_id: int | None
    origin: str | None
    plural: str | None
    definitive: str | None
    reference: str | None
    note: str | None
    source_id: int | None
    position: int | None
    forms: tuple[str, ...]
    created: int | None
    updated: int | None
    added: int | None


class NewIdea(msgspec.Struct, frozen=True):
    """An idea to be stored. Definitions are (language, text), examples (language, text, translation).

    Times (seconds since 1970) that a file does not tell are None.
    """

    source_id: int
    key: str
    pos_id: int | None
    gender_id: int | None
    glyph: str | None
    contexts: tuple[int, ...]
    definitions: tuple[tuple[int, str], ...]
    examples: tuple[tuple[int, str, str | None], ...]
    relations: tuple[NewRelation, ...]
    words: tuple[NewWord, ...]
    created: int | None
    updated: int | None


class NewPhrase(msgspec.Struct, frozen=True):
    """A proverb or idiom to be stored."""

    source_id: int
    key: str
    language_id: int
    language: str
    text: str
    roman: str | None
    meaning: str | None
    category_id: int
    added: int | None


class NewCard(msgspec.Struct, frozen=True):
    """A flashcard to be stored."""

    clue: str
    roman: str | None
    answer: str
    picture: str | None
    idea: Named | None


class NewCardSet(msgspec.Struct, frozen=True):
    """A set of flashcards to be stored, in its order."""

    source_id: int
    key: str
    name: str
    description: str | None
    language_id: int
    answer_language_id: int
    cards: tuple[NewCard, ...]


class Names:
    """The IDs behind the names that files use: language codes, list values, source codes."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Take the names of a database; what a file brings is added as it is read."""
        self.languages = {language.code: language.id for language in catalogue.languages}
        self.items = {(item.list, item.value.casefold()): item.id for item in catalogue.items}
        self.inverses = {item.id: inverse_of(item.code) for item in catalogue.items_of(ListName.RELATIONS) if item.code}
        self.sources = {source.code: source.id for source in catalogue.sources.values()}


def inverse_of(code: str | None) -> int | None:
    """Read the ID of the inverse relation from the code of a relation."""
    return read_number(code) if code else None


def check_entry(record: SourceRecord | LanguageRecord | ListItemRecord) -> None:
    """Make sure that an entry of the catalogue can be stored. Raises InputError that tells everything wrong with it."""
    given = msgspec.structs.asdict(record)
    problems = [
        Problem(field, f"There is a control character or half a character (in {field}).")
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
    if problems:
        raise InputError(*problems)


def new_idea(record: IdeaRecord, names: Names) -> NewIdea:
    """Make an idea ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = _Reading(names)
    idea = NewIdea(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MOST_KEY_LETTERS),
        pos_id=reading.optional_item("pos", ListName.PARTS_OF_SPEECH, record.pos),
        gender_id=reading.optional_item("gender", ListName.GENDERS, record.gender),
        glyph=reading.optional_line("glyph", record.glyph),
        contexts=_unique(reading.item("contexts", ListName.CONTEXTS, name) for name in record.contexts),
        definitions=_unique(
            (reading.language("definitions", one.language), reading.text("definitions", one.text))
            for one in record.definitions
        ),
        examples=_unique(
            (
                reading.language("examples", one.language),
                reading.text("examples", one.text),
                reading.optional_text("examples", one.translation),
            )
            for one in record.examples
        ),
        relations=_unique(_new_relation(one, record, reading) for one in record.relations),
        words=_merged(_new_word(word, record.created, reading) for word in record.words),
        created=reading.moment(record.created),
        updated=reading.moment(record.updated or record.created),
    )
    reading.finish()
    return idea


def new_phrase(record: PhraseRecord, names: Names) -> NewPhrase:
    """Make a phrase ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = _Reading(names)
    phrase = NewPhrase(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MOST_KEY_LETTERS),
        language_id=reading.language("language", record.language),
        language=record.language,
        text=reading.line("text", record.text, MOST_PHRASE_LETTERS),
        roman=reading.optional_line("roman", record.roman),
        meaning=reading.optional_text("meaning", record.meaning),
        category_id=reading.item("category", ListName.PHRASE_CATEGORIES, record.category),
        added=reading.moment(record.added),
    )
    reading.finish()
    return phrase


def new_card_set(record: CardSetRecord, names: Names) -> NewCardSet:
    """Make a set of flashcards ready to be stored. Raises InputError that tells everything wrong with it."""
    reading = _Reading(names)
    cards = tuple(
        NewCard(
            clue=reading.line("clue", card.clue, MOST_PHRASE_LETTERS),
            roman=reading.optional_line("roman", card.roman),
            answer=reading.line("answer", card.answer, MOST_PHRASE_LETTERS),
            picture=reading.optional_line("picture", card.picture),
            idea=reading.idea_name("idea", card.idea) if card.idea else None,
        )
        for card in record.cards
    )
    card_set = NewCardSet(
        source_id=reading.source(record.source),
        key=reading.line("key", record.key, MOST_KEY_LETTERS),
        name=reading.line("name", record.name, MOST_PHRASE_LETTERS),
        description=reading.optional_text("description", record.description),
        language_id=reading.language("language", record.language),
        answer_language_id=reading.language("answer_language", record.answer_language),
        cards=cards,
    )
    reading.finish()
    return card_set


def _new_word(word: WordRecord, idea_created: int | None, reading: "_Reading") -> NewWord:
    created = word.created or idea_created
    return NewWord(
        language_id=reading.language("words", word.language),
        language=word.language,
        text=reading.line("words", word.text, MOST_WORD_LETTERS),
        roman=reading.optional_line("roman", word.roman),
        ipa=reading.optional_line("ipa", word.ipa),
        asm=reading.optional_line("asm", word.asm),
        variant_id=reading.optional_item("variant", ListName.VARIANTS, word.variant),
        origin=reading.optional_text("origin", word.origin),
        plural=reading.optional_line("plural", word.plural),
        definitive=reading.optional_line("definitive", word.definitive),
        reference=reading.optional_text("reference", word.reference),
        note=reading.optional_text("note", word.note),
        source_id=reading.source(word.source) if word.source else None,
        position=reading.position(word.position),
        forms=tuple(reading.line("forms", form, MOST_WORD_LETTERS) for form in word.forms),
        created=reading.moment(created),
        updated=reading.moment(word.updated or created),
        added=reading.moment(word.added or idea_created),
    )


def _new_relation(relation: RelationRecord, record: IdeaRecord, reading: "_Reading") -> NewRelation:
    type_id = reading.item("relations", ListName.RELATIONS, relation.type)
    other = reading.idea_name("relations", relation.idea)
    if other == Named(record.source, record.key):
        reading.problem("relations", "An idea cannot be related to itself.")
    return NewRelation(type_id, reading.names.inverses.get(type_id), other)


def _unique(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _merged(words: Iterable[NewWord]) -> tuple[NewWord, ...]:
    """Make words that stand twice under an idea one, of which each field is the first that was given."""
    merged: dict[tuple[int, str], NewWord] = {}
    for word in words:
        kept = merged.get((word.language_id, word.text))
        merged[word.language_id, word.text] = _filled(kept, word) if kept else word
    return tuple(merged.values())


def _filled(kept: NewWord, other: NewWord) -> NewWord:
    missing = {field: getattr(other, field) for field in NewWord.__struct_fields__ if not getattr(kept, field)}
    missing["forms"] = _unique((*kept.forms, *other.forms))
    return msgspec.structs.replace(kept, **missing)


class _Reading:
    """Reads the fields of one record and keeps what is wrong with them, to be told together."""

    __slots__ = ("names", "problems")

    def __init__(self, names: Names) -> None:
        self.names = names
        self.problems: list[Problem] = []

    def problem(self, field: str, detail: str) -> None:
        self.problems.append(Problem(field, detail))

    def finish(self) -> None:
        if self.problems:
            raise InputError(*self.problems)

    def source(self, code: str) -> int:
        return self._known("source", self.names.sources.get(code), f"There is no source {quoted(code)}.")

    def language(self, field: str, code: str) -> int:
        return self._known(field, self.names.languages.get(code), f"There is no language {quoted(code)} (in {field}).")

    def item(self, field: str, list_name: ListName, value: str) -> int:
        found = self.names.items.get((list_name, value.casefold()))
        return self._known(field, found, f"There is no {quoted(value)} in the list {list_name} (in {field}).")

    def optional_item(self, field: str, list_name: ListName, value: str | None) -> int | None:
        return self.item(field, list_name, value) if value else None

    def position(self, number: int | None) -> int | None:
        """Read the number of a meaning."""
        if number is not None and not 0 < number <= MOST_MEANINGS:
            self.problem("position", f"The number of a meaning is from 1 to {MOST_MEANINGS} (in position).")
        return number

    def moment(self, seconds: int | None) -> int | None:
        """Read a time."""
        if seconds is not None and not 0 <= seconds <= LAST_MOMENT:
            self.problem("created", "A time is in seconds since 1970, and not after the year 9999.")
        return seconds

    def idea_name(self, field: str, name: str) -> Named:
        source, colon, key = name.partition(":")
        if not (source and colon and key):
            self.problem(field, f"{quoted(name)} does not name an idea: write its source, a colon and its key.")
        return Named(source, self.line(field, key, MOST_KEY_LETTERS) if key else key)

    def line(self, field: str, text: str, most: int) -> str:
        """Read a text of one line that must be there."""
        self._check(field, text)
        clean = squeeze(nfc(text))
        if not clean:
            self.problem(field, f"There is an empty text (in {field}).")
        elif len(clean) > most:
            self.problem(field, f"A text is longer than {most} letters (in {field}).")
        return clean

    def optional_line(self, field: str, text: str | None) -> str | None:
        return self.line(field, text, MOST_TEXT_LETTERS) if text and not text.isspace() else None

    def text(self, field: str, text: str) -> str:
        """Read a text that may have several lines."""
        self._check(field, text)
        clean = nfc(text.strip())
        if not clean:
            self.problem(field, f"There is an empty text (in {field}).")
        elif len(clean) > MOST_TEXT_LETTERS:
            self.problem(field, f"A text is longer than {MOST_TEXT_LETTERS} letters (in {field}).")
        return clean

    def optional_text(self, field: str, text: str | None) -> str | None:
        return self.text(field, text) if text and not text.isspace() else None

    def _check(self, field: str, text: str) -> None:
        if NOT_TEXT.search(text):
            self.problem(field, f"There is a control character or half a character (in {field}).")

    def _known(self, field: str, found: int | None, detail: str) -> int:
        if found is None:
            self.problem(field, detail)
            return 0
        return found
