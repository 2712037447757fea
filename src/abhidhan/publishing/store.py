"""Queries for packs: the words and proverbs of one language by ID, with their stored keys."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, func, select

from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.ids import is_valid_id
from abhidhan.records.local_texts import LocalText, build_local_texts
from abhidhan.schema import phrase, sense, word

PROVERB_BATCH_SIZE = 1000

_LANGUAGE_ID = bindparam("language_id", type_=Integer)
_WORD_IDS = CompiledQuery(select(word.c.id).where(word.c.language_id == _LANGUAGE_ID))
_KEYS_QUERY = per_list_size(
    lambda size: select(word.c.id, word.c.exact_key, word.c.loose_key, word.c.sound_key).where(
        in_list(word.c.id, "id", size), word.c.language_id == _LANGUAGE_ID
    )
)
_WORDS_OF_IDEAS = per_list_size(
    lambda size: select(sense.c.word_id).where(
        in_list(sense.c.idea_id, "id", size), sense.c.language_id == _LANGUAGE_ID
    )
)
_PROVERB_COLUMNS = (
    phrase.c.id,
    phrase.c.text,
    func.coalesce(phrase.c.roman, phrase.c.rule_roman),
    phrase.c.exact_key,
    phrase.c.sound_key,
    phrase.c.meaning,
    phrase.c.meanings,
    phrase.c.licence,
)
_PROVERBS_QUERY = CompiledQuery(
    select(*_PROVERB_COLUMNS)
    .where(phrase.c.language_id == _LANGUAGE_ID, phrase.c.id > bindparam("after", type_=Integer))
    .order_by(phrase.c.id)
    .limit(PROVERB_BATCH_SIZE)
)
_PROVERBS_BY_ID = per_list_size(
    lambda size: (
        select(*_PROVERB_COLUMNS)
        .where(phrase.c.language_id == _LANGUAGE_ID, in_list(phrase.c.id, "id", size))
        .order_by(phrase.c.id)
    )
)


class PackKeys(NamedTuple):
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


def load_word_ids(connection: ReadConnection, language_id: int) -> "array[int]":
    """Return the IDs of a language's words, ascending, at eight bytes each."""
    return array("q", sorted(row[0] for row in connection.rows(_WORD_IDS, language_id=language_id)))


def load_keys(connection: ReadConnection, ids: Sequence[int], language_id: int) -> dict[int, PackKeys]:
    """Return the keys of words by ID; skip words of other languages."""
    keys_by_id: dict[int, PackKeys] = {}
    for batch in chunks([each for each in ids if is_valid_id(each)]):
        rows = connection.rows(_KEYS_QUERY(len(batch)), **list_params("id", batch), language_id=language_id)
        keys_by_id |= {word_id: PackKeys(*keys) for word_id, *keys in rows}
    return keys_by_id


def load_word_ids_of_ideas(connection: ReadConnection, idea_ids: Iterable[int], language_id: int) -> set[int]:
    """Return the IDs of the words of a language that express the given ideas."""
    return {
        row[0]
        for batch in chunks([idea_id for idea_id in idea_ids if is_valid_id(idea_id)])
        for row in connection.rows(_WORDS_OF_IDEAS(len(batch)), **list_params("id", batch), language_id=language_id)
    }


def iter_proverbs(connection: ReadConnection, language_id: int) -> Iterator[Proverb]:
    """Yield the proverbs of a language, in the order of their IDs."""
    after = 0
    while rows := connection.rows(_PROVERBS_QUERY, language_id=language_id, after=after):
        after = rows[-1][0]
        yield from map(_build_proverb, rows)


def load_proverbs(connection: ReadConnection, ids: Iterable[int], language_id: int) -> list[Proverb]:
    """Return the proverbs of a language with the given IDs, in the order of their IDs."""
    proverb_rows = [
        row
        for batch in chunks(sorted(phrase_id for phrase_id in ids if is_valid_id(phrase_id)))
        for row in connection.rows(_PROVERBS_BY_ID(len(batch)), **list_params("id", batch), language_id=language_id)
    ]
    return [_build_proverb(row) for row in proverb_rows]


def _build_proverb(row: Row) -> Proverb:
    *keys, meaning, meanings, licence = row
    return Proverb._make((*keys, build_local_texts(meaning, meanings), licence))
