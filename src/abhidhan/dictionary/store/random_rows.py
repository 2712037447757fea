"""Rows for the random selection of words and phrases, and the choices of each day."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import Integer, Text, bindparam, exists, func, literal, or_, select

from abhidhan.dictionary.model.word_of_the_day import Choice
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, by_size, chunks, in_list, padded
from abhidhan.platform.database.database import Writer
from abhidhan.platform.database.key_queries import of_language
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import daily_choice, definition, example, idea, phrase, sense

_LANGUAGE: Final = sense.c.language_id == bindparam("language_id", type_=Integer)
_START: Final = bindparam("start", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)


class Bounds(NamedTuple):
    """The smallest and the greatest of some IDs."""

    first: int
    last: int


_BOUNDS_OF_IDEAS = Query(
    select(select(func.min(idea.c.id)).scalar_subquery(), select(func.max(idea.c.id)).scalar_subquery())
)
_BOUNDS_OF_LANGUAGE = Query(
    select(
        select(func.min(sense.c.idea_id)).where(_LANGUAGE).scalar_subquery(),
        select(func.max(sense.c.idea_id)).where(_LANGUAGE).scalar_subquery(),
    )
)
_BOUNDS_OF_PHRASES = Query(
    select(select(func.min(phrase.c.id)).scalar_subquery(), select(func.max(phrase.c.id)).scalar_subquery())
)


def bounds_of_ideas(tables: Tables, language_id: int) -> Bounds | None:
    """Return the bounds of the ideas, or of those with words of a language; None if there are none."""
    query = _BOUNDS_OF_IDEAS if language_id == ALL_LANGUAGES else _BOUNDS_OF_LANGUAGE
    first, last = tables.rows(query, language_id=language_id)[0]
    return None if first is None else Bounds(first, last)


def bounds_of_phrases(tables: Tables) -> Bounds | None:
    """Return the bounds of the phrases; None if there are none."""
    first, last = tables.rows(_BOUNDS_OF_PHRASES)[0]
    return None if first is None else Bounds(first, last)


_IDEAS = Query(select(idea.c.id).where(idea.c.id >= _START).order_by(idea.c.id).limit(_LIMIT))
_IDEAS_OF_LANGUAGE = Query(
    select(sense.c.idea_id)
    .where(_LANGUAGE, sense.c.idea_id >= _START)
    .distinct()
    .order_by(sense.c.idea_id)
    .limit(_LIMIT)
)
_PHRASES = Query(select(phrase.c.id).where(phrase.c.id >= _START).order_by(phrase.c.id).limit(_LIMIT))


def ideas_from(tables: Tables, language_id: int, start: int, limit: int) -> list[int]:
    """List the IDs of ideas from an ID on: all, or those with words of a language."""
    query = _IDEAS if language_id == ALL_LANGUAGES else _IDEAS_OF_LANGUAGE
    return [row[0] for row in tables.rows(query, language_id=language_id, start=start, limit=limit)]


def phrases_from(tables: Tables, start: int, limit: int) -> list[int]:
    """List the IDs of phrases from an ID on."""
    return [row[0] for row in tables.rows(_PHRASES, start=start, limit=limit)]


_second_word = (
    select(literal(1)).where(sense.c.idea_id == idea.c.id).limit(literal(1)).offset(literal(1)).correlate(idea).exists()
)
_TELLING = by_size(
    lambda size: (
        select(idea.c.id)
        .where(in_list(idea.c.id, "id", size), or_(exists().where(definition.c.idea_id == idea.c.id), _second_word))
        .order_by(idea.c.id)
    )
)


def ideas_that_tell(tables: Tables, idea_ids: Sequence[int]) -> list[int]:
    """Return the ideas that describe their words, with a definition or another word."""
    return [row[0] for some in chunks(idea_ids) for row in tables.rows(_TELLING(len(some)), **padded("id", some))]


_SHOWN_IN_USE = by_size(
    lambda size: (
        select(idea.c.id)
        .where(in_list(idea.c.id, "id", size), exists().where(example.c.idea_id == idea.c.id))
        .order_by(idea.c.id)
    )
)


def ideas_shown_in_use(tables: Tables, idea_ids: Sequence[int]) -> list[int]:
    """Return the ideas with an example, whose words are in use and rarely names."""
    return [row[0] for some in chunks(idea_ids) for row in tables.rows(_SHOWN_IN_USE(len(some)), **padded("id", some))]


_IS_MEANT: Final = or_(phrase.c.meaning.is_not(None), phrase.c.meanings.is_not(None))

_MEANT = by_size(
    lambda size: (
        select(phrase.c.id)
        .where(
            in_list(phrase.c.id, "id", size),
            _IS_MEANT,
            of_language(phrase.c.language_id),
        )
        .order_by(phrase.c.id)
    )
)


def phrases_with_meaning(tables: Tables, phrase_ids: Sequence[int], language_id: int) -> list[int]:
    """Return the phrases with a meaning, in one language or all."""
    if not phrase_ids:
        return []
    rows = tables.rows(_MEANT(len(phrase_ids)), **padded("id", phrase_ids), language_id=language_id)
    return [row[0] for row in rows]


_WORDS = Query(
    select(sense.c.word_id)
    .where(sense.c.idea_id == bindparam("idea_id", type_=Integer), of_language(sense.c.language_id))
    .order_by(sense.c.word_id)
)
_IDEAS_OF_WORDS = by_size(
    lambda size: select(sense.c.word_id, sense.c.idea_id).where(in_list(sense.c.word_id, "id", size))
)


def words_under(tables: Tables, idea_id: int, language_id: int) -> list[int]:
    """List the words of an idea in one language or all."""
    return [row[0] for row in tables.rows(_WORDS, idea_id=idea_id, language_id=language_id)]


def words_with_meaning(tables: Tables, word_ids: Sequence[int]) -> list[int]:
    """Return the existing words with an idea that describes them."""
    if not word_ids:
        return []
    senses = tables.rows(_IDEAS_OF_WORDS(len(word_ids)), **padded("id", word_ids))
    telling = {*ideas_that_tell(tables, sorted({row[1] for row in senses}))}
    told = {row[0] for row in senses if row[1] in telling}
    return [word_id for word_id in word_ids if word_id in told]


_CHOICES = Query(
    select(daily_choice.c.day, daily_choice.c.word_id, daily_choice.c.phrase_id)
    .where(
        daily_choice.c.day >= bindparam("first", type_=Text),
        daily_choice.c.day <= bindparam("last", type_=Text),
    )
    .order_by(daily_choice.c.day)
)
_FIRST_DAY = Query(select(func.min(daily_choice.c.day)))


class Days(NamedTuple):
    """The first and the last day of a range."""

    first: date
    last: date


def choices(tables: Tables, days: Days) -> list[Choice]:
    """List the choices for a range of days, in order; at most one row per day."""
    rows = tables.rows(_CHOICES, first=days.first.isoformat(), last=days.last.isoformat())
    return [Choice(date.fromisoformat(row[0]), row[1], row[2]) for row in rows]


def first_day(tables: Tables) -> date | None:
    """Return the first day with a choice."""
    row = tables.rows(_FIRST_DAY)[0]
    return date.fromisoformat(row[0]) if row[0] else None


def save_choice(writer: Writer, choice: Choice, now: int) -> None:
    """Save the choice for a day, replacing an earlier one."""
    values = {"word_id": choice.word_id, "phrase_id": choice.phrase_id, "chosen": now}
    adding = Bulk(writer).insert_into(daily_choice).values(day=choice.day.isoformat(), **values)
    writer.execute(adding.on_conflict_do_update(index_elements=["day"], set_=values))
