"""How many words a language has: counting millions of them at each question would be slow."""

from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, func, select, update

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.schema import language, word

_counted = select(word.c.language_id, func.count().label("words")).group_by(word.c.language_id).subquery("counted")
_now = func.coalesce(_counted.c.words, 0)
_MISCOUNTED = Query(
    select(language.c.id, language.c.code, language.c.words, _now)
    .join(_counted, _counted.c.language_id == language.c.id, isouter=True)
    .where(language.c.words != _now)
    .order_by(language.c.id)
)

_TOTAL = Query(select(func.coalesce(func.sum(language.c.words), 0)))


def total(tables: Tables) -> int:
    """Return how many words there are in all languages."""
    return int(tables.rows(_TOTAL)[0][0])


def count_more(connection: Connection, more: Mapping[int, int]) -> None:
    """Count words that have come (or, below zero, gone), by the IDs of their languages."""
    for language_id, number in sorted(more.items()):
        of_language = language.c.id == language_id
        connection.execute(update(language).where(of_language).values(words=language.c.words + number))


def miscounted(tables: Tables) -> Iterator[Stale]:
    """List the languages whose words are counted wrong."""
    for _, code, stored, counted in tables.rows(_MISCOUNTED):
        yield Stale(f"language:{code}", f"{stored} is not {counted}")


def count_all(connection: Connection, _: Place) -> Step:
    """Write the right counts of languages whose words are counted wrong."""
    wrong = OpenTransaction(connection).rows(_MISCOUNTED)
    for language_id, _code, _stored, counted in wrong:
        connection.execute(update(language).where(language.c.id == language_id).values(words=counted))
    return Step(0, len(wrong), None)
