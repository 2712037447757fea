"""Words with a spelling or sound similar to a query, as candidates for guesses. Every query has a limit."""

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

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.query import SearchQuery, build_query
from abhidhan.dictionary.model.ranking import NearWordCandidate, find_nearest
from abhidhan.dictionary.model.sound_frames import make_slip_keys
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    Row,
    chunks,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import near_key, word
from assamese.keys import NEAR_KEY_LETTERS, near_keys

MAX_WORDS_PER_NEAR_KEY: Final = 150
"""Maximum number of words for one near key; only prefixes that hundreds of long words share have more."""

MAX_PREFIX_KEYS: Final = 1500
"""Maximum number of long words with the prefix of the query that are scanned, in the order of their keys."""

MAX_LENGTH_DIFFERENCE: Final = 2
"""Maximum difference in length between a word and the query, in letters: the number of errors allowed."""

SOUND_LETTERS: Final = "aeioukKgGNsjtTdDnpPbBmrlxh"
"""Letters of the sound keys of Indic words (`assamese/tables/sounds.toml`)."""

MIN_SOUND_LENGTH: Final = 4
"""Minimum length of sound keys for which sounds with a typing error are searched; shorter ones could be any word."""

MAX_READINGS_WITH_SLIPS: Final = 4
"""Number of the likeliest readings of Roman letters for which sounds with a typing error are searched."""

MAX_SIMILAR_SOUNDS: Final = 500
"""Maximum number of words of the same or similar sound that are compared with the query."""


_CANDIDATE_COLUMNS: Final = (
    word.c.id,
    word.c.language_id,
    word.c.text,
    word.c.loose_key,
    word.c.sound_key,
    word.c.frequency,
)


@cache
def _build_near_query(count: int) -> CompiledQuery:
    """Build the statement for `count` near keys and the range of long words with the prefix of the query."""
    under_keys = [_select_by_near_key(number) for number in range(count)]
    ids = union_all(*under_keys, _SIMILAR_LENGTH).subquery()  # IN counts each once
    return CompiledQuery(
        select(*_CANDIDATE_COLUMNS)
        .where(
            word.c.id.in_(select(ids.c.id)),
            func.length(word.c.loose_key) >= bindparam("shortest", type_=Integer),
            func.length(word.c.loose_key) <= bindparam("longest", type_=Integer),
        )
        .order_by(word.c.id)
    )


def _select_by_near_key(number: int) -> Select[Any]:
    ids = (
        select(near_key.c.word_id.label("id"))
        .where(near_key.c.key == bindparam(f"key_{number}", type_=Text))
        .order_by(near_key.c.word_id)
        .limit(literal(MAX_WORDS_PER_NEAR_KEY))
        .subquery()
    )
    return select(ids.c.id)


_SAME_PREFIX: Final = (
    select(word.c.id, word.c.loose_key)
    .where(word.c.loose_key >= bindparam("prefix", type_=Text), word.c.loose_key < bindparam("end", type_=Text))
    .order_by(word.c.loose_key)
    .limit(literal(MAX_PREFIX_KEYS))
    .subquery()
)
_SIMILAR_LENGTH: Final = select(_SAME_PREFIX.c.id).where(
    func.length(_SAME_PREFIX.c.loose_key) >= bindparam("shortest", type_=Integer),
    func.length(_SAME_PREFIX.c.loose_key) <= bindparam("longest", type_=Integer),
)


def find_near_words(connection: ReadConnection, text: str, language_id: int | None) -> tuple[KeyMatch, ...]:
    """List the words that may be meant by `text`, best first; those of the language precede others."""
    query = build_query(text, connection.catalogue.orthographies(ALL_LANGUAGES))
    if language_id and not query.loose.is_possible_language(language_id):
        query = build_query(text, connection.catalogue.orthographies(language_id))
    matches = find_nearest(query, load_candidates(connection, query), language_id or ALL_LANGUAGES)
    return tuple(near.candidate.as_key_match() for near in matches)


def load_candidates(connection: ReadConnection, query: SearchQuery) -> list[NearWordCandidate]:
    """Load the words that may be near a query, by spelling, sound, or sound with a typing error."""
    by_word_id = {
        candidate.word_id: candidate
        for key in query.loose_keys()
        for candidate in _find_near_spellings(connection, key)
    }
    sounds = SOUND_FILTER.current(connection)
    sound_keys = query.sound_keys() if sounds is None else sounds.filter_possible_keys(query.sound_keys())
    by_word_id |= {candidate.word_id: candidate for candidate in _find_by_sound(connection, sound_keys)}
    slip_candidates = find_near_sounds(
        connection, query.roman_sound_keys or query.sound_keys(), MAX_READINGS_WITH_SLIPS
    )
    by_word_id |= {candidate.word_id: candidate for candidate in slip_candidates}
    return list(by_word_id.values())


def find_near_sounds(connection: ReadConnection, sound_keys: Iterable[str], limit: int) -> list[NearWordCandidate]:
    """Load words whose sound differs by one error from one of the first `limit` sound keys that are long enough."""
    long_keys = [key for key in sound_keys if len(key) >= MIN_SOUND_LENGTH][:limit]
    sounds = SOUND_FILTER.current(connection)
    make_keys = make_slip_keys if sounds is None else sounds.find_slip_keys
    return _find_by_sound(connection, make_keys(long_keys, SOUND_LETTERS))


def _find_near_spellings(connection: ReadConnection, loose_key: str) -> list[NearWordCandidate]:
    """Load words that share a near key or, if long, the first NEAR_KEY_LETTERS letters."""
    keys = sorted(near_keys(loose_key))
    prefix = loose_key[:NEAR_KEY_LETTERS]
    rows = connection.rows(
        _build_near_query(len(keys)),
        **{f"key_{number}": key for number, key in enumerate(keys)},
        prefix=prefix,
        end=prefix + MAX_CODE_POINT if len(loose_key) > NEAR_KEY_LETTERS else prefix,
        shortest=len(loose_key) - MAX_LENGTH_DIFFERENCE,
        longest=len(loose_key) + MAX_LENGTH_DIFFERENCE,
    )
    return [NearWordCandidate._make(row) for row in rows]


_BY_SOUND = per_list_size(
    lambda size: (
        select(*_CANDIDATE_COLUMNS)
        .where(in_list(word.c.sound_key, "sound", size))
        .order_by(word.c.sound_key, word.c.id)
        .limit(bindparam("limit", type_=Integer))
    )
)


def _find_by_sound(connection: ReadConnection, sound_keys: Collection[str]) -> list[NearWordCandidate]:
    rows: list[Row] = []
    for batch in chunks(sorted(sound_keys)):
        rows += connection.rows(
            _BY_SOUND(len(batch)), **list_params("sound", batch), limit=MAX_SIMILAR_SOUNDS - len(rows)
        )
    return [NearWordCandidate._make(row) for row in rows]
