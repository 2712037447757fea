"""Loading of relations, which are stored last because they may refer to later ideas."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, delete, exists, func, or_, select

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.exchange.store.loading.load_context import IDS_BATCH_SIZE, Load
from abhidhan.platform.database.bulk import staged_relation
from abhidhan.platform.database.compiled_queries import Row, chunks
from abhidhan.records.change_feed import Followed
from abhidhan.records.import_records import RecordError

_stage, _own, _alias, _source = staged_relation, schema.idea.alias("own"), schema.idea_alias, schema.source
_idea, _origin = schema.idea, schema.idea.alias("holder")

_WITH_TARGET = (
    _stage.join(_origin, _origin.c.id == _stage.c.idea_id)
    .join(_source, _source.c.code == _stage.c.source, isouter=True)
    .join(_own, (_own.c.source_id == _source.c.id) & (_own.c.external_key == _stage.c.key), isouter=True)
    .join(_alias, (_alias.c.source_id == _source.c.id) & (_alias.c.external_key == _stage.c.key), isouter=True)
    .join(_idea, _idea.c.id == func.coalesce(_own.c.id, _alias.c.idea_id), isouter=True)
)
"""Staged relations whose idea still exists, joined with the idea that they refer to."""

_HAS_TARGET = _idea.c.id != _stage.c.idea_id


class _StagedRelation(NamedTuple):
    """A staged relation, by its identifying columns."""

    file: str
    line: int
    idea_id: int
    type_id: int
    source: str
    key: str


_STAGED_COLUMNS = [_stage.c[name] for name in _StagedRelation._fields]


def store_relations(load: Load) -> None:
    """Store each staged relation and its inverse; report those without a target.

    Relations of an idea that was removed after it had been loaded are dropped.
    """
    load.bulk.analyze(_stage)
    _withhold_removed(load)
    forward = select(_stage.c.idea_id, _stage.c.type_id, _idea.c.id).select_from(_WITH_TARGET).where(_HAS_TARGET)
    back = (
        select(_idea.c.id, _stage.c.inverse_id, _stage.c.idea_id)
        .select_from(_WITH_TARGET)
        .where(_HAS_TARGET, _stage.c.inverse_id.is_not(None))
    )
    _note_ends(
        load,
        select(_stage.c.idea_id, _idea.c.id).select_from(_WITH_TARGET).where(_HAS_TARGET, _is_unstored(_idea.c.id)),
    )
    for chosen in (forward, back):
        load.counts["idea_relation"] += load.bulk.merge(schema.idea_relation, chosen)
    if load.counts["idea_relation"]:
        for end in (_stage.c.idea_id, _idea.c.id):
            idea_cache.invalidate_selected(load.connection, select(end).select_from(_WITH_TARGET).where(_HAS_TARGET))
    _reject_dangling(load)
    if load.differences is not None and load.differences.mirror:
        file_relations = {tuple(row) for chosen in (forward, back) for row in load.connection.execute(chosen)}
        load.differences.absent_relations = (
            _find_absent(load, file_relations, load.differences.sources) if file_relations else []
        )


def _find_absent(load: Load, file_relations: set[Row], sources: Collection[int]) -> list[tuple[int, int, int]]:
    """Return the stored relations between ideas of the sources that are not in the file."""
    relation, other = schema.idea_relation, schema.idea.alias()
    ends = relation.join(_idea, _idea.c.id == relation.c.idea_id).join(other, other.c.id == relation.c.other_id)
    chosen = select(relation.c.idea_id, relation.c.type_id, relation.c.other_id).select_from(ends)
    own_relations = chosen.where(_idea.c.source_id.in_(sources), other.c.source_id.in_(sources))
    return [
        (row[0], row[1], row[2]) for row in load.connection.execute(own_relations) if tuple(row) not in file_relations
    ]


def _withhold_removed(load: Load) -> None:
    """Drop and report staged relations that users have removed here."""
    removed = {
        (relation.idea_id, relation.type_id, relation.other_id) for relation in load.tombstones.iter_removed_relations()
    }
    ends = sorted({end for first, _, second in removed for end in (first, second)})
    withheld: list[_StagedRelation] = []
    for batch in chunks(ends):
        chosen = (
            select(*_STAGED_COLUMNS, _stage.c.inverse_id, _idea.c.id)
            .select_from(_WITH_TARGET)
            .where(_stage.c.idea_id.in_(batch), _HAS_TARGET, _is_unstored(_idea.c.id))
            .order_by(_stage.c.file, _stage.c.line)
        )
        for *staged, inverse_id, other_id in load.connection.execute(chosen):
            relation = _StagedRelation(*staged)
            if not removed.isdisjoint(
                ((relation.idea_id, relation.type_id, other_id), (other_id, inverse_id, relation.idea_id))
            ):
                withheld.append(relation)
    for relation in withheld:
        load.withhold(
            relation.file, relation.line, f"The relation to {relation.source}:{relation.key} was removed here since."
        )
    if withheld:
        same = (column == bindparam(f"of_{column.name}") for column in _STAGED_COLUMNS)
        parameters = [{f"of_{name}": value for name, value in relation._asdict().items()} for relation in withheld]
        load.connection.execute(delete(_stage).where(*same), parameters)


def _reject_dangling(load: Load) -> None:
    """Reject relations to ideas that do not exist, and withhold those to ideas that were deleted here."""
    dangling = (
        select(_stage.c.file, _stage.c.line, _stage.c.source, _stage.c.key)
        .select_from(_WITH_TARGET)
        .where(_idea.c.id.is_(None))
        .order_by(_stage.c.file, _stage.c.line)
    )
    for row in load.connection.execute(dangling):
        source_id = load.names.sources.get(row.source)
        if source_id is not None and load.tombstones.is_idea_deleted(load.history_source_id(source_id), row.key):
            load.withhold(row.file, row.line, f"The idea {row.source}:{row.key}, to which it is related, was deleted.")
            continue
        detail = f"The idea is related to one that does not exist: {row.source}:{row.key}."
        load.reject(RecordError(row.file, row.line, detail))


def _is_unstored(other_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the SQL condition that a staged relation to an idea or its inverse is not stored yet."""
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
    """Record the ideas at both ends of new relations as changed, in batches, since there may be many."""
    for row in load.connection.execute(ends, execution_options={"yield_per": IDS_BATCH_SIZE}):
        load.changes.other_records.add_changed(Followed.IDEA, row)
