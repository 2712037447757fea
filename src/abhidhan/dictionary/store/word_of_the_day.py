"""What was chosen for each day: the word and the phrase."""

from datetime import date
from typing import NamedTuple

from sqlalchemy import Text, bindparam, func, select

from abhidhan.dictionary.model.word_of_the_day import Choice
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.database import Writer
from abhidhan.schema import daily_choice

_BETWEEN = Query(
    select(daily_choice.c.day, daily_choice.c.word_id, daily_choice.c.phrase_id)
    .where(
        daily_choice.c.day >= bindparam("first", type_=Text),
        daily_choice.c.day <= bindparam("last", type_=Text),
    )
    .order_by(daily_choice.c.day)
)
_FIRST = Query(select(func.min(daily_choice.c.day)))


class Days(NamedTuple):
    """The first and the last of some days."""

    first: date
    last: date


def choices(tables: Tables, days: Days) -> list[Choice]:
    """List what was chosen for the days of a stretch, in their order; at most one row a day."""
    rows = tables.rows(_BETWEEN, first=days.first.isoformat(), last=days.last.isoformat())
    return [Choice(date.fromisoformat(row[0]), row[1], row[2]) for row in rows]


def first_day(tables: Tables) -> date | None:
    """Return the first day that something was chosen for."""
    row = tables.rows(_FIRST)[0]
    return date.fromisoformat(row[0]) if row[0] else None


def save(writer: Writer, choice: Choice, now: int) -> None:
    """Keep what was chosen for a day, in place of what is gone."""
    values = {"word_id": choice.word_id, "phrase_id": choice.phrase_id, "chosen": now}
    adding = Bulk(writer).insert_into(daily_choice).values(day=choice.day.isoformat(), **values)
    writer.execute(adding.on_conflict_do_update(index_elements=["day"], set_=values))
