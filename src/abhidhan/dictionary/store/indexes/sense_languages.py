"""The language of each sense, which is that of its word: so the words of an idea are read in the order of languages."""

import time
from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, select, update

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import Place, Stale, Step
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, chunks
from abhidhan.records.change_feed import Followed, Noted
from abhidhan.schema import sense, word

AT_ONCE: Final = 1000

_WRONG = Query(
    select(sense.c.id, sense.c.word_id, sense.c.idea_id)
    .join(word, word.c.id == sense.c.word_id)
    .where(sense.c.id > bindparam("after", type_=Integer), sense.c.language_id != word.c.language_id)
    .order_by(sense.c.id)
    .limit(AT_ONCE)
)


def language_of(connection: Connection, word_id: int) -> int:
    """Return the language of a word, which is written with each of its senses."""
    return int(connection.execute(select(word.c.language_id).where(word.c.id == word_id)).scalar_one())


def renew(connection: Connection, word_ids: Iterable[int]) -> None:
    """Write the languages of words with their senses."""
    of_word = select(word.c.language_id).where(word.c.id == sense.c.word_id).scalar_subquery()
    for some in chunks(sorted({*word_ids})):
        connection.execute(update(sense).where(sense.c.word_id.in_(some)).values(language_id=of_word))


def stale(tables: Tables) -> Iterator[Stale]:
    """List the senses with another language than their word has."""
    after = 0
    while rows := tables.rows(_WRONG, after=after):
        after = rows[-1][0]
        yield from (Stale(f"sense:{sense_id}", f"word {word_id}") for sense_id, word_id, _ in rows)


def renew_next(connection: Connection, after: Place) -> Step:
    """Write the right languages with the next senses that have another one."""
    rows = Bulk(connection).rows(_WRONG, {"after": after[1]})
    if rows:
        renew(connection, (row[1] for row in rows))
        noted = Noted()
        noted.change(Followed.IDEA, idea_cache.invalidate(connection, (row[2] for row in rows)))
        record_changes.note(connection, noted, int(time.time()))
    return Step(len(rows), len(rows), ("", rows[-1][0]) if len(rows) == AT_ONCE else None)
