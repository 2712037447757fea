"""Loading of card sets, which are stored after all ideas because their cards refer to ideas."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import bindparam, insert, select

from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import SqlValue, in_list, per_list_size
from abhidhan.records.change_feed import Followed
from abhidhan.records.import_records import IdeaRef, LocatedRecord, NewCardSet, RecordError
from abhidhan.records.kinds.card import CARD_FIELDS
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.local_texts import encode_texts
from abhidhan.schema import card, card_set, idea, idea_alias, source

CARD_COLUMNS = (*list_columns(CARD_FIELDS), "idea_id")
"""The columns of a card whose values come from the file."""

FILLABLE_COLUMNS = ("description", "names", "descriptions")
"""Columns that a record may fill if the stored set lacks them."""

IdeaIds = Mapping[IdeaRef, int]
"""The IDs of existing ideas by their names in the file."""

_IDEAS = per_list_size(
    lambda size: (
        select(idea.c.external_key, idea.c.id)
        .join(source, source.c.id == idea.c.source_id)
        .where(source.c.code == bindparam("source"), in_list(idea.c.external_key, "key", size))
    )
)
_MERGED_IDEAS = per_list_size(
    lambda size: (
        select(idea_alias.c.external_key, idea_alias.c.idea_id)
        .join(source, source.c.id == idea_alias.c.source_id)
        .where(source.c.code == bindparam("source"), in_list(idea_alias.c.external_key, "key", size))
    )
)


def load_card_sets(load: Load, sets: Sequence[tuple[LocatedRecord, NewCardSet]]) -> None:
    """Store card sets; to an existing set, add only the cards whose clues it lacks."""
    ideas = _find_idea_ids(load, (new_card.idea for _, record in sets for new_card in record.cards if new_card.idea))
    for located, record in sets:
        _load_card_set(load, located, record, ideas)


def _find_idea_ids(load: Load, names: Iterable[IdeaRef]) -> IdeaIds:
    keys: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for name in names:
        keys[name.source][name.key] = None
    return {
        IdeaRef(source_code, key): idea_id
        for source_code, of_source in keys.items()
        for query in (_MERGED_IDEAS, _IDEAS)
        for key, idea_id in load.bulk.rows_for_values(query, "key", list(of_source), source=source_code)
    }


def _load_card_set(load: Load, located: LocatedRecord, record: NewCardSet, ideas: IdeaIds) -> None:
    set_id = _load_set(load, located, record)
    stored_cards = load.connection.execute(select(card).where(card.c.card_set_id == set_id)).all()
    clues = {row.clue: row for row in reversed(stored_cards)}
    position = max((row.position for row in stored_cards), default=0)
    rows: list[dict[str, SqlValue]] = []
    for new_card in record.cards:
        if new_card.clue in clues:
            row = clues[new_card.clue]
            stored = {name: getattr(row, name) for name in CARD_COLUMNS}
            load.note_seen("card", row.id)
            values = {name: getattr(new_card, name) for name in list_columns(CARD_FIELDS)}
            values["idea_id"] = ideas.get(new_card.idea) if new_card.idea else None
            load.note_differences(located, card, row.id, stored, values, is_own=load.is_own_source(record.source_id))
            continue
        if load.tombstones.is_card_deleted(set_id, new_card.clue):
            load.withhold(located.file, located.line, f"The flashcard {new_card.clue} was deleted here since.")
            continue
        position += 1
        idea_id = ideas.get(new_card.idea) if new_card.idea else None
        if new_card.idea and idea_id is None:
            detail = f"A card names an idea that does not exist: {new_card.idea.source}:{new_card.idea.key}."
            load.reject(RecordError(located.file, located.line, detail))
        rows.append(
            {
                "card_set_id": set_id,
                "position": position,
                "idea_id": idea_id,
                **{name: getattr(new_card, name) for name in list_columns(CARD_FIELDS)},
            }
        )
    if rows:
        card_ids = load.connection.execute(insert(card).returning(card.c.id), rows).scalars().all()
        for card_id in card_ids:
            load.note_seen("card", card_id, is_new=True)
        load.changes.other_records.add_changed(Followed.CARD, card_ids)
        load.counts["card"] += len(rows)


def _load_set(load: Load, located: LocatedRecord, record: NewCardSet) -> int:
    condition = (card_set.c.source_id == record.source_id) & (card_set.c.external_key == record.key)
    local_set_id = own_keys.find_local_card_set(load, record)
    stored = load.connection.execute(
        select(
            card_set.c.id, card_set.c.name, card_set.c.source_id, *(card_set.c[name] for name in FILLABLE_COLUMNS)
        ).where(condition if local_set_id is None else card_set.c.id == local_set_id)
    ).first()
    texts = {"names": encode_texts(record.names), "descriptions": encode_texts(record.descriptions)}
    if stored is not None:
        stored_values = {name: getattr(stored, name) for name in FILLABLE_COLUMNS}
        values = {"description": record.description, **texts}
        load.note_differences(
            located,
            card_set,
            stored.id,
            stored_values | {"name": stored.name},
            values | {"name": record.name},
            is_own=load.is_own_source(stored.source_id),
        )
        load.note_seen("card_set", stored.id)
        load.fill_row(card_set, stored.id, stored_values, values)
        return int(stored.id)
    set_id = load.card_set_ids.allocate()
    load.note_seen("card_set", set_id, is_new=True)
    load.connection.execute(
        insert(card_set).values(
            id=set_id,
            source_id=record.source_id,
            external_key=record.key,
            language_id=record.language_id,
            answer_language_id=record.answer_language_id,
            name=record.name,
            description=record.description,
            **texts,
        )
    )
    load.counts["card_set"] += 1
    return set_id
