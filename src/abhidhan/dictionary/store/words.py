"""Words by key, in alphabetical order or by date of addition, and adjacent words in alphabetical order."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import (
    Integer,
    LargeBinary,
    Select,
    Text,
    bindparam,
    exists,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
    tuple_,
    union_all,
)

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER, SoundFilter
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.key_queries import language_condition, select_by_key
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import definition, idea, sense, word, word_form, word_pos
from assamese.keys import sound_of_ascii_key

MAX_SORT_KEY = b"\xff\xff\xff\xff"
"""Bound greater than any sort key: ICU never begins one with these bytes."""


class WordRef(NamedTuple):
    """Item of a list of words: ID and spelling."""

    word_id: int
    text: str


def _build_find_query(column: KeyColumn) -> Callable[[int], CompiledQuery]:
    key = word_form.c.key if column is KeyColumn.FORM else word.c[column.value]
    source = word.join(word_form) if column is KeyColumn.FORM else word

    # Exact matches are not sorted by frequency, so the index alone suffices.
    frequency = null() if column is KeyColumn.EXACT else word.c.frequency

    return per_list_size(lambda size: select_by_key(key, frequency, size).select_from(source))


_FIND_QUERIES = {column: _build_find_query(column) for column in KeyColumn}


def find_by_key(
    connection: ReadConnection,
    column: KeyColumn,
    keys: Sequence[str],
    language_id: int = ALL_LANGUAGES,
    *,
    limit: int = 200,
) -> list[KeyMatch]:
    """Find at most `limit` words with one of the keys, by language, then alphabetically.

    Keys that the sound filter rules out, which include most misspellings, are not queried.
    """
    sounds = None if column is KeyColumn.FORM else SOUND_FILTER.current(connection)
    if sounds is None:
        possible = [key for key in keys if key]
    elif column is KeyColumn.SOUND:
        possible = sounds.filter_possible_keys(keys)
    else:
        possible = [key for key in keys if key and _may_be_stored(sounds, key)]
    if not possible:
        return []
    rows = connection.rows(
        _FIND_QUERIES[column](len(possible)), **list_params("key", possible), language_id=language_id, limit=limit
    )
    return list(map(KeyMatch._make, rows))


def _may_be_stored(sounds: SoundFilter, key: str) -> bool:
    """Return whether the sound filter admits a key; True for keys in Indic letters, several words, or a lone `%`."""
    sound = sound_of_ascii_key(key) if key.isascii() and " " not in key else ""
    return not sound or sounds.may_contain(sound)


_PARTS_OF_SPEECH = per_list_size(
    lambda size: (
        select(sense.c.word_id, idea.c.pos_id)
        .join(idea, idea.c.id == sense.c.idea_id)
        .where(in_list(sense.c.word_id, "id", size), idea.c.pos_id.is_not(None))
    )
)


def load_pos_ids(connection: ReadConnection, word_ids: Sequence[int]) -> dict[int, list[int]]:
    """Load the part-of-speech IDs of the meanings of words, by word ID; words without any are left out."""
    if not word_ids:
        return {}
    parts_by_word: dict[int, list[int]] = defaultdict(list)
    for word_id, pos_id in connection.rows(_PARTS_OF_SPEECH(len(word_ids)), **list_params("id", word_ids)):
        parts_by_word[word_id].append(pos_id)
    return parts_by_word


_other = sense.alias("other")

_DESCRIBED = per_list_size(
    lambda size: (
        select(sense.c.word_id)
        .where(
            in_list(sense.c.word_id, "id", size),
            or_(
                exists().where(definition.c.idea_id == sense.c.idea_id),
                exists().where(_other.c.idea_id == sense.c.idea_id, _other.c.word_id != sense.c.word_id),
            ),
        )
        .distinct()
    )
)


def find_stubs(connection: ReadConnection, word_ids: Sequence[int]) -> frozenset[int]:
    """Return the IDs of the stubs: words none of whose ideas has a definition or another word."""
    if not word_ids:
        return frozenset()
    rows = connection.rows(_DESCRIBED(len(word_ids)), **list_params("id", word_ids))
    return frozenset(word_ids) - {row[0] for row in rows}


MAX_FORMS = 1000
"""Maximum number of stored forms read for a word; no verb has more."""

_STORED_FORM_KEYS = CompiledQuery(
    select(word_form.c.key)
    .where(word_form.c.word_id == bindparam("id"))
    .order_by(word_form.c.key)
    .limit(literal(MAX_FORMS))
)


def list_form_keys(connection: ReadConnection, word_id: int) -> list[str]:
    """List the exact keys of the stored forms of a word."""
    return [row[0] for row in connection.rows(_STORED_FORM_KEYS, id=word_id)]


_TAGGED_FORMS = CompiledQuery(
    select(word_form.c.key, word_form.c.tag)
    .where(word_form.c.word_id == bindparam("id"))
    .order_by(word_form.c.key)
    .limit(literal(MAX_FORMS))
)


def load_form_tags(connection: ReadConnection, word_id: int) -> dict[str, str]:
    """Return the tags of the stored forms of a word by exact key; "" for a form without a tag."""
    return {row[0]: row[1] for row in connection.rows(_TAGGED_FORMS, id=word_id)}


def _build_alphabetical_query(table_has_pos: bool) -> CompiledQuery:  # noqa: FBT001  # two variants, built once
    table = word_pos if table_has_pos else word
    word_id = word_pos.c.word_id if table_has_pos else word.c.id
    statement = (
        select(word_id, table.c.text)
        .where(
            table.c.language_id == bindparam("language_id", type_=Integer),
            tuple_(table.c.sort_key, table.c.text)
            >= tuple_(bindparam("start_key", type_=LargeBinary), bindparam("start", type_=Text)),
            table.c.sort_key < bindparam("end_key", type_=LargeBinary),
        )
        .order_by(table.c.sort_key, table.c.text)
        .limit(bindparam("limit", type_=Integer))
    )
    if table_has_pos:
        statement = statement.where(word_pos.c.pos_id == bindparam("pos_id", type_=Integer))
    return CompiledQuery(statement)


_ALPHABETICAL = _build_alphabetical_query(table_has_pos=False)
_ALPHABETICAL_WITH_POS = _build_alphabetical_query(table_has_pos=True)


class SortKeyRange(NamedTuple):
    """Range of one language's alphabetical order: from a spelling and its sort key up to, not including, `end_key`."""

    language_id: int
    start_key: bytes
    start: str
    end_key: bytes = MAX_SORT_KEY


def list_alphabetically(
    connection: ReadConnection, key_range: SortKeyRange, pos_id: int | None, limit: int
) -> list[WordRef]:
    """List words in their language's order; with a part of speech, only words with a meaning of that kind."""
    if pos_id is None:
        rows = connection.rows(_ALPHABETICAL, **key_range._asdict(), limit=limit)
    else:
        rows = connection.rows(_ALPHABETICAL_WITH_POS, **key_range._asdict(), limit=limit, pos_id=pos_id)
    return list(map(WordRef._make, rows))


_RECENT = CompiledQuery(
    select(word.c.id, word.c.created)
    .order_by(word.c.created.desc(), word.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
)

_RECENT_OF_LANGUAGE = CompiledQuery(
    select(word.c.id, word.c.created)
    .where(word.c.language_id == bindparam("language_id", type_=Integer))
    .order_by(word.c.created.desc(), word.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
)


def list_recent(connection: ReadConnection, language_id: int, limit: int) -> list[tuple[int, int]]:
    """List the most recently added words, newest first: (ID, time in seconds since 1970)."""
    if language_id == ALL_LANGUAGES:
        rows = connection.rows(_RECENT, limit=limit)
    else:
        rows = connection.rows(_RECENT_OF_LANGUAGE, language_id=language_id, limit=limit)
    return [(row[0], row[1]) for row in rows]


_PAGE = CompiledQuery(
    select(word.c.id)
    .order_by(word.c.language_id, word.c.sort_key, word.c.text)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)

_PAGE_OF_LANGUAGE = CompiledQuery(
    select(word.c.id)
    .where(word.c.language_id == bindparam("language_id", type_=Integer))
    .order_by(word.c.sort_key, word.c.text)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)

_BEGINS_WITH = (
    word.c.exact_key >= bindparam("prefix", type_=Text),
    word.c.exact_key < bindparam("prefix_end", type_=Text),
    language_condition(word.c.language_id),
)

_PAGE_OF_PREFIX = CompiledQuery(
    select(word.c.id)
    .where(*_BEGINS_WITH)
    .order_by(
        (word.c.exact_key == bindparam("prefix", type_=Text)).desc(),
        word.c.language_id,
        word.c.sort_key,
        word.c.text,
    )
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)

_COUNT_OF_PREFIX = CompiledQuery(select(func.count()).select_from(word).where(*_BEGINS_WITH))


def list_page(connection: ReadConnection, language_id: int, limit: int, offset: int) -> list[int]:
    """List the IDs of one page of all words, by language, then alphabetically."""
    if language_id == ALL_LANGUAGES:
        rows = connection.rows(_PAGE, limit=limit, offset=offset)
    else:
        rows = connection.rows(_PAGE_OF_LANGUAGE, language_id=language_id, limit=limit, offset=offset)
    return [row[0] for row in rows]


def list_prefix_page(connection: ReadConnection, prefix: str, language_id: int, limit: int, offset: int) -> list[int]:
    """List the IDs of one page of the words whose exact key begins with `prefix`, exact matches first."""
    rows = connection.rows(
        _PAGE_OF_PREFIX, **_prefix_range(prefix), language_id=language_id, limit=limit, offset=offset
    )
    return [row[0] for row in rows]


def count_with_prefix(connection: ReadConnection, prefix: str, language_id: int) -> int:
    """Count the words whose exact key begins with `prefix`."""
    row = connection.row(_COUNT_OF_PREFIX, **_prefix_range(prefix), language_id=language_id)
    return int(row[0]) if row else 0


def _prefix_range(prefix: str) -> dict[str, str]:
    return {"prefix": prefix, "prefix_end": prefix + MAX_CODE_POINT}


_POSITION = tuple_(word.c.sort_key, word.c.text)
_POSITION_PARAM = tuple_(bindparam("sort_key", type_=LargeBinary), bindparam("text", type_=Text))
_SPELLINGS: Select[tuple[str]] = select(word.c.text).where(
    word.c.language_id == bindparam("language_id", type_=Integer)
)
_LIMIT = bindparam("limit", type_=Integer)

_BEFORE = (
    _SPELLINGS.where(_POSITION < _POSITION_PARAM).order_by(word.c.sort_key.desc(), word.c.text.desc()).limit(_LIMIT)
)
_AFTER = _SPELLINGS.where(_POSITION > _POSITION_PARAM).order_by(word.c.sort_key, word.c.text).limit(_LIMIT)
# Both engines read the arms of a union one after the other, each in its own order.
_ADJACENT_SPELLINGS = CompiledQuery(
    union_all(
        select(literal_column("0", Integer), _BEFORE.subquery().c.text),
        select(literal_column("1", Integer), _AFTER.subquery().c.text),
    )
)


def find_adjacent_spellings(
    connection: ReadConnection, language_id: int, sort_key: bytes, text: str, limit: int
) -> tuple[list[str], list[str]]:
    """Return the spellings before and after a position in a language's order, nearest first."""
    rows = connection.rows(_ADJACENT_SPELLINGS, language_id=language_id, sort_key=sort_key, text=text, limit=limit)
    return [spelling for follows, spelling in rows if not follows], [spelling for follows, spelling in rows if follows]
