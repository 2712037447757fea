"""Building and storage of completion lists: the first completions of each prefix that many words share.

While any list of a key is missing, none of its lists is used. `updates.py` updates lists when words change.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from sqlalchemy import ColumnElement, Connection, Integer, Text, bindparam, delete, literal_column, select, tuple_

from abhidhan.dictionary.model.completions import PrefixMatch
from abhidhan.dictionary.store.acceleration.completion_lists.lists import (
    CompletionList,
    build_lists,
    find_missing_lists,
    pack_words,
)
from abhidhan.dictionary.store.completions import COLUMNS_BY_CODE, prefix_match_columns, to_prefix_match
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import MAX_CODE_POINT, CompiledQuery, chunks
from abhidhan.platform.database.data_version import increment_data_version
from abhidhan.platform.database.reader import VERSION_QUERY
from abhidhan.schema import completion as table
from abhidhan.schema import word

if TYPE_CHECKING:
    import psycopg

WORD_BATCH_SIZE: Final = 20_000
LIST_BATCH_SIZE: Final = 500


def is_complete(tables: RowSource) -> bool:
    """Return whether all lists are present."""
    return not find_missing_lists(tables.rows)


def disable(connection: Connection) -> None:
    """Disable all lists until `fill` has rebuilt them, which after very many changes costs less than `update_lists`.

    Call this in a transaction that changes words, and so raises the data version; until then, readers rely on the
    cached state.
    """
    connection.execute(delete(table).where(table.c.prefix.in_(COLUMNS_BY_CODE)))


def fill(connection: Connection) -> None:
    """Build the missing lists, those of each key in a separate transaction; no transaction may be open."""
    with connection.begin():
        missing = find_missing_lists(TransactionRows(connection).rows)
    for code in missing:
        unlocked = compare_unlocked(connection, code)
        with connection.begin():
            if unlocked is not None and unlocked.version == _read_version(BulkTransaction(connection)):
                _write_differences(BulkTransaction(connection), code, unlocked.lists)
            else:
                _rebuild(connection, code)
            # From now on, readers use the lists, which may contain other words of equal length than queries return.
            if code == missing[-1]:
                increment_data_version(connection)


class _ListDifferences(NamedTuple):
    """Differences in the lists of a key, and the data version at which they were found."""

    version: int
    lists: list[tuple[str, tuple[PrefixMatch, ...] | None]]


def compare_unlocked(connection: Connection, code: str) -> _ListDifferences | None:
    """Compare the lists of a key with its words while PostgreSQL accepts other writes; return None on SQLite."""
    if connection.dialect.name == "sqlite":
        return None
    driver = cast("psycopg.Connection", connection.connection.driver_connection)
    bulk = BulkTransaction(connection)
    with driver.transaction():
        version = _read_version(bulk)
        return _ListDifferences(
            version, [*_find_differences(TransactionRows(connection), code, _stream_words(bulk, code))]
        )


def _read_version(bulk: BulkTransaction) -> int:
    return int(bulk.rows(VERSION_QUERY, {"id": 1})[0][0])


def find_stale(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the prefixes with a missing, wrong or superfluous list."""
    missing = find_missing_lists(tables.rows)
    for code in (code for code in COLUMNS_BY_CODE if code not in missing):
        for prefix, words in _find_differences(tables, code, _iter_words(tables, code)):
            wrong = "is another" if words is not None else "is of few words"
            yield StaleRecord(f"beginning:{prefix[1:]}", f"the list by {COLUMNS_BY_CODE[code].value} {wrong}")


def rebuild_next(connection: Connection, after: RebuildCursor) -> StepResult:
    """Rebuild the lists of the next key."""
    code = [*COLUMNS_BY_CODE][after[1]]
    changed = _rebuild(connection, code)
    return StepResult(0, changed, ("", after[1] + 1) if after[1] + 1 < len(COLUMNS_BY_CODE) else None)


def _rebuild(connection: Connection, code: str) -> int:
    """Write the missing and wrong lists of one key, and remove superfluous ones; return their number."""
    tables, bulk = TransactionRows(connection), BulkTransaction(connection)
    is_missing = code in find_missing_lists(tables.rows)
    changed = _write_differences(bulk, code, _find_differences(tables, code, _stream_words(bulk, code)))
    return changed + is_missing


def _write_differences(
    bulk: BulkTransaction, code: str, list_differences: Iterable[tuple[str, tuple[PrefixMatch, ...] | None]]
) -> int:
    """Write the differing lists of a key and mark it as complete; return their number."""
    changed = 0
    differences = iter(list_differences)
    while batch := list(islice(differences, LIST_BATCH_SIZE)):
        write_lists(bulk, [CompletionList(prefix, words) for prefix, words in batch if words is not None])
        remove_lists(bulk.connection, [prefix for prefix, words in batch if words is None])
        changed += len(batch)
    write_lists(bulk, [CompletionList(code, ())])
    return changed


def _find_differences(
    tables: RowSource, code: str, sorted_words: Iterator[tuple[str, PrefixMatch]]
) -> Iterator[tuple[str, tuple[PrefixMatch, ...] | None]]:
    """Yield the prefixes whose lists are wrong or missing, with the correct words; None if there should be no list."""
    stored = _load_list_hashes(tables, code)
    for prefix, words in build_lists(sorted_words):
        if stored.pop(code + prefix, None) != hash(pack_words(words)):
            yield code + prefix, words
    for prefix in stored:
        yield prefix, None


def _iter_words(tables: RowSource, code: str) -> Iterator[tuple[str, PrefixMatch]]:
    key, after = "", 0
    while rows := tables.rows(_next_words_query(code), key=key, after=after):
        key, _, _, _, after, _ = rows[-1]
        yield from ((row[0], to_prefix_match(row)) for row in rows)


def _stream_words(bulk: BulkTransaction, code: str) -> Iterator[tuple[str, PrefixMatch]]:
    """Yield all words in the order of a key, for writers: sorting takes two thirds of the time of index reads."""
    for rows in bulk.stream(_sorted_words_query(code)):
        yield from ((row[0], to_prefix_match(row)) for row in rows)


@cache
def _sorted_words_query(code: str) -> CompiledQuery:
    key: ColumnElement[str] = word.c[COLUMNS_BY_CODE[code].value]
    all_words = select(*prefix_match_columns(code))
    # With the concatenation, SQLite does not recognise that an index has this order, and sorts.
    return CompiledQuery(
        all_words.order_by(key.concat(literal_column("''", Text)), word.c.id),
        postgresql=all_words.order_by(key, word.c.id),
    )


@cache
def _next_words_query(code: str) -> CompiledQuery:
    key: ColumnElement[str] = word.c[COLUMNS_BY_CODE[code].value]
    return CompiledQuery(
        select(*prefix_match_columns(code))
        .where(tuple_(key, word.c.id) > tuple_(bindparam("key", type_=Text), bindparam("after", type_=Integer)))
        .order_by(key, word.c.id)
        .limit(WORD_BATCH_SIZE)
    )


_NEXT_LISTS: Final = CompiledQuery(
    select(table.c.prefix, table.c.words)
    .where(table.c.prefix > bindparam("start", type_=Text), table.c.prefix < bindparam("end", type_=Text))
    .order_by(table.c.prefix)
    .limit(LIST_BATCH_SIZE)
)


def _load_list_hashes(tables: RowSource, code: str) -> dict[str, int]:
    """Return the hashes of the lists of one key by prefix: some thousands for a million words."""
    start, hashes = code, dict[str, int]()
    while rows := tables.rows(_NEXT_LISTS, start=start, end=code + MAX_CODE_POINT):
        start = rows[-1][0]
        hashes |= {prefix: hash(words) for prefix, words in rows}
    return hashes


def write_lists(bulk: BulkTransaction, lists: Sequence[CompletionList]) -> None:
    """Write lists, replacing existing ones."""
    insert = bulk.build_insert(table)
    upsert = insert.on_conflict_do_update(index_elements=[table.c.prefix], set_={"words": insert.excluded.words})
    if lists:
        bulk.connection.execute(
            upsert, [{"prefix": word_list.prefix, "words": pack_words(word_list.words)} for word_list in lists]
        )


def remove_lists(connection: Connection, prefixes: Sequence[str]) -> None:
    """Remove the lists of the given prefixes."""
    for batch in chunks(prefixes):
        connection.execute(delete(table).where(table.c.prefix.in_(batch)))
