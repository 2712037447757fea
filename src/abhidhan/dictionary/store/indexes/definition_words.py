"""Definition words: the exact keys of the words in the definitions of each idea.

There is no index on the idea, which would double the size of the table: the keys of an idea are computed from its
definitions, and a full scan finds superfluous keys.
"""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, delete, select

from abhidhan.dictionary.store.index import RebuildCursor, StepResult, TransactionRows
from abhidhan.dictionary.store.indexes.derived_table import DerivationSource
from abhidhan.dictionary.store.indexes.record_keys import RecordKey, RecordKeys
from abhidhan.platform.database.bulk import BulkTransaction, build_staging_table
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, per_list_size
from abhidhan.schema import definition, definition_word, idea
from assamese.search_keys import compute_definition_keys

IDEA_BATCH_SIZE: Final = 2000

ROW_BATCH_SIZE: Final = 5000
"""Number of rows scanned in one batch; for each, the keys of its idea's definitions are computed."""


def derive_keys(definitions: Iterable[Row]) -> set[RecordKey]:
    """Return the keys of definitions, given as (idea ID, text), as (key, idea ID)."""
    return {(key, idea_id) for idea_id, text in definitions for key in compute_definition_keys(text)}


DEFINITION_WORDS: Final = RecordKeys(
    definition_word,
    idea,
    DerivationSource(select(definition.c.idea_id, definition.c.text), definition.c.idea_id),
    derive_keys,
)


# --- some ideas -------------------------------------------------------------------------------------------------------

_DEFINITIONS = per_list_size(
    lambda size: select(definition.c.idea_id, definition.c.text).where(in_list(definition.c.idea_id, "idea", size))
)


def stage_keys(bulk: BulkTransaction, definitions: Iterable[Row]) -> None:
    """Stage the keys of new definitions until the end of the load."""
    bulk.insert(build_staging_table(definition_word), [*derive_keys(definitions)])


def replace_keys(bulk: BulkTransaction, idea_id: int, deleted: Iterable[str], definitions: Iterable[str]) -> None:
    """Write the keys of the definitions of an idea, and remove the keys of its deleted definitions."""
    old, new = (derive_keys((idea_id, text) for text in texts) for texts in (deleted, definitions))
    _remove_keys(bulk.connection, old - new)
    # All keys are written, so that an edit repairs missing ones.
    rows = [{"key": key, "idea_id": idea_id} for key, _ in sorted(new)]
    if rows:
        bulk.connection.execute(bulk.build_insert(definition_word).on_conflict_do_nothing(), rows)


def remove_deleted_keys(bulk: BulkTransaction, deleted: Collection[Row]) -> None:
    """Remove the keys of deleted definitions, given as (idea ID, text), unless other definitions have them."""
    for batch in chunks(sorted(deleted)):
        remaining = bulk.rows_for_values(_DEFINITIONS, "idea", sorted({idea_id for idea_id, _ in batch}))
        _remove_keys(bulk.connection, derive_keys(batch) - derive_keys(remaining))


def _remove_keys(connection: Connection, rows: Iterable[RecordKey]) -> None:
    stray = [{"stray": key, "of": idea_id} for key, idea_id in sorted(rows)]
    if stray:
        condition = definition_word.c.key == bindparam("stray"), definition_word.c.idea_id == bindparam("of")
        connection.execute(delete(definition_word).where(*condition), stray)


# --- all ideas --------------------------------------------------------------------------------------------------------

_NEXT_IDEAS = CompiledQuery(
    select(idea.c.id)
    .where(idea.c.id > bindparam("after", type_=Integer))
    .order_by(idea.c.id)
    .limit(bindparam("limit", type_=Integer))
)


def add_missing(connection: Connection, after: RebuildCursor) -> StepResult:
    """Write the missing keys of the next ideas."""
    bulk = BulkTransaction(connection)
    idea_ids = [row[0] for row in bulk.rows(_NEXT_IDEAS, {"after": after[1], "limit": IDEA_BATCH_SIZE})]
    changed = DEFINITION_WORDS.add_missing(bulk, derive_keys(bulk.rows_for_values(_DEFINITIONS, "idea", idea_ids)))
    return StepResult(len(idea_ids), changed, ("", idea_ids[-1]) if len(idea_ids) == IDEA_BATCH_SIZE else None)


def remove_stray(connection: Connection, after: RebuildCursor) -> StepResult:
    """Scan the next rows, and remove those whose idea is deleted or has no such key."""
    rows, cursor = DEFINITION_WORDS.load_next(TransactionRows(connection), after, ROW_BATCH_SIZE)
    definitions = BulkTransaction(connection).rows_for_values(
        _DEFINITIONS, "idea", sorted({idea_id for _, idea_id in rows})
    )
    stray = {*rows} - derive_keys(definitions)
    _remove_keys(connection, stray)
    return StepResult(0, len({idea_id for _, idea_id in stray}), cursor)
