"""Names of records in import reports, and deletion of records that a file no longer has."""

from collections.abc import Callable
from typing import Final, cast

from abhidhan.dictionary.store.belongings import Belongings
from abhidhan.editing.service.cards import delete_card_set
from abhidhan.editing.service.editor import EditSession
from abhidhan.editing.service.ideas import delete_idea
from abhidhan.editing.service.words import delete_phrase, delete_sense
from abhidhan.editing.store.records import cards, ideas, words
from abhidhan.records import local_texts
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import quoted
from abhidhan.records.history import (
    CardSetState,
    CardState,
    IdeaState,
    PhraseState,
    RecordRef,
    RecordState,
    RelationState,
    SenseState,
    WordState,
)
from abhidhan.records.kinds.card import CARD, CARD_SET
from abhidhan.records.kinds.field_types import OneOf
from abhidhan.records.kinds.idea import IDEA_ROW
from abhidhan.records.kinds.phrase import PHRASE
from abhidhan.records.kinds.word import DETAILS, REMARKS

FIELDS: Final = {one.column: one for one in (*IDEA_ROW, *DETAILS, *REMARKS, *PHRASE, *CARD, *CARD_SET)}
"""The fields of records in files, by column."""

KIND_NAMES: Final = {"idea": "idea", "phrase": "proverb", "card_set": "flashcards"}


def record_label(catalogue: Catalogue, editor: EditSession, name: RecordRef, state: RecordState | None = None) -> str:
    """Return a short description of a record for reports, such as `word as পানী`; for a deleted one, pass `state`."""
    match state or editor.recorder.current(name):
        case WordState() as word:
            return f"word {editor.edit.language_code(word.language_id)} {word.text}"
        case SenseState() as sense:
            spelled = record_label(catalogue, editor, RecordRef("word", str(sense.word_id)))
            return f"{spelled} of {record_label(catalogue, editor, RecordRef('idea', str(sense.idea_id)))}"
        case CardState() as card:
            card_set = RecordRef("card_set", str(card.card_set_id))
            return f"card {quoted(card.clue)} of {record_label(catalogue, editor, card_set)}"
        case RelationState() as relation:
            ends = (RecordRef("idea", str(each)) for each in (relation.idea_id, relation.other_id))
            return "relation of " + " to ".join(record_label(catalogue, editor, end) for end in ends)
        case (IdeaState() | PhraseState() | CardSetState()) as named if named.source_id is not None:
            return f"{KIND_NAMES[name.kind]} {catalogue.sources[named.source_id].code}:{named.external_key}"
        case _:
            return f"{name.kind} {name.id}"


def field_name(column: str) -> str:
    """Return the name that the field of a column has in files."""
    return FIELDS[column].name if column in FIELDS else column.removesuffix("_id")


def text_of(catalogue: Catalogue, column: str, value: object) -> str:
    """Format the value of a column as in files; list values by their names."""
    if column in local_texts.COLUMNS:
        texts = local_texts.decode_texts(value) if isinstance(value, str) else cast("local_texts.Texts", value)
        return "; ".join(text for _, text in texts)
    kind = FIELDS[column].kind if column in FIELDS else None
    named = catalogue.list_value(kind.list_name, cast("int", value)) if isinstance(kind, OneOf) else None
    return named.value if named else str(value)


def format_value(catalogue: Catalogue, column: str, value: object) -> str:
    """Format the value of a column in quotes; `nothing` for None."""
    return "nothing" if value is None else quoted(text_of(catalogue, column, value))


DELETERS: Final[dict[str, Callable[[EditSession, RecordRef], None]]] = {
    "idea": delete_idea,
    "phrase": delete_phrase,
    "card_set": delete_card_set,
    "sense": delete_sense,
    "relation": lambda editor, name: editor.recorder.apply(name, None),
    "card": lambda editor, name: editor.recorder.apply(name, None),
}
"""Functions that delete a record which the file no longer has, by kind of record."""


def find_dependent(belongings: Belongings, editor: EditSession, name: RecordRef) -> str | None:
    """Describe user content that depends on a record or on records deleted with it; return None if there is none."""
    names = [name]
    state = editor.recorder.current(name)
    if isinstance(state, SenseState) and len(words.senses_of_word(editor.edit, state.word_id)) == 1:
        names.append(RecordRef("word", str(state.word_id)))
    if name.kind == "idea":
        for sense_id, sense in words.senses_of_idea(editor.edit, name.number).items():
            names.append(RecordRef("sense", sense_id))
            if len(words.senses_of_word(editor.edit, sense.word_id)) == 1:
                names.append(RecordRef("word", str(sense.word_id)))
    if isinstance(state, RelationState):
        names += (RecordRef("relation", ideas.relation_id(each)) for each in ideas.both_sides(editor.edit, state))
    if name.kind == "card_set":
        names += (RecordRef("card", card_id) for card_id in cards.cards_of_set(editor.edit, name.number))
    return next((what for each in names if (what := belongings.find_dependent(each))), None)
