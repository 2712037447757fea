"""Parts of speech of words, taken from their ideas, with the alphabetical position of the word.

Words with a meaning without a part of speech are listed under `NO_PART_OF_SPEECH_ID`.

There is no index on the word, which would double the size of the table: the rows of a word are found by its position,
at most one for each part of speech. A full scan finds rows at positions where there is no word.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import (
    Connection,
    Integer,
    LargeBinary,
    Text,
    and_,
    any_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    select,
    tuple_,
    union_all,
)

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import REBUILD_START, RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.dictionary.store.indexes.derived_table import DerivationSource, DerivedRows
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, SqlValue
from abhidhan.records.ids import MAX_ID
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH_ID, ListName
from abhidhan.schema import idea, list_item, sense, word, word_pos

ROW_BATCH_SIZE: Final = 5000
"""Number of rows scanned in one batch."""

_IS_OF_WORD: Final = and_(
    word_pos.c.language_id == word.c.language_id,
    word_pos.c.sort_key == word.c.sort_key,
    word_pos.c.text == word.c.text,
    word_pos.c.word_id == word.c.id,
)
_senses: Final = word.join(sense, sense.c.word_id == word.c.id).join(idea, idea.c.id == sense.c.idea_id)
_POS_ID: Final = func.coalesce(idea.c.pos_id, literal(NO_PART_OF_SPEECH_ID, Integer))
_derived: Final = select(word.c.language_id, _POS_ID, word.c.sort_key, word.c.text, word.c.id).select_from(_senses)
# Each part of speech is looked up at the current position of the word. With a join, into which PostgreSQL also converts
# an IN, an engine may search by language alone, and scan all its words.
_pos_ids: Final = union_all(
    select(list_item.c.id).where(list_item.c.list == ListName.PARTS_OF_SPEECH.value),
    select(literal(NO_PART_OF_SPEECH_ID, Integer)),
)
_positions: Final = select(*word_pos.columns).join_from(word, word_pos, _IS_OF_WORD)
_STORED: Final = DerivationSource(
    _positions.where(word_pos.c.pos_id.in_(_pos_ids)),
    word.c.id,
    postgresql=_positions.where(word_pos.c.pos_id == any_(func.array(_pos_ids.scalar_subquery()))),
)


def derive_positions(senses: Iterable[Row]) -> Iterable[Row]:
    """Return the rows of senses unchanged: (language ID, part-of-speech ID, sort key, text, word ID)."""
    return senses


PARTS_OF_SPEECH: Final = DerivedRows(
    word_pos,
    "word_id",
    word,
    source=DerivationSource(_derived, word.c.id),
    derive=derive_positions,
    stored=_STORED,
)


# --- all words --------------------------------------------------------------------------------------------------------

_AFTER: Final = bindparam("after", type_=Integer)
_MISSING = CompiledQuery(
    _derived.where(
        word.c.id > _AFTER,
        word.c.id <= bindparam("last", type_=Integer),
        ~exists(select(1).select_from(word_pos).where(_IS_OF_WORD, word_pos.c.pos_id == _POS_ID)),
    )
    .distinct()
    .order_by(word.c.id)
)
_IS_CORRECT: Final = exists(select(1).select_from(_senses).where(_IS_OF_WORD, word_pos.c.pos_id == _POS_ID))
_NEXT_ROWS = CompiledQuery(
    select(*word_pos.columns, _IS_CORRECT)
    .where(
        tuple_(*word_pos.primary_key)
        > tuple_(
            bindparam("language_id", type_=Integer),
            bindparam("pos_id", type_=Integer),
            bindparam("sort_key", type_=LargeBinary),
            bindparam("text", type_=Text),
            bindparam("word_id", type_=Integer),
        )
    )
    .order_by(*word_pos.primary_key)
    .limit(bindparam("limit", type_=Integer))
)
_REMOVE: Final = delete(word_pos).where(
    *(column == bindparam(f"old_{column.name}") for column in word_pos.columns), ~_IS_CORRECT
)
_SCAN_START: Final[RebuildCursor] = (0, 0, b"", "", 0)


def find_stale(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the words without a row for one of their parts of speech, and words, even deleted, with superfluous rows.

    Only a full scan finds the rows of deleted or moved words.
    """
    after = 0
    while after < MAX_ID:
        last, _ = PARTS_OF_SPEECH.find_next_range(tables, after)
        for _, pos_id, _, text, word_id in tables.rows(_MISSING, after=after, last=last):
            yield StaleRecord(f"word:{word_id}", f"{text} is missing under part of speech {pos_id}")
        after = last
    cursor: RebuildCursor | None = _SCAN_START
    while cursor is not None:
        stray, cursor = _find_next_stray(tables, cursor)
        for _, pos_id, _, text, word_id in stray:
            yield StaleRecord(f"word:{word_id}", f"{text} should not be listed under part of speech {pos_id}")


def add_missing(connection: Connection, after: RebuildCursor) -> StepResult:
    """Write the missing rows of the next words."""
    tables = TransactionRows(connection)
    last, seen = PARTS_OF_SPEECH.find_next_range(tables, after[1])
    word_ids = {row[-1] for row in tables.rows(_MISSING, after=after[1], last=last)}
    PARTS_OF_SPEECH.update_rows(connection, word_ids)
    return StepResult(seen, len(word_ids), ("", last) if last < MAX_ID else None)


def remove_stray(connection: Connection, after: RebuildCursor) -> StepResult:
    """Scan the next rows, and remove the superfluous ones."""
    stray, cursor = _find_next_stray(TransactionRows(connection), _SCAN_START if after == REBUILD_START else after)
    word_ids = {row[-1] for row in stray}
    if stray:
        connection.execute(_REMOVE, [*map(_to_old_values, stray)])
    return StepResult(0, len(word_ids), cursor)


def _find_next_stray(tables: RowSource, after: RebuildCursor) -> tuple[list[Row], RebuildCursor | None]:
    """Scan the next rows; return the superfluous ones, and the cursor for the rows after them."""
    rows = tables.rows(_NEXT_ROWS, **dict(zip(word_pos.columns.keys(), after, strict=True)), limit=ROW_BATCH_SIZE)
    stray = [row[:-1] for row in rows if not row[-1]]
    return stray, rows[-1][:-1] if len(rows) == ROW_BATCH_SIZE else None


def _to_old_values(row: Row) -> dict[str, SqlValue]:
    return {f"old_{name}": value for name, value in zip(word_pos.columns.keys(), row, strict=True)}
