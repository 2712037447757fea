"""Ideas with their data, as shown in responses and on pages, and ideas with a picture."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, bindparam, literal, null, select, union

from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.model.idea_json import IdeaJSON, decode_details, fragments_for_idea, read_words
from abhidhan.dictionary.store.acceleration.idea_cache import CACHED_COLUMNS, IS_CACHED
from abhidhan.dictionary.store.idea_details import IDEA_BATCH_SIZE, load_uncached_ideas
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ideas import Idea, SourceReference
from abhidhan.records.ids import is_valid_id
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submissions import Status
from abhidhan.schema import confirmation, idea, idea_cache, photo

Fragments = frozenset[str]
"""Names of the fragments of cached ideas to read; they take most of the space, so only needed ones are read."""

ALL_FRAGMENTS: Final[Fragments] = frozenset({"before", "words", "after"})


LINES_FRAGMENT: Final = "lines"
"""Name of the fragment with the lines that describe an idea, which is rarely needed and not in `ALL_FRAGMENTS`."""


def cached_columns(fragments: Fragments) -> list[ColumnElement[Any]]:
    """Return the columns of a cached idea, with NULL in place of fragments that are not needed."""
    return [
        null() if column.name in {*ALL_FRAGMENTS, LINES_FRAGMENT} - fragments else column for column in CACHED_COLUMNS
    ]


def _select_with_cache(fragments: Fragments) -> Select[Any]:
    return select(idea.c.id, idea.c.glyph, idea.c.source_id, idea_cache.c.form, *cached_columns(fragments)).select_from(
        idea.outerjoin(idea_cache, (idea_cache.c.idea_id == idea.c.id) & IS_CACHED)
    )


@cache
def _idea_query(fragments: Fragments) -> CompiledQuery:
    return CompiledQuery(_select_with_cache(fragments).where(idea.c.id == bindparam("id")))


@cache
def _ideas_query(fragments: Fragments) -> Callable[[int], CompiledQuery]:
    return per_list_size(lambda size: _select_with_cache(fragments).where(in_list(idea.c.id, "id", size)))


def load_idea(connection: ReadConnection, idea_id: int, selection: FieldSelection | None = None) -> Idea | None:
    """Load one idea with its words and data; return None if it does not exist.

    With a selection, only the selected keys are read.
    """
    fragments = ALL_FRAGMENTS if selection is None else fragments_for_idea(selection)
    rows = connection.rows(_idea_query(fragments), id=idea_id) if is_valid_id(idea_id) else []
    return next(_build_ideas(connection, rows, selection), None)


def load_ideas(
    connection: ReadConnection, idea_ids: Sequence[int], selection: FieldSelection | None = None
) -> list[Idea]:
    """Load ideas like `load_idea`, in the order of `idea_ids`; skip unknown IDs."""
    ideas: dict[int, Idea] = {}
    query = _ideas_query(ALL_FRAGMENTS if selection is None else fragments_for_idea(selection))
    for batch in chunks([idea_id for idea_id in idea_ids if is_valid_id(idea_id)], IDEA_BATCH_SIZE):
        rows = connection.rows(query(len(batch)), **list_params("id", batch))
        ideas |= {loaded.id: loaded for loaded in _build_ideas(connection, rows, selection)}
    return [ideas[idea_id] for idea_id in idea_ids if idea_id in ideas]


def load_idea_json(
    connection: ReadConnection, idea_ids: Sequence[int], fragments: Fragments = ALL_FRAGMENTS
) -> dict[int, IdeaJSON]:
    """Load ideas as fragments of JSON, by ID; of cached ideas, only the given fragments."""
    json_by_id: dict[int, IdeaJSON] = {}
    for batch in chunks([idea_id for idea_id in idea_ids if is_valid_id(idea_id)], IDEA_BATCH_SIZE):
        rows = connection.rows(_ideas_query(fragments)(len(batch)), **list_params("id", batch))
        uncached = [row[0] for row in rows if not row[3]]
        json_by_id |= {row[0]: IdeaJSON._make(row[4:]) for row in rows if row[3]}
        json_by_id |= load_uncached_ideas(connection, uncached) if uncached else {}
    return json_by_id


def _build_ideas(connection: ReadConnection, rows: Sequence[Row], selection: FieldSelection | None) -> Iterator[Idea]:
    """Assemble ideas from rows; uncached ones are read from the tables."""
    uncached = [row[0] for row in rows if not row[3]]
    read = load_uncached_ideas(connection, uncached) if uncached else {}
    for row in rows:
        json = IdeaJSON._make(row[4:]) if row[3] else read.get(row[0])
        if json is not None:
            yield _build_idea(row, json, connection.catalogue, selection)


def _build_idea(row: Row, json: IdeaJSON, catalogue: Catalogue, selection: FieldSelection | None) -> Idea:
    idea_id, glyph, source_id, *_ = row
    languages = None if selection is None else selection.languages
    details = decode_details(json, languages)
    source = catalogue.sources.get(source_id or 0)
    return Idea(
        id=idea_id,
        glyph=glyph,
        pos=catalogue.list_value(ListName.PARTS_OF_SPEECH, json.pos_id),
        gender=catalogue.list_value(ListName.GENDERS, json.gender_id),
        contexts=details.contexts,
        definitions=details.definitions,
        examples=details.examples,
        relations=details.relations,
        photos=details.photos,
        words=read_words(json, languages),
        source=SourceReference(source.name, source.licence, source.url, source.notice) if source else None,
        licence=json.licence,
    )


class IdeaRow(NamedTuple):
    """Heading of an idea (glyph, source ID, time of confirmation) and, if the idea is open, its data."""

    glyph: str | None
    source_id: int | None
    confirmed: int | None
    json: IdeaJSON | None


_IDEA_ROWS = per_list_size(
    lambda size: (
        select(idea.c.id, idea.c.glyph, idea.c.source_id, confirmation.c.confirmed, idea_cache.c.form, *CACHED_COLUMNS)
        .select_from(
            idea.outerjoin(confirmation, confirmation.c.idea_id == idea.c.id).outerjoin(
                idea_cache,
                (idea_cache.c.idea_id == idea.c.id) & IS_CACHED & in_list(idea_cache.c.idea_id, "open", size),
            )
        )
        .where(in_list(idea.c.id, "id", size))
    )
)


def load_idea_rows(connection: ReadConnection, idea_ids: Sequence[int], open_ids: Sequence[int]) -> dict[int, IdeaRow]:
    """Load the headings of ideas, and the data of the open ones."""
    rows_by_id: dict[int, IdeaRow] = {}
    for batch in chunks(idea_ids):
        open_batch = [idea_id for idea_id in batch if idea_id in open_ids]
        size = len(batch)
        rows = connection.rows(
            _IDEA_ROWS(size), **list_params("id", batch), **list_params("open", open_batch or [0], size)
        )
        uncached = [row[0] for row in rows if row[0] in open_batch and row[4] is None]
        read = load_uncached_ideas(connection, uncached) if uncached else {}
        for idea_id, glyph, source_id, confirmed, form, *columns in rows:
            json = IdeaJSON._make(columns) if form else read.get(idea_id)
            rows_by_id[idea_id] = IdeaRow(glyph, source_id, confirmed, json)
    return rows_by_id


_IDEAS_FROM = CompiledQuery(
    select(idea.c.id)
    .where(idea.c.id >= bindparam("start", type_=Integer))
    .order_by(idea.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_PICTURED = per_list_size(
    lambda size: union(
        select(idea.c.id).where(in_list(idea.c.id, "id", size), idea.c.glyph.is_not(None)),
        select(photo.c.idea_id).where(
            in_list(photo.c.idea_id, "id", size), photo.c.status == literal(Status.APPROVED.value)
        ),
    )
)


def list_ideas_from(connection: ReadConnection, start: int, limit: int) -> list[int]:
    """List the IDs of ideas from the ID `start` on."""
    return [row[0] for row in connection.rows(_IDEAS_FROM, start=start, limit=limit)]


def filter_ideas_with_pictures(connection: ReadConnection, idea_ids: Sequence[int]) -> frozenset[int]:
    """Return the IDs of the ideas that have a picture: a glyph or an approved photo."""
    if not idea_ids:
        return frozenset()
    return frozenset(row[0] for row in connection.rows(_PICTURED(len(idea_ids)), **list_params("id", idea_ids)))
