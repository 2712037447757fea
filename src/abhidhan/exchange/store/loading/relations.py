"""Loading of relations, which are stored last because they may refer to later ideas."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, delete, exists, func, or_, select

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.exchange.store.loading.load_context import IDS_AT_ONCE, Load
from abhidhan.platform.database.bulk import staged_relation
from abhidhan.platform.database.compiled_queries import Row, chunks
from abhidhan.records.change_feed import Followed
from abhidhan.records.import_records import Fault

_stage, _own, _alias, _source = staged_relation, schema.idea.alias("own"), schema.idea_alias, schema.source
_idea, _holder = schema.idea, schema.idea.alias("holder")

_TARGET = (
    _stage.join(_holder, _holder.c.id == _stage.c.idea_id)
    .join(_source, _source.c.code == _stage.c.source, isouter=True)
    .join(_own, (_own.c.source_id == _source.c.id) & (_own.c.external_key == _stage.c.key), isouter=True)
    .join(_alias, (_alias.c.source_id == _source.c.id) & (_alias.c.external_key == _stage.c.key), isouter=True)
    .join(_idea, _idea.c.id == func.coalesce(_own.c.id, _alias.c.idea_id), isouter=True)
)
"""Staged relations whose own idea exists, joined with the target."""

_THERE = _idea.c.id != _stage.c.idea_id


class _Staged(NamedTuple):
    """A staged relation, by its identifying columns."""

    file: str
    line: int
    idea_id: int
    type_id: int
    source: str
    key: str


_OF_STAGED = [_stage.c[name] for name in _Staged._fields]


def settle_relations(load: Load) -> None:
    """Store each staged relation and its inverse; report those without a target.

    Relations of an idea that was removed since it was loaded are dropped.
    """
    load.bulk.look_at(_stage)
    _withhold_removed(load)
    forward = select(_stage.c.idea_id, _stage.c.type_id, _idea.c.id).select_from(_TARGET).where(_THERE)
    back = (
        select(_idea.c.id, _stage.c.inverse_id, _stage.c.idea_id)
        .select_from(_TARGET)
        .where(_THERE, _stage.c.inverse_id.is_not(None))
    )
    _note_ends(load, select(_stage.c.idea_id, _idea.c.id).select_from(_TARGET).where(_THERE, _is_lacking(_idea.c.id)))
    for chosen in (forward, back):
        load.counts["idea_relation"] += load.bulk.merge(schema.idea_relation, chosen)
    if load.counts["idea_relation"]:
        for end in (_stage.c.idea_id, _idea.c.id):
            idea_cache.invalidate_chosen(load.connection, select(end).select_from(_TARGET).where(_THERE))
    _tell_dangling(load)
    if load.differences is not None and load.differences.mirror:
        given = {tuple(row) for chosen in (forward, back) for row in load.connection.execute(chosen)}
        load.differences.relations = _lacking(load, given, load.differences.sources) if given else []


def _lacking(load: Load, given: set[Row], sources: Collection[int]) -> list[tuple[int, int, int]]:
    """Return the relations between ideas of the sources that a file does not give."""
    relation, other = schema.idea_relation, schema.idea.alias()
    ends = relation.join(_idea, _idea.c.id == relation.c.idea_id).join(other, other.c.id == relation.c.other_id)
    chosen = select(relation.c.idea_id, relation.c.type_id, relation.c.other_id).select_from(ends)
    own = chosen.where(_idea.c.source_id.in_(sources), other.c.source_id.in_(sources))
    return [(row[0], row[1], row[2]) for row in load.connection.execute(own) if tuple(row) not in given]


def _withhold_removed(load: Load) -> None:
    """Drop and report staged relations that users have removed here."""
    removed = {(one.idea_id, one.type_id, one.other_id) for one in load.removed.relations()}
    ends = sorted({end for first, _, second in removed for end in (first, second)})
    withheld: list[_Staged] = []
    for some in chunks(ends):
        chosen = (
            select(*_OF_STAGED, _stage.c.inverse_id, _idea.c.id)
            .select_from(_TARGET)
            .where(_stage.c.idea_id.in_(some), _THERE, _is_lacking(_idea.c.id))
            .order_by(_stage.c.file, _stage.c.line)
        )
        for *staged, inverse_id, other_id in load.connection.execute(chosen):
            one = _Staged(*staged)
            if not removed.isdisjoint(((one.idea_id, one.type_id, other_id), (other_id, inverse_id, one.idea_id))):
                withheld.append(one)
    for one in withheld:
        load.withhold(one.file, one.line, f"The relation to {one.source}:{one.key} was removed here since.")
    if withheld:
        same = (column == bindparam(f"of_{column.name}") for column in _OF_STAGED)
        given = [{f"of_{name}": value for name, value in one._asdict().items()} for one in withheld]
        load.connection.execute(delete(_stage).where(*same), given)


def _tell_dangling(load: Load) -> None:
    """Reject relations to ideas that do not exist, and withhold those to ideas that were deleted here."""
    dangling = (
        select(_stage.c.file, _stage.c.line, _stage.c.source, _stage.c.key)
        .select_from(_TARGET)
        .where(_idea.c.id.is_(None))
        .order_by(_stage.c.file, _stage.c.line)
    )
    for row in load.connection.execute(dangling):
        source_id = load.names.sources.get(row.source)
        if source_id is not None and load.removed.has_idea(load.source_in_history(source_id), row.key):
            load.withhold(row.file, row.line, f"The idea {row.source}:{row.key}, to which it is related, was deleted.")
            continue
        detail = f"The idea is related to one that does not exist: {row.source}:{row.key}."
        load.reject(Fault(row.file, row.line, detail))


def _is_lacking(other_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the SQL condition that a staged relation to an idea, or its inverse, is not yet stored."""
    relation = schema.idea_relation
    forward = exists().where(
        relation.c.idea_id == _stage.c.idea_id, relation.c.type_id == _stage.c.type_id, relation.c.other_id == other_id
    )
    back = exists().where(
        relation.c.idea_id == other_id,
        relation.c.type_id == _stage.c.inverse_id,
        relation.c.other_id == _stage.c.idea_id,
    )
    return or_(~forward, _stage.c.inverse_id.is_not(None) & ~back)


def _note_ends(load: Load, ends: Select[int, int]) -> None:
    """Record the ideas at both ends of new relations, in batches, since there may be a great number."""
    for row in load.connection.execute(ends, execution_options={"yield_per": IDS_AT_ONCE}):
        load.touched.others.change(Followed.IDEA, row)
