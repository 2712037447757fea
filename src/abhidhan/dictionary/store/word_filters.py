"""Words filtered by meaning, by recording, or by a pattern that their keys may match."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Text, bindparam, exists, func, literal, literal_column, or_, select

from abhidhan.dictionary.model.field_queries import KeyPattern
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.words import AFTER_EVERY_KEY, Place, Range
from abhidhan.platform.database.compiled_queries import (
    LAST_CHARACTER,
    Query,
    Value,
    by_size,
    chunks,
    in_list,
    list_size,
    padded,
)
from abhidhan.platform.database.key_queries import of_language
from abhidhan.platform.database.reader import Reader
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH
from abhidhan.records.submissions import Status
from abhidhan.schema import idea, idea_context, photo, recording, sense, word
from assamese.collation import sort_key

FEW_IDEAS: Final = 1024
"""Maximum number of ideas that are scanned one by one; of more, the words are scanned alphabetically."""


STATEMENTS_KEPT: Final = 64
"""Size of the statement caches: requests name contexts, whose lists differ in length."""


class WordChoice(NamedTuple):
    """Filter that one idea of a word must match: some parts of speech, each group of contexts, a photo.

    NO_PART_OF_SPEECH matches an idea without one. `has_audio` selects words with a recording.
    """

    pos_ids: tuple[int, ...] = ()
    contexts: tuple[tuple[int, ...], ...] = ()
    has_photo: bool = False
    has_audio: bool = False

    @property
    def is_any(self) -> bool:
        """Return whether all words match."""
        return not self.pos_ids and self.is_in_order

    @property
    def is_in_order(self) -> bool:
        """Return whether an index has the matching words in order: only parts of speech are filtered."""
        return not (self.contexts or self.has_photo or self.has_audio)


def keep(reader: Reader, choice: WordChoice, word_ids: Collection[int]) -> frozenset[int]:
    """Return the IDs of the words that match."""
    if choice.is_any:
        return frozenset(word_ids)
    shape = _shape(choice)
    return frozenset(
        row[0]
        for some in chunks(sorted(word_ids))
        for row in reader.rows(_kept(shape, list_size(len(some))), **padded("id", some), **_parameters(choice))
    )


def few(reader: Reader, choice: WordChoice, language_id: int, limit: int) -> list[int] | None:
    """List the matching words, by language, then alphabetically; None if there are too many ideas."""
    for shape in _ways(choice):
        rows = reader.rows(_ideas(shape), **_parameters(choice), limit=FEW_IDEAS + 1)
        if len(rows) <= FEW_IDEAS:
            ids = [row[0] for row in rows]
            return _of_ideas(reader, choice, ids, language_id, limit) if ids else []
    return None


def in_order(reader: Reader, choice: WordChoice, stretch: Range, limit: int) -> list[Place]:
    """List words in the alphabetical order of their language, filtered by part of speech alone if any is chosen."""
    if not choice.pos_ids:
        return words.in_alphabetical_order(reader, stretch, None, limit)
    code = reader.catalogue.language(stretch.language_id).code
    found = {
        place for pos_id in choice.pos_ids for place in words.in_alphabetical_order(reader, stretch, pos_id, limit)
    }
    return list(islice(sorted(found, key=lambda place: (sort_key(place.text, code), place.text)), limit))


def from_word_on(reader: Reader, language_id: int, text: str) -> Range:
    """Return the range of a language's alphabet from a spelling on; all of it for an empty one."""
    code = reader.catalogue.language(language_id).code
    return Range(language_id, sort_key(text, code) if text else b"", text, AFTER_EVERY_KEY)


# --- statements -------------------------------------------------------------------------------------------------------


class _Shape(NamedTuple):
    """The properties that determine a statement: the sizes of its lists, and conditions."""

    pos: int
    contexts: tuple[int, ...]
    has_photo: bool = False
    has_audio: bool = False
    may_lack_pos: bool = False


def _shape(choice: WordChoice) -> _Shape:
    return _Shape(
        list_size(len(choice.pos_ids)) if choice.pos_ids else 0,
        tuple(list_size(len(group)) for group in choice.contexts),
        choice.has_photo,
        choice.has_audio,
        NO_PART_OF_SPEECH in choice.pos_ids,
    )


def _ways(choice: WordChoice) -> list[_Shape]:
    """List the filters that may be applied first: recordings, photos, each group of contexts, the part of speech."""
    shape, ways = _shape(choice), []
    if shape.has_audio:
        ways.append(_Shape(0, (), has_audio=True))
    if shape.has_photo:
        ways.append(_Shape(0, (), has_photo=True))
    if shape.contexts:
        # All sizes but one are 0, so that the lists keep their parameter names.
        ways += (
            _Shape(0, tuple(size if each == place else 0 for each in range(len(shape.contexts))))
            for place, size in enumerate(shape.contexts)
        )
    if shape.pos:
        ways.append(_Shape(shape.pos, (), may_lack_pos=shape.may_lack_pos))
    return ways


def _parameters(choice: WordChoice) -> dict[str, Value]:
    given: dict[str, Value] = padded("pos", choice.pos_ids) if choice.pos_ids else {}
    for place, group in enumerate(choice.contexts):
        given |= padded(f"context_{place}", group)
    return given


_APPROVED: Final = literal_column(f"'{Status.APPROVED}'", Text)


def _of_pos(shape: _Shape) -> ColumnElement[bool]:
    listed = in_list(idea.c.pos_id, "pos", shape.pos)
    return or_(listed, idea.c.pos_id.is_(None)) if shape.may_lack_pos else listed


def _of_contexts(place: int, size: int) -> ColumnElement[bool]:
    return in_list(idea_context.c.context_id, f"context_{place}", size)


@lru_cache(maxsize=STATEMENTS_KEPT)
def _ideas(shape: _Shape) -> Query:
    """Build the statement that lists the ideas matching one filter."""
    if shape.has_audio:
        heard = recording.join(sense, sense.c.word_id == recording.c.word_id)
        ideas = select(sense.c.idea_id).select_from(heard).where(recording.c.status == _APPROVED).distinct()
    elif shape.has_photo:
        ideas = select(photo.c.idea_id).where(photo.c.status == _APPROVED).distinct()
    elif shape.pos:
        ideas = select(idea.c.id).where(_of_pos(shape))
    else:
        place, size = next((place, size) for place, size in enumerate(shape.contexts) if size)
        ideas = select(idea_context.c.idea_id).where(_of_contexts(place, size)).distinct()
    return Query(ideas.limit(bindparam("limit", type_=Integer)))


def _is_such(shape: _Shape) -> list[ColumnElement[bool]]:
    """Return the conditions on the idea and the word of a sense."""
    idea_id = sense.c.idea_id
    wanted: list[ColumnElement[bool]] = []
    if shape.pos:
        wanted.append(exists().where(idea.c.id == idea_id, _of_pos(shape)))
    wanted += (
        exists().where(idea_context.c.idea_id == idea_id, _of_contexts(place, size))
        for place, size in enumerate(shape.contexts)
    )
    if shape.has_photo:
        wanted.append(exists().where(photo.c.idea_id == idea_id, photo.c.status == _APPROVED))
    if shape.has_audio:
        wanted.append(exists().where(recording.c.word_id == sense.c.word_id, recording.c.status == _APPROVED))
    return wanted


@lru_cache(maxsize=STATEMENTS_KEPT)
def _kept(shape: _Shape, size: int) -> Query:
    return Query(select(sense.c.word_id).where(in_list(sense.c.word_id, "id", size), *_is_such(shape)).distinct())


@lru_cache(maxsize=STATEMENTS_KEPT)
def _words_of_ideas(shape: _Shape, size: int) -> Query:
    chosen = select(sense.c.word_id).where(in_list(sense.c.idea_id, "idea", size), *_is_such(shape))
    return Query(
        select(word.c.id, word.c.language_id, word.c.sort_key, word.c.text)
        .where(word.c.id.in_(chosen), of_language(word.c.language_id))
        .order_by(word.c.language_id, word.c.sort_key, word.c.text)
        .limit(bindparam("limit", type_=Integer))
    )


def _of_ideas(reader: Reader, choice: WordChoice, idea_ids: Sequence[int], language_id: int, limit: int) -> list[int]:
    query = _words_of_ideas(_shape(choice), list_size(len(idea_ids)))
    given = {**padded("idea", idea_ids), **_parameters(choice), "language_id": language_id, "limit": limit}
    return [row[0] for row in reader.rows(query, **given)]


PATTERN_BATCH_SIZE: Final = 1024
"""Maximum number of words that one statement reads."""


class PatternCandidate(NamedTuple):
    """Word with the two keys that patterns are compared with."""

    id: int
    language_id: int
    exact: str
    loose: str


def words_like(
    reader: Reader, column: KeyColumn, pattern: KeyPattern, language_id: int, *, unlike: str = ""
) -> Iterator[list[PatternCandidate]]:
    """Yield the words whose key may match, shortest first, in at least one batch per key length.

    Words whose loose key matches `unlike` are left out. Keys with a prefix are a range of the index. For other
    patterns, SQLite compares every key within the index, and reads no rows of words that do not match.
    """
    end = pattern.prefix + LAST_CHARACTER
    longest = reader.row(_LONGEST[column])
    for length in range(max(1, pattern.shortest), int(longest[0]) + 1 if longest else 0):
        given: dict[str, Value] = {"length": length, "end": end, "like": pattern.like, "unlike": unlike}
        after, after_id = pattern.prefix, 0
        while after < end:
            given |= {"after": after, "after_id": after_id, "language_id": language_id, "limit": PATTERN_BATCH_SIZE}
            rows = reader.rows(_OF_LENGTH[column], **given)
            yield [PatternCandidate._make(row[1:]) for row in rows]
            after, after_id = rows[-1][:2] if len(rows) == PATTERN_BATCH_SIZE else (end, 0)


def words_by_id(reader: Reader, word_ids: list[int], language_id: int) -> Iterator[list[PatternCandidate]]:
    """Yield words with their keys, in one language or all, in batches."""
    for some in chunks(word_ids):
        yield list(
            map(
                PatternCandidate._make,
                reader.rows(_CANDIDATES_BY_ID(len(some)), **padded("id", some), language_id=language_id),
            )
        )


# --- statements -------------------------------------------------------------------------------------------------------

_CANDIDATE_COLUMNS: Final = (word.c.id, word.c.language_id, word.c.exact_key, word.c.loose_key)

_CANDIDATES_BY_ID: Final = by_size(
    lambda size: select(*_CANDIDATE_COLUMNS).where(in_list(word.c.id, "id", size), of_language(word.c.language_id))
)


def _of_length(column: KeyColumn) -> Query:
    key, after = word.c[column.value], bindparam("after", type_=Text)
    return Query(
        select(key, *_CANDIDATE_COLUMNS)
        .where(
            func.length(key) == bindparam("length", type_=Integer),
            key >= after,
            or_(key > after, word.c.id > bindparam("after_id", type_=Integer)),
            key < bindparam("end", type_=Text),
            key.like(bindparam("like", type_=Text), escape="/"),
            of_language(word.c.language_id),
            word.c.loose_key.not_like(bindparam("unlike", type_=Text), escape="/"),
        )
        .order_by(key, word.c.id)
        .limit(bindparam("limit", type_=Integer))
    )


def _of_longest(column: KeyColumn) -> Query:
    length = func.length(word.c[column.value])
    return Query(select(length).where(length > literal(0)).order_by(length.desc()).limit(literal(1)))


_OF_LENGTH: Final = {column: _of_length(column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
_LONGEST: Final = {column: _of_longest(column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
