"""Removing records that a file has no longer, and what of a person keeps them from being removed."""

from collections.abc import Callable
from typing import Final

from abhidhan.dictionary.store.belongings import Belongings
from abhidhan.editing.service.cards import delete_card_set
from abhidhan.editing.service.editor import Editor
from abhidhan.editing.service.ideas import delete_idea
from abhidhan.editing.service.words import delete_phrase, delete_sense
from abhidhan.editing.store.records import cards, ideas, words
from abhidhan.records.history import RecordName, RelationState, SenseState

DELETE: Final[dict[str, Callable[[Editor, RecordName], None]]] = {
    "idea": delete_idea,
    "phrase": delete_phrase,
    "card_set": delete_card_set,
    "sense": delete_sense,
    "relation": lambda editor, name: editor.ledger.put(name, None),
    "card": lambda editor, name: editor.ledger.put(name, None),
}
"""How records are removed that a file has no longer."""


def what_depends_on(belongings: Belongings, editor: Editor, name: RecordName) -> str | None:
    """Say what of a person hangs on a record, or on what would go with it."""
    names = [name]
    state = editor.ledger.current(name)
    if isinstance(state, SenseState) and len(words.senses_of_word(editor.edit, state.word_id)) == 1:
        names.append(RecordName("word", str(state.word_id)))
    if name.kind == "idea":
        for sense_id, sense in words.senses_of_idea(editor.edit, name.number).items():
            names.append(RecordName("sense", sense_id))
            if len(words.senses_of_word(editor.edit, sense.word_id)) == 1:
                names.append(RecordName("word", str(sense.word_id)))
    if isinstance(state, RelationState):
        names += (RecordName("relation", ideas.relation_id(each)) for each in ideas.both_sides(editor.edit, state))
    if name.kind == "card_set":
        names += (RecordName("card", card_id) for card_id in cards.cards_of_set(editor.edit, name.number))
    return next((what for each in names if (what := belongings.of(each))), None)
