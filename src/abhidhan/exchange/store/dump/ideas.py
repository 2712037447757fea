"""Export of ideas as records with their words and other parts, in batches."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Column, bindparam, func, literal, select

from abhidhan import schema
from abhidhan.exchange.model import (
    LOCAL_SOURCE,
    ExportSelection,
    build_local_key,
    format_idea_name,
    get_source_and_key,
    is_selected,
)
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, NumberedIdea, RelationRecord, WordRecord
from abhidhan.records.kinds.field_types import Boolean, ListChoice
from abhidhan.records.kinds.fields import Field, list_columns
from abhidhan.records.kinds.word import REMARK_FIELDS, WORD_DETAIL_FIELDS
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.reference_resolution import parse_inverse_id

IDEAS_BATCH_SIZE = 1000

QueryBySize = Callable[[int], CompiledQuery]

_idea, _word, _sense = schema.idea, schema.word, schema.sense
_other = schema.idea.alias("other")

_IDEAS = CompiledQuery(
    select(
        _idea.c.id,
        _idea.c.pos_id,
        _idea.c.gender_id,
        _idea.c.glyph,
        _idea.c.source_id,
        _idea.c.external_key,
        _idea.c.created,
        _idea.c.updated,
        _idea.c.licence,
    )
    .where(_idea.c.id > bindparam("after"))
    .order_by(_idea.c.id)
    .limit(IDEAS_BATCH_SIZE)
)


_DEFINITIONS = per_list_size(
    lambda size: (
        select(schema.definition.c.idea_id, schema.definition.c.language_id, schema.definition.c.text)
        .where(in_list(schema.definition.c.idea_id, "id", size))
        .order_by(schema.definition.c.id)
    )
)
_EXAMPLES = per_list_size(
    lambda size: (
        select(
            schema.example.c.idea_id, schema.example.c.language_id, schema.example.c.text, schema.example.c.translation
        )
        .where(in_list(schema.example.c.idea_id, "id", size))
        .order_by(schema.example.c.id)
    )
)
_CONTEXTS = per_list_size(
    lambda size: (
        select(schema.idea_context.c.idea_id, schema.idea_context.c.context_id)
        .where(in_list(schema.idea_context.c.idea_id, "id", size))
        .order_by(schema.idea_context.c.idea_id, schema.idea_context.c.context_id)
    )
)


def _relation_query(near_id: Column[int], far_id: Column[int]) -> QueryBySize:
    """Build the query of relations by the ideas at one end, with the key columns of the ideas at the other."""
    other = (_other.c.source_id, _other.c.external_key, _other.c.id, _other.c.created)
    return per_list_size(
        lambda size: (
            select(near_id, schema.idea_relation.c.type_id, *other)
            .join(_other, _other.c.id == far_id)
            .where(in_list(near_id, "id", size))
        )
    )


_RELATIONS = _relation_query(schema.idea_relation.c.idea_id, schema.idea_relation.c.other_id)
_RELATIONS_TO = _relation_query(schema.idea_relation.c.other_id, schema.idea_relation.c.idea_id)
_ALIASES = per_list_size(
    lambda size: (
        select(schema.idea_alias.c.idea_id, schema.source.c.code, schema.idea_alias.c.external_key)
        .join(schema.source, schema.source.c.id == schema.idea_alias.c.source_id)
        .where(in_list(schema.idea_alias.c.idea_id, "id", size))
    )
)
_WORDS = per_list_size(
    lambda size: (
        select(
            _sense.c.idea_id,
            _word.c.id,
            _word.c.language_id,
            _word.c.text,
            _sense.c.source_id,
            _sense.c.position,
            _word.c.created,
            _word.c.updated,
            _sense.c.added,
            _sense.c.licence,
            *(_word.c[name] for name in list_columns(WORD_DETAIL_FIELDS)),
            *(_sense.c[name] for name in list_columns(REMARK_FIELDS)),
        )
        .join(_word, _word.c.id == _sense.c.word_id)
        .where(in_list(_sense.c.idea_id, "id", size))
        .order_by(_sense.c.idea_id, _sense.c.language_id, _sense.c.rank, _sense.c.word_id)
    )
)
_MEANING_COUNTS = per_list_size(
    lambda size: (
        select(_sense.c.word_id, func.count()).where(in_list(_sense.c.word_id, "id", size)).group_by(_sense.c.word_id)
    )
)
_FORMS = per_list_size(
    lambda size: (
        select(schema.word_form.c.word_id, schema.word_form.c.key)
        .where(in_list(schema.word_form.c.word_id, "id", size), schema.word_form.c.tag == literal(""))
        .order_by(schema.word_form.c.word_id, schema.word_form.c.key)
    )
)


_WORD_FIELDS = (*WORD_DETAIL_FIELDS, *REMARK_FIELDS)
"""The fields of a word and its sense, in the order of the last columns of _WORDS."""


def dump_ideas(connection: ReadConnection, selection: ExportSelection) -> Iterator[IdeaRecord]:
    """Yield the selected ideas with their selected words; an idea without any is left out."""
    return (idea.record for idea in dump_numbered_ideas(connection, selection))


def dump_numbered_ideas(connection: ReadConnection, selection: ExportSelection) -> Iterator[NumberedIdea]:
    """Yield the selected ideas, each with its ID and the IDs of its words and related ideas."""
    after = 0
    while rows := connection.rows(_IDEAS, after=after):
        after = rows[-1][0]
        yield from _IdeaBatch(connection, rows, selection).iter_records()


class _IdeaBatch:
    """A batch of ideas, with the rows that belong to them."""

    def __init__(self, connection: ReadConnection, rows: Sequence[Row], selection: ExportSelection) -> None:
        self._reader = connection
        self._catalogue = connection.catalogue
        self._selection = selection
        self._headword_languages = {self._language_code(language_id) for language_id in selection.languages}
        self._rows = [row for row in rows if self._is_selected(row)]
        self._ids = [row[0] for row in self._rows]

    def iter_records(self) -> Iterator[NumberedIdea]:
        """Yield the records of the ideas."""
        if not self._ids:
            return
        definitions, examples = self._rows_by_idea(_DEFINITIONS), self._rows_by_idea(_EXAMPLES)
        contexts, relations = self._rows_by_idea(_CONTEXTS), self._relations_by_idea()
        aliases = self._rows_by_idea(_ALIASES)
        words = self._words_by_idea()
        selection = self._selection
        for idea_id, pos_id, gender_id, glyph, source_id, external_key, created, updated, licence in self._rows:
            idea_words = words.get(idea_id, [])
            if selection.contexts and not any(row[1] in selection.contexts for row in contexts[idea_id]):
                continue
            if selection.languages and not any(word.language in self._headword_languages for _, word in idea_words):
                continue
            related = list(self._relation_records(relations[idea_id]))
            source, key = get_source_and_key(
                self._catalogue, source_id, external_key, build_local_key("idea", idea_id, created)
            )
            record = IdeaRecord(
                source=source,
                key=key,
                pos=self._list_value(ListName.PARTS_OF_SPEECH, pos_id),
                words=tuple(_omit_defaults(word, source, created) for _, word in idea_words),
                gender=self._list_value(ListName.GENDERS, gender_id),
                glyph=glyph,
                contexts=tuple(
                    filter(None, (self._list_value(ListName.CONTEXTS, row[1]) for row in contexts[idea_id]))
                ),
                definitions=tuple(
                    DefinitionRecord(self._language_code(row[1]), row[2]) for row in definitions[idea_id]
                ),
                examples=tuple(ExampleRecord(self._language_code(row[1]), *row[2:]) for row in examples[idea_id]),
                relations=tuple(relation for _, relation in related),
                aliases=tuple(sorted(f"{code}:{alias}" for _, code, alias in aliases[idea_id])),
                created=created,
                updated=_none_if_default(created, updated),
                licence=licence,
            )
            word_ids, related_ids = (tuple(number for number, _ in each) for each in (idea_words, related))
            yield NumberedIdea(idea_id, record, word_ids, related_ids)

    def _is_selected(self, row: Row) -> bool:
        source, _ = get_source_and_key(self._catalogue, row[4], row[5], "")
        return is_selected(self._selection.sources, source) and is_selected(self._selection.parts_of_speech, row[1])

    def _words_by_idea(self) -> dict[int, list[tuple[int, WordRecord]]]:
        """Return the words of each idea with their IDs, by language and rank."""
        rows = [row for row in self._read(_WORDS, self._ids) if is_selected(self._selection.included_languages, row[2])]
        word_ids = sorted({row[1] for row in rows})
        meanings = {row[0]: row[1] for row in self._read(_MEANING_COUNTS, word_ids)}
        forms: defaultdict[int, list[str]] = defaultdict(list)
        for word_id, form in self._read(_FORMS, word_ids):
            forms[word_id].append(form)
        words: defaultdict[int, list[tuple[int, WordRecord]]] = defaultdict(list)
        for row in rows:
            has_position = meanings[row[1]] > 1 or row[5] != 1
            record = self._build_word(row, tuple(forms.get(row[1], ())), row[5] if has_position else None)
            words[row[0]].append((row[1], record))
        return words

    def _build_word(self, row: Row, forms: tuple[str, ...], position: int | None) -> WordRecord:
        _, _, language_id, text, source_id, _, created, updated, added, licence, *values = row
        fields = {
            field.name: self._field_value(field, value) for field, value in zip(_WORD_FIELDS, values, strict=True)
        }
        return WordRecord(
            language=self._language_code(language_id),
            text=text,
            source=self._catalogue.sources[source_id].code if source_id else LOCAL_SOURCE.code,
            position=position,
            forms=forms,
            created=created,
            updated=_none_if_default(created, updated),
            added=added,
            licence=licence,
            **fields,
        )

    def _field_value(self, field: Field, value: Any) -> Any:  # noqa: ANN401  # of the field's own type
        """Convert a field's value to its form in files: the name of a list value, a boolean, or the value itself."""
        match field.kind:
            case ListChoice(list_name=list_name):
                return self._list_value(list_name, value)
            case Boolean():
                return None if value is None else bool(value)
            case _:
                return value

    def _relations_by_idea(self) -> defaultdict[int, list[Row]]:
        """Return the relations of each idea, including inverses that are not stored, since files have both."""
        types = self._catalogue.list_items(ListName.RELATIONS)
        inverses = {item.id: parse_inverse_id(item.code) for item in types}
        rows = {row[:2] + row[-2:]: row for row in self._read(_RELATIONS, self._ids)}
        for idea_id, type_id, *other in self._read(_RELATIONS_TO, self._ids):
            inverse = inverses.get(type_id)
            if inverse in inverses:
                rows.setdefault((idea_id, inverse, *other[-2:]), (idea_id, inverse, *other))
        relations: defaultdict[int, list[Row]] = defaultdict(list)
        for name in sorted(rows):
            relations[name[0]].append(rows[name])
        return relations

    def _relation_records(self, rows: Iterable[Row]) -> Iterator[tuple[int, RelationRecord]]:
        for _, type_id, *other in rows:
            value = self._list_value(ListName.RELATIONS, type_id)
            if value is not None:
                yield other[2], RelationRecord(value, format_idea_name(self._catalogue, *other))

    def _rows_by_idea(self, query: QueryBySize) -> defaultdict[int, list[Row]]:
        grouped: defaultdict[int, list[Row]] = defaultdict(list)
        for row in self._read(query, self._ids):
            grouped[row[0]].append(row)
        return grouped

    def _read(self, query: QueryBySize, ids: Sequence[int]) -> Iterator[Row]:
        for batch in chunks(ids):
            yield from self._reader.rows(query(len(batch)), **list_params("id", batch))

    def _language_code(self, language_id: int) -> str:
        return self._catalogue.language(language_id).code

    def _list_value(self, list_name: ListName, item_id: int | None) -> str | None:
        item = self._catalogue.list_value(list_name, item_id)
        return item.value if item else None


def _omit_defaults(word: WordRecord, idea_source: str, idea_created: int) -> WordRecord:
    """Omit the source and times of a word that are the same as those of its idea."""
    return msgspec.structs.replace(
        word,
        source=None if word.source == idea_source else word.source,
        created=_none_if_default(idea_created, word.created),
        added=_none_if_default(idea_created, word.added),
    )


def _none_if_default(default: int, moment: int | None) -> int | None:
    return None if moment == default else moment
