"""What belongs to an idea, gathered once and kept in one row as the JSON of answers: a look-up reads that row alone.

Whoever changes something of an idea forgets its row in the same transaction, and what is forgotten is gathered from the
tables until it is kept again: an answer is never out of date.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec
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
    text,
)

from abhidhan.domain.history import Change
from abhidhan.domain.ideas import Definition, Example, KeptWords, PhotoReference, Relation
from abhidhan.domain.kept import Kept
from abhidhan.domain.lists import ListName, Named
from abhidhan.domain.touching import touched_by
from abhidhan.storage.bulk import Bulk
from abhidhan.storage.catalogue import read_catalogue
from abhidhan.storage.parts import Parts, Tables, parts_of_ideas
from abhidhan.storage.queries import Query, Row, Value, by_size, chunks, in_list, padded
from abhidhan.storage.tables import gathered, idea, idea_context, idea_relation, sense, word

T = TypeVar("T")

FORM: Final = 1
"""Names the form of what is kept. A row of another form counts as forgotten: raise it when an answer changes."""

AT_ONCE: Final = 64
"""How many ideas are gathered at once: of the greatest, each has a thousand words and hundreds of relations."""

IN_A_TRANSACTION: Final = 1000
"""How many ideas are kept in one transaction: less than a second, for which other writers wait."""

KEPT_BY_AN_EDIT: Final = 256
"""An edit keeps so many ideas anew; where it touches more, the others stay forgotten until somebody keeps all."""

COLUMNS: Final = (
    gathered.c.contexts,
    gathered.c.definitions,
    gathered.c.examples,
    gathered.c.words,
    gathered.c.relations,
    gathered.c.photos,
)
"""The columns of what is kept, in the order of Parts; a list without members is NULL."""

IS_KEPT: Final[ColumnElement[bool]] = gathered.c.form == literal_column(str(FORM), Integer)
"""Holds of a row that can be read. The number is written into the statement: binding it at every look-up takes time."""

_DECODERS: Final = (
    msgspec.json.Decoder(tuple[Named, ...]),
    msgspec.json.Decoder(tuple[Definition, ...]),
    msgspec.json.Decoder(tuple[Example, ...]),
    msgspec.json.Decoder(tuple[Relation, ...]),
    msgspec.json.Decoder(tuple[PhotoReference, ...]),
)


# --- reading ----------------------------------------------------------------------------------------------------------


def parts_from(columns: Sequence[bytes | None]) -> Parts:
    """Give what was kept in COLUMNS."""
    contexts, definitions, examples, words, relations, photos = columns
    of_contexts, of_definitions, of_examples, of_relations, of_photos = _DECODERS
    return Parts(
        _kept(contexts, of_contexts),
        _kept(definitions, of_definitions),
        _kept(examples, of_examples),
        KeptWords(words) if words else (),
        _kept(relations, of_relations),
        _kept(photos, of_photos),
    )


def _kept(json: bytes | None, decoder: msgspec.json.Decoder[tuple[T, ...]]) -> Sequence[T]:
    return Kept(json, decoder) if json else ()


# --- keeping and forgetting -------------------------------------------------------------------------------------------


class _Tables:
    """The tables as the open transaction of a writer sees them."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk
        self.catalogue = read_catalogue(self.rows)

    def rows(self, query: Query, /, **parameters: Value) -> list[Row]:
        return self._bulk.rows(query, parameters)


def keep_up(connection: Connection, changes: Iterable[Change]) -> None:
    """Keep anew what changes of records have touched; called in their transaction, after the last of them."""
    touched = touched_by(changes)
    if touched.list_values:
        _forget_where_named(connection, touched.list_values)
    ideas = touched.ideas | _ideas_of_words(connection, touched.words)
    if ideas:
        _be_the_only_writer(connection)
        # Those that were changed themselves come first: most likely they are looked at next.
        everyone = [*sorted(ideas), *sorted(_related(connection, ideas) - ideas)]
        _remove(connection, everyone)
        keep(connection, everyone[:KEPT_BY_AN_EDIT])


def forget(connection: Connection, idea_ids: Iterable[int], word_ids: Iterable[int] = ()) -> None:
    """Forget ideas, those of words, and those that show words of any of them."""
    _be_the_only_writer(connection)
    if _is_any_kept(connection):
        ideas = {*idea_ids} | _ideas_of_words(connection, word_ids)
        _remove(connection, sorted(ideas | _related(connection, ideas)))


def forget_chosen(connection: Connection, chosen: Select[tuple[int]]) -> None:
    """Forget the ideas whose IDs a select chooses, however many they are, and no others."""
    _be_the_only_writer(connection)
    connection.execute(delete(gathered).where(gathered.c.idea_id.in_(chosen)))


def forget_all(connection: Connection) -> None:
    """Forget every idea: a name has changed that may stand in the answers of any of them."""
    _be_the_only_writer(connection)
    connection.execute(delete(gathered))


def keep(connection: Connection, idea_ids: Sequence[int]) -> None:
    """Gather ideas and keep them; those that are not there are passed over."""
    if not idea_ids:
        return
    _be_the_only_writer(connection)
    bulk = Bulk(connection)
    tables = _Tables(bulk)
    for some in chunks(idea_ids, AT_ONCE):
        there = connection.execute(select(idea.c.id).where(idea.c.id.in_(some))).scalars().all()
        parts = parts_of_ideas(tables, there)
        _remove(connection, some)
        bulk.insert(gathered, [(idea_id, FORM, *map(_json, each)) for idea_id, each in parts.items()])


def keep_all(connection: Connection) -> None:
    """Keep every idea that is not kept yet, in transactions of their own; none may be open."""
    after: int | None = 0
    while after is not None:
        with connection.begin():
            after = keep_some(connection, after)


def keep_some(connection: Connection, after: int) -> int | None:
    """Keep some of the ideas above an ID that are not kept yet; tell the last of them, None when there are no more."""
    found = Bulk(connection).rows(_NOT_KEPT, {"after": after, "most": IN_A_TRANSACTION})
    ideas = [int(row[0]) for row in found]
    keep(connection, ideas)
    return ideas[-1] if ideas else None


def count_not_kept(tables: Tables) -> int:
    """Count the ideas that are gathered at every look-up."""
    return int(tables.rows(_COUNT_NOT_KEPT)[0][0])


def untrue(tables: Tables) -> Iterator[int]:
    """List the ideas of which something else is kept than belongs to them, and kept ones that are gone."""
    after = 0
    while rows := tables.rows(_KEPT_IDS, after=after, most=IN_A_TRANSACTION):
        after = rows[-1][0]
        yield from _untrue_of(tables, [row[0] for row in rows])


def renew(connection: Connection, after: int) -> tuple[int, int, int]:
    """Keep anew what is not kept, or untrue, of the next ideas above an ID, IN_A_TRANSACTION at most.

    Tell the last of them, how many they are, and of how many something else was kept, or nothing.
    """
    _be_the_only_writer(connection)
    tables = _Tables(Bulk(connection))
    ideas = [int(row[0]) for row in tables.rows(_IDEAS, after=after, most=IN_A_TRANSACTION)]
    if not ideas:
        connection.execute(delete(gathered).where(~exists().where(idea.c.id == gathered.c.idea_id)))
        return after, 0, 0
    rows = tables.rows(_NOT_KEPT, after=after, most=IN_A_TRANSACTION)
    wrong = sorted({row[0] for row in rows if row[0] <= ideas[-1]} | {*_untrue_of(tables, ideas)})
    keep(connection, wrong)
    return ideas[-1], len(ideas), len(wrong)


def _untrue_of(tables: Tables, ideas: Sequence[int]) -> Iterator[int]:
    for some in chunks(ideas, AT_ONCE):
        kept = tables.rows(_KEPT(len(some)), **padded("id", some))
        parts = parts_of_ideas(tables, [row[0] for row in kept])
        yield from (idea_id for idea_id, *columns in kept if columns != [*map(_json, parts[idea_id])])


_AFTER: Final = bindparam("after", type_=Integer)
_MOST: Final = bindparam("most", type_=Integer)
_IDEAS = Query(select(idea.c.id).where(idea.c.id > _AFTER).order_by(idea.c.id).limit(_MOST))
_KEPT_IDS = Query(
    select(gathered.c.idea_id).where(gathered.c.idea_id > _AFTER).order_by(gathered.c.idea_id).limit(_MOST)
)
_KEPT = by_size(
    lambda size: select(gathered.c.idea_id, *COLUMNS).where(in_list(gathered.c.idea_id, "id", size), IS_KEPT)
)
_COUNT_NOT_KEPT = Query(
    select(func.count()).select_from(idea).where(~exists().where(gathered.c.idea_id == idea.c.id, IS_KEPT))
)
_NOT_KEPT = Query(
    select(idea.c.id)
    .where(idea.c.id > _AFTER, ~exists().where(gathered.c.idea_id == idea.c.id, IS_KEPT))
    .order_by(idea.c.id)
    .limit(_MOST)
)


def _is_any_kept(connection: Connection) -> bool:
    return connection.execute(select(gathered.c.idea_id).limit(1)).first() is not None


def _json(values: Sequence[object]) -> bytes | None:
    return msgspec.json.encode(values) if values else None


def _be_the_only_writer(connection: Connection) -> None:
    """Let nobody else keep anything until the transaction ends, as SQLite does by nature.

    Two edits of one idea at once would each keep it without what the other has changed.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(text("LOCK TABLE gathered IN SHARE ROW EXCLUSIVE MODE"))


def _remove(connection: Connection, idea_ids: Sequence[int]) -> None:
    for some in chunks(idea_ids):
        connection.execute(delete(gathered).where(gathered.c.idea_id.in_(some)))


def _ideas_of_words(connection: Connection, word_ids: Iterable[int]) -> set[int]:
    return {
        idea_id
        for some in chunks(sorted(word_ids))
        for idea_id in connection.execute(select(sense.c.idea_id).where(sense.c.word_id.in_(some))).scalars()
    }


def _related(connection: Connection, idea_ids: Iterable[int]) -> set[int]:
    """Tell which ideas show words of these: each relation stands at both of its ideas."""
    relation = idea_relation
    return {
        other_id
        for some in chunks(sorted(idea_ids))
        for other_id in connection.execute(select(relation.c.other_id).where(relation.c.idea_id.in_(some))).scalars()
    }


def _forget_where_named(connection: Connection, list_values: Iterable[tuple[str, int]]) -> None:
    """Forget the ideas whose answers name values of lists; there may be very many."""
    for list_name, item_id in list_values:
        naming = _NAMING.get(list_name)
        if naming is not None:
            _be_the_only_writer(connection)
            connection.execute(delete(gathered).where(gathered.c.idea_id.in_(naming)), {"item_id": item_id})


_ITEM: Final = bindparam("item_id", type_=Integer)
_NAMING: Final[Mapping[str, Select[tuple[int]]]] = {
    ListName.CONTEXTS: select(idea_context.c.idea_id).where(idea_context.c.context_id == _ITEM),
    ListName.RELATIONS: select(idea_relation.c.idea_id).where(idea_relation.c.type_id == _ITEM),
    ListName.VARIANTS: select(sense.c.idea_id)
    .join(word, word.c.id == sense.c.word_id)
    .where(word.c.variant_id == _ITEM),
}
"""The ideas in whose answers a value of each list stands. Parts of speech and genders are read beside what is kept."""
