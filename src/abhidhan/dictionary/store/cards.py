"""Flashcards: sets, and the cards of each in their order."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Integer, bindparam, func, select

from abhidhan.dictionary.model.cards import CardSet
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.local_texts import build_local_texts, main_text
from abhidhan.schema import card, card_set, idea_context


class CardRow(NamedTuple):
    """Stored card, with the romanization of its clue if an editor entered one."""

    id: int
    set_id: int
    clue: str
    roman: str | None
    answer: str
    idea_id: int | None
    picture: str | None


_SETS = CompiledQuery(
    select(
        card_set.c.id,
        card_set.c.name,
        card_set.c.language_id,
        card_set.c.answer_language_id,
        select(func.count()).where(card.c.card_set_id == card_set.c.id).scalar_subquery(),
        card_set.c.description,
        card_set.c.names,
        card_set.c.descriptions,
    ).order_by(card_set.c.id)
)

_LANGUAGE_OF_SET = CompiledQuery(select(card_set.c.language_id).where(card_set.c.id == bindparam("id", type_=Integer)))

_COLUMNS: Final = (
    card.c.id,
    card.c.card_set_id,
    card.c.clue,
    card.c.roman,
    card.c.answer,
    card.c.idea_id,
    card.c.picture,
)

_CARDS = CompiledQuery(
    select(*_COLUMNS).where(card.c.card_set_id == bindparam("id", type_=Integer)).order_by(card.c.position)
)

_CARDS_BY_ID = per_list_size(lambda size: select(*_COLUMNS).where(in_list(card.c.id, "id", size)))

_CONTEXTS = CompiledQuery(
    select(card.c.card_set_id, idea_context.c.context_id, func.count())
    .select_from(card.join(idea_context, idea_context.c.idea_id == card.c.idea_id))
    .group_by(card.c.card_set_id, idea_context.c.context_id)
)


def list_card_sets(connection: ReadConnection) -> tuple[CardSet, ...]:
    """List all sets with the number of their cards, by ID."""
    return tuple(_build_card_set(row) for row in connection.rows(_SETS))


def find_set_language(connection: ReadConnection, set_id: int) -> int | None:
    """Return the language of the clues of a set; None if there is no such set."""
    row = connection.row(_LANGUAGE_OF_SET, id=set_id)
    return int(row[0]) if row else None


def list_cards(connection: ReadConnection, set_id: int) -> list[CardRow]:
    """Return the cards of a set in their order."""
    return [CardRow._make(row) for row in connection.rows(_CARDS, id=set_id)]


def load_cards(connection: ReadConnection, card_ids: Sequence[int]) -> dict[int, CardRow]:
    """Load cards, by ID; deleted cards are left out."""
    cards_found: dict[int, CardRow] = {}
    for batch in chunks(card_ids):
        rows = connection.rows(_CARDS_BY_ID(len(batch)), **list_params("id", batch))
        cards_found |= {row[0]: CardRow._make(row) for row in rows}
    return cards_found


def count_contexts_by_set(connection: ReadConnection) -> list[tuple[int, int, int]]:
    """Return the contexts of the ideas on the cards of each set: (set ID, context ID, number of cards)."""
    return [(set_id, context_id, count) for set_id, context_id, count in connection.rows(_CONTEXTS)]


def _build_card_set(row: Row) -> CardSet:
    set_id, name, language_id, answer_language_id, count, description, names, descriptions = row
    local_descriptions = build_local_texts(description, descriptions)
    return CardSet(
        id=set_id,
        name=name,
        language_id=language_id,
        answer_language_id=answer_language_id,
        cards=count,
        description=main_text(local_descriptions),
        names=build_local_texts(name, names),
        descriptions=local_descriptions,
    )
