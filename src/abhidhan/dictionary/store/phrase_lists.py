"""Lists of phrases in alphabetical order, filtered by language, category and words."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, LargeBinary, Select, Text, bindparam, func, literal, or_, select, tuple_

from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.store import phrases
from abhidhan.platform.database.compiled_queries import Query, Value, by_size, in_list, list_size, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import phrase, phrase_word, sense


class PhraseFilter(NamedTuple):
    """Filter of phrases; `keys` has the alternative keys of each word that a phrase must contain."""

    language_id: int = ALL_LANGUAGES
    category_id: int | None = None
    keys: tuple[tuple[str, ...], ...] = ()


def list_phrases(reader: Reader, chosen: PhraseFilter, limit: int, offset: int) -> list[int]:
    """List the IDs of phrases, by language, then alphabetically."""
    rows = reader.rows(_page(_shape(chosen)), **_parameters(chosen), limit=limit, offset=offset)
    return [row[0] for row in rows]


def count_phrases(reader: Reader, chosen: PhraseFilter) -> int:
    """Count the phrases that match a filter."""
    return int(reader.rows(_count(_shape(chosen)), **_parameters(chosen))[0][0])


_IDEAS = by_size(
    lambda size: (
        select(sense.c.word_id, sense.c.idea_id)
        .where(in_list(sense.c.word_id, "id", size))
        .order_by(sense.c.word_id, sense.c.position, sense.c.id)
    )
)


def ideas_of_words(reader: Reader, word_ids: Sequence[int]) -> dict[int, list[int]]:
    """Return the ideas of words in the order of their meanings; words without any are left out."""
    found: dict[int, list[int]] = {}
    if word_ids:
        for word_id, idea_id in reader.rows(_IDEAS(len(word_ids)), **padded("id", word_ids)):
            found.setdefault(word_id, []).append(idea_id)
    return found


class _Shape(NamedTuple):
    """Conditions that determine the statement."""

    of_language: bool
    of_category: bool
    words: int
    size: int


def _shape(chosen: PhraseFilter) -> _Shape:
    size = max((list_size(len(keys)) for keys in chosen.keys), default=0)
    return _Shape(chosen.language_id != ALL_LANGUAGES, chosen.category_id is not None, len(chosen.keys), size)


def _parameters(chosen: PhraseFilter) -> dict[str, Value]:
    size = _shape(chosen).size
    given: dict[str, Value] = {"language_id": chosen.language_id, "category_id": chosen.category_id}
    for place, keys in enumerate(chosen.keys):
        given |= padded(f"word_{place}", [*keys, *[keys[-1]] * (size - len(keys))])
    return given


def _chosen(shape: _Shape) -> Select[Any]:
    chosen = select(phrase.c.id)
    if shape.of_language:
        chosen = chosen.where(phrase.c.language_id == bindparam("language_id", type_=Integer))
    if shape.of_category:
        chosen = chosen.where(phrase.c.category_id == bindparam("category_id", type_=Integer))
    for place in range(shape.words):
        having = select(phrase_word.c.phrase_id).where(in_list(phrase_word.c.key, f"word_{place}", shape.size))
        chosen = chosen.where(phrase.c.id.in_(having))
    return chosen if shape != _ALL else chosen.where(phrase.c.language_id > literal(ALL_LANGUAGES))


_ALL: Final = _Shape(of_language=False, of_category=False, words=0, size=0)


@cache
def _page(shape: _Shape) -> Query:
    return Query(
        _chosen(shape)
        .order_by(phrase.c.language_id, phrase.c.sort_key, phrase.c.text)
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
    )


@cache
def _count(shape: _Shape) -> Query:
    return Query(select(func.count()).select_from(_chosen(shape).subquery()))


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
    """Start of a page in the alphabet of a language: its text and the sort key."""

    language_id: int
    start_key: bytes
    start: str


def proverb_page(reader: Reader, place: Place, category_id: int, limit: int) -> list[Phrase]:
    """Load proverbs from a position on, in alphabetical order."""
    rows = reader.rows(_PAGE, **place._asdict(), category_id=category_id, limit=limit)
    return [phrases.phrase_of(row) for row in rows]


def proverb_texts(reader: Reader, language_id: int, limit: int) -> list[tuple[int, str]]:
    """List the IDs and texts of the first proverbs of a language."""
    return [(row[0], row[1]) for row in reader.rows(_TEXTS, language_id=language_id, limit=limit)]


def proverb_counts(reader: Reader) -> list[tuple[int, int | None, int]]:
    """Return the number of proverbs per language and category: (language ID, category ID, number)."""
    return [(row[0], row[1], row[2]) for row in reader.rows(_CATEGORIES)]
