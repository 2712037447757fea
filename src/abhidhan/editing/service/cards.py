"""Flashcards and their sets: add, delete and move them."""

import msgspec

from abhidhan.editing.service.editor import Edited, EditSession, commit_edit, current_result, move_item, require_record
from abhidhan.editing.store.records import cards, ideas
from abhidhan.records.errors import Problem, sentence
from abhidhan.records.history import CardState, HistoryAction, RecordRef
from abhidhan.records.submission_payloads import CardData, CardSetData


def insert_card(editor: EditSession, data: CardData) -> RecordRef:
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
    return editor.recorder.create("card", state)


def add_card(editor: EditSession, data: CardData) -> Edited:
    """Add a flashcard to a set."""
    return commit_edit(editor, HistoryAction.CARD_EDITED, insert_card(editor, data))


def add_card_set(editor: EditSession, data: CardSetData) -> Edited:
    """Add an empty set of flashcards."""
    state = editor.draft.card_set(data)
    editor.draft.finish()
    return commit_edit(editor, HistoryAction.CARD_EDITED, editor.recorder.create("card_set", state))


def delete_card_set(editor: EditSession, name: RecordRef) -> None:
    """Delete a set with all its cards."""
    for card_id in cards.cards_of_set(editor.edit, name.number):
        editor.recorder.apply(RecordRef("card", card_id), None)
    editor.recorder.apply(name, None)


def move_card(editor: EditSession, name: RecordRef, steps: int) -> Edited:
    """Move a flashcard within its set by `steps` positions, towards the start if negative."""
    state = require_record(editor, name)
    if not isinstance(state, CardState):
        raise TypeError(name)
    there = cards.cards_of_set(editor.edit, state.card_set_id)
    for position, card_id in enumerate(move_item(there, name.id, steps), 1):
        editor.recorder.apply(RecordRef("card", card_id), msgspec.structs.replace(there[card_id], position=position))
    set_name = RecordRef("card_set", str(state.card_set_id))
    return (
        commit_edit(editor, HistoryAction.CARD_EDITED, set_name)
        if not editor.recorder.is_empty
        else current_result(editor, set_name)
    )
