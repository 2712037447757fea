"""Queries for the random selection of words and phrases, and the stored words and phrases of the day."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import Integer, Text, bindparam, exists, func, literal, or_, select

from abhidhan.dictionary.model.word_of_the_day import DailyChoice
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.database.key_queries import language_condition
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import daily_choice, definition, example, idea, phrase, sense

_LANGUAGE: Final = sense.c.language_id == bindparam("language_id", type_=Integer)
_START: Final = bindparam("start", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)


class IdBounds(NamedTuple):
    """Smallest and greatest ID of some records."""

    first: int
    last: int


_BOUNDS_OF_IDEAS = CompiledQuery(
    select(select(func.min(idea.c.id)).scalar_subquery(), select(func.max(idea.c.id)).scalar_subquery())
)
_BOUNDS_OF_LANGUAGE = CompiledQuery(
    select(
        select(func.min(sense.c.idea_id)).where(_LANGUAGE).scalar_subquery(),
        select(func.max(sense.c.idea_id)).where(_LANGUAGE).scalar_subquery(),
    )
)
_BOUNDS_OF_PHRASES = CompiledQuery(
    select(select(func.min(phrase.c.id)).scalar_subquery(), select(func.max(phrase.c.id)).scalar_subquery())
)


def find_idea_bounds(tables: RowSource, language_id: int) -> IdBounds | None:
    """Return the bounds of the IDs of ideas, or of those with words of a language; None if there are none."""
    query = _BOUNDS_OF_IDEAS if language_id == ALL_LANGUAGES else _BOUNDS_OF_LANGUAGE
    first, last = tables.rows(query, language_id=language_id)[0]
    return None if first is None else IdBounds(first, last)


def find_phrase_bounds(tables: RowSource) -> IdBounds | None:
    """Return the bounds of the IDs of phrases; None if there are none."""
    first, last = tables.rows(_BOUNDS_OF_PHRASES)[0]
    return None if first is None else IdBounds(first, last)


_IDEAS = CompiledQuery(select(idea.c.id).where(idea.c.id >= _START).order_by(idea.c.id).limit(_LIMIT))
_IDEAS_OF_LANGUAGE = CompiledQuery(
    select(sense.c.idea_id)
    .where(_LANGUAGE, sense.c.idea_id >= _START)
    .distinct()
    .order_by(sense.c.idea_id)
    .limit(_LIMIT)
)
_PHRASES = CompiledQuery(select(phrase.c.id).where(phrase.c.id >= _START).order_by(phrase.c.id).limit(_LIMIT))


def list_ideas_from(tables: RowSource, language_id: int, start: int, limit: int) -> list[int]:
    """List the IDs of ideas from an ID on: all, or those with words of a language."""
    query = _IDEAS if language_id == ALL_LANGUAGES else _IDEAS_OF_LANGUAGE
    return [row[0] for row in tables.rows(query, language_id=language_id, start=start, limit=limit)]


def list_phrases_from(tables: RowSource, start: int, limit: int) -> list[int]:
    """List the IDs of phrases from an ID on."""
    return [row[0] for row in tables.rows(_PHRASES, start=start, limit=limit)]


_second_word = (
    select(literal(1)).where(sense.c.idea_id == idea.c.id).limit(literal(1)).offset(literal(1)).correlate(idea).exists()
)
_DESCRIBED = per_list_size(
    lambda size: (
        select(idea.c.id)
        .where(in_list(idea.c.id, "id", size), or_(exists().where(definition.c.idea_id == idea.c.id), _second_word))
        .order_by(idea.c.id)
    )
)


def filter_described_ideas(tables: RowSource, idea_ids: Sequence[int]) -> list[int]:
    """Return the ideas that have a definition or several words, and so describe a word."""
    return [
        row[0] for batch in chunks(idea_ids) for row in tables.rows(_DESCRIBED(len(batch)), **list_params("id", batch))
    ]


_WITH_EXAMPLES = per_list_size(
    lambda size: (
        select(idea.c.id)
        .where(in_list(idea.c.id, "id", size), exists().where(example.c.idea_id == idea.c.id))
        .order_by(idea.c.id)
    )
)


def filter_ideas_with_examples(tables: RowSource, idea_ids: Sequence[int]) -> list[int]:
    """Return the ideas that have an example; their words are in common use, and rarely names."""
    return [
        row[0]
        for batch in chunks(idea_ids)
        for row in tables.rows(_WITH_EXAMPLES(len(batch)), **list_params("id", batch))
    ]


_HAS_MEANING: Final = or_(phrase.c.meaning.is_not(None), phrase.c.meanings.is_not(None))

_WITH_MEANING = per_list_size(
    lambda size: (
        select(phrase.c.id)
        .where(
            in_list(phrase.c.id, "id", size),
            _HAS_MEANING,
            language_condition(phrase.c.language_id),
        )
        .order_by(phrase.c.id)
    )
)


def filter_phrases_with_meaning(tables: RowSource, phrase_ids: Sequence[int], language_id: int) -> list[int]:
    """Return the phrases, of one language or all, that have a meaning."""
    if not phrase_ids:
        return []
    rows = tables.rows(_WITH_MEANING(len(phrase_ids)), **list_params("id", phrase_ids), language_id=language_id)
    return [row[0] for row in rows]


_WORDS = CompiledQuery(
    select(sense.c.word_id)
    .where(sense.c.idea_id == bindparam("idea_id", type_=Integer), language_condition(sense.c.language_id))
    .order_by(sense.c.word_id)
)
_IDEAS_OF_WORDS = per_list_size(
    lambda size: select(sense.c.word_id, sense.c.idea_id).where(in_list(sense.c.word_id, "id", size))
)


def list_words_of_idea(tables: RowSource, idea_id: int, language_id: int) -> list[int]:
    """List the words of an idea in one language or all."""
    return [row[0] for row in tables.rows(_WORDS, idea_id=idea_id, language_id=language_id)]


def filter_described_words(tables: RowSource, word_ids: Sequence[int]) -> list[int]:
    """Return the words that exist and have an idea with a definition or several words."""
    if not word_ids:
        return []
    senses = tables.rows(_IDEAS_OF_WORDS(len(word_ids)), **list_params("id", word_ids))
    idea_ids = {*filter_described_ideas(tables, sorted({row[1] for row in senses}))}
    described_words = {row[0] for row in senses if row[1] in idea_ids}
    return [word_id for word_id in word_ids if word_id in described_words]


_CHOICES = CompiledQuery(
    select(daily_choice.c.day, daily_choice.c.word_id, daily_choice.c.phrase_id)
    .where(
        daily_choice.c.day >= bindparam("first", type_=Text),
        daily_choice.c.day <= bindparam("last", type_=Text),
    )
    .order_by(daily_choice.c.day)
)
_FIRST_DAY = CompiledQuery(select(func.min(daily_choice.c.day)))


class DayRange(NamedTuple):
    """The first and the last day of a range."""

    first: date
    last: date


def list_choices(tables: RowSource, days: DayRange) -> list[DailyChoice]:
    """List the word and phrase chosen for each day of a range, in order; days without a choice are left out."""
    rows = tables.rows(_CHOICES, first=days.first.isoformat(), last=days.last.isoformat())
    return [DailyChoice(date.fromisoformat(row[0]), row[1], row[2]) for row in rows]


def find_first_day(tables: RowSource) -> date | None:
    """Return the first day with a choice; None if there is none."""
    row = tables.rows(_FIRST_DAY)[0]
    return date.fromisoformat(row[0]) if row[0] else None


def save_choice(writer: WriteConnection, choice: DailyChoice, now: int) -> None:
    """Save the choice for a day, replacing an earlier one."""
    values = {"word_id": choice.word_id, "phrase_id": choice.phrase_id, "chosen": now}
    statement = BulkTransaction(writer).build_insert(daily_choice).values(day=choice.day.isoformat(), **values)
    writer.execute(statement.on_conflict_do_update(index_elements=["day"], set_=values))
