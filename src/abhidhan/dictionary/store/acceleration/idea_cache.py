"""Cache of the JSON fragments of each idea in one row, which is all that a look-up reads.

A transaction that changes the data of an idea also invalidates its row, and a missing row is replaced by a read of the
tables until it is written again, so responses are never out of date.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    bindparam,
    delete,
    exists,
    func,
    literal_column,
    select,
)

from abhidhan.dictionary.model.idea_json import IdeaJSON, usual_lines
from abhidhan.dictionary.store.idea_details import FirstWords, Tables, read_ideas
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import LIST_SIZES, Query, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.history import ChangeSet
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.invalidation import Touched, touched_by
from abhidhan.records.lookup_lists import ListName
from abhidhan.schema import idea, idea_context, idea_relation, sense, state, word
from abhidhan.schema import idea_cache as table

FORM: Final = 5
"""Version of the cached format. Rows of another version count as missing; raise it when responses change."""

AT_ONCE: Final = 64
"""Number of ideas read in one batch; the largest ones have a thousand words and hundreds of relations."""

IN_A_TRANSACTION: Final = 500
"""Number of ideas cached in one transaction, for which other writers wait less than half a second."""

CACHED_BY_AN_EDIT: Final = 256
"""Maximum number of ideas cached again by an edit; further ones are missing until the cache is filled."""

COLUMNS: Final = tuple(table.c[name] for name in IdeaJSON._fields)
"""Columns of cached data, in the order of IdeaJSON."""

IS_CACHED: Final[ColumnElement[bool]] = table.c.form == literal_column(str(FORM), Integer)
"""Condition for a valid row. The version is a literal in the statement; binding it for every look-up takes time."""

# --- writing and invalidating -----------------------------------------------------------------------------------------


def refresh(connection: Connection, change_set: ChangeSet) -> None:
    """Cache the ideas that an edit has changed; a subscriber of the history."""
    touched = touched_by(change_set.changes)
    invalidate_named(connection, touched.list_values)
    ideas = ideas_touched(connection, touched)
    _remove(connection, ideas[CACHED_BY_AN_EDIT:])
    _write(connection, ideas[:CACHED_BY_AN_EDIT])


def ideas_touched(connection: Connection, touched: Touched) -> list[int]:
    """List the ideas whose responses a change affects, except those that only name a list value.

    Ideas that were changed directly come first, as they are most likely read next.
    """
    ideas = touched.ideas | {*_ideas_of_words(connection, sorted(touched.words))}
    return [*sorted(ideas), *sorted({*_related(connection, sorted(ideas))} - ideas)]


def invalidate(connection: Connection, idea_ids: Iterable[int], word_ids: Iterable[int] = ()) -> IdSet:
    """Invalidate ideas, those of words, and the ideas related to any of them; return all of these."""
    touched = IdSet(idea_ids)
    for some in _some_of(word_ids):
        touched.update(_ideas_of_words(connection, some))
    shown = IdSet(touched)
    for some in _some_of(touched):
        shown.update(_related(connection, some))
    if _is_any_cached(connection):
        for some in _some_of(shown):
            _remove(connection, some)
    return shown


def invalidate_chosen(connection: Connection, chosen: Select[tuple[int]]) -> None:
    """Invalidate only the ideas whose IDs a select returns, in one statement."""
    connection.execute(delete(table).where(table.c.idea_id.in_(chosen)))


def invalidate_all(connection: Connection) -> None:
    """Invalidate all ideas, after the change of a name that any of them may contain."""
    connection.execute(delete(table))


def _write(connection: Connection, idea_ids: Sequence[int]) -> None:
    """Write the rows of ideas; skip ideas that do not exist."""
    if not idea_ids:
        return
    bulk = Bulk(connection)
    tables = OpenTransaction(connection)
    for some in chunks(idea_ids, AT_ONCE):
        ideas = read_ideas(tables, some)
        _remove(connection, some)
        _insert(bulk, ideas)


def fill(connection: Connection, on_step: Callable[[int], None] = lambda _: None) -> None:
    """Cache all missing ideas, in transactions of their own; none may be open.

    `on_step` is called after each transaction with the number of ideas cached.
    """
    after: int | None = 0
    first_words = FirstWords()
    while after is not None:
        with connection.begin():
            ideas = _fill_some(connection, after, first_words)
        on_step(len(ideas))
        after = ideas[-1] if ideas else None


def _fill_some(connection: Connection, after: int, first_words: FirstWords) -> list[int]:
    """Cache some of the missing ideas above an ID; return their IDs."""
    tables, bulk = OpenTransaction(connection), Bulk(connection)
    ideas = [int(row[0]) for row in tables.rows(_MISSING, after=after, limit=IN_A_TRANSACTION)]
    if ideas:
        first_words.at_version(connection.execute(select(state.c.data_version)).scalar_one())
        outdated = table.c.form != FORM
        connection.execute(delete(table).where(table.c.idea_id.between(ideas[0], ideas[-1]), outdated))
    for some in chunks(ideas, AT_ONCE):
        _insert(bulk, read_ideas(tables, some, first_words))
    return ideas


def _insert(bulk: Bulk, ideas: Mapping[int, IdeaJSON]) -> None:
    bulk.insert(table, [(idea_id, FORM, *_with_lines(each)) for idea_id, each in ideas.items()])


def _with_lines(idea: IdeaJSON) -> IdeaJSON:
    """Add the usual lines of an idea, which direct reads do without."""
    return idea._replace(lines=usual_lines(idea))


class ReadIdeas(NamedTuple):
    """Missing ideas read from one snapshot, and its data version."""

    version: int
    ideas: Mapping[int, IdeaJSON]


def read_missing(reader: Reader, after: int, limit: int = AT_ONCE) -> ReadIdeas:
    """Load some of the missing ideas above an ID; the reader must be a snapshot."""
    version = reader.data_version()
    ideas = [int(row[0]) for row in reader.rows(_MISSING, after=after, limit=limit)]
    return ReadIdeas(version, read_ideas(reader, ideas) if ideas else {})


def write_read(connection: Connection, read: ReadIdeas) -> bool:
    """Cache ideas read before this transaction; return False, without writing, if the data have changed since.

    Other writers thus wait for a few rows to be written, not for a thousand to be read.
    """
    if connection.execute(select(state.c.data_version)).scalar() != read.version:
        return False
    _remove(connection, [*read.ideas])
    _insert(Bulk(connection), read.ideas)
    return True


def is_any_missing(tables: Tables) -> bool:
    """Return whether a look-up would have to read any idea from all tables."""
    return bool(tables.rows(_MISSING, after=0, limit=1))


def count_missing(tables: Tables) -> int:
    """Count the ideas that look-ups read from all tables."""
    return int(tables.rows(_COUNT_OF_MISSING)[0][0])


def stale(tables: Tables) -> Iterator[Stale]:
    """Yield the ideas whose cached data are wrong, and cached ideas that no longer exist."""
    after = 0
    while rows := tables.rows(_CACHED_IDS, after=after, limit=IN_A_TRANSACTION):
        after = rows[-1][0]
        for idea_id in _stale_of(tables, [row[0] for row in rows]):
            yield Stale(f"idea:{idea_id}", "its responses may be out of date")


def renew_next(connection: Connection, after: Place) -> Step:
    """Write the missing and stale rows of the next ideas; at the end, remove the rows of deleted ideas."""
    tables = OpenTransaction(connection)
    ideas = [int(row[0]) for row in tables.rows(_IDEAS, after=after[1], limit=IN_A_TRANSACTION)]
    if not ideas:
        gone = delete(table).where(~exists().where(idea.c.id == table.c.idea_id))
        return Step(0, connection.execute(gone).rowcount, None)
    rows = tables.rows(_MISSING, after=after[1], limit=IN_A_TRANSACTION)
    wrong = sorted({row[0] for row in rows if row[0] <= ideas[-1]} | {*_stale_of(tables, ideas)})
    _write(connection, wrong)
    return Step(len(ideas), len(wrong), ("", ideas[-1]))


def _stale_of(tables: Tables, ideas: Sequence[int]) -> Iterator[int]:
    for some in chunks(ideas, AT_ONCE):
        cached = tables.rows(_CACHED(len(some)), **padded("id", some))
        wanted = read_ideas(tables, [row[0] for row in cached])
        yield from (
            idea_id
            for idea_id, *columns in cached
            if idea_id not in wanted or _with_lines(wanted[idea_id]) != tuple(columns)
        )


_AFTER: Final = bindparam("after", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)
_IDEAS = Query(select(idea.c.id).where(idea.c.id > _AFTER).order_by(idea.c.id).limit(_LIMIT))
_CACHED_IDS = Query(select(table.c.idea_id).where(table.c.idea_id > _AFTER).order_by(table.c.idea_id).limit(_LIMIT))
_CACHED = by_size(lambda size: select(table.c.idea_id, *COLUMNS).where(in_list(table.c.idea_id, "id", size), IS_CACHED))
_COUNT_OF_MISSING = Query(
    select(func.count()).select_from(idea).where(~exists().where(table.c.idea_id == idea.c.id, IS_CACHED))
)
_MISSING = Query(
    select(idea.c.id)
    .where(idea.c.id > _AFTER, ~exists().where(table.c.idea_id == idea.c.id, IS_CACHED))
    .order_by(idea.c.id)
    .limit(_LIMIT)
)


def _is_any_cached(connection: Connection) -> bool:
    return connection.execute(select(table.c.idea_id).limit(1)).first() is not None


def _remove(connection: Connection, idea_ids: Sequence[int]) -> None:
    for some in chunks(idea_ids):
        connection.execute(delete(table).where(table.c.idea_id.in_(some)))


def _some_of(ids: Iterable[int]) -> Iterator[list[int]]:
    """Split IDs into lists of a size that one statement accepts."""
    left = iter(ids)
    while some := list(islice(left, LIST_SIZES[-1])):
        yield some


def _ideas_of_words(connection: Connection, word_ids: Sequence[int]) -> Iterator[int]:
    for some in chunks(word_ids):
        yield from connection.execute(select(sense.c.idea_id).where(sense.c.word_id.in_(some))).scalars()


def _related(connection: Connection, idea_ids: Sequence[int]) -> Iterator[int]:
    """Yield the ideas that show words of these: each relation is stored for both of its ideas."""
    relation = idea_relation
    for some in chunks(idea_ids):
        yield from connection.execute(select(relation.c.other_id).where(relation.c.idea_id.in_(some))).scalars()


def invalidate_named(connection: Connection, list_values: Iterable[tuple[str, int]]) -> None:
    """Invalidate the ideas whose responses contain list values, given as (list, ID); there may be very many."""
    for list_name, item_id in list_values:
        naming = _NAMING.get(list_name)
        if naming is not None:
            connection.execute(delete(table).where(table.c.idea_id.in_(naming)), {"item_id": item_id})


_ITEM: Final = bindparam("item_id", type_=Integer)
_NAMING: Final[Mapping[str, Select[tuple[int]]]] = {
    ListName.CONTEXTS: select(idea_context.c.idea_id).where(idea_context.c.context_id == _ITEM),
    ListName.RELATIONS: select(idea_relation.c.idea_id).where(idea_relation.c.type_id == _ITEM),
    ListName.VARIANTS: select(sense.c.idea_id)
    .join(word, word.c.id == sense.c.word_id)
    .where(word.c.variant_id == _ITEM),
}
"""Selects the ideas whose responses contain a value of each list. Parts of speech and genders are not cached."""
