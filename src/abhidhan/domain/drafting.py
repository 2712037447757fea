"""Drafting: what people and programs write, read into the states of records; all that is wrong is told together."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.drafts import (
    CardChanges,
    CardData,
    CardSetChanges,
    CardSetData,
    DefinitionData,
    ExampleData,
    ExampleText,
    IdeaChanges,
    IdeaData,
    ListItemChanges,
    PhraseChanges,
    ProverbData,
    Reference,
    SenseChanges,
    WordChanges,
    WordData,
)
from abhidhan.domain.history import (
    CardSetState,
    CardState,
    IdeaState,
    ListItemState,
    PhraseState,
    SenseState,
    State,
    WordState,
)
from abhidhan.domain.ids import read_number
from abhidhan.domain.incoming import MOST_PHRASE_LETTERS, MOST_TEXT_LETTERS, MOST_WORD_LETTERS
from abhidhan.domain.lists import ListName
from abhidhan.domain.text.normal import nfc, squeeze
from abhidhan.errors import InputError, Problem, sentence

S = TypeVar("S", bound=State)

FIXED_LISTS: Final = {ListName.LANGUAGES, ListName.HISTORY_ACTIONS}
"""Lists that belong to the program."""

MOST_POSITION: Final = 1000
MOST_CONTEXTS: Final = 20
MOST_TEXTS: Final = 50
LONGEST_COMMENT: Final = 2000

_NOT_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class Draft:
    """Reads what people write into the states of records, and keeps all that is wrong, to be told together."""

    def __init__(self, catalogue: Catalogue, now: int) -> None:
        """Read with the languages and lists of a dictionary; new records are made `now` (seconds since 1970)."""
        self._catalogue = catalogue
        self._now = now
        self.problems: list[Problem] = []

    def finish(self) -> None:
        """Raise InputError if anything was wrong."""
        if self.problems:
            raise InputError(*self.problems)

    def idea(self, data: IdeaData) -> IdeaState:
        """Make a new idea."""
        return IdeaState(
            pos_id=self._item("pos", ListName.PARTS_OF_SPEECH, data.pos),
            gender_id=self._optional_item("gender", ListName.GENDERS, data.gender),
            glyph=self._optional_line("glyph", data.glyph),
            created=self._now,
            contexts=self._contexts(data.contexts),
            definitions=self._definitions(data.definitions),
            examples=self._examples(data.examples),
        )

    def changed_idea(self, state: IdeaState, changes: IdeaChanges) -> IdeaState:
        """Change an idea."""
        return self._changed(
            state,
            pos_id=(changes.pos, lambda given: self._optional_item("pos", ListName.PARTS_OF_SPEECH, given)),
            gender_id=(changes.gender, lambda given: self._optional_item("gender", ListName.GENDERS, given)),
            glyph=(changes.glyph, lambda given: self._optional_line("glyph", given)),
            contexts=(changes.contexts, self._contexts),
            definitions=(changes.definitions, self._definitions),
            examples=(changes.examples, self._examples),
        )

    def word(self, data: WordData) -> WordState:
        """Make a new word."""
        return WordState(
            language_id=self._language("language", data.language),
            text=self._line("word", data.word, MOST_WORD_LETTERS),
            created=self._now,
            roman=self._optional_line("roman", data.roman),
            ipa=self._optional_line("ipa", data.ipa),
            asm=self._optional_line("asm", data.asm),
            variant_id=self._optional_item("variant", ListName.VARIANTS, data.variant),
            origin=self._optional_text("origin", data.origin),
            plural=self._optional_line("plural", data.plural),
            definitive=self._optional_line("definitive", data.definitive),
        )

    def changed_word(self, state: WordState, changes: WordChanges) -> WordState:
        """Change a word."""
        return self._changed(
            state,
            text=(changes.word, lambda given: self._line("word", given, MOST_WORD_LETTERS)),
            roman=(changes.roman, lambda given: self._optional_line("roman", given)),
            ipa=(changes.ipa, lambda given: self._optional_line("ipa", given)),
            asm=(changes.asm, lambda given: self._optional_line("asm", given)),
            variant_id=(changes.variant, lambda given: self._optional_item("variant", ListName.VARIANTS, given)),
            origin=(changes.origin, lambda given: self._optional_text("origin", given)),
            plural=(changes.plural, lambda given: self._optional_line("plural", given)),
            definitive=(changes.definitive, lambda given: self._optional_line("definitive", given)),
        )

    def sense(self, data: WordData, word_id: int, idea_id: int, position: int) -> SenseState:
        """Make the link of a word to an idea."""
        reference = self._optional_text("reference", data.reference)
        return SenseState(word_id, idea_id, position, self._now, reference, self._optional_text("note", data.note))

    def changed_sense(self, state: SenseState, changes: SenseChanges) -> SenseState:
        """Change the link of a word to an idea."""
        return self._changed(
            state,
            position=(changes.position, self._position),
            reference=(changes.reference, lambda given: self._optional_text("reference", given)),
            note=(changes.note, lambda given: self._optional_text("note", given)),
        )

    def phrase(self, data: ProverbData) -> PhraseState:
        """Make a new proverb."""
        return PhraseState(
            language_id=self._language("language", data.language),
            text=self._line("text", data.text, MOST_PHRASE_LETTERS),
            added=self._now,
            category_id=self._item("category", ListName.PHRASE_CATEGORIES, data.category),
            roman=self._optional_line("roman", data.roman),
            meaning=self._optional_text("meaning", data.meaning),
        )

    def changed_phrase(self, state: PhraseState, changes: PhraseChanges) -> PhraseState:
        """Change a proverb."""
        categories = ListName.PHRASE_CATEGORIES
        return self._changed(
            state,
            text=(changes.text, lambda given: self._line("text", given, MOST_PHRASE_LETTERS)),
            category_id=(changes.category, lambda given: self._optional_item("category", categories, given)),
            roman=(changes.roman, lambda given: self._optional_line("roman", given)),
            meaning=(changes.meaning, lambda given: self._optional_text("meaning", given)),
        )

    def with_example(self, state: IdeaState, data: ExampleData) -> IdeaState:
        """Give an idea one more example."""
        made = self._examples((ExampleText(data.language, data.text, data.translation),))
        return msgspec.structs.replace(state, examples=tuple(dict.fromkeys((*state.examples, *made))))

    def card(self, data: CardData, position: int) -> CardState:
        """Make a new flashcard."""
        return CardState(
            card_set_id=data.set_id,
            position=position,
            clue=self._line("clue", data.clue, MOST_PHRASE_LETTERS),
            answer=self._line("answer", data.answer, MOST_PHRASE_LETTERS),
            roman=self._optional_line("roman", data.roman),
            idea_id=data.idea_id,
            picture=self._optional_line("picture", data.picture),
        )

    def changed_card(self, state: CardState, changes: CardChanges) -> CardState:
        """Change a flashcard."""
        return self._changed(
            state,
            clue=(changes.clue, lambda given: self._line("clue", given, MOST_PHRASE_LETTERS)),
            answer=(changes.answer, lambda given: self._line("answer", given, MOST_PHRASE_LETTERS)),
            roman=(changes.roman, lambda given: self._optional_line("roman", given)),
            picture=(changes.picture, lambda given: self._optional_line("picture", given)),
        )

    def card_set(self, data: CardSetData) -> CardSetState:
        """Make a new set of flashcards."""
        return CardSetState(
            name=self._line("name", data.name, MOST_WORD_LETTERS),
            language_id=self._language("language", data.language),
            answer_language_id=self._language("answer_language", data.answer_language),
            description=self._optional_text("description", data.description),
        )

    def changed_card_set(self, state: CardSetState, changes: CardSetChanges) -> CardSetState:
        """Change the name or the description of a set of flashcards."""
        return self._changed(
            state,
            name=(changes.name, lambda given: self._line("name", given, MOST_WORD_LETTERS)),
            description=(changes.description, lambda given: self._optional_text("description", given)),
        )

    def list_value(self, value: str) -> str:
        """Read the value of a lookup list."""
        return self._line("value", value, MOST_WORD_LETTERS)

    def changed_list_item(self, state: ListItemState, changes: ListItemChanges) -> ListItemState:
        """Give a value of a lookup list another name."""
        if state.list in FIXED_LISTS:
            self._problem("list", "The list %(list)s is not edited: the program itself depends on it.", list=state.list)
        return msgspec.structs.replace(state, value=self.list_value(changes.value))

    def comment(self, field: str, text: str) -> str:
        """Read what somebody has to say."""
        return self._text(field, text, LONGEST_COMMENT)

    # --- fields ---------------------------------------------------------------------------------------------------

    def _changed(self, state: S, **fields: tuple[Any, Callable[[Any], Any]]) -> S:
        given = {name: read(value) for name, (value, read) in fields.items() if value is not msgspec.UNSET}
        return msgspec.structs.replace(state, **given)

    def _problem(self, field: str, pattern: str, **values: str | int) -> None:
        self.problems.append(Problem(field, sentence(pattern, parameter=field, **values)))

    def _language(self, field: str, reference: Reference) -> int:
        language = self._catalogue.find_language(str(reference).strip())
        if language is None:
            self._problem(field, "`%(parameter)s` names no language of this dictionary: /api/languages lists them.")
            return 0
        return language.id

    def _item(self, field: str, list_name: ListName, reference: Reference) -> int:
        text = str(reference).strip()
        if (number := read_number(text)) is not None and self._catalogue.named(list_name, number):
            return number
        item = self._catalogue.item(list_name, text)
        if item is None:
            self._problem(
                field, "`%(parameter)s` is not in the list: /api/get-list.php?type=%(list)s shows it.", list=list_name
            )
            return 0
        return item.id

    def _optional_item(self, field: str, list_name: ListName, reference: Reference | None) -> int | None:
        return None if reference is None or reference == "" else self._item(field, list_name, reference)

    def _contexts(self, references: tuple[Reference, ...]) -> tuple[int, ...]:
        self._check_number("contexts", len(references), MOST_CONTEXTS)
        return tuple(sorted({self._item("contexts", ListName.CONTEXTS, each) for each in references}))

    def _definitions(self, given: tuple[DefinitionData, ...]) -> tuple[tuple[int, str], ...]:
        self._check_number("definitions", len(given), MOST_TEXTS)
        read = ((self._language("definitions", one.language), self._text("definitions", one.text)) for one in given)
        return tuple(dict.fromkeys(read))

    def _examples(self, given: tuple[ExampleText, ...]) -> tuple[tuple[int, str, str | None], ...]:
        self._check_number("examples", len(given), MOST_TEXTS)
        read = (
            (
                self._language("examples", one.language),
                self._text("examples", one.text),
                self._optional_text("examples", one.translation),
            )
            for one in given
        )
        return tuple(dict.fromkeys(read))

    def _position(self, position: int) -> int:
        if not 1 <= position <= MOST_POSITION:
            self._problem(
                "position", "`%(parameter)s` must be a whole number from 1 to %(most)s.", most=f"{MOST_POSITION:,}"
            )
        return position

    def _check_number(self, field: str, number: int, most: int) -> None:
        if number > most:
            self._problem(field, "`%(parameter)s` may have at most %(most)s entries.", most=most)

    def _line(self, field: str, text: str, most: int) -> str:
        self._check_characters(field, text)
        clean = squeeze(nfc(text))
        if not 1 <= len(clean) <= most:
            self._problem(field, "`%(parameter)s` must have from 1 to %(most)s characters.", most=f"{most:,}")
        return clean

    def _optional_line(self, field: str, text: str | None) -> str | None:
        return self._line(field, text, MOST_PHRASE_LETTERS) if text and not text.isspace() else None

    def _text(self, field: str, text: str, most: int = MOST_TEXT_LETTERS) -> str:
        self._check_characters(field, text)
        clean = nfc(text.strip())
        if not 1 <= len(clean) <= most:
            self._problem(field, "`%(parameter)s` must have from 1 to %(most)s characters.", most=f"{most:,}")
        return clean

    def _optional_text(self, field: str, text: str | None) -> str | None:
        return self._text(field, text) if text and not text.isspace() else None

    def _check_characters(self, field: str, text: str) -> None:
        if _NOT_TEXT.search(text):
            self._problem(field, "`%(parameter)s` must not hold control characters, nor half a character.")
