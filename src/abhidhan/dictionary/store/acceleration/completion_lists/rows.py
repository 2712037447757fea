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
    missing_lists,
    pack_words,
)
from abhidhan.dictionary.store.completions import COLUMNS, prefix_match, prefix_match_columns
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import MAX_CODE_POINT, CompiledQuery, chunks
from abhidhan.platform.database.data_version import increment_data_version
from abhidhan.platform.database.reader import READ_VERSION
from abhidhan.schema import completion as table
from abhidhan.schema import word

if TYPE_CHECKING:
    import psycopg

WORD_BATCH_SIZE: Final = 20_000
LIST_BATCH_SIZE: Final = 500


def is_complete(tables: RowSource) -> bool:
    """Return whether all lists are present."""
    return not missing_lists(tables.rows)


def disable(connection: Connection) -> None:
    """Disable all lists until `fill` has rebuilt them, which after very many changes costs less than `update_lists`.

    Call this in a transaction that changes words, and so raises the data version; until then, readers rely on the
    cached state.
    """
    connection.execute(delete(table).where(table.c.prefix.in_(COLUMNS)))


def fill(connection: Connection) -> None:
    """Build the missing lists, those of each key in a separate transaction; no transaction may be open."""
    with connection.begin():
        missing = missing_lists(TransactionRows(connection).rows)
    for code in missing:
        unlocked = read_unlocked(connection, code)
        with connection.begin():
            if unlocked is not None and unlocked.version == _version(Bulk(connection)):
                _write_differences(Bulk(connection), code, unlocked.lists)
            else:
                _rebuild(connection, code)
            # From now on, readers use the lists, which may contain other words of equal length than queries return.
            if code == missing[-1]:
                increment_data_version(connection)


class _ListDifferences(NamedTuple):
    """Differences in the lists of a key, and the data version at which they were found."""

    version: int
    lists: list[tuple[str, tuple[PrefixMatch, ...] | None]]


def read_unlocked(connection: Connection, code: str) -> _ListDifferences | None:
    """Compare the lists of a key with its words while PostgreSQL accepts other writes; return None on SQLite."""
    if connection.dialect.name == "sqlite":
        return None
    driver = cast("psycopg.Connection", connection.connection.driver_connection)
    bulk = Bulk(connection)
    with driver.transaction():
        version = _version(bulk)
        return _ListDifferences(
            version, [*_differences(TransactionRows(connection), code, _words_in_order(bulk, code))]
        )


def _version(bulk: Bulk) -> int:
    return int(bulk.rows(READ_VERSION, {"id": 1})[0][0])


def stale(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the prefixes with a missing, wrong or superfluous list."""
    missing = missing_lists(tables.rows)
    for code in (code for code in COLUMNS if code not in missing):
        for prefix, words in _differences(tables, code, _words(tables, code)):
            wrong = "is another" if words is not None else "is of few words"
            yield StaleRecord(f"beginning:{prefix[1:]}", f"the list by {COLUMNS[code].value} {wrong}")


def renew_next(connection: Connection, after: RebuildCursor) -> StepResult:
    """Rebuild the lists of the next key."""
    code = [*COLUMNS][after[1]]
    changed = _rebuild(connection, code)
    return StepResult(0, changed, ("", after[1] + 1) if after[1] + 1 < len(COLUMNS) else None)


def _rebuild(connection: Connection, code: str) -> int:
    """Write the missing and wrong lists of one key, and remove superfluous ones; return their number."""
    tables, bulk = TransactionRows(connection), Bulk(connection)
    is_missing = code in missing_lists(tables.rows)
    changed = _write_differences(bulk, code, _differences(tables, code, _words_in_order(bulk, code)))
    return changed + is_missing


def _write_differences(
    bulk: Bulk, code: str, list_differences: Iterable[tuple[str, tuple[PrefixMatch, ...] | None]]
) -> int:
    """Write the differing lists of a key and mark it as complete; return their number."""
    changed = 0
    differences = iter(list_differences)
    while batch := list(islice(differences, LIST_BATCH_SIZE)):
        write(bulk, [CompletionList(prefix, words) for prefix, words in batch if words is not None])
        remove(bulk.connection, [prefix for prefix, words in batch if words is None])
        changed += len(batch)
    write(bulk, [CompletionList(code, ())])
    return changed


def _differences(
    tables: RowSource, code: str, in_order: Iterator[tuple[str, PrefixMatch]]
) -> Iterator[tuple[str, tuple[PrefixMatch, ...] | None]]:
    """Yield the prefixes whose lists are wrong or missing, with the correct words; None if there should be no list."""
    stored = _stored(tables, code)
    for prefix, words in build_lists(in_order):
        if stored.pop(code + prefix, None) != hash(pack_words(words)):
            yield code + prefix, words
    for prefix in stored:
        yield prefix, None


def _words(tables: RowSource, code: str) -> Iterator[tuple[str, PrefixMatch]]:
    key, after = "", 0
    while rows := tables.rows(_next_words(code), key=key, after=after):
        key, _, _, _, after, _ = rows[-1]
        yield from ((row[0], prefix_match(row)) for row in rows)


def _words_in_order(bulk: Bulk, code: str) -> Iterator[tuple[str, PrefixMatch]]:
    """Yield all words in the order of a key, for writers: sorting takes two thirds of the time of index reads."""
    for rows in bulk.stream(_sorted_words(code)):
        yield from ((row[0], prefix_match(row)) for row in rows)


@cache
def _sorted_words(code: str) -> CompiledQuery:
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    everything = select(*prefix_match_columns(code))
    # With the concatenation, SQLite does not recognise that an index has this order, and sorts.
    return CompiledQuery(
        everything.order_by(key.concat(literal_column("''", Text)), word.c.id),
        postgresql=everything.order_by(key, word.c.id),
    )


@cache
def _next_words(code: str) -> CompiledQuery:
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
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


def _stored(tables: RowSource, code: str) -> dict[str, int]:
    """Return the hashes of the lists of one key by prefix: some thousands for a million words."""
    start, hashes = code, dict[str, int]()
    while rows := tables.rows(_NEXT_LISTS, start=start, end=code + MAX_CODE_POINT):
        start = rows[-1][0]
        hashes |= {prefix: hash(words) for prefix, words in rows}
    return hashes


def write(bulk: Bulk, lists: Sequence[CompletionList]) -> None:
    """Write lists, replacing existing ones."""
    insert = bulk.insert_into(table)
    upsert = insert.on_conflict_do_update(index_elements=[table.c.prefix], set_={"words": insert.excluded.words})
    if lists:
        bulk.connection.execute(
            upsert, [{"prefix": word_list.prefix, "words": pack_words(word_list.words)} for word_list in lists]
        )


def remove(connection: Connection, prefixes: Sequence[str]) -> None:
    """Remove the lists of the given prefixes."""
    for batch in chunks(prefixes):
        connection.execute(delete(table).where(table.c.prefix.in_(batch)))
