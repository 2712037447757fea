"""Candidates for words of similar spelling or sound. Every read is limited."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Integer,
    Select,
    Text,
    bindparam,
    func,
    literal,
    select,
    union_all,
)

from abhidhan.dictionary.model.guess_scoring import FoundKey
from abhidhan.dictionary.model.query import SearchQuery, read_query
from abhidhan.dictionary.model.ranking import Candidate, nearest
from abhidhan.dictionary.model.sound_frames import keys_one_slip_away
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, Row, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import near_key, word
from assamese.keys import NEAR_LETTERS, near_keys

WORDS_OF_A_NEAR_KEY: Final = 150
"""Maximum number of words for one near key; only prefixes that hundreds of long words share have more."""

KEYS_OF_A_RANGE: Final = 1500
"""Maximum number of long words with the prefix of the query that are scanned, in the order of their keys."""

LONGER: Final = 2
"""Maximum difference in length between a word and the query, in letters: the number of errors allowed."""

SOUND_LETTERS: Final = "aeioukKgGNsjtTdDnpPbBmrlxh"
"""Letters of the sound keys of Indic words (`assamese/tables/sounds.toml`)."""

LEAST_SOUNDS: Final = 4
"""Minimum length of sound keys that are tried with a typing error; shorter ones could be any word."""

READINGS_WITH_SLIPS: Final = 4
"""Number of sound keys, of the likeliest readings of Roman input, that are tried with typing errors."""

MOST_SOUNDING: Final = 500
"""Maximum number of words of the same or similar sound that are compared with the query."""


_CANDIDATE: Final = (word.c.id, word.c.language_id, word.c.text, word.c.loose_key, word.c.sound_key, word.c.frequency)


@cache
def _near(count: int) -> Query:
    """Build the statement for `count` near keys and the range of long words with the prefix of the query."""
    under_keys = [_under_near_key(place) for place in range(count)]
    ids = union_all(*under_keys, _OF_LIKE_BEGINNING).subquery()  # IN counts each once
    return Query(
        select(*_CANDIDATE)
        .where(
            word.c.id.in_(select(ids.c.id)),
            func.length(word.c.loose_key) >= bindparam("shortest", type_=Integer),
            func.length(word.c.loose_key) <= bindparam("longest", type_=Integer),
        )
        .order_by(word.c.id)
    )


def _under_near_key(place: int) -> Select[Any]:
    ids = (
        select(near_key.c.word_id.label("id"))
        .where(near_key.c.key == bindparam(f"key_{place}", type_=Text))
        .order_by(near_key.c.word_id)
        .limit(literal(WORDS_OF_A_NEAR_KEY))
        .subquery()
    )
    return select(ids.c.id)


_BEGIN_ALIKE: Final = (
    select(word.c.id, word.c.loose_key)
    .where(word.c.loose_key >= bindparam("prefix", type_=Text), word.c.loose_key < bindparam("end", type_=Text))
    .order_by(word.c.loose_key)
    .limit(literal(KEYS_OF_A_RANGE))
    .subquery()
)
_OF_LIKE_BEGINNING: Final = select(_BEGIN_ALIKE.c.id).where(
    func.length(_BEGIN_ALIKE.c.loose_key) >= bindparam("shortest", type_=Integer),
    func.length(_BEGIN_ALIKE.c.loose_key) <= bindparam("longest", type_=Integer),
)


def near_words(reader: Reader, text: str, language_id: int | None) -> tuple[FoundKey, ...]:
    """List the words that may be meant by `text`, best first, those of the language before others."""
    asked = read_query(text, reader.catalogue.orthographies(ALL_LANGUAGES))
    if language_id and not asked.loose.may_be_of(language_id):
        asked = read_query(text, reader.catalogue.orthographies(language_id))
    found = nearest(asked, candidates(reader, asked), language_id or ALL_LANGUAGES)
    return tuple(near.candidate.as_found() for near in found)


def candidates(reader: Reader, asked: SearchQuery) -> list[Candidate]:
    """Load the words that may be near a query, by spelling, sound, or sound with a typing error."""
    found = {each.word_id: each for key in asked.loose_keys() for each in _spelled_nearly(reader, key)}
    sounds = SOUND_FILTER.held(reader)
    alike = asked.sound_keys() if sounds is None else sounds.there(asked.sound_keys())
    found |= {each.word_id: each for each in _sounding(reader, alike)}
    with_a_slip = sounding_nearly(reader, asked.roman or asked.sound_keys(), READINGS_WITH_SLIPS)
    found |= {each.word_id: each for each in with_a_slip}
    return list(found.values())


def sounding_nearly(reader: Reader, sound_keys: Iterable[str], limit: int) -> list[Candidate]:
    """Load words whose sound is one error away from one of the first `limit` sound keys that are long enough."""
    tried = [key for key in sound_keys if len(key) >= LEAST_SOUNDS][:limit]
    sounds = SOUND_FILTER.held(reader)
    make = keys_one_slip_away if sounds is None else sounds.one_slip_away
    return _sounding(reader, make(tried, SOUND_LETTERS))


def _spelled_nearly(reader: Reader, loose_key: str) -> list[Candidate]:
    """Load words that share a near key or, if long, the first NEAR_LETTERS letters."""
    keys = sorted(near_keys(loose_key))
    head = loose_key[:NEAR_LETTERS]
    rows = reader.rows(
        _near(len(keys)),
        **{f"key_{place}": key for place, key in enumerate(keys)},
        prefix=head,
        end=head + LAST_CHARACTER if len(loose_key) > NEAR_LETTERS else head,
        shortest=len(loose_key) - LONGER,
        longest=len(loose_key) + LONGER,
    )
    return [Candidate._make(row) for row in rows]


_SOUNDING = by_size(
    lambda size: (
        select(*_CANDIDATE)
        .where(in_list(word.c.sound_key, "sound", size))
        .order_by(word.c.sound_key, word.c.id)
        .limit(bindparam("limit", type_=Integer))
    )
)


def _sounding(reader: Reader, sound_keys: Collection[str]) -> list[Candidate]:
    rows: list[Row] = []
    for some in chunks(sorted(sound_keys)):
        rows += reader.rows(_SOUNDING(len(some)), **padded("sound", some), limit=MOST_SOUNDING - len(rows))
    return [Candidate._make(row) for row in rows]
