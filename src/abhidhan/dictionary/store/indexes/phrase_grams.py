"""Pieces of the sound of phrases, by which similar ones meet, and in how many phrases each piece stands."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, exists, func, insert, literal_column, or_, select

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.dictionary.store.indexes.derived_table import DerivedTable, Difference, Source
from abhidhan.platform.database.bulk import Bulk, staged
from abhidhan.platform.database.compiled_queries import Query, Row
from abhidhan.schema import gram_count, language, phrase, phrase_gram
from assamese.phrase_similarity import phrase_grams


def derive(phrases: Iterable[Row]) -> Iterator[tuple[int, str, int]]:
    """List the pieces of phrases, given as (ID, language's ID, its code, text): (language's ID, piece, phrase's ID)."""
    for phrase_id, language_id, code, text in phrases:
        for gram in phrase_grams(text, code):
            yield language_id, gram, phrase_id


PHRASE_GRAMS = DerivedTable(
    phrase_gram,
    "phrase_id",
    phrase,
    Source(
        select(phrase.c.id, phrase.c.language_id, language.c.code, phrase.c.text).join(
            language, language.c.id == phrase.c.language_id
        ),
        phrase.c.id,
    ),
    derive,
)


def renew(connection: Connection, phrase_id: int) -> None:
    """Write the pieces of a phrase anew, and count them."""
    _count(connection, PHRASE_GRAMS.renew_some(connection, [phrase_id]))


def remove(connection: Connection, phrase_id: int) -> None:
    """Remove the pieces of a phrase, before it goes itself, and count them no more."""
    gone = delete(phrase_gram).where(phrase_gram.c.phrase_id == phrase_id).returning(*phrase_gram.columns)
    rows = tuple(tuple(row) for row in connection.execute(gone))
    _count(connection, [Difference(phrase_id, (), rows)])


def _count(connection: Connection, changed: Iterable[Difference]) -> None:
    more: Counter[tuple[int, str]] = Counter()
    for one in changed:
        more.update((language_id, gram) for language_id, gram, _ in one.lacking)
        more.subtract((language_id, gram) for language_id, gram, _ in one.stray)
    rows = [
        {"language_id": language_id, "gram": gram, "phrases": count}
        for (language_id, gram), count in sorted(more.items())
        if count
    ]
    if not rows:
        return
    statement = Bulk(connection).insert_into(gram_count).values(rows)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["language_id", "gram"],
            set_={"phrases": gram_count.c.phrases + statement.excluded.phrases},
        )
    )
    for language_id, gram in sorted(key for key, count in more.items() if count < 0):
        counted = (gram_count.c.language_id == language_id, gram_count.c.gram == gram)
        connection.execute(delete(gram_count).where(*counted, gram_count.c.phrases <= 0))


# --- counts -----------------------------------------------------------------------------------------------------------

_COLUMNS = ("language_id", "gram", "phrases")


def _counted(grams: Table) -> Select[Any]:
    """Count the phrases of each piece, in the order of the table's key."""
    return (
        select(grams.c.language_id, grams.c.gram, func.count().label("phrases"))
        .group_by(grams.c.language_id, grams.c.gram)
        .order_by(grams.c.language_id, grams.c.gram)
    )


def count_staged(bulk: Bulk) -> None:
    """Add the pieces that are staged to the counts."""
    statement = bulk.insert_into(gram_count).from_select(_COLUMNS, _counted(staged(phrase_gram)))
    bulk.connection.execute(
        statement.on_conflict_do_update(
            index_elements=["language_id", "gram"],
            set_={"phrases": gram_count.c.phrases + statement.excluded.phrases},
        )
    )


_now = _counted(phrase_gram).order_by(None).subquery("counted")
_MISCOUNTED = Query(
    select(_now.c.language_id, _now.c.gram, func.coalesce(gram_count.c.phrases, 0), _now.c.phrases)
    .join(
        gram_count,
        (gram_count.c.language_id == _now.c.language_id) & (gram_count.c.gram == _now.c.gram),
        isouter=True,
    )
    .where(or_(gram_count.c.phrases.is_(None), gram_count.c.phrases != _now.c.phrases))
    .union_all(
        select(gram_count.c.language_id, gram_count.c.gram, gram_count.c.phrases, literal_column("0")).where(
            ~exists().where(
                phrase_gram.c.language_id == gram_count.c.language_id, phrase_gram.c.gram == gram_count.c.gram
            )
        )
    )
)


def miscounted(tables: Tables) -> Iterator[Stale]:
    """List the pieces whose phrases are counted wrong."""
    for language_id, gram, stored, counted in tables.rows(_MISCOUNTED):
        yield Stale(f"language:{language_id}", f"{gram}: {stored} is not {counted}")


def count_all(connection: Connection, _: Place) -> Step:
    """Count all pieces anew, if any is counted wrong."""
    wrong = len(OpenTransaction(connection).rows(_MISCOUNTED))
    if wrong:
        connection.execute(delete(gram_count))
        connection.execute(insert(gram_count).from_select(_COLUMNS, _counted(phrase_gram)))
    return Step(0, wrong, None)
