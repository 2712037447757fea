"""Flashcards and their sets: add, delete and move them."""

import msgspec

from abhidhan.editing.service.editor import (
    Edited,
    EditSession,
    commit_edit,
    move_item,
    read_current_result,
    require_record,
)
from abhidhan.editing.store.records import cards, ideas
from abhidhan.records.errors import Problem, sentence
from abhidhan.records.history import CardState, HistoryAction, RecordRef
from abhidhan.records.submission_payloads import CardData, CardSetData


def insert_card(session: EditSession, data: CardData) -> RecordRef:
    """Create a flashcard at the end of its set. Raises InputError."""
    position = cards.find_next_position(session.context, data.set_id)
    state = session.validator.create_card(data, position or 1)
    if position is None:
        session.validator.problems.append(
            Problem("set_id", sentence("There is no flashcard set with the ID %(set_id)s.", set_id=data.set_id))
        )
    if data.idea_id is not None and not ideas.idea_exists(session.context, data.idea_id):
        session.validator.problems.append(
            Problem("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
        )
    session.validator.raise_problems()
    return session.recorder.create("card", state)


def add_card(session: EditSession, data: CardData) -> Edited:
    """Add a flashcard to a set."""
    return commit_edit(session, HistoryAction.CARD_EDITED, insert_card(session, data))


def add_card_set(session: EditSession, data: CardSetData) -> Edited:
    """Add an empty set of flashcards."""
    state = session.validator.create_card_set(data)
    session.validator.raise_problems()
    return commit_edit(session, HistoryAction.CARD_EDITED, session.recorder.create("card_set", state))


def delete_card_set(session: EditSession, ref: RecordRef) -> None:
    """Delete a set with all its cards."""
    for card_id in cards.read_cards_of_set(session.context, ref.number):
        session.recorder.apply(RecordRef("card", card_id), None)
    session.recorder.apply(ref, None)


def move_card(session: EditSession, ref: RecordRef, steps: int) -> Edited:
    """Move a flashcard within its set by `steps` positions, towards the start if negative."""
    state = require_record(session, ref)
    if not isinstance(state, CardState):
        raise TypeError(ref)
    cards_by_id = cards.read_cards_of_set(session.context, state.card_set_id)
    for position, card_id in enumerate(move_item(cards_by_id, ref.id, steps), 1):
        session.recorder.apply(
            RecordRef("card", card_id), msgspec.structs.replace(cards_by_id[card_id], position=position)
        )
    set_name = RecordRef("card_set", str(state.card_set_id))
    return (
        commit_edit(session, HistoryAction.CARD_EDITED, set_name)
        if not session.recorder.is_empty
        else read_current_result(session, set_name)
    )
