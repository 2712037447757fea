"""Read and write flashcards and their sets in an edit."""

from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import CardSetState, CardState
from abhidhan.records.local_texts import decode_texts, encode_texts
from abhidhan.schema import card, card_set

_CARD_FIELDS = CardState.__struct_fields__
_LOCAL_TEXTS = ("names", "descriptions")
_SET_FIELDS = tuple(name for name in CardSetState.__struct_fields__ if name not in _LOCAL_TEXTS)


def read_card(edit: EditContext, record_id: str) -> CardState | None:
    """Return the current state of a flashcard, or None."""
    row = edit.connection.execute(select(card).where(card.c.id == int(record_id))).one_or_none()
    return CardState(**{name: getattr(row, name) for name in _CARD_FIELDS}) if row else None


def create_card(edit: EditContext, after: CardState, record_id: str | None) -> str:
    """Insert a flashcard; return its ID. Raises ConflictError if its set or idea no longer exists."""
    values = {name: getattr(after, name) for name in _CARD_FIELDS}
    try:
        with edit.connection.begin_nested():
            return str(edit.insert(card, values, int(record_id) if record_id else None))
    except IntegrityError:
        raise ConflictError(sentence("The set or the idea of this flashcard no longer exists.")) from None


def change_card(edit: EditContext, record_id: str, before: CardState, after: CardState) -> None:
    """Update a flashcard."""
    del before
    values = {name: getattr(after, name) for name in _CARD_FIELDS}
    edit.connection.execute(update(card).where(card.c.id == int(record_id)).values(values))


def delete_card(edit: EditContext, record_id: str) -> None:
    """Delete a flashcard."""
    edit.connection.execute(delete(card).where(card.c.id == int(record_id)))


def next_position(edit: EditContext, set_id: int) -> int | None:
    """Return the position after the last card of a set; None if there is no such set."""
    if edit.connection.execute(select(card_set.c.id).where(card_set.c.id == set_id)).first() is None:
        return None
    last = edit.connection.execute(select(func.max(card.c.position)).where(card.c.card_set_id == set_id)).scalar()
    return (last or 0) + 1


def cards_of_idea(edit: EditContext, idea_id: int) -> dict[str, CardState]:
    """Return the flashcards of an idea by ID, in their order."""
    return _cards(edit, card.c.idea_id == idea_id)


def cards_of_set(edit: EditContext, set_id: int) -> dict[str, CardState]:
    """Return the flashcards of a set by ID, in their order."""
    return _cards(edit, card.c.card_set_id == set_id)


def _cards(edit: EditContext, condition: ColumnElement[bool]) -> dict[str, CardState]:
    rows = edit.connection.execute(select(card).where(condition).order_by(card.c.position, card.c.id))
    return {str(row.id): CardState(**{name: getattr(row, name) for name in _CARD_FIELDS}) for row in rows}


# --- sets ---------------------------------------------------------------------------------------------------------


def read_card_set(edit: EditContext, record_id: str) -> CardSetState | None:
    """Return the current state of a set of flashcards, without its cards, or None."""
    row = edit.connection.execute(select(card_set).where(card_set.c.id == int(record_id))).one_or_none()
    if row is None:
        return None
    values: dict[str, Any] = {name: getattr(row, name) for name in _SET_FIELDS}
    return CardSetState(**values | {name: decode_texts(getattr(row, name)) for name in _LOCAL_TEXTS})


def create_card_set(edit: EditContext, after: CardSetState, record_id: str | None) -> str:
    """Insert a set of flashcards; return its ID."""
    return str(edit.insert(card_set, _set_values(after), int(record_id) if record_id else None))


def change_card_set(edit: EditContext, record_id: str, before: CardSetState, after: CardSetState) -> None:
    """Update a set of flashcards."""
    del before
    edit.connection.execute(update(card_set).where(card_set.c.id == int(record_id)).values(_set_values(after)))


def delete_card_set(edit: EditContext, record_id: str) -> None:
    """Delete an empty set of flashcards."""
    edit.connection.execute(delete(card_set).where(card_set.c.id == int(record_id)))


def _set_values(state: CardSetState) -> dict[str, Any]:
    values = {name: getattr(state, name) for name in _SET_FIELDS}
    return values | {name: encode_texts(getattr(state, name)) for name in _LOCAL_TEXTS}
