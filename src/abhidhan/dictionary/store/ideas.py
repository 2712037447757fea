"""Ideas with their data, as in responses and on pages, and ideas with a picture."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, bindparam, literal, null, select, union

from abhidhan.dictionary.model.field_selection import Selection
from abhidhan.dictionary.model.idea_json import IdeaJSON, pieces_of_idea, read_details, read_words
from abhidhan.dictionary.store.acceleration.idea_cache import COLUMNS, IS_CACHED
from abhidhan.dictionary.store.idea_details import read_ideas
from abhidhan.platform.database.compiled_queries import Query, Row, by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ideas import Idea, SourceReference
from abhidhan.records.ids import is_id
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submissions import Status
from abhidhan.schema import confirmation, idea, idea_cache, photo

IDEAS_AT_ONCE: Final = 256
"""Number of ideas loaded by one statement."""

Pieces = frozenset[str]
"""Names of the fragments of cached ideas to read, which take most of the space."""

ALL_PIECES: Final[Pieces] = frozenset({"before", "words", "after"})


LINES: Final = "lines"
"""Another fragment, the lines that describe ideas; it is rarely needed."""


def cached_columns(pieces: Pieces) -> list[ColumnElement[Any]]:
    """Return the columns of a cached idea, with NULL in place of fragments that are not needed."""
    return [null() if column.name in {*ALL_PIECES, LINES} - pieces else column for column in COLUMNS]


def _with_cache(pieces: Pieces) -> Select[Any]:
    return select(idea.c.id, idea.c.glyph, idea.c.source_id, idea_cache.c.form, *cached_columns(pieces)).select_from(
        idea.outerjoin(idea_cache, (idea_cache.c.idea_id == idea.c.id) & IS_CACHED)
    )


@cache
def _one_idea(pieces: Pieces) -> Query:
    return Query(_with_cache(pieces).where(idea.c.id == bindparam("id")))


@cache
def _several_ideas(pieces: Pieces) -> Callable[[int], Query]:
    return by_size(lambda size: _with_cache(pieces).where(in_list(idea.c.id, "id", size)))


def gather_idea(reader: Reader, idea_id: int, selection: Selection | None = None) -> Idea | None:
    """Load one idea with its words and data; return None if it does not exist.

    With a selection, only the selected keys are read.
    """
    pieces = ALL_PIECES if selection is None else pieces_of_idea(selection)
    rows = reader.rows(_one_idea(pieces), id=idea_id) if is_id(idea_id) else []
    return next(_ideas(reader, rows, selection), None)


def gather_ideas(reader: Reader, idea_ids: Sequence[int], selection: Selection | None = None) -> list[Idea]:
    """Load ideas like `gather_idea`, in the order of `idea_ids`; skip unknown IDs."""
    ideas: dict[int, Idea] = {}
    query = _several_ideas(ALL_PIECES if selection is None else pieces_of_idea(selection))
    for some in chunks([idea_id for idea_id in idea_ids if is_id(idea_id)], IDEAS_AT_ONCE):
        rows = reader.rows(query(len(some)), **padded("id", some))
        ideas |= {each.id: each for each in _ideas(reader, rows, selection)}
    return [ideas[idea_id] for idea_id in idea_ids if idea_id in ideas]


def gather_json(reader: Reader, idea_ids: Sequence[int], pieces: Pieces = ALL_PIECES) -> dict[int, IdeaJSON]:
    """Load ideas as fragments of JSON, by ID; of cached ideas, only the given fragments."""
    found: dict[int, IdeaJSON] = {}
    for some in chunks([idea_id for idea_id in idea_ids if is_id(idea_id)], IDEAS_AT_ONCE):
        rows = reader.rows(_several_ideas(pieces)(len(some)), **padded("id", some))
        lacking = [row[0] for row in rows if not row[3]]
        found |= {row[0]: IdeaJSON._make(row[4:]) for row in rows if row[3]}
        found |= read_ideas(reader, lacking) if lacking else {}
    return found


def _ideas(reader: Reader, rows: Sequence[Row], selection: Selection | None) -> Iterator[Idea]:
    """Assemble ideas from rows; uncached ones are read from the tables."""
    lacking = [row[0] for row in rows if not row[3]]
    read = read_ideas(reader, lacking) if lacking else {}
    for row in rows:
        found = IdeaJSON._make(row[4:]) if row[3] else read.get(row[0])
        if found is not None:
            yield _idea(row, found, reader.catalogue, selection)


def _idea(row: Row, found: IdeaJSON, catalogue: Catalogue, selection: Selection | None) -> Idea:
    idea_id, glyph, source_id, *_ = row
    languages = None if selection is None else selection.languages
    details = read_details(found, languages)
    source = catalogue.sources.get(source_id or 0)
    return Idea(
        id=idea_id,
        glyph=glyph,
        pos=catalogue.named(ListName.PARTS_OF_SPEECH, found.pos_id),
        gender=catalogue.named(ListName.GENDERS, found.gender_id),
        contexts=details.contexts,
        definitions=details.definitions,
        examples=details.examples,
        relations=details.relations,
        photos=details.photos,
        words=read_words(found, languages),
        source=SourceReference(source.name, source.licence, source.url, source.notice) if source else None,
        licence=found.licence,
    )


class ShownIdea(NamedTuple):
    """Heading of an idea: its glyph, source ID and time of confirmation; for an open idea, also its data."""

    glyph: str | None
    source_id: int | None
    confirmed: int | None
    json: IdeaJSON | None


_IDEAS = by_size(
    lambda size: (
        select(idea.c.id, idea.c.glyph, idea.c.source_id, confirmation.c.confirmed, idea_cache.c.form, *COLUMNS)
        .select_from(
            idea.outerjoin(confirmation, confirmation.c.idea_id == idea.c.id).outerjoin(
                idea_cache,
                (idea_cache.c.idea_id == idea.c.id) & IS_CACHED & in_list(idea_cache.c.idea_id, "open", size),
            )
        )
        .where(in_list(idea.c.id, "id", size))
    )
)


def read_shown_ideas(reader: Reader, idea_ids: Sequence[int], open_ids: Sequence[int]) -> dict[int, ShownIdea]:
    """Load the headings of ideas, and the data of the open ones."""
    found: dict[int, ShownIdea] = {}
    for some in chunks(idea_ids):
        opened = [idea_id for idea_id in some if idea_id in open_ids]
        size = len(some)
        rows = reader.rows(_IDEAS(size), **padded("id", some), **padded("open", opened or [0], size))
        lacking = [row[0] for row in rows if row[0] in opened and row[4] is None]
        read = read_ideas(reader, lacking) if lacking else {}
        for idea_id, glyph, source_id, confirmed, form, *pieces in rows:
            json = IdeaJSON._make(pieces) if form else read.get(idea_id)
            found[idea_id] = ShownIdea(glyph, source_id, confirmed, json)
    return found


_FROM = Query(
    select(idea.c.id)
    .where(idea.c.id >= bindparam("start", type_=Integer))
    .order_by(idea.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_PICTURED = by_size(
    lambda size: union(
        select(idea.c.id).where(in_list(idea.c.id, "id", size), idea.c.glyph.is_not(None)),
        select(photo.c.idea_id).where(
            in_list(photo.c.idea_id, "id", size), photo.c.status == literal(Status.APPROVED.value)
        ),
    )
)


def ideas_from(reader: Reader, start: int, limit: int) -> list[int]:
    """List the IDs of ideas from the ID `start` on."""
    return [row[0] for row in reader.rows(_FROM, start=start, limit=limit)]


def with_pictures(reader: Reader, idea_ids: Sequence[int]) -> frozenset[int]:
    """Return those of the ideas that have a picture."""
    if not idea_ids:
        return frozenset()
    return frozenset(row[0] for row in reader.rows(_PICTURED(len(idea_ids)), **padded("id", idea_ids)))
