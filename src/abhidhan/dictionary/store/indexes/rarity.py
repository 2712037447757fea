"""How rare each word is, in its own row: so the commonest words that nobody has recorded are a stretch of an index."""

from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, select, update

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, Row, by_size, in_list
from abhidhan.schema import language, word
from assamese.word_frequency import rarity_of_word

AT_ONCE: Final = 2000
"""How many words are compared at once."""

_told = select(word.c.id, word.c.exact_key, word.c.frequency, language.c.code, word.c.rarity).join(
    language, language.c.id == word.c.language_id
)
_NEXT = Query(_told.where(word.c.id > bindparam("after", type_=Integer)).order_by(word.c.id).limit(AT_ONCE))
_SOME = by_size(lambda size: _told.where(in_list(word.c.id, "id", size)))
_WRITE = (
    update(word)
    .where(word.c.id == bindparam("of_word"), word.c.rarity != bindparam("right"))
    .values(rarity=bindparam("right"))
)


def renew(connection: Connection, word_ids: Iterable[int]) -> None:
    """Write how rare some words are, where their keys or frequencies are others than before."""
    _write(connection, Bulk(connection).rows_among(_SOME, "id", sorted({*word_ids})))


def stale(tables: Tables) -> Iterator[Stale]:
    """List the words that are kept as more or less common than they are."""
    after = 0
    while rows := tables.rows(_NEXT, after=after):
        after = rows[-1][0]
        yield from (Stale(f"word:{row[0]}", f"{row[4]} is not {right}") for row, right in _wrong(rows))


def renew_next(connection: Connection, after: Place) -> Step:
    """Write how rare the next words are, where it is wrong. No answer shows it, so nothing is noted."""
    rows = OpenTransaction(connection).rows(_NEXT, after=after[1])
    changed = _write(connection, rows)
    return Step(len(rows), changed, ("", rows[-1][0]) if len(rows) == AT_ONCE else None)


def _write(connection: Connection, rows: Iterable[Row]) -> int:
    wrong = [{"of_word": row[0], "right": right} for row, right in _wrong(rows)]
    if wrong:
        connection.execute(_WRITE, wrong)
    return len(wrong)


def _wrong(rows: Iterable[Row]) -> Iterator[tuple[Row, int]]:
    """List the rows that have another rarity than the right one, with that."""
    for row in rows:
        _, exact_key, frequency, code, stored = row
        right = rarity_of_word(exact_key, frequency, code)
        if stored != right:
            yield row, right
