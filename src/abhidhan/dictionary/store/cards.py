"""Flashcards: the sets, and the cards of each in their order."""

from typing import NamedTuple

from sqlalchemy import Integer, bindparam, func, select

from abhidhan.dictionary.model.cards import CardSet
from abhidhan.platform.database.compiled_queries import Query, Row
from abhidhan.platform.database.reader import Reader
from abhidhan.records.local_texts import local_texts, main_text
from abhidhan.schema import card, card_set


class CardRow(NamedTuple):
    """A card as it is stored, with the romanization of its clue where editors gave one."""

    id: int
    clue: str
    roman: str | None
    answer: str
    idea_id: int | None
    picture: str | None


_SETS = Query(
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

_LANGUAGE_OF_SET = Query(select(card_set.c.language_id).where(card_set.c.id == bindparam("id", type_=Integer)))

_CARDS = Query(
    select(card.c.id, card.c.clue, card.c.roman, card.c.answer, card.c.idea_id, card.c.picture)
    .where(card.c.card_set_id == bindparam("id", type_=Integer))
    .order_by(card.c.position)
)


def card_sets(reader: Reader) -> tuple[CardSet, ...]:
    """List all sets with the number of their cards, by ID."""
    return tuple(_card_set(row) for row in reader.rows(_SETS))


def language_of_set(reader: Reader, set_id: int) -> int | None:
    """Return the language of the clues of a set; None when there is no such set."""
    row = reader.row(_LANGUAGE_OF_SET, id=set_id)
    return int(row[0]) if row else None


def cards(reader: Reader, set_id: int) -> list[CardRow]:
    """Read the cards of a set in their order."""
    return [CardRow._make(row) for row in reader.rows(_CARDS, id=set_id)]


def _card_set(row: Row) -> CardSet:
    set_id, name, language_id, answer_language_id, count, description, names, descriptions = row
    described = local_texts(description, descriptions)
    return CardSet(
        id=set_id,
        name=name,
        language_id=language_id,
        answer_language_id=answer_language_id,
        cards=count,
        description=main_text(described),
        names=local_texts(name, names),
        descriptions=described,
    )
