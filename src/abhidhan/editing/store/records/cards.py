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


def read_card(context: EditContext, record_id: str) -> CardState | None:
    """Return the current state of a flashcard, or None."""
    row = context.connection.execute(select(card).where(card.c.id == int(record_id))).one_or_none()
    return CardState(**{name: getattr(row, name) for name in _CARD_FIELDS}) if row else None


def create_card(context: EditContext, after: CardState, record_id: str | None) -> str:
    """Insert a flashcard; return its ID. Raises ConflictError if its set or idea no longer exists."""
    values = {name: getattr(after, name) for name in _CARD_FIELDS}
    try:
        with context.connection.begin_nested():
            return str(context.insert(card, values, int(record_id) if record_id else None))
    except IntegrityError:
        raise ConflictError(sentence("The set or the idea of this flashcard no longer exists.")) from None


def change_card(context: EditContext, record_id: str, before: CardState, after: CardState) -> None:
    """Update a flashcard."""
    del before
    values = {name: getattr(after, name) for name in _CARD_FIELDS}
    context.connection.execute(update(card).where(card.c.id == int(record_id)).values(values))


def delete_card(context: EditContext, record_id: str) -> None:
    """Delete a flashcard."""
    context.connection.execute(delete(card).where(card.c.id == int(record_id)))


def find_next_position(context: EditContext, set_id: int) -> int | None:
    """Return the position after the last card of a set; None if there is no such set."""
    if context.connection.execute(select(card_set.c.id).where(card_set.c.id == set_id)).first() is None:
        return None
    last = context.connection.execute(select(func.max(card.c.position)).where(card.c.card_set_id == set_id)).scalar()
    return (last or 0) + 1


def read_cards_of_idea(context: EditContext, idea_id: int) -> dict[str, CardState]:
    """Return the flashcards of an idea by ID, in their order."""
    return _read_cards(context, card.c.idea_id == idea_id)


def read_cards_of_set(context: EditContext, set_id: int) -> dict[str, CardState]:
    """Return the flashcards of a set by ID, in their order."""
    return _read_cards(context, card.c.card_set_id == set_id)


def _read_cards(context: EditContext, condition: ColumnElement[bool]) -> dict[str, CardState]:
    rows = context.connection.execute(select(card).where(condition).order_by(card.c.position, card.c.id))
    return {str(row.id): CardState(**{name: getattr(row, name) for name in _CARD_FIELDS}) for row in rows}


# --- sets ---------------------------------------------------------------------------------------------------------


def read_card_set(context: EditContext, record_id: str) -> CardSetState | None:
    """Return the current state of a set of flashcards, without its cards, or None."""
    row = context.connection.execute(select(card_set).where(card_set.c.id == int(record_id))).one_or_none()
    if row is None:
        return None
    values: dict[str, Any] = {name: getattr(row, name) for name in _SET_FIELDS}
    return CardSetState(**values | {name: decode_texts(getattr(row, name)) for name in _LOCAL_TEXTS})


def create_card_set(context: EditContext, after: CardSetState, record_id: str | None) -> str:
    """Insert a set of flashcards; return its ID."""
    return str(context.insert(card_set, _build_set_row(after), int(record_id) if record_id else None))


def change_card_set(context: EditContext, record_id: str, before: CardSetState, after: CardSetState) -> None:
    """Update a set of flashcards."""
    del before
    context.connection.execute(update(card_set).where(card_set.c.id == int(record_id)).values(_build_set_row(after)))


def delete_card_set(context: EditContext, record_id: str) -> None:
    """Delete an empty set of flashcards."""
    context.connection.execute(delete(card_set).where(card_set.c.id == int(record_id)))


def _build_set_row(state: CardSetState) -> dict[str, Any]:
    values = {name: getattr(state, name) for name in _SET_FIELDS}
    return values | {name: encode_texts(getattr(state, name)) for name in _LOCAL_TEXTS}
