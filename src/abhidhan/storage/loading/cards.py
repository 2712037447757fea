"""Loading flashcards. Few enough to be stored one set at a time, after every idea is there."""

from sqlalchemy import insert, select

from abhidhan.domain.changes import Followed
from abhidhan.domain.incoming import Fault, Named, NewCardSet, Placed
from abhidhan.domain.records.card import CARD, CARD_SET
from abhidhan.domain.records.fields import columns
from abhidhan.storage.loading.state import Load
from abhidhan.storage.schema import card, card_set, idea, idea_alias, source


def load_card_set(load: Load, placed: Placed, given: NewCardSet) -> None:
    """Store a set of flashcards. Of a set that is there, only cards are added, those whose clue it lacks."""
    set_id = _set_id(load, given)
    there = load.connection.execute(select(card.c.position, card.c.clue).where(card.c.card_set_id == set_id)).all()
    clues = {row.clue for row in there}
    position = max((row.position for row in there), default=0)
    for one in given.cards:
        if one.clue in clues:
            continue
        clues.add(one.clue)
        position += 1
        values = {
            "card_set_id": set_id,
            "position": position,
            "idea_id": _idea_id(load, placed, one.idea) if one.idea else None,
            **{name: getattr(one, name) for name in columns(CARD)},
        }
        made = load.connection.execute(insert(card).values(values).returning(card.c.id))
        load.other.change(Followed.CARD, made.scalars())
        load.counts["card"] += 1


def _set_id(load: Load, given: NewCardSet) -> int:
    known = load.connection.execute(
        select(card_set.c.id, card_set.c.description).where(
            card_set.c.source_id == given.source_id, card_set.c.external_key == given.key
        )
    ).first()
    if known is not None:
        load.fill(card_set, known.id, {"description": known.description}, {"description": given.description})
        return int(known.id)
    set_id = load.card_set_ids.take()
    load.connection.execute(
        insert(card_set).values(
            id=set_id,
            source_id=given.source_id,
            external_key=given.key,
            language_id=given.language_id,
            answer_language_id=given.answer_language_id,
            **{name: getattr(given, name) for name in columns(CARD_SET)},
        )
    )
    load.counts["card_set"] += 1
    return set_id


def _idea_id(load: Load, placed: Placed, name: Named) -> int | None:
    own = select(idea.c.id).join(source, source.c.id == idea.c.source_id)
    merged = select(idea_alias.c.idea_id).join(source, source.c.id == idea_alias.c.source_id)
    found = load.connection.execute(
        own.where(source.c.code == name.source, idea.c.external_key == name.key).union_all(
            merged.where(source.c.code == name.source, idea_alias.c.external_key == name.key)
        )
    ).scalar()
    if found is None:
        load.reject(
            Fault(placed.file, placed.line, f"A card names an idea that does not exist: {name.source}:{name.key}.")
        )
    return found
