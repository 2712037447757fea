"""Flashcards and their sets: add, delete and move them."""

import msgspec

from abhidhan.editing.service.editor import Edited, Editor, edited, existing, moved, unchanged
from abhidhan.editing.store.records import cards, ideas
from abhidhan.records.errors import Problem, sentence
from abhidhan.records.history import Action, CardState, RecordName
from abhidhan.records.submission_payloads import CardData, CardSetData


def place_card(editor: Editor, data: CardData) -> RecordName:
    """Create a flashcard at the end of its set. Raises InputError."""
    position = cards.next_position(editor.edit, data.set_id)
    state = editor.draft.card(data, position or 1)
    if position is None:
        editor.draft.problems.append(
            Problem("set_id", sentence("There is no flashcard set with the ID %(set_id)s.", set_id=data.set_id))
        )
    if data.idea_id is not None and not ideas.idea_exists(editor.edit, data.idea_id):
        editor.draft.problems.append(
            Problem("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
        )
    editor.draft.finish()
    return editor.ledger.create("card", state)


def add_card(editor: Editor, data: CardData) -> Edited:
    """Add a flashcard to a set."""
    return edited(editor, Action.CARD_EDITED, place_card(editor, data))


def add_card_set(editor: Editor, data: CardSetData) -> Edited:
    """Add an empty set of flashcards."""
    state = editor.draft.card_set(data)
    editor.draft.finish()
    return edited(editor, Action.CARD_EDITED, editor.ledger.create("card_set", state))


def delete_card_set(editor: Editor, name: RecordName) -> None:
    """Delete a set with all its cards."""
    for card_id in cards.cards_of_set(editor.edit, name.number):
        editor.ledger.put(RecordName("card", card_id), None)
    editor.ledger.put(name, None)


def move_card(editor: Editor, name: RecordName, steps: int) -> Edited:
    """Move a flashcard within its set by `steps` positions, towards the start if negative."""
    state = existing(editor, name)
    if not isinstance(state, CardState):
        raise TypeError(name)
    there = cards.cards_of_set(editor.edit, state.card_set_id)
    for position, card_id in enumerate(moved(there, name.id, steps), 1):
        editor.ledger.put(RecordName("card", card_id), msgspec.structs.replace(there[card_id], position=position))
    set_name = RecordName("card_set", str(state.card_set_id))
    return edited(editor, Action.CARD_EDITED, set_name) if not editor.ledger.is_empty else unchanged(editor, set_name)
