"""Missing words, which were looked up but not found: only the number of look-ups and of days is stored."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import Connection, Integer, bindparam, case, delete, func, select, update

from abhidhan.dictionary.model.missing_words import MIN_DAYS_BEFORE_SHOWN, MissingWord, missing_word_key
from abhidhan.platform.database.compiled_queries import CompiledQuery, dialect_insert
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.paging import Page
from abhidhan.schema import missing_word, word

ROW_BATCH_SIZE: Final = 100


class RetentionLimits(NamedTuple):
    """Retention limits: the number of words, and the earliest day of the last look-up (in days since 1970)."""

    max_words: int
    first_day: int


def add_counts(connection: Connection, *, counts: Mapping[str, int], day: int) -> None:
    """Add the number of look-ups of each word on a day (in days since 1970)."""
    by_key: dict[str, tuple[str, int]] = {}
    for text, count in counts.items():
        spelling, before = by_key.get(missing_word_key(text), (text, 0))
        by_key[missing_word_key(text)] = spelling, before + count
    rows = [
        {"key": key, "text": text, "searches": count, "days": 1, "last_day": day, "left_out": 0}
        for key, (text, count) in sorted(by_key.items())
    ]
    insert = dialect_insert(connection, missing_word)
    new = insert.excluded
    is_later = missing_word.c.last_day < new.last_day
    upsert = insert.on_conflict_do_update(
        index_elements=[missing_word.c.key],
        set_={
            "searches": missing_word.c.searches + new.searches,
            "days": missing_word.c.days + case((is_later, 1), else_=0),
            "last_day": case((is_later, new.last_day), else_=missing_word.c.last_day),
        },
    )
    for start in range(0, len(rows), ROW_BATCH_SIZE):
        connection.execute(upsert, rows[start : start + ROW_BATCH_SIZE])


def delete_old(connection: Connection, *, limits: RetentionLimits) -> None:
    """Delete words not looked up recently, and, if there are too many, those looked up on the fewest days."""
    connection.execute(delete(missing_word).where(missing_word.c.last_day < limits.first_day))
    count = connection.execute(select(func.count()).select_from(missing_word)).scalar_one()
    if count > limits.max_words:
        first = (missing_word.c.left_out, missing_word.c.days, missing_word.c.last_day, missing_word.c.searches)
        surplus = select(missing_word.c.key).order_by(*first, missing_word.c.key).limit(count - limits.max_words)
        connection.execute(delete(missing_word).where(missing_word.c.key.in_(surplus.scalar_subquery())))


def exclude_word(connection: Connection, *, text: str) -> None:
    """Exclude a word from the list of missing words."""
    connection.execute(update(missing_word).where(missing_word.c.key == missing_word_key(text)).values(left_out=1))


_VISIBLE: Final = (
    missing_word.c.days >= MIN_DAYS_BEFORE_SHOWN,
    missing_word.c.left_out == 0,
    # Words that have been added are no longer missing.
    ~select(word.c.id).where(word.c.exact_key == missing_word.c.key).exists(),
)
_PAGE = CompiledQuery(
    select(missing_word.c.text, missing_word.c.searches, missing_word.c.days)
    .where(*_VISIBLE)
    .order_by(missing_word.c.days.desc(), missing_word.c.searches.desc(), missing_word.c.key)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)
_COUNT = CompiledQuery(select(func.count()).select_from(missing_word).where(*_VISIBLE))


def list_missing(connection: ReadConnection, limit: int, offset: int) -> Page[MissingWord]:
    """List one page of the words looked up on enough days, those with most days first, with their total number."""
    rows, total = connection.rows(_PAGE, limit=limit, offset=offset), connection.row(_COUNT)
    return Page([MissingWord(*row) for row in rows], int(total[0]) if total else 0)
