"""Completions: for each beginning that many words share, the list of those that are offered first.

While any list of a key is missing, none of them is read.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Text, bindparam, delete, func, literal, select, tuple_

from abhidhan.domain.matching.completions import (
    FEW,
    Begun,
    WordList,
    beginnings_of,
    listed,
    lists_of,
    may_change,
    packed,
    unpacked,
    weight_of,
)
from abhidhan.storage.completions import COLUMNS, LISTS, begun_columns, begun_of, stretch
from abhidhan.storage.engine.bulk import Bulk
from abhidhan.storage.engine.data_version import raise_data_version
from abhidhan.storage.engine.queries import Query, Row, Value, by_size, chunks, in_list, padded
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import OpenTransaction, Place, Stale, Step, be_the_only_writer
from abhidhan.storage.schema import completion as table
from abhidhan.storage.schema import word
from abhidhan.storage.words import LAST_CHARACTER

RENEWED_AT_ONCE: Final = 500
"""How many words' lists are held at once: some megabytes."""

WORDS_AT_ONCE: Final = 20_000
LISTS_AT_ONCE: Final = 500

# --- for some words ---------------------------------------------------------------------------------------------------


class KeyedWord(NamedTuple):
    """A word, and the keys that may begin as somebody types."""

    id: int
    language_id: int
    text: str
    exact_key: str
    loose_key: str
    sound_key: str
    frequency: float | None

    def begun(self) -> Iterator[tuple[str, Begun]]:
        """List each key behind its letter, with the word as lists have it."""
        for code, key in zip(COLUMNS, (self.exact_key, self.loose_key, self.sound_key), strict=True):
            weight = weight_of(key, self.exact_key, self.language_id, self.frequency)
            yield code + key, (weight, self.language_id, self.text, self.id)


_KEYED = by_size(
    lambda size: select(*(word.c[name] for name in KeyedWord._fields)).where(in_list(word.c.id, "id", size))
)


def keyed(connection: Connection, word_ids: Iterable[int]) -> list[KeyedWord]:
    """Read words with their keys, as they are before or after a change."""
    return [KeyedWord._make(row) for row in Bulk(connection).rows_among(_KEYED, "id", sorted({*word_ids}))]


def renew(connection: Connection, gone: Sequence[KeyedWord], come: Sequence[KeyedWord]) -> None:
    """Renew the lists of words that are gone, or were so before they changed, and of those that have come.

    It is called in the transaction that writes the words, after them.
    """
    for start in range(0, max(len(gone), len(come)), RENEWED_AT_ONCE):
        some = [words[start : start + RENEWED_AT_ONCE] for words in (gone, come)]
        if _Renewal(connection, *some).is_due():
            # Two who write one list at once would each write it without the word of the other.
            be_the_only_writer(connection, table.name)
            _Renewal(connection, *some).write()


class _Renewal:
    """What changes in lists by some words."""

    def __init__(self, connection: Connection, gone: Iterable[KeyedWord], come: Iterable[KeyedWord]) -> None:
        """Read the lists of all beginnings of the words."""
        self._connection = connection
        self._bulk = Bulk(connection)
        changed = [[pair for one in words for pair in one.begun()] for words in (gone, come)]
        prefixes = {prefix for pairs in changed for key, _ in pairs for prefix in _prefixes_of(key)}
        rows = self._bulk.rows_among(LISTS, "prefix", sorted({*COLUMNS, *prefixes}))
        self._lists = {prefix: unpacked(words) for prefix, words in rows}
        # Lists of which some are missing are all made anew.
        self._gone, self._come = ([(key, begun) for key, begun in pairs if key[0] in self._lists] for pairs in changed)
        self._ended = frozenset(self._ending())
        self._new = frozenset(self._beginning())
        self._other = frozenset(self._changing()) - self._ended

    def is_due(self) -> bool:
        """Return whether any list changes."""
        return bool(self._ended or self._new or self._other)

    def write(self) -> None:
        """Make the lists that change, the longest prefixes first, of which the others are made."""
        _remove(self._connection, sorted(self._ended))
        for prefix in sorted(self._new | self._other, key=len, reverse=True):
            _write(self._bulk, [WordList(prefix, self._words_of(prefix))])

    def _ending(self) -> Iterator[str]:
        """Find the lists of what only few words begin with now."""
        for key, _ in self._gone:
            for prefix in reversed(_prefixes_of(key)):
                if prefix in self._lists and self._is_of_many(prefix):
                    break
                if prefix in self._lists:
                    yield prefix

    def _beginning(self) -> Iterator[str]:
        """Find what many words begin with now, and has no list."""
        for key, _ in self._come:
            for prefix in _prefixes_of(key):
                if prefix in self._lists and prefix not in self._ended:
                    continue
                if not self._is_of_many(prefix):
                    break
                yield prefix

    def _changing(self) -> Iterator[str]:
        """Find the lists that may become others."""
        by_prefix: defaultdict[str, tuple[list[Begun], list[Begun]]] = defaultdict(lambda: ([], []))
        for place, pairs in enumerate((self._gone, self._come)):
            for key, begun in pairs:
                for prefix in _prefixes_of(key):
                    by_prefix[prefix][place].append(begun)
        whole = {key for key, _ in self._come}
        for prefix, (gone, come) in by_prefix.items():
            if prefix in self._lists and (prefix in whole or may_change(self._lists[prefix], gone, come)):
                yield prefix

    def _is_of_many(self, prefix: str) -> bool:
        end = prefix[1:] + LAST_CHARACTER
        return int(self._bulk.rows(_counted(prefix[0]), {"start_": prefix[1:], "end_": end})[0][0]) > FEW

    def _words_of(self, prefix: str) -> tuple[Begun, ...]:
        """Choose among the lists that are a letter longer, and the words that stand in none of them."""
        parameters: dict[str, Value] = {"start": prefix, "end": prefix + LAST_CHARACTER, "letters": len(prefix) + 1}
        lists = self._bulk.rows(_LONGER, parameters)
        found = [begun for _, words in lists for begun in unpacked(words)]
        whole: list[Begun] = []
        start = prefix[1:]
        for end in (*(longer[1:] for longer, _ in lists), prefix[1:] + LAST_CHARACTER):
            rows = self._bulk.rows(_between(prefix[0]), {"start_": start, "end_": end})
            found += map(begun_of, rows)
            whole += (begun_of(row) for row in rows if row[0] == prefix[1:])
            start = end + LAST_CHARACTER
        return listed(found, whole)


def _prefixes_of(key: str) -> list[str]:
    return [key[0] + beginning for beginning in beginnings_of(key[1:])]


_LONGER = Query(
    select(table.c.prefix, table.c.words)
    .where(
        table.c.prefix > bindparam("start", type_=Text),
        table.c.prefix < bindparam("end", type_=Text),
        func.length(table.c.prefix) == bindparam("letters", type_=Integer),
    )
    .order_by(table.c.prefix)
)


@cache
def _between(code: str) -> Query:
    return Query(stretch(code))


@cache
def _counted(code: str) -> Query:
    some = stretch(code).with_only_columns(word.c.id).limit(literal(FEW + 1)).subquery()
    return Query(select(func.count()).select_from(some))


def _write(bulk: Bulk, lists: Sequence[WordList]) -> None:
    insert = bulk.insert_into(table)
    upsert = insert.on_conflict_do_update(index_elements=[table.c.prefix], set_={"words": insert.excluded.words})
    if lists:
        bulk.connection.execute(upsert, [{"prefix": each.prefix, "words": packed(each.words)} for each in lists])


def _remove(connection: Connection, prefixes: Sequence[str]) -> None:
    for some in chunks(prefixes):
        connection.execute(delete(table).where(table.c.prefix.in_(some)))


# --- for all words ----------------------------------------------------------------------------------------------------


def is_whole(tables: Tables) -> bool:
    """Return whether no list is missing."""
    return not _lacking(tables.rows)


def _lacking(rows: Callable[..., Collection[Row]]) -> list[str]:
    """List the letters of the keys whose lists are not all there."""
    whole = {row[0] for row in rows(LISTS(len(COLUMNS)), **padded("prefix", [*COLUMNS]))}
    return [code for code in COLUMNS if code not in whole]


def forget(connection: Connection) -> None:
    """Read no list any more until `fill` has made all anew, which after very many words costs less than `renew`."""
    connection.execute(delete(table).where(table.c.prefix.in_(COLUMNS)))


def fill(connection: Connection) -> None:
    """Make the lists that are missing, those of each key in a transaction of its own; none may be open."""
    with connection.begin():
        lacking = _lacking(OpenTransaction(connection).rows)
    for code in lacking:
        with connection.begin():
            _make_all(connection, code)
            # From here on lists are read. What they name of equally long words may be others than those found before.
            if code == lacking[-1]:
                raise_data_version(connection)


def stale(tables: Tables) -> Iterator[Stale]:
    """List the beginnings whose list is missing, another than it should be, or too many."""
    lacking = _lacking(tables.rows)
    for code in (code for code in COLUMNS if code not in lacking):
        for prefix, words in _differences(tables, code):
            wrong = "is another" if words is not None else "is of few words"
            yield Stale(f"beginning:{prefix[1:]}", f"the list by {COLUMNS[code].value} {wrong}")


def renew_next(connection: Connection, after: Place) -> Step:
    """Make the lists of the next key anew."""
    code = [*COLUMNS][after[1]]
    changed = _make_all(connection, code)
    return Step(0, changed, ("", after[1] + 1) if after[1] + 1 < len(COLUMNS) else None)


def _make_all(connection: Connection, code: str) -> int:
    """Write the lists of one key that are missing or wrong, and remove those that are too many; return how many."""
    # Whoever changes a word meanwhile would look at a list that is not there yet.
    be_the_only_writer(connection, word.name, table.name)
    tables, bulk = OpenTransaction(connection), Bulk(connection)
    is_missing = code in _lacking(tables.rows)
    changed = 0
    differences = _differences(tables, code)
    while some := list(islice(differences, LISTS_AT_ONCE)):
        _write(bulk, [WordList(prefix, words) for prefix, words in some if words is not None])
        _remove(connection, [prefix for prefix, words in some if words is None])
        changed += len(some)
    if is_missing:
        _write(bulk, [WordList(code, ())])
    return changed + is_missing


def _differences(tables: Tables, code: str) -> Iterator[tuple[str, tuple[Begun, ...] | None]]:
    """List the prefixes whose lists are wrong or missing, with what belongs there; None where no list does."""
    stored = _stored(tables, code)
    for prefix, words in lists_of(_words(tables, code)):
        if stored.pop(code + prefix, None) != hash(packed(words)):
            yield code + prefix, words
    for prefix in stored:
        yield prefix, None


def _words(tables: Tables, code: str) -> Iterator[tuple[str, Begun]]:
    key, after = "", 0
    while rows := tables.rows(_next_words(code), key=key, after=after):
        key, _, _, _, after, _ = rows[-1]
        yield from ((row[0], begun_of(row)) for row in rows)


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
    """Return the lists of one key as sums, by their prefixes: some thousands where there are a million words."""
    start, found = code, dict[str, int]()
    while rows := tables.rows(_AFTER, start=start, end=code + LAST_CHARACTER):
        start = rows[-1][0]
        found |= {prefix: hash(words) for prefix, words in rows}
    return found
