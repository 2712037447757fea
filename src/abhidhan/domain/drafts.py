"""Drafts: words, ideas, proverbs and flashcards as people and programs write them, read into the states of records."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, TypeVar

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.history import CardState, IdeaState, PhraseState, SenseState, State, WordState
from abhidhan.domain.incoming import MOST_PHRASE_LETTERS, MOST_TEXT_LETTERS, MOST_WORD_LETTERS
from abhidhan.domain.lists import ListName
from abhidhan.domain.text.normal import nfc, squeeze
from abhidhan.errors import InputError, Problem

S = TypeVar("S", bound=State)

MOST_POSITION: Final = 1000

Reference = str | int
"""A language or a value of a lookup list: by its ID, its code, or its value in words."""

MOST_CONTEXTS: Final = 20
MOST_TEXTS: Final = 50
LONGEST_COMMENT: Final = 2000


class Kind(StrEnum):
    """What kind of thing a submission is."""

    WORD = "word"
    CORRECTION = "correction"
    PROVERB = "proverb"
    EXAMPLE = "example"
    CARD = "card"
    REPORT = "report"


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
    idea_id: int | None = None
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

    idea_id: int
    language: Reference
    text: str
    translation: str | None = None


class CardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A flashcard for a set that is there; `picture` is an emoji."""

    set_id: int
    clue: str
    answer: str
    roman: str | None = None
    idea_id: int | None = None
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

    position: int | msgspec.UnsetType = msgspec.UNSET
    reference: str | msgspec.UnsetType | None = msgspec.UNSET
    note: str | msgspec.UnsetType | None = msgspec.UNSET


class CardChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be different of a flashcard; fields left out stay as they are."""

    clue: str | msgspec.UnsetType = msgspec.UNSET
    answer: str | msgspec.UnsetType = msgspec.UNSET
    roman: str | msgspec.UnsetType | None = msgspec.UNSET
    picture: str | msgspec.UnsetType | None = msgspec.UNSET


class CorrectionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction of one record: the word, the idea or the proverb with an ID, what shall be different, and why."""

    word_id: int | None = None
    idea_id: int | None = None
    phrase_id: int | None = None
    word: WordChanges | None = None
    idea: IdeaChanges | None = None
    phrase: PhraseChanges | None = None
    comment: str | None = None


class ReportData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An error in a word, told by anybody."""

    word_id: int
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


Submitted = WordSubmission | CorrectionSubmission | ProverbSubmission | ExampleSubmission | CardSubmission
"""What somebody who is signed in submits."""

AnySubmission = Submitted | ReportSubmission

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


# --- from what people write to what is stored ----------------------------------------------------------------------

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

    def list_value(self, value: str) -> str:
        """Read the value of a lookup list."""
        return self._line("value", value, MOST_WORD_LETTERS)

    def comment(self, field: str, text: str) -> str:
        """Read what somebody has to say."""
        return self._text(field, text, LONGEST_COMMENT)

    # --- fields ---------------------------------------------------------------------------------------------------

    def _changed(self, state: S, **fields: tuple[Any, Callable[[Any], Any]]) -> S:
        given = {name: read(value) for name, (value, read) in fields.items() if value is not msgspec.UNSET}
        return msgspec.structs.replace(state, **given)

    def _problem(self, field: str, detail: str) -> None:
        self.problems.append(Problem(field, detail))

    def _language(self, field: str, reference: Reference) -> int:
        language = self._catalogue.find_language(str(reference).strip())
        if language is None:
            self._problem(field, f"`{field}` names no language of this dictionary: /api/languages lists them.")
            return 0
        return language.id

    def _item(self, field: str, list_name: ListName, reference: Reference) -> int:
        text = str(reference).strip()
        if text.isascii() and text.isdigit() and self._catalogue.named(list_name, int(text)):
            return int(text)
        item = self._catalogue.item(list_name, text)
        if item is None:
            self._problem(field, f"`{field}` is not in the list: /api/get-list.php?type={list_name} shows it.")
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
            self._problem("position", f"`position` must be a whole number from 1 to {MOST_POSITION:,}.")
        return position

    def _check_number(self, field: str, number: int, most: int) -> None:
        if number > most:
            self._problem(field, f"`{field}` may have at most {most} entries.")

    def _line(self, field: str, text: str, most: int) -> str:
        self._check_characters(field, text)
        clean = squeeze(nfc(text))
        if not 1 <= len(clean) <= most:
            self._problem(field, f"`{field}` must have from 1 to {most:,} characters.")
        return clean

    def _optional_line(self, field: str, text: str | None) -> str | None:
        return self._line(field, text, MOST_PHRASE_LETTERS) if text and not text.isspace() else None

    def _text(self, field: str, text: str, most: int = MOST_TEXT_LETTERS) -> str:
        self._check_characters(field, text)
        clean = nfc(text.strip())
        if not 1 <= len(clean) <= most:
            self._problem(field, f"`{field}` must have from 1 to {most:,} characters.")
        return clean

    def _optional_text(self, field: str, text: str | None) -> str | None:
        return self._text(field, text) if text and not text.isspace() else None

    def _check_characters(self, field: str, text: str) -> None:
        if _NOT_TEXT.search(text):
            self._problem(field, f"`{field}` must not hold control characters, nor half a character.")
