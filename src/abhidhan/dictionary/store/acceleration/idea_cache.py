"""Cache of the JSON fragments of ideas, one row each, so that look-ups need not read the tables of details.

A transaction that changes the data of an idea also invalidates its row, and a missing row is replaced by a read of the
tables until it is written again, so responses are never out of date.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    bindparam,
    delete,
    exists,
    func,
    literal_column,
    select,
)

from abhidhan.dictionary.model.idea_json import IdeaJSON, build_default_lines
from abhidhan.dictionary.store.idea_details import FirstWordsCache, RowSource, load_uncached_ideas
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import (
    LIST_SIZES,
    CompiledQuery,
    chunks,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import ChangeSet
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.invalidation import AffectedRecords, collect_affected_records
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import idea, idea_context, idea_relation, sense, state, word
from abhidhan.schema import idea_cache as table

FORMAT_VERSION: Final = 5
"""Version of the cached format. Rows of another version count as missing; raise it when responses change."""

BATCH_SIZE: Final = 64
"""Number of ideas read in one batch; the largest ones have a thousand words and hundreds of relations."""

TRANSACTION_BATCH_SIZE: Final = 500
"""Number of ideas cached in one transaction, for which other writers wait less than half a second."""

MAX_IDEAS_PER_EDIT: Final = 256
"""Maximum number of ideas that an edit caches again; the rows of further ideas are missing until `fill` runs."""

CACHED_COLUMNS: Final = tuple(table.c[name] for name in IdeaJSON._fields)
"""Columns of cached data, in the order of IdeaJSON."""

IS_CACHED: Final[ColumnElement[bool]] = table.c.form == literal_column(str(FORMAT_VERSION), Integer)
"""Condition for a valid row. The version is a literal in the statement; binding it for every look-up takes time."""

# --- writing and invalidating -----------------------------------------------------------------------------------------


def refresh(connection: Connection, change_set: ChangeSet) -> None:
    """Cache the ideas that an edit has changed. This is a subscriber of the history."""
    affected = collect_affected_records(change_set.changes)
    invalidate_by_list_values(connection, affected.list_values)
    ideas = affected_ideas(connection, affected)
    _remove(connection, ideas[MAX_IDEAS_PER_EDIT:])
    _write(connection, ideas[:MAX_IDEAS_PER_EDIT])


def affected_ideas(connection: Connection, affected: AffectedRecords) -> list[int]:
    """List the ideas whose responses a change affects, except ideas that only contain the name of a changed list value.

    Ideas that were changed directly come first, as they are most likely read next.
    """
    ideas = affected.ideas | {*_iter_ideas_of_words(connection, sorted(affected.words))}
    return [*sorted(ideas), *sorted({*_iter_related_ideas(connection, sorted(ideas))} - ideas)]


def invalidate(connection: Connection, idea_ids: Iterable[int], word_ids: Iterable[int] = ()) -> IdSet:
    """Invalidate ideas, the ideas of words, and all ideas related to these; return the IDs of all of them."""
    changed_ids = IdSet(idea_ids)
    for batch in _batches(word_ids):
        changed_ids.update(_iter_ideas_of_words(connection, batch))
    affected_ids = IdSet(changed_ids)
    for batch in _batches(changed_ids):
        affected_ids.update(_iter_related_ideas(connection, batch))
    if _is_any_cached(connection):
        for batch in _batches(affected_ids):
            _remove(connection, batch)
    return affected_ids


def invalidate_selected(connection: Connection, query: Select[tuple[int]]) -> None:
    """Invalidate only the ideas whose IDs a select returns, in one statement."""
    connection.execute(delete(table).where(table.c.idea_id.in_(query)))


def invalidate_all(connection: Connection) -> None:
    """Invalidate all ideas, after the change of a name that any of them may contain."""
    connection.execute(delete(table))


def _write(connection: Connection, idea_ids: Sequence[int]) -> None:
    """Write the rows of ideas; skip ideas that do not exist."""
    if not idea_ids:
        return
    bulk = BulkTransaction(connection)
    tables = TransactionRows(connection)
    for batch in chunks(idea_ids, BATCH_SIZE):
        ideas = load_uncached_ideas(tables, batch)
        _remove(connection, batch)
        _insert(bulk, ideas)


def fill(connection: Connection, on_step: Callable[[int], None] = lambda _: None) -> None:
    """Cache all missing ideas, in separate transactions; no transaction may be open.

    `on_step` is called after each transaction with the number of ideas cached.
    """
    after: int | None = 0
    first_words = FirstWordsCache()
    while after is not None:
        with connection.begin():
            ideas = _fill_batch(connection, after, first_words)
        on_step(len(ideas))
        after = ideas[-1] if ideas else None


def _fill_batch(connection: Connection, after: int, first_words: FirstWordsCache) -> list[int]:
    """Cache some of the missing ideas above an ID; return their IDs."""
    tables, bulk = TransactionRows(connection), BulkTransaction(connection)
    ideas = [int(row[0]) for row in tables.rows(_MISSING, after=after, limit=TRANSACTION_BATCH_SIZE)]
    if ideas:
        first_words.clear_if_outdated(connection.execute(select(state.c.data_version)).scalar_one())
        outdated = table.c.form != FORMAT_VERSION
        connection.execute(delete(table).where(table.c.idea_id.between(ideas[0], ideas[-1]), outdated))
    for batch in chunks(ideas, BATCH_SIZE):
        _insert(bulk, load_uncached_ideas(tables, batch, first_words))
    return ideas


def _insert(bulk: BulkTransaction, ideas: Mapping[int, IdeaJSON]) -> None:
    bulk.insert(table, [(idea_id, FORMAT_VERSION, *_add_lines(idea_json)) for idea_id, idea_json in ideas.items()])


def _add_lines(idea: IdeaJSON) -> IdeaJSON:
    """Add the usual lines to an idea; ideas that are read directly from the tables have none."""
    return idea._replace(lines=build_default_lines(idea))


class MissingIdeas(NamedTuple):
    """Missing ideas read from one snapshot, and its data version."""

    version: int
    ideas: Mapping[int, IdeaJSON]


def load_missing(connection: ReadConnection, after: int) -> MissingIdeas:
    """Load some of the missing ideas above an ID; the reader must be a snapshot."""
    version = connection.read_data_version()
    ideas = [int(row[0]) for row in connection.rows(_MISSING, after=after, limit=BATCH_SIZE)]
    return MissingIdeas(version, load_uncached_ideas(connection, ideas) if ideas else {})


def write_missing(connection: Connection, missing: MissingIdeas) -> bool:
    """Cache ideas read before this transaction; return False, without writing, if the data have changed since.

    Other writers thus wait for a few rows to be written, not for a thousand to be read.
    """
    if connection.execute(select(state.c.data_version)).scalar() != missing.version:
        return False
    _remove(connection, [*missing.ideas])
    _insert(BulkTransaction(connection), missing.ideas)
    return True


def is_any_missing(tables: RowSource) -> bool:
    """Return whether any idea is missing in the cache, so that look-ups must read its data from the tables."""
    return bool(tables.rows(_MISSING, after=0, limit=1))


def count_missing(tables: RowSource) -> int:
    """Count the ideas that are missing in the cache."""
    return int(tables.rows(_COUNT_OF_MISSING)[0][0])


def find_stale(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the ideas whose cached data are wrong, and cached ideas that no longer exist."""
    after = 0
    while rows := tables.rows(_CACHED_IDS, after=after, limit=TRANSACTION_BATCH_SIZE):
        after = rows[-1][0]
        for idea_id in _iter_stale_ids(tables, [row[0] for row in rows]):
            yield StaleRecord(f"idea:{idea_id}", "its responses may be out of date")


def rebuild_next(connection: Connection, after: RebuildCursor) -> StepResult:
    """Write the missing and stale rows of the next ideas; at the end, remove the rows of deleted ideas."""
    tables = TransactionRows(connection)
    ideas = [int(row[0]) for row in tables.rows(_IDEAS, after=after[1], limit=TRANSACTION_BATCH_SIZE)]
    if not ideas:
        statement = delete(table).where(~exists().where(idea.c.id == table.c.idea_id))
        return StepResult(0, connection.execute(statement).rowcount, None)
    rows = tables.rows(_MISSING, after=after[1], limit=TRANSACTION_BATCH_SIZE)
    wrong = sorted({row[0] for row in rows if row[0] <= ideas[-1]} | {*_iter_stale_ids(tables, ideas)})
    _write(connection, wrong)
    return StepResult(len(ideas), len(wrong), ("", ideas[-1]))


def _iter_stale_ids(tables: RowSource, ideas: Sequence[int]) -> Iterator[int]:
    for batch in chunks(ideas, BATCH_SIZE):
        cached = tables.rows(_CACHED(len(batch)), **list_params("id", batch))
        current = load_uncached_ideas(tables, [row[0] for row in cached])
        yield from (
            idea_id
            for idea_id, *columns in cached
            if idea_id not in current or _add_lines(current[idea_id]) != tuple(columns)
        )


_AFTER: Final = bindparam("after", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)
_IDEAS = CompiledQuery(select(idea.c.id).where(idea.c.id > _AFTER).order_by(idea.c.id).limit(_LIMIT))
_CACHED_IDS = CompiledQuery(
    select(table.c.idea_id).where(table.c.idea_id > _AFTER).order_by(table.c.idea_id).limit(_LIMIT)
)
_CACHED = per_list_size(
    lambda size: select(table.c.idea_id, *CACHED_COLUMNS).where(in_list(table.c.idea_id, "id", size), IS_CACHED)
)
_COUNT_OF_MISSING = CompiledQuery(
    select(func.count()).select_from(idea).where(~exists().where(table.c.idea_id == idea.c.id, IS_CACHED))
)
_MISSING = CompiledQuery(
    select(idea.c.id)
    .where(idea.c.id > _AFTER, ~exists().where(table.c.idea_id == idea.c.id, IS_CACHED))
    .order_by(idea.c.id)
    .limit(_LIMIT)
)


def _is_any_cached(connection: Connection) -> bool:
    return connection.execute(select(table.c.idea_id).limit(1)).first() is not None


def _remove(connection: Connection, idea_ids: Sequence[int]) -> None:
    for batch in chunks(idea_ids):
        connection.execute(delete(table).where(table.c.idea_id.in_(batch)))


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    """Split IDs into lists of a size that one statement accepts."""
    remaining = iter(ids)
    while batch := list(islice(remaining, LIST_SIZES[-1])):
        yield batch


def _iter_ideas_of_words(connection: Connection, word_ids: Sequence[int]) -> Iterator[int]:
    for batch in chunks(word_ids):
        yield from connection.execute(select(sense.c.idea_id).where(sense.c.word_id.in_(batch))).scalars()


def _iter_related_ideas(connection: Connection, idea_ids: Sequence[int]) -> Iterator[int]:
    """Yield the ideas that show words of the given ideas: each relation is stored for both of its ideas."""
    relation = idea_relation
    for batch in chunks(idea_ids):
        yield from connection.execute(select(relation.c.other_id).where(relation.c.idea_id.in_(batch))).scalars()


def invalidate_by_list_values(connection: Connection, list_values: Iterable[tuple[str, int]]) -> None:
    """Invalidate the ideas whose responses contain list values, given as (list, ID); there may be very many."""
    for list_name, item_id in list_values:
        idea_ids = _IDEAS_BY_LIST.get(list_name)
        if idea_ids is not None:
            connection.execute(delete(table).where(table.c.idea_id.in_(idea_ids)), {"item_id": item_id})


_ITEM: Final = bindparam("item_id", type_=Integer)
_IDEAS_BY_LIST: Final[Mapping[str, Select[tuple[int]]]] = {
    ListName.CONTEXTS: select(idea_context.c.idea_id).where(idea_context.c.context_id == _ITEM),
    ListName.RELATIONS: select(idea_relation.c.idea_id).where(idea_relation.c.type_id == _ITEM),
    ListName.VARIANTS: select(sense.c.idea_id)
    .join(word, word.c.id == sense.c.word_id)
    .where(word.c.variant_id == _ITEM),
}
"""Statements that select the ideas whose responses contain a value of a list; other lists are not cached."""
