"""Relations, which are stored last: they lead to ideas that may come later."""

from sqlalchemy import ColumnElement, Select, exists, func, or_, select

from abhidhan.domain.changes import Followed
from abhidhan.domain.incoming import Fault
from abhidhan.storage import schema
from abhidhan.storage.engine.bulk import staged_relation
from abhidhan.storage.indexes import idea_cache
from abhidhan.storage.loading.state import IDS_AT_ONCE, Load


def settle_relations(load: Load) -> None:
    """Store each staged relation, and its inverse with the other idea; report those that lead nowhere.

    Of an idea that somebody has removed since it was loaded, none is left.
    """
    stage, own, alias, source = staged_relation, schema.idea.alias("own"), schema.idea_alias, schema.source
    idea, holder = schema.idea, schema.idea.alias("holder")
    load.bulk.look_at(stage)
    target = (
        stage.join(holder, holder.c.id == stage.c.idea_id)
        .join(source, source.c.code == stage.c.source, isouter=True)
        .join(own, (own.c.source_id == source.c.id) & (own.c.external_key == stage.c.key), isouter=True)
        .join(alias, (alias.c.source_id == source.c.id) & (alias.c.external_key == stage.c.key), isouter=True)
        .join(idea, idea.c.id == func.coalesce(own.c.id, alias.c.idea_id), isouter=True)
    )
    there = idea.c.id != stage.c.idea_id
    forward = select(stage.c.idea_id, stage.c.type_id, idea.c.id).select_from(target).where(there)
    back = (
        select(idea.c.id, stage.c.inverse_id, stage.c.idea_id)
        .select_from(target)
        .where(there, stage.c.inverse_id.is_not(None))
    )
    _note_ends(load, select(stage.c.idea_id, idea.c.id).select_from(target).where(there, _is_lacking(idea.c.id)))
    for chosen in (forward, back):
        load.counts["idea_relation"] += load.bulk.merge(schema.idea_relation, chosen)
    if load.counts["idea_relation"]:
        for end in (stage.c.idea_id, idea.c.id):
            idea_cache.invalidate_chosen(load.connection, select(end).select_from(target).where(there))
    dangling = (
        select(stage.c.file, stage.c.line, stage.c.source, stage.c.key)
        .select_from(target)
        .where(idea.c.id.is_(None))
        .order_by(stage.c.file, stage.c.line)
    )
    for row in load.connection.execute(dangling):
        detail = f"The idea is related to one that does not exist: {row.source}:{row.key}."
        # An idea of another source may well be there when this file is imported into a dictionary that has it.
        load.reject(Fault(row.file, row.line, detail, is_of_dictionary=row.source not in load.names.sources))


def _is_lacking(other_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Say that a staged relation to an idea, or its inverse, is not there yet."""
    stage, relation = staged_relation, schema.idea_relation
    forward = exists().where(
        relation.c.idea_id == stage.c.idea_id, relation.c.type_id == stage.c.type_id, relation.c.other_id == other_id
    )
    back = exists().where(
        relation.c.idea_id == other_id,
        relation.c.type_id == stage.c.inverse_id,
        relation.c.other_id == stage.c.idea_id,
    )
    return or_(~forward, stage.c.inverse_id.is_not(None) & ~back)


def _note_ends(load: Load, ends: Select[int, int]) -> None:
    """Note the ideas at both ends of new relations; they come last, and may be very many."""
    for row in load.connection.execute(ends, execution_options={"yield_per": IDS_AT_ONCE}):
        load.touched.others.change(Followed.IDEA, row)
