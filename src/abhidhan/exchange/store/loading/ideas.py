"""Loading of ideas with all their parts, in batches."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from sqlalchemy import Table, bindparam, delete, select, update

from abhidhan.dictionary.store.indexes import definition_words
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.exchange.store.loading.stored_ideas import (
    STORED_CONTEXTS,
    STORED_DEFINITIONS,
    STORED_EXAMPLES,
    compare_parts,
    drop_removed_parts,
)
from abhidhan.exchange.store.loading.words import Spelling, StoredWord, load_senses, load_words
from abhidhan.platform.database.bulk import build_staging_table, staged_relation
from abhidhan.platform.database.compiled_queries import Row, SqlValue, in_list, per_list_size
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, NewIdea
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH_ID
from abhidhan.schema import definition, example, idea, idea_alias, idea_context

FILLABLE_COLUMNS = list_columns(IDEA_ROW_FIELDS)
"""Columns of a stored idea without a value that a record may fill."""

_FILLABLE_COLUMNS = tuple(idea.c[name] for name in FILLABLE_COLUMNS)

_STORED_IDEAS = per_list_size(
    lambda size: select(
        idea.c.id, idea.c.external_key, *_FILLABLE_COLUMNS, idea.c.source_id, idea.c.external_key
    ).where(idea.c.source_id == bindparam("source_id"), in_list(idea.c.external_key, "key", size))
)
_MERGED_IDEAS = per_list_size(
    lambda size: (
        select(idea.c.id, idea_alias.c.external_key, *_FILLABLE_COLUMNS, idea.c.source_id, idea.c.external_key)
        .join(idea, idea.c.id == idea_alias.c.idea_id)
        .where(idea_alias.c.source_id == bindparam("source_id"), in_list(idea_alias.c.external_key, "key", size))
    )
)
IdeaName = tuple[int, str]
"""The ID of a source and a key of that source, which identify an idea."""

IdeaRow = dict[str, SqlValue]
"""The column values of an idea that is stored, or that the batch adds."""


class _StoredIdea(NamedTuple):
    """A record of the file with the row of its idea; `is_new` is true for the record that creates the idea."""

    record: NewIdea
    located: LocatedRecord
    row: IdeaRow
    id: int
    is_new: bool
    is_unmerged: bool
    """True if it has not been merged into another idea."""
    is_own: bool
    """True if it has not been merged, and belongs to a source of the file."""


def load_ideas(load: Load, batch: Sequence[tuple[LocatedRecord, NewIdea]]) -> None:
    """Store ideas; a later record with the same source and key fills the missing values of the first.

    Under `ConflictPolicy.REPLACE`, a batch must not have two such records.
    """
    stored_rows = _read_stored_ideas(load, [record for _, record in batch])
    stored_ids = [row[0] for row in stored_rows.values()]
    ideas, filled = _load_rows(load, batch, stored_rows)
    words = load_words(
        load, ((stored_idea.located, one_word) for stored_idea in ideas for one_word in stored_idea.record.words)
    )
    compare_parts(
        load,
        [
            (stored_idea.id, stored_idea.record, stored_idea.is_own)
            for stored_idea in ideas
            if stored_idea.is_unmerged and not stored_idea.is_new
        ],
        words,
    )
    extended = filled | _ideas_with_filled_words(ideas, words)
    extended |= _load_definitions(load, ideas, stored_ids)
    extended |= _load_examples(load, ideas, stored_ids)
    links = (
        (stored_idea.located, stored_idea.id, stored_idea.record.source_id, word)
        for stored_idea in ideas
        for word in stored_idea.record.words
    )
    extended |= load_senses(load, links, words, stored_ids)
    extended |= _stage_contexts(load, ideas, stored_ids)
    _load_aliases(load, ideas)
    _stage_parts(load, ideas, words)
    existing_ids = [stored_idea.id for stored_idea in ideas if not stored_idea.is_new]
    load.changes.ideas.update(extended.intersection(existing_ids))
    load.count_existing(len(existing_ids), sum(idea_id in extended for idea_id in existing_ids))


def _ideas_with_filled_words(ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> set[int]:
    spellings = {spelling for spelling, stored in words.items() if stored.was_filled}
    if not spellings:
        return set()
    return {
        stored_idea.id
        for stored_idea in ideas
        for new_word in stored_idea.record.words
        if (new_word.language_id, new_word.text) in spellings
    }


def _load_rows(
    load: Load, batch: Sequence[tuple[LocatedRecord, NewIdea]], stored_rows: dict[IdeaName, Row]
) -> tuple[list[_StoredIdea], set[int]]:
    """Store the rows of ideas; return them, and the existing ideas that have gained values."""
    stored: dict[IdeaName, IdeaRow] = {
        name: {"id": row[0], **dict(zip(FILLABLE_COLUMNS, row[2:-2], strict=True))} for name, row in stored_rows.items()
    }
    stored_ideas = []
    filled: set[int] = set()
    new_rows: list[tuple[NewIdea, IdeaRow]] = []
    for located, record in drop_removed_parts(load, batch, {name: row[0] for name, row in stored_rows.items()}):
        name = (record.source_id, record.key)
        row = stored.get(name)
        is_new = row is None
        is_unmerged = name not in stored_rows or stored_rows[name][-2:] == name
        is_own = is_unmerged and load.is_own_source(record.source_id)
        if row is None:
            row = stored[name] = {"id": load.idea_ids.allocate(), **_fillable_values(record)}
            new_rows.append((record, row))
        else:
            load.note_differences(located, idea, cast("int", row["id"]), row, _fillable_values(record), is_own=is_own)
            if _fill_idea(load, record, row, is_stored=name in stored_rows):
                filled.add(cast("int", row["id"]))
        load.note_seen("idea", cast("int", row["id"]), is_new=is_new)
        stored_ideas.append(_StoredIdea(record, located, row, cast("int", row["id"]), is_new, is_unmerged, is_own))
    _insert_rows(
        load,
        idea,
        [
            (
                *row.values(),
                record.source_id,
                record.key,
                load.time_or_now(record.created),
                load.time_or_now(record.updated),
                record.licence,
            )
            for record, row in new_rows
        ],
    )
    return stored_ideas, filled


def _read_stored_ideas(load: Load, ideas: Sequence[NewIdea]) -> dict[IdeaName, Row]:
    keys: dict[int, list[str]] = defaultdict(list)
    for record in ideas:
        keys[record.source_id].append(record.key)
    queries = (_MERGED_IDEAS, _STORED_IDEAS) if _has_aliases(load) else (_STORED_IDEAS,)
    return {
        (source_id, row[1]): row
        for source_id, of_source in keys.items()
        for query in queries
        for row in load.bulk.rows_for_values(query, "key", list(dict.fromkeys(of_source)), source_id=source_id)
    }


def _has_aliases(load: Load) -> bool:
    return load.connection.execute(select(idea_alias.c.idea_id).limit(1)).first() is not None


def _fillable_values(record: NewIdea) -> dict[str, SqlValue]:
    return {name: getattr(record, name) for name in FILLABLE_COLUMNS}


def _fill_idea(load: Load, record: NewIdea, row: IdeaRow, *, is_stored: bool) -> bool:
    values = {name: value for name, value in _fillable_values(record).items() if value not in (None, row[name])}
    if not values:
        return False
    idea_id = cast("int", row["id"])
    allowed = {
        name: value for name, value in values.items() if not load.tombstones.is_field_emptied("idea", idea_id, name)
    }
    changed = load.values_to_write(row, allowed)
    if not changed:
        return False
    row.update(changed)
    if is_stored:
        load.connection.execute(update(idea).where(idea.c.id == idea_id).values(changed | {"updated": load.now}))
        if "pos_id" in changed:
            load.changes.reclassified_ideas.add(idea_id)
    return True


def _load_definitions(load: Load, ideas: list[_StoredIdea], stored_ids: list[int]) -> set[int]:
    idea_ids = _ids_with_parts(stored_ids, ideas, lambda record: record.definitions)
    stored = set(load.bulk.rows_for_values(STORED_DEFINITIONS, "idea", idea_ids))
    rows: list[tuple[int, int, str]] = []
    for stored_idea in _extendable_ideas(load, ideas):
        for language_id, text in stored_idea.record.definitions:
            if (stored_idea.id, language_id, text) in stored:
                continue
            if (stored_idea.id, language_id) in load.tombstones.edited_definitions:
                load.note_omitted_text(
                    stored_idea.located, "definition", stored_idea.id, text, is_own=stored_idea.is_own
                )
                continue
            stored.add((stored_idea.id, language_id, text))
            rows.append((stored_idea.id, language_id, text))
    removed = _remove_definitions(load, ideas, stored) if load.policy is ConflictPolicy.REPLACE else set()
    _insert_rows(load, definition, rows)
    definition_words.stage_keys(load.bulk, ((idea_id, text) for idea_id, _, text in rows))
    return removed.union(idea_id for idea_id, _, _ in rows)


def _remove_definitions(load: Load, ideas: list[_StoredIdea], stored: set[Row]) -> set[int]:
    """Remove the definitions that are replaced: those in a language in which the file defines the idea.

    Return the ideas that have lost one.
    """
    in_file = {(stored_idea.id, *definition) for stored_idea in ideas for definition in stored_idea.record.definitions}
    languages = {
        (stored_idea.id, language_id) for stored_idea in ideas for language_id, _ in stored_idea.record.definitions
    }
    removed_rows = {row for row in stored - in_file if row[:2] in languages}
    for idea_id, language_id, text in removed_rows:
        load.connection.execute(
            delete(definition).where(
                definition.c.idea_id == idea_id, definition.c.language_id == language_id, definition.c.text == text
            )
        )
        load.counts["replaced"] += 1
    load.changes.removed_definitions.update((idea_id, text) for idea_id, _, text in removed_rows)
    return {idea_id for idea_id, _, _ in removed_rows}


def _ids_with_parts(
    stored_ids: list[int], ideas: list[_StoredIdea], parts_of: Callable[[NewIdea], object]
) -> list[int]:
    """Return the IDs of stored ideas for which the file has parts of a kind: only their stored parts are read."""
    idea_ids = {stored_idea.id for stored_idea in ideas if parts_of(stored_idea.record)}
    return [idea_id for idea_id in stored_ids if idea_id in idea_ids]


def _extendable_ideas(load: Load, ideas: list[_StoredIdea]) -> list[_StoredIdea]:
    """Return the ideas to which definitions, examples and contexts may be added."""
    return [stored_idea for stored_idea in ideas if stored_idea.is_new] if load.policy is ConflictPolicy.KEEP else ideas


def _load_examples(load: Load, ideas: list[_StoredIdea], stored_ids: list[int]) -> set[int]:
    idea_ids = _ids_with_parts(stored_ids, ideas, lambda record: record.examples)
    stored: defaultdict[Row, set[SqlValue]] = defaultdict(set)
    for *text, translation in load.bulk.rows_for_values(STORED_EXAMPLES, "idea", idea_ids):
        stored[tuple(text)].add(translation)
    rows: list[tuple[SqlValue, ...]] = []
    for stored_idea in _extendable_ideas(load, ideas):
        # Editors may add several translations to one text. A file does not, except that a file of the same source
        # replaces the older translation.
        new = [
            new_example
            for new_example in stored_idea.record.examples
            if _check_example(load, stored_idea, new_example, stored)
        ]
        for new_example in new:
            stored[stored_idea.id, *new_example[:2]].add(new_example[2])
        rows.extend((stored_idea.id, *new_example) for new_example in new)
    _insert_rows(load, example, rows)
    return {cast("int", row[0]) for row in rows}


def _check_example(
    load: Load, stored_idea: _StoredIdea, new_example: tuple[int, str, str | None], stored: Mapping[Row, set[SqlValue]]
) -> bool:
    """Return whether to store an example; if not, record its translation as omitted."""
    *text, translation = new_example
    translations = stored.get((stored_idea.id, *text))
    if translations is None:
        return True
    if translation is None or translation in translations:
        return False
    is_edited = any(
        load.tombstones.is_part_added("example", stored_idea.id, *text, stored_translation)
        for stored_translation in translations
    )
    if stored_idea.is_own and load.policy is ConflictPolicy.UPDATE and not is_edited:
        return True
    load.note_omitted_text(stored_idea.located, "translation", stored_idea.id, translation, is_own=stored_idea.is_own)
    return False


def _stage_contexts(load: Load, ideas: list[_StoredIdea], stored_ids: list[int]) -> set[int]:
    idea_ids = _ids_with_parts(stored_ids, ideas, lambda candidates: candidates.contexts)
    stored = set(load.bulk.rows_for_values(STORED_CONTEXTS, "idea", idea_ids))
    candidates = (
        (stored_idea.id, context)
        for stored_idea in _extendable_ideas(load, ideas)
        for context in stored_idea.record.contexts
    )
    rows = [row for row in dict.fromkeys(candidates) if row not in stored]
    load.bulk.insert(build_staging_table(idea_context), rows)
    return {idea_id for idea_id, _ in rows}


def _load_aliases(load: Load, ideas: list[_StoredIdea]) -> None:
    """Store the aliases of ideas, except names that another idea has."""
    aliases = {name: stored_idea.id for stored_idea in ideas for name in stored_idea.record.aliases}
    if not aliases:
        return
    taken_names = {
        (source_id, row[1])
        for source_id in {source_id for source_id, _ in aliases}
        for query in (_MERGED_IDEAS, _STORED_IDEAS)
        for row in load.bulk.rows_for_values(
            query, "key", [key for source, key in aliases if source == source_id], source_id=source_id
        )
    }
    load.bulk.insert(idea_alias, [(*name, idea_id) for name, idea_id in aliases.items() if name not in taken_names])


def _stage_parts(load: Load, ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> None:
    PARTS_OF_SPEECH.stage(load.bulk, _parts_of_speech(ideas, words))
    load.bulk.insert(
        staged_relation,
        [
            (
                stored_idea.located.file,
                stored_idea.located.line,
                stored_idea.id,
                relation.type_id,
                relation.inverse_id,
                relation.other.source,
                relation.other.key,
            )
            for stored_idea in ideas
            for relation in stored_idea.record.relations
        ],
    )


def _parts_of_speech(ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> Iterator[tuple[SqlValue, ...]]:
    for stored_idea in ideas:
        pos_id = NO_PART_OF_SPEECH_ID if stored_idea.row["pos_id"] is None else stored_idea.row["pos_id"]
        for new_word in stored_idea.record.words:
            stored = words[new_word.language_id, new_word.text]
            yield (new_word.language_id, pos_id, stored.sort_key, new_word.text, stored.id)


def _insert_rows(load: Load, table: Table, rows: Sequence[tuple[SqlValue, ...]]) -> None:
    load.bulk.insert(table, rows)
    load.counts[table.name] += len(rows)
