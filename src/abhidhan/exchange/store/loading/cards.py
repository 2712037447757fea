"""Loading of card sets after all ideas are stored, one set at a time; the ideas of all cards are found first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import bindparam, insert, select

from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import Value, by_size, in_list
from abhidhan.records.change_feed import Followed
from abhidhan.records.import_records import Fault, Named, NewCardSet, Placed
from abhidhan.records.kinds.card import CARD
from abhidhan.records.kinds.fields import columns
from abhidhan.records.local_texts import encode_texts
from abhidhan.schema import card, card_set, idea, idea_alias, source

GIVEN = (*columns(CARD), "idea_id")
"""The columns of a card that files have."""

FILLED = ("description", "names", "descriptions")
"""Columns that a record may fill if the stored set lacks them."""

IdeaIds = Mapping[Named, int]
"""The IDs of ideas by name; names without an idea are missing."""

_IDEAS = by_size(
    lambda size: (
        select(idea.c.external_key, idea.c.id)
        .join(source, source.c.id == idea.c.source_id)
        .where(source.c.code == bindparam("source"), in_list(idea.c.external_key, "key", size))
    )
)
_MERGED_IDEAS = by_size(
    lambda size: (
        select(idea_alias.c.external_key, idea_alias.c.idea_id)
        .join(source, source.c.id == idea_alias.c.source_id)
        .where(source.c.code == bindparam("source"), in_list(idea_alias.c.external_key, "key", size))
    )
)


def load_card_sets(load: Load, sets: Sequence[tuple[Placed, NewCardSet]]) -> None:
    """Store card sets; to an existing set, add only the cards whose clues it lacks."""
    ideas = _find_ideas(load, (one.idea for _, given in sets for one in given.cards if one.idea))
    for placed, given in sets:
        _load_card_set(load, placed, given, ideas)


def _find_ideas(load: Load, names: Iterable[Named]) -> IdeaIds:
    keys: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for name in names:
        keys[name.source][name.key] = None
    return {
        Named(source_code, key): idea_id
        for source_code, of_source in keys.items()
        for query in (_MERGED_IDEAS, _IDEAS)
        for key, idea_id in load.bulk.rows_among(query, "key", list(of_source), source=source_code)
    }


def _load_card_set(load: Load, placed: Placed, given: NewCardSet, ideas: IdeaIds) -> None:
    set_id = _set_id(load, placed, given)
    there = load.connection.execute(select(card).where(card.c.card_set_id == set_id)).all()
    clues = {row.clue: row for row in reversed(there)}
    position = max((row.position for row in there), default=0)
    rows: list[dict[str, Value]] = []
    for one in given.cards:
        if one.clue in clues:
            row = clues[one.clue]
            known = {name: getattr(row, name) for name in GIVEN}
            load.note_seen("card", row.id)
            told = {name: getattr(one, name) for name in columns(CARD)}
            told["idea_id"] = ideas.get(one.idea) if one.idea else None
            load.note_differences(placed, card, row.id, known, told, is_own=load.is_own(given.source_id))
            continue
        if load.removed.has_card(set_id, one.clue):
            load.withhold(placed.file, placed.line, f"The flashcard {one.clue} was deleted here since.")
            continue
        position += 1
        idea_id = ideas.get(one.idea) if one.idea else None
        if one.idea and idea_id is None:
            detail = f"A card names an idea that does not exist: {one.idea.source}:{one.idea.key}."
            load.reject(Fault(placed.file, placed.line, detail))
        rows.append(
            {
                "card_set_id": set_id,
                "position": position,
                "idea_id": idea_id,
                **{name: getattr(one, name) for name in columns(CARD)},
            }
        )
    if rows:
        made = load.connection.execute(insert(card).returning(card.c.id), rows).scalars().all()
        for card_id in made:
            load.note_seen("card", card_id, is_new=True)
        load.touched.others.change(Followed.CARD, made)
        load.counts["card"] += len(rows)


def _set_id(load: Load, placed: Placed, given: NewCardSet) -> int:
    named = (card_set.c.source_id == given.source_id) & (card_set.c.external_key == given.key)
    written_here = own_keys.known_set(load, given)
    known = load.connection.execute(
        select(card_set.c.id, card_set.c.name, card_set.c.source_id, *(card_set.c[name] for name in FILLED)).where(
            named if written_here is None else card_set.c.id == written_here
        )
    ).first()
    texts = {"names": encode_texts(given.names), "descriptions": encode_texts(given.descriptions)}
    if known is not None:
        there = {name: getattr(known, name) for name in FILLED}
        told = {"description": given.description, **texts}
        load.note_differences(
            placed,
            card_set,
            known.id,
            there | {"name": known.name},
            told | {"name": given.name},
            is_own=load.is_own(known.source_id),
        )
        load.note_seen("card_set", known.id)
        load.fill(card_set, known.id, there, told)
        return int(known.id)
    set_id = load.card_set_ids.take()
    load.note_seen("card_set", set_id, is_new=True)
    load.connection.execute(
        insert(card_set).values(
            id=set_id,
            source_id=given.source_id,
            external_key=given.key,
            language_id=given.language_id,
            answer_language_id=given.answer_language_id,
            name=given.name,
            description=given.description,
            **texts,
        )
    )
    load.counts["card_set"] += 1
    return set_id
