"""Queries for packs: the words and proverbs of one language by ID, with their stored keys."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, func, select

from abhidhan.platform.database.compiled_queries import Query, Row, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ids import is_id
from abhidhan.records.local_texts import LocalText, local_texts
from abhidhan.schema import phrase, sense, word

PROVERBS_AT_ONCE = 1000

_LANGUAGE = bindparam("language_id", type_=Integer)
_WORD_IDS = Query(select(word.c.id).where(word.c.language_id == _LANGUAGE))
_KEYS = by_size(
    lambda size: select(word.c.id, word.c.exact_key, word.c.loose_key, word.c.sound_key).where(
        in_list(word.c.id, "id", size), word.c.language_id == _LANGUAGE
    )
)
_WORDS_OF_IDEAS = by_size(
    lambda size: select(sense.c.word_id).where(in_list(sense.c.idea_id, "id", size), sense.c.language_id == _LANGUAGE)
)
_PROVERB = (
    phrase.c.id,
    phrase.c.text,
    func.coalesce(phrase.c.roman, phrase.c.rule_roman),
    phrase.c.exact_key,
    phrase.c.sound_key,
    phrase.c.meaning,
    phrase.c.meanings,
    phrase.c.licence,
)
_PROVERBS = Query(
    select(*_PROVERB)
    .where(phrase.c.language_id == _LANGUAGE, phrase.c.id > bindparam("after", type_=Integer))
    .order_by(phrase.c.id)
    .limit(PROVERBS_AT_ONCE)
)
_SOME_PROVERBS = by_size(
    lambda size: (
        select(*_PROVERB)
        .where(phrase.c.language_id == _LANGUAGE, in_list(phrase.c.id, "id", size))
        .order_by(phrase.c.id)
    )
)


class StoredKeys(NamedTuple):
    """The search keys of a word."""

    exact: str
    loose: str
    sound: str


class Proverb(NamedTuple):
    """A proverb or idiom, its keys, and its meaning in each language that has one."""

    id: int
    text: str
    roman: str | None
    exact: str
    sound: str
    meanings: tuple[LocalText, ...]
    licence: str | None


def word_ids(reader: Reader, language_id: int) -> "array[int]":
    """Return the IDs of a language's words, ascending, at eight bytes each."""
    return array("q", sorted(row[0] for row in reader.rows(_WORD_IDS, language_id=language_id)))


def stored_keys(reader: Reader, ids: Sequence[int], language_id: int) -> dict[int, StoredKeys]:
    """Return the keys of words by ID; skip words of other languages."""
    found: dict[int, StoredKeys] = {}
    for some in chunks([each for each in ids if is_id(each)]):
        rows = reader.rows(_KEYS(len(some)), **padded("id", some), language_id=language_id)
        found |= {word_id: StoredKeys(*keys) for word_id, *keys in rows}
    return found


def words_of_ideas(reader: Reader, idea_ids: Iterable[int], language_id: int) -> set[int]:
    """Return the IDs of a language's words for the given ideas."""
    return {
        row[0]
        for some in chunks([each for each in idea_ids if is_id(each)])
        for row in reader.rows(_WORDS_OF_IDEAS(len(some)), **padded("id", some), language_id=language_id)
    }


def proverbs(reader: Reader, language_id: int) -> Iterator[Proverb]:
    """Yield the proverbs of a language, in the order of their IDs."""
    after = 0
    while rows := reader.rows(_PROVERBS, language_id=language_id, after=after):
        after = rows[-1][0]
        yield from map(_proverb, rows)


def some_proverbs(reader: Reader, ids: Iterable[int], language_id: int) -> list[Proverb]:
    """Return the proverbs with the given IDs that are of a language, in the order of their IDs."""
    found = [
        row
        for some in chunks(sorted(each for each in ids if is_id(each)))
        for row in reader.rows(_SOME_PROVERBS(len(some)), **padded("id", some), language_id=language_id)
    ]
    return [_proverb(row) for row in found]


def _proverb(row: Row) -> Proverb:
    *keys, meaning, meanings, licence = row
    return Proverb._make((*keys, local_texts(meaning, meanings), licence))
