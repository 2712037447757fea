"""Validation of user input: convert it to record states, or report all problems together."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ids import parse_number
from abhidhan.records.kinds.card import (
    CARD_FIELDS,
    CARD_SET_FIELDS,
    CardChanges,
    CardData,
    CardSetChanges,
    CardSetData,
    CardSetState,
    CardState,
)
from abhidhan.records.kinds.catalogue import LIST_ITEM_FIELDS, READ_ONLY_LISTS, ListItemChanges, ListItemState
from abhidhan.records.kinds.fields import (
    MAX_COMMENT_LENGTH,
    MAX_TEXTS_PER_FIELD,
    MAX_WORD_LENGTH,
    FieldReader,
    Reference,
    S,
    State,
    list_columns,
)
from abhidhan.records.kinds.idea import (
    EXAMPLES_FIELD,
    IDEA_FIELDS,
    IDEA_ROW_FIELDS,
    ExampleData,
    IdeaChanges,
    IdeaData,
    IdeaState,
)
from abhidhan.records.kinds.phrase import PHRASE_FIELDS, PhraseChanges, PhraseState, ProverbData
from abhidhan.records.kinds.word import (
    ALL_WORD_FIELDS,
    MAX_TRANSLATIONS,
    REMARK_FIELDS,
    SenseChanges,
    SenseState,
    WordChanges,
    WordData,
    WordState,
)
from abhidhan.records.lookup_lists import ListName, is_unassigned

RecordChanges = (
    IdeaChanges | WordChanges | PhraseChanges | SenseChanges | CardChanges | CardSetChanges | ListItemChanges
)


CHANGES_TYPES: Final[Mapping[type[State], type[RecordChanges]]] = {
    IdeaState: IdeaChanges,
    WordState: WordChanges,
    SenseState: SenseChanges,
    PhraseState: PhraseChanges,
    CardState: CardChanges,
    CardSetState: CardSetChanges,
    ListItemState: ListItemChanges,
}
"""The input type for changes of each kind of record."""


def build_changes(state: State) -> RecordChanges:
    """Return the current values of a record as changes, to fill in an edit form."""
    changes = CHANGES_TYPES[type(state)]
    values = {field.name: field.kind.to_input(getattr(state, field.column)) for field in changes.fields}
    return msgspec.convert(values, changes)


class InputReader(FieldReader):
    """Converts user input to states of records, and collects all problems."""

    def __init__(self, catalogue: Catalogue, now: int) -> None:
        """Initialise with the catalogue and the creation time of new records (seconds since 1970)."""
        super().__init__()
        self._catalogue = catalogue
        self._now = now

    def create_idea(self, data: IdeaData) -> IdeaState:
        """Create the state of an idea. Unlike in files, the part of speech is required."""
        values: dict[str, Any] = {**dict.fromkeys(list_columns(IDEA_ROW_FIELDS)), **self.read_fields(IDEA_FIELDS, data)}
        if values["pos_id"] is None:
            self.resolve_item("pos", ListName.PARTS_OF_SPEECH, data.pos)
        return IdeaState(created=self._now, **values)

    def create_word(self, data: WordData) -> WordState:
        """Create the state of a word."""
        language_id = self.resolve_language("language", data.language)
        return WordState(language_id=language_id, created=self._now, **self.read_fields(ALL_WORD_FIELDS, data))

    def create_translations(self, data: WordData) -> tuple[WordState, ...]:
        """Create the states of the translations submitted with a word, without duplicates."""
        field = "translations"
        self.check_count(field, len(data.translations), MAX_TRANSLATIONS, 0)
        spellings = [
            (
                self.resolve_language(field, translation.language),
                self.clean_line(field, translation.word, MAX_WORD_LENGTH),
            )
            for translation in data.translations
        ]
        return tuple(
            WordState(language_id=language_id, text=text, created=self._now)
            for language_id, text in dict.fromkeys(spellings)
        )

    def create_sense(self, data: WordData, word_id: int, idea_id: int, position: int) -> SenseState:
        """Create the state of the sense that links a word to an idea."""
        return SenseState(word_id, idea_id, position, self._now, **self.read_fields(REMARK_FIELDS, data))

    def create_phrase(self, data: ProverbData) -> PhraseState:
        """Create the state of a proverb."""
        language_id = self.resolve_language("language", data.language)
        return PhraseState(language_id=language_id, added=self._now, **self.read_fields(PHRASE_FIELDS, data))

    def create_card(self, data: CardData, position: int) -> CardState:
        """Create the state of a flashcard."""
        return CardState(
            card_set_id=data.set_id, position=position, idea_id=data.idea_id, **self.read_fields(CARD_FIELDS, data)
        )

    def create_card_set(self, data: CardSetData) -> CardSetState:
        """Create the state of a set of flashcards."""
        return CardSetState(
            language_id=self.resolve_language("language", data.language),
            answer_language_id=self.resolve_language("answer_language", data.answer_language),
            **self.read_fields(CARD_SET_FIELDS, data),
        )

    def clean_list_value(self, value: str) -> str:
        """Validate a new value of a lookup list."""
        return str(self.read_fields(LIST_ITEM_FIELDS, ListItemChanges(value))["value"])

    def clean_list_code(self, field: str, code: str | None) -> str | None:
        """Validate the short code of a new list value; return None for an empty one."""
        return self.clean_line(field, code, MAX_WORD_LENGTH) if code else None

    def add_example(self, state: IdeaState, data: ExampleData) -> IdeaState:
        """Return an idea with an example added."""
        new_examples = EXAMPLES_FIELD.kind.read(self, EXAMPLES_FIELD.name, (data,))
        after = tuple(dict.fromkeys((*state.examples, *new_examples)))
        self.check_count(EXAMPLES_FIELD.name, len(after), MAX_TEXTS_PER_FIELD, len(state.examples))
        return msgspec.structs.replace(state, examples=after)

    def change_record(self, state: S, changes: RecordChanges) -> S:
        """Apply changes to a record. Existing values may exceed the limits for new ones."""
        if isinstance(state, ListItemState) and state.list in READ_ONLY_LISTS:
            self.refuse(
                "list", "The list %(list)s cannot be edited because the program depends on it.", list=state.list
            )
        if not isinstance(changes, CHANGES_TYPES[type(state)]):
            self.refuse("changes", "`%(parameter)s` is for a different kind of record.")
            return state
        return self.apply_changes(changes.fields, state, changes)

    def clean_comment(self, field: str, text: str) -> str:
        """Validate a comment."""
        return self.clean_text(field, text, MAX_COMMENT_LENGTH)

    def resolve_language(self, field: str, reference: Reference) -> int:
        """Return the ID of a language by its ID or code; report an unknown one and return 0."""
        language = self._catalogue.find_language(str(reference).strip())
        if language is None:
            self.refuse(field, "`%(parameter)s` is not a language of this dictionary: /api/languages lists them.")
            return 0
        return language.id

    def resolve_item(self, field: str, list_name: ListName, reference: Reference) -> int:
        """Return the ID of a list value by its ID or text; report an unknown one and return 0."""
        text = str(reference).strip()
        number = parse_number(text)
        item = self._catalogue.find_item_by_id(list_name, number) if number is not None else None
        item = item or self._catalogue.find_item(list_name, text)
        if item is not None and list_name == ListName.PARTS_OF_SPEECH and is_unassigned(item):
            self.refuse(field, "`%(parameter)s` must be a part of speech; %(value)s stands for none.", value=item.value)
            return 0
        if item is None:
            self.refuse(
                field, "`%(parameter)s` is not in the list: /api/get-list.php?type=%(list)s shows it.", list=list_name
            )
            return 0
        return item.id
