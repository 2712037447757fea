"""Building of completion lists: the first completions of each prefix that many words share.

While any list of a key is missing, none of them is read. Incremental updates: `renewal.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from sqlalchemy import ColumnElement, Connection, Integer, Text, bindparam, delete, literal_column, select, tuple_

from abhidhan.dictionary.model.completions import Begun
from abhidhan.dictionary.store.acceleration.completion_lists.lists import WordList, lacking_lists, lists_of, packed
from abhidhan.dictionary.store.completions import COLUMNS, begun_columns, begun_of
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, chunks
from abhidhan.platform.database.data_version import raise_data_version
from abhidhan.platform.database.reader import READ_VERSION
from abhidhan.schema import completion as table
from abhidhan.schema import word

if TYPE_CHECKING:
    import psycopg

WORDS_AT_ONCE: Final = 20_000
LISTS_AT_ONCE: Final = 500


def is_whole(tables: Tables) -> bool:
    """Return whether all lists are present."""
    return not lacking_lists(tables.rows)


def forget(connection: Connection) -> None:
    """Disable all lists until `fill` has rebuilt them, which after very many changes costs less than `renew`.

    Call this in a transaction that changes words, and so raises the data version; until then, readers rely on the
    cached state.
    """
    connection.execute(delete(table).where(table.c.prefix.in_(COLUMNS)))


def fill(connection: Connection) -> None:
    """Build the missing lists, those of each key in a transaction of its own; none may be open."""
    with connection.begin():
        missing = lacking_lists(OpenTransaction(connection).rows)
    for code in missing:
        found = read_unlocked(connection, code)
        with connection.begin():
            if found is not None and found.version == _version(Bulk(connection)):
                _write_found(Bulk(connection), code, found.lists)
            else:
                _make_all(connection, code)
            # From here on the lists are read; of words of equal length they may name others than queries did.
            if code == missing[-1]:
                raise_data_version(connection)


class _Found(NamedTuple):
    """Differences in the lists of a key, and the data version at which they were found."""

    version: int
    lists: list[tuple[str, tuple[Begun, ...] | None]]


def read_unlocked(connection: Connection, code: str) -> _Found | None:
    """Compare the lists of a key with its words while PostgreSQL accepts other writes; return None on SQLite."""
    if connection.dialect.name == "sqlite":
        return None
    driver = cast("psycopg.Connection", connection.connection.driver_connection)
    bulk = Bulk(connection)
    with driver.transaction():
        version = _version(bulk)
        return _Found(version, [*_differences(OpenTransaction(connection), code, _words_in_order(bulk, code))])


def _version(bulk: Bulk) -> int:
    return int(bulk.rows(READ_VERSION, {"id": 1})[0][0])


def stale(tables: Tables) -> Iterator[Stale]:
    """Yield the prefixes whose list is missing, wrong or superfluous."""
    missing = lacking_lists(tables.rows)
    for code in (code for code in COLUMNS if code not in missing):
        for prefix, words in _differences(tables, code, _words(tables, code)):
            wrong = "is another" if words is not None else "is of few words"
            yield Stale(f"beginning:{prefix[1:]}", f"the list by {COLUMNS[code].value} {wrong}")


def renew_next(connection: Connection, after: Place) -> Step:
    """Rebuild the lists of the next key."""
    code = [*COLUMNS][after[1]]
    changed = _make_all(connection, code)
    return Step(0, changed, ("", after[1] + 1) if after[1] + 1 < len(COLUMNS) else None)


def _make_all(connection: Connection, code: str) -> int:
    """Write the missing and wrong lists of one key, and remove superfluous ones; return their number."""
    tables, bulk = OpenTransaction(connection), Bulk(connection)
    is_missing = code in lacking_lists(tables.rows)
    changed = _write_found(bulk, code, _differences(tables, code, _words_in_order(bulk, code)))
    return changed + is_missing


def _write_found(bulk: Bulk, code: str, found: Iterable[tuple[str, tuple[Begun, ...] | None]]) -> int:
    """Write the differing lists of a key and mark it as complete; return their number."""
    changed = 0
    differences = iter(found)
    while some := list(islice(differences, LISTS_AT_ONCE)):
        write(bulk, [WordList(prefix, words) for prefix, words in some if words is not None])
        remove(bulk.connection, [prefix for prefix, words in some if words is None])
        changed += len(some)
    write(bulk, [WordList(code, ())])
    return changed


def _differences(
    tables: Tables, code: str, in_order: Iterator[tuple[str, Begun]]
) -> Iterator[tuple[str, tuple[Begun, ...] | None]]:
    """Yield the prefixes whose lists are wrong or missing, with the correct words; None if there should be no list."""
    stored = _stored(tables, code)
    for prefix, words in lists_of(in_order):
        if stored.pop(code + prefix, None) != hash(packed(words)):
            yield code + prefix, words
    for prefix in stored:
        yield prefix, None


def _words(tables: Tables, code: str) -> Iterator[tuple[str, Begun]]:
    key, after = "", 0
    while rows := tables.rows(_next_words(code), key=key, after=after):
        key, _, _, _, after, _ = rows[-1]
        yield from ((row[0], begun_of(row)) for row in rows)


def _words_in_order(bulk: Bulk, code: str) -> Iterator[tuple[str, Begun]]:
    """Yield all words in the order of a key, for writers: sorting takes two thirds of the time of index reads."""
    for rows in bulk.stream(_sorted_words(code)):
        yield from ((row[0], begun_of(row)) for row in rows)


@cache
def _sorted_words(code: str) -> Query:
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    everything = select(*begun_columns(code))
    # With the concatenation, SQLite does not recognise that an index has this order, and sorts.
    return Query(
        everything.order_by(key.concat(literal_column("''", Text)), word.c.id),
        postgresql=everything.order_by(key, word.c.id),
    )


@cache
def _next_words(code: str) -> Query:
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    return Query(
        select(*begun_columns(code))
        .where(tuple_(key, word.c.id) > tuple_(bindparam("key", type_=Text), bindparam("after", type_=Integer)))
        .order_by(key, word.c.id)
        .limit(WORDS_AT_ONCE)
    )


_AFTER: Final = Query(
    select(table.c.prefix, table.c.words)
    .where(table.c.prefix > bindparam("start", type_=Text), table.c.prefix < bindparam("end", type_=Text))
    .order_by(table.c.prefix)
    .limit(LISTS_AT_ONCE)
)


def _stored(tables: Tables, code: str) -> dict[str, int]:
    """Return the hashes of the lists of one key by prefix: some thousands for a million words."""
    start, found = code, dict[str, int]()
    while rows := tables.rows(_AFTER, start=start, end=code + LAST_CHARACTER):
        start = rows[-1][0]
        found |= {prefix: hash(words) for prefix, words in rows}
    return found


def write(bulk: Bulk, lists: Sequence[WordList]) -> None:
    """Write lists, replacing existing ones."""
    insert = bulk.insert_into(table)
    upsert = insert.on_conflict_do_update(index_elements=[table.c.prefix], set_={"words": insert.excluded.words})
    if lists:
        bulk.connection.execute(upsert, [{"prefix": each.prefix, "words": packed(each.words)} for each in lists])


def remove(connection: Connection, prefixes: Sequence[str]) -> None:
    """Remove the lists of some prefixes."""
    for some in chunks(prefixes):
        connection.execute(delete(table).where(table.c.prefix.in_(some)))
