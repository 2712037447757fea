"""Proverbs as a reader leafs through them: in alphabetical order, of one language and one category or all."""

from typing import NamedTuple

from sqlalchemy import Integer, LargeBinary, Text, bindparam, func, or_, select, tuple_

from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.store import phrases
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import phrase

ALL_CATEGORIES = 0

_LANGUAGE = phrase.c.language_id == bindparam("language_id", type_=Integer)
_CATEGORY = bindparam("category_id", type_=Integer)
_LIMIT = bindparam("limit", type_=Integer)

_PAGE = Query(
    select(*phrases.READ)
    .where(
        _LANGUAGE,
        or_(_CATEGORY == ALL_CATEGORIES, phrase.c.category_id == _CATEGORY),
        tuple_(phrase.c.sort_key, phrase.c.text)
        >= tuple_(bindparam("start_key", type_=LargeBinary), bindparam("start", type_=Text)),
    )
    .order_by(phrase.c.sort_key, phrase.c.text)
    .limit(_LIMIT)
)

_TEXTS = Query(select(phrase.c.id, phrase.c.text).where(_LANGUAGE).order_by(phrase.c.text).limit(_LIMIT))

_CATEGORIES = Query(
    select(phrase.c.language_id, phrase.c.category_id, func.count())
    .group_by(phrase.c.language_id, phrase.c.category_id)
    .order_by(phrase.c.language_id, phrase.c.category_id)
)


class Place(NamedTuple):
    """Where in the alphabet of a language a page starts: the text it starts with, and its key."""

    language_id: int
    start_key: bytes
    start: str


def page(reader: Reader, place: Place, category_id: int, limit: int) -> list[Phrase]:
    """Read proverbs from a place on, in alphabetical order."""
    rows = reader.rows(_PAGE, **place._asdict(), category_id=category_id, limit=limit)
    return [phrases.phrase_of(row) for row in rows]


def texts(reader: Reader, language_id: int, limit: int) -> list[tuple[int, str]]:
    """List the IDs and texts of the first proverbs of a language."""
    return [(row[0], row[1]) for row in reader.rows(_TEXTS, language_id=language_id, limit=limit)]


def counts(reader: Reader) -> list[tuple[int, int | None, int]]:
    """Count the proverbs of each language and category: (language's ID, category's ID, number)."""
    return [(row[0], row[1], row[2]) for row in reader.rows(_CATEGORIES)]
