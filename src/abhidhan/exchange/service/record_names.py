"""Names of records in import reports, and deletion of records that a file no longer has."""

from collections.abc import Callable
from typing import Final, cast

from abhidhan.dictionary.store.record_dependencies import RecordDependencies
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
from abhidhan.records.kinds.card import CARD_FIELDS, CARD_SET_FIELDS
from abhidhan.records.kinds.field_types import ListChoice
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS
from abhidhan.records.kinds.phrase import PHRASE_FIELDS
from abhidhan.records.kinds.word import REMARK_FIELDS, WORD_DETAIL_FIELDS

FIELDS_BY_COLUMN: Final = {
    one.column: one
    for one in (*IDEA_ROW_FIELDS, *WORD_DETAIL_FIELDS, *REMARK_FIELDS, *PHRASE_FIELDS, *CARD_FIELDS, *CARD_SET_FIELDS)
}
"""The fields of records in files, by column."""

KIND_NAMES: Final = {"idea": "idea", "phrase": "proverb", "card_set": "flashcards"}


def describe_record(catalogue: Catalogue, editor: EditSession, ref: RecordRef, state: RecordState | None = None) -> str:
    """Return a short description of a record for reports, such as `word as পানী`; for a deleted one, pass `state`."""
    match state or editor.recorder.get_current(ref):
        case WordState() as word:
            return f"word {editor.context.get_language_code(word.language_id)} {word.text}"
        case SenseState() as sense:
            spelled = describe_record(catalogue, editor, RecordRef("word", str(sense.word_id)))
            return f"{spelled} of {describe_record(catalogue, editor, RecordRef('idea', str(sense.idea_id)))}"
        case CardState() as card:
            card_set = RecordRef("card_set", str(card.card_set_id))
            return f"card {quoted(card.clue)} of {describe_record(catalogue, editor, card_set)}"
        case RelationState() as relation:
            ends = (RecordRef("idea", str(each)) for each in (relation.idea_id, relation.other_id))
            return "relation of " + " to ".join(describe_record(catalogue, editor, end) for end in ends)
        case (IdeaState() | PhraseState() | CardSetState()) as named if named.source_id is not None:
            return f"{KIND_NAMES[ref.kind]} {catalogue.sources[named.source_id].code}:{named.external_key}"
        case _:
            return f"{ref.kind} {ref.id}"


def get_field_name(column: str) -> str:
    """Return the name that the field of a column has in files."""
    return FIELDS_BY_COLUMN[column].name if column in FIELDS_BY_COLUMN else column.removesuffix("_id")


def format_file_value(catalogue: Catalogue, column: str, value: object) -> str:
    """Format the value of a column as in files; list values by their names."""
    if column in local_texts.LOCAL_TEXT_COLUMNS:
        texts = local_texts.decode_texts(value) if isinstance(value, str) else cast("local_texts.StoredTexts", value)
        return "; ".join(text for _, text in texts)
    kind = FIELDS_BY_COLUMN[column].kind if column in FIELDS_BY_COLUMN else None
    named = catalogue.list_value(kind.list_name, cast("int", value)) if isinstance(kind, ListChoice) else None
    return named.value if named else str(value)


def quote_value(catalogue: Catalogue, column: str, value: object) -> str:
    """Format the value of a column in quotes; `nothing` for None."""
    return "nothing" if value is None else quoted(format_file_value(catalogue, column, value))


DELETERS: Final[dict[str, Callable[[EditSession, RecordRef], None]]] = {
    "idea": delete_idea,
    "phrase": delete_phrase,
    "card_set": delete_card_set,
    "sense": delete_sense,
    "relation": lambda editor, name: editor.recorder.apply(name, None),
    "card": lambda editor, name: editor.recorder.apply(name, None),
}
"""Functions that delete a record which the file no longer has, by kind of record."""


def describe_dependent(belongings: RecordDependencies, editor: EditSession, ref: RecordRef) -> str | None:
    """Describe user content that depends on a record or on records deleted with it; return None if there is none."""
    refs = [ref]
    state = editor.recorder.get_current(ref)
    if isinstance(state, SenseState) and len(words.read_senses_of_word(editor.context, state.word_id)) == 1:
        refs.append(RecordRef("word", str(state.word_id)))
    if ref.kind == "idea":
        for sense_id, sense in words.read_senses_of_idea(editor.context, ref.number).items():
            refs.append(RecordRef("sense", sense_id))
            if len(words.read_senses_of_word(editor.context, sense.word_id)) == 1:
                refs.append(RecordRef("word", str(sense.word_id)))
    if isinstance(state, RelationState):
        refs += (
            RecordRef("relation", ideas.format_relation_id(each))
            for each in ideas.list_both_sides(editor.context, state)
        )
    if ref.kind == "card_set":
        refs += (RecordRef("card", card_id) for card_id in cards.read_cards_of_set(editor.context, ref.number))
    return next((what for each in refs if (what := belongings.find_dependent(each))), None)
