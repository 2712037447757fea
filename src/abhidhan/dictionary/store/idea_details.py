"""Data of ideas, loaded from their tables by one statement for any number of ideas."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from operator import itemgetter
from typing import Any, Protocol, Self

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Table,
    Text,
    cast,
    literal_column,
    null,
    select,
    true,
    union_all,
)
from sqlalchemy.sql.selectable import CompoundSelect, FromClause
from sqlalchemy.types import TypeEngine

from abhidhan.dictionary.model.idea_json import IdeaDetails, IdeaJSON, encode_idea
from abhidhan.platform.database.compiled_queries import (
    CompiledQuery,
    Row,
    SqlValue,
    chunks,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ideas import Definition, Example, IdeaWord, PhotoReference, Relation
from abhidhan.records.lookup_lists import ListName, Named
from abhidhan.records.photos import photo_path, thumbnail_path
from abhidhan.records.submissions import Status
from abhidhan.schema import definition, example, idea, idea_context, idea_relation, photo, sense, word

MAX_RELATED_WORDS = 6
"""Number of words that represent a related idea: the first ones, by language."""

IDEA_BATCH_SIZE = 256
"""Number of ideas loaded by one statement."""

MAX_CACHED_IDEAS = 20_000
"""Maximum number of related ideas whose words are cached: ten megabytes."""

RelatedTexts = Iterable[tuple[int, int, tuple[str, ...]]]
"""Ordered relations: type ID, ID of the other idea, and its first words."""


class IdeaRowKind(IntEnum):
    """Kind of data in a row of the union that loads ideas."""

    CONTEXT = 0
    DEFINITION = 1
    EXAMPLE = 2
    WORD = 3
    RELATION = 4
    PHOTO = 5
    IDEA = 6


class RowSource(Protocol):
    """Source of rows, inside a transaction or outside, with the matching catalogue."""

    @property
    def catalogue(self) -> Catalogue:
        """The languages and lists of the data."""
        ...

    def rows(self, query: CompiledQuery, /, **parameters: SqlValue) -> list[Row]:
        """Run a query and return all its rows."""
        ...


def _build_arm(
    kind: IdeaRowKind,
    idea_id: ColumnElement[int],
    numbers: tuple[ColumnElement[int] | None, ...],
    texts: tuple[ColumnElement[str] | None, ...],
    rank: ColumnElement[int] | None = None,
) -> Select[Any]:
    """Build one arm of the union that loads ideas: three numbers, three texts and the rank of a word."""
    return select(
        _literal_number(kind).label("part"),
        idea_id.label("idea_id"),
        *(_or_null(number, Integer) for number in numbers),
        *(_or_null(text, Text) for text in texts),
        _or_null(rank, Integer),
    )


def _literal_number(number: int) -> ColumnElement[int]:
    """Return a number as an SQL literal; binding the same seven numbers would take a tenth of a look-up's time."""
    return literal_column(str(int(number)), Integer)


def _or_null(column: ColumnElement[Any] | None, sql_type: type[TypeEngine[Any]]) -> ColumnElement[Any]:
    return cast(null(), sql_type) if column is None else column


def _select_idea_rows(size: int, relations: Select[Any]) -> CompoundSelect[Any]:
    return union_all(
        _build_arm(
            IdeaRowKind.CONTEXT, idea_context.c.idea_id, (idea_context.c.context_id, None, None), (None, None, None)
        ).where(in_list(idea_context.c.idea_id, "id", size)),
        _build_arm(
            IdeaRowKind.DEFINITION,
            definition.c.idea_id,
            (definition.c.language_id, definition.c.id, None),
            (definition.c.text, None, None),
        ).where(in_list(definition.c.idea_id, "id", size)),
        _build_arm(
            IdeaRowKind.EXAMPLE,
            example.c.idea_id,
            (example.c.language_id, example.c.id, None),
            (example.c.text, example.c.translation, None),
        ).where(in_list(example.c.idea_id, "id", size)),
        _build_arm(
            IdeaRowKind.WORD,
            sense.c.idea_id,
            (word.c.language_id, word.c.id, word.c.variant_id),
            (word.c.text, word.c.roman, word.c.rule_roman),
            sense.c.rank,
        )
        .select_from(sense.join(word))
        .where(in_list(sense.c.idea_id, "id", size)),
        relations,
        _build_arm(
            IdeaRowKind.PHOTO,
            photo.c.idea_id,
            (photo.c.id, photo.c.width, photo.c.height),
            (photo.c.extension, photo.c.credit, photo.c.licence),
        ).where(photo.c.status == _APPROVED, in_list(photo.c.idea_id, "id", size)),
        _build_arm(
            IdeaRowKind.IDEA, idea.c.id, (idea.c.pos_id, idea.c.gender_id, None), (idea.c.licence, None, None)
        ).where(in_list(idea.c.id, "id", size)),
    )


_APPROVED = literal_column(f"'{Status.APPROVED}'", Text)


def _select_related_words(size: int, *, lateral: bool) -> Select[Any]:
    first_senses, join_condition = _select_first_senses(idea_relation, idea_relation.c.other_id, lateral=lateral)
    return (
        _build_arm(
            IdeaRowKind.RELATION,
            idea_relation.c.idea_id,
            (idea_relation.c.type_id, idea_relation.c.other_id, first_senses.c.language_id),
            (word.c.text, None, None),
            first_senses.c.rank,
        )
        .select_from(idea_relation.join(first_senses, join_condition).join(word, word.c.id == first_senses.c.word_id))
        .where(in_list(idea_relation.c.idea_id, "id", size))
    )


def _select_first_senses(
    referring_table: Table, idea_id: ColumnElement[int], *, lateral: bool
) -> tuple[FromClause, ColumnElement[bool]]:
    """Return the senses of the first words of an idea referenced by `referring_table`, and their join condition."""
    other = sense.alias("other")
    first_rows = (
        select(other.c.id, other.c.language_id, other.c.word_id, other.c.rank)
        .where(other.c.idea_id == idea_id)
        .order_by(other.c.language_id, other.c.rank, other.c.word_id)
        .limit(_literal_number(MAX_RELATED_WORDS))
        .correlate(referring_table)
    )
    if lateral:
        return first_rows.lateral("few"), true()
    return sense, (sense.c.idea_id == idea_id) & sense.c.id.in_(
        first_rows.with_only_columns(other.c.id).scalar_subquery()
    )


# SQLite has no LATERAL and needs none: it reads the first words and then their rows. PostgreSQL would read the first
# words again for each word of each related idea.
_IDEA_ROWS = per_list_size(
    lambda size: _select_idea_rows(size, _select_related_words(size, lateral=False)),
    postgresql=lambda size: _select_idea_rows(size, _select_related_words(size, lateral=True)),
)

_IDEA_ROWS_WITHOUT_RELATED_WORDS = per_list_size(lambda size: _select_idea_rows(size, _select_related_ideas(size)))
"""Data of ideas without the words of related ideas."""


def _select_related_ideas(size: int) -> Select[Any]:
    relation = idea_relation
    numbers = (relation.c.type_id, relation.c.other_id, None)
    return _build_arm(IdeaRowKind.RELATION, relation.c.idea_id, numbers, (None, None, None)).where(
        in_list(relation.c.idea_id, "id", size)
    )


def _select_first_words(size: int, *, lateral: bool) -> Select[Any]:
    first_senses, join_condition = _select_first_senses(idea, idea.c.id, lateral=lateral)
    return (
        select(idea.c.id, first_senses.c.language_id, first_senses.c.rank, word.c.text)
        .select_from(idea.join(first_senses, join_condition).join(word, word.c.id == first_senses.c.word_id))
        .where(in_list(idea.c.id, "id", size))
    )


_FIRST_WORDS = per_list_size(
    lambda size: _select_first_words(size, lateral=False),
    postgresql=lambda size: _select_first_words(size, lateral=True),
)


class FirstWordsCache:
    """Cache of the words that represent ideas in relations, for loading very many ideas.

    An idea is related to two others: reading the words of each once takes a third of the time of reading them with
    every relation.
    """

    def __init__(self) -> None:
        """Initialise an empty cache."""
        self._texts: dict[int, tuple[str, ...]] = {}
        self._version: int | None = None

    def clear_if_outdated(self, version: int) -> Self:
        """Clear the cache if the data version has changed. Writers must call this in each transaction."""
        if version != self._version:
            self._texts.clear()
            self._version = version
        return self

    def load(self, tables: RowSource, idea_ids: Iterable[int]) -> None:
        """Load the first words of those ideas that are not cached yet."""
        if len(self._texts) > MAX_CACHED_IDEAS:
            self._texts.clear()
        missing_ids = sorted({idea_id for idea_id in idea_ids if idea_id not in self._texts})
        for batch in chunks(missing_ids, IDEA_BATCH_SIZE):
            self._texts |= dict.fromkeys(batch, ())
            for idea_id, _, _, text in sorted(tables.rows(_FIRST_WORDS(len(batch)), **list_params("id", batch))):
                self._texts[idea_id] += (text,)

    def related_texts(self, rows: Iterable[Row]) -> RelatedTexts:
        """Yield relations in their order, with the first words of the related idea; skip ideas without words."""
        for type_id, other_id in sorted([row[2:4] for row in rows]):
            texts = self._texts[other_id]
            if texts:
                yield type_id, other_id, texts


def _encode_idea_rows(
    rows: Sequence[list[Row]], catalogue: Catalogue, build_relations: Callable[[Iterable[Row]], RelatedTexts]
) -> IdeaJSON:
    """Encode the rows of one idea, grouped by `IdeaRowKind`, as JSON; most ideas have rows of few kinds."""
    contexts, definitions, examples, words, relations, photos, idea_rows = rows
    details = IdeaDetails(
        _build_contexts(contexts, catalogue) if contexts else (),
        tuple([Definition(row[2], row[5]) for row in sorted(definitions, key=_BY_LANGUAGE)]),
        tuple([Example(row[2], row[5], row[6]) for row in sorted(examples, key=_BY_EXAMPLE_ID)]) if examples else (),
        tuple(_iter_relations(build_relations(relations), catalogue)) if relations else (),
        tuple([_build_photo(row) for row in sorted(photos, key=_BY_PHOTO_ID)]) if photos else (),
    )
    _, _, pos_id, gender_id, _, licence, *_ = idea_rows[0]
    return encode_idea(pos_id, gender_id, details, _build_words(words, catalogue), licence)


def _build_photo(row: Row) -> PhotoReference:
    _, _, photo_id, width, height, extension, credit, licence, _ = row
    address = photo_path(photo_id, extension)
    return PhotoReference(address, thumbnail_path(photo_id), credit, width, height, licence)


_BY_LANGUAGE = itemgetter(2, 3)
_BY_EXAMPLE_ID = itemgetter(3)
_BY_PHOTO_ID = itemgetter(2)
_BY_RANK = itemgetter(2, 8, 3)
_BY_RELATED_IDEA = itemgetter(2, 3, 4, 8, 5)


def _build_contexts(rows: Iterable[Row], catalogue: Catalogue) -> tuple[Named, ...]:
    contexts = [catalogue.list_value(ListName.CONTEXTS, context_id) for context_id in sorted([row[2] for row in rows])]
    return tuple([context for context in contexts if context is not None])


def _build_words(rows: Iterable[Row], catalogue: Catalogue) -> tuple[IdeaWord, ...]:
    language = catalogue.language
    return tuple(
        [
            IdeaWord(
                word_id,
                text,
                language_id,
                language(language_id).name,
                roman or rule_roman,
                variant_id and catalogue.list_value(ListName.VARIANTS, variant_id),
            )
            for _, _, language_id, word_id, variant_id, text, roman, rule_roman, _ in sorted(rows, key=_BY_RANK)
        ]
    )


def _group_related_texts(rows: Iterable[Row]) -> RelatedTexts:
    """Group the words of related ideas by relation."""
    words: dict[tuple[int, int], list[str]] = defaultdict(list)
    for row in sorted(rows, key=_BY_RELATED_IDEA):
        words[row[2], row[3]].append(row[5])
    return ((type_id, other_id, tuple(texts)) for (type_id, other_id), texts in words.items())


def _iter_relations(related: RelatedTexts, catalogue: Catalogue) -> Iterable[Relation]:
    for type_id, other_id, texts in related:
        kind = catalogue.list_value(ListName.RELATIONS, type_id)
        if kind is not None:
            yield Relation(kind, other_id, texts)


def load_uncached_ideas(
    tables: RowSource, idea_ids: Iterable[int], first_words: FirstWordsCache | None = None
) -> dict[int, IdeaJSON]:
    """Load the data of ideas from their tables as JSON, by ID; ideas that do not exist are left out.

    For very many ideas, pass `first_words` to cache the words of related ideas.
    """
    statement = _IDEA_ROWS if first_words is None else _IDEA_ROWS_WITHOUT_RELATED_WORDS
    rows_by_idea: dict[int, tuple[list[Row], ...]] = {}
    for batch in chunks(list(dict.fromkeys(idea_ids)), IDEA_BATCH_SIZE):
        rows_by_idea |= {idea_id: tuple([] for _ in IdeaRowKind) for idea_id in batch}
        for row in tables.rows(statement(len(batch)), **list_params("id", batch)):
            rows_by_idea[row[1]][row[0]].append(row)
    build_relations = _group_related_texts
    if first_words is not None:
        first_words.load(tables, (row[3] for rows in rows_by_idea.values() for row in rows[IdeaRowKind.RELATION]))
        build_relations = first_words.related_texts
    catalogue = tables.catalogue
    return {
        idea_id: _encode_idea_rows(rows, catalogue, build_relations)
        for idea_id, rows in rows_by_idea.items()
        if rows[IdeaRowKind.IDEA]
    }
