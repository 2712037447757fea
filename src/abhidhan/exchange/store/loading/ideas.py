"""Loading of ideas with all their parts, in batches."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from sqlalchemy import Table, bindparam, delete, select, update

from abhidhan.dictionary.store.indexes import definition_words
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.exchange.store.loading.stored_ideas import (
    KNOWN_CONTEXTS,
    KNOWN_DEFINITIONS,
    KNOWN_EXAMPLES,
    compare_parts,
    without_removed,
)
from abhidhan.exchange.store.loading.words import Spelling, StoredWord, load_senses, load_words
from abhidhan.platform.database.bulk import staged, staged_relation
from abhidhan.platform.database.compiled_queries import Row, Value, by_size, in_list
from abhidhan.records.import_records import NewIdea, Placed, Policy
from abhidhan.records.kinds.fields import columns
from abhidhan.records.kinds.idea import IDEA_ROW
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH
from abhidhan.schema import definition, example, idea, idea_alias, idea_context

FILLED = columns(IDEA_ROW)
"""Columns that a record may fill if the idea lacks them."""

_FILLED_COLUMNS = tuple(idea.c[name] for name in FILLED)

_KNOWN_IDEAS = by_size(
    lambda size: select(idea.c.id, idea.c.external_key, *_FILLED_COLUMNS, idea.c.source_id, idea.c.external_key).where(
        idea.c.source_id == bindparam("source_id"), in_list(idea.c.external_key, "key", size)
    )
)
_MERGED_IDEAS = by_size(
    lambda size: (
        select(idea.c.id, idea_alias.c.external_key, *_FILLED_COLUMNS, idea.c.source_id, idea.c.external_key)
        .join(idea, idea.c.id == idea_alias.c.idea_id)
        .where(idea_alias.c.source_id == bindparam("source_id"), in_list(idea_alias.c.external_key, "key", size))
    )
)
IdeaName = tuple[int, str]
"""The ID of a source, and the key there, which identify an idea."""

IdeaRow = dict[str, Value]
"""The columns of an idea that is stored, or will be with its batch."""


class _StoredIdea(NamedTuple):
    """An idea of the file, with its row; `is_new` is true for the record that creates it."""

    given: NewIdea
    placed: Placed
    row: IdeaRow
    id: int
    is_new: bool
    is_itself: bool
    """Whether it has not been merged into another idea."""
    is_own: bool
    """Whether it has not been merged, and belongs to a source of the file."""


def load_ideas(load: Load, batch: Sequence[tuple[Placed, NewIdea]]) -> None:
    """Store ideas; later records with the same source and key fill what the first one lacks.

    Under `Policy.REPLACE`, a batch must not have two of them.
    """
    known = _known_ideas(load, [given for _, given in batch])
    known_ids = [row[0] for row in known.values()]
    ideas, filled = _load_rows(load, batch, known)
    words = load_words(load, ((one.placed, one_word) for one in ideas for one_word in one.given.words))
    compare_parts(load, [(one.id, one.given, one.is_own) for one in ideas if one.is_itself and not one.is_new], words)
    brought = filled | _with_more_words(ideas, words)
    brought |= _load_definitions(load, ideas, known_ids)
    brought |= _load_examples(load, ideas, known_ids)
    links = ((one.placed, one.id, one.given.source_id, word) for one in ideas for word in one.given.words)
    brought |= load_senses(load, links, words, known_ids)
    brought |= _stage_contexts(load, ideas, known_ids)
    _load_aliases(load, ideas)
    _stage_parts(load, ideas, words)
    there = [one.id for one in ideas if not one.is_new]
    load.touched.ideas.update(brought.intersection(there))
    load.note_known(len(there), sum(idea_id in brought for idea_id in there))


def _with_more_words(ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> set[int]:
    spellings = {spelling for spelling, stored in words.items() if stored.has_more}
    if not spellings:
        return set()
    return {one.id for one in ideas for given in one.given.words if (given.language_id, given.text) in spellings}


def _load_rows(
    load: Load, batch: Sequence[tuple[Placed, NewIdea]], known: dict[IdeaName, Row]
) -> tuple[list[_StoredIdea], set[int]]:
    """Store the rows of ideas; return them, and the existing ideas that have gained values."""
    stored: dict[IdeaName, IdeaRow] = {
        name: {"id": row[0], **dict(zip(FILLED, row[2:-2], strict=True))} for name, row in known.items()
    }
    found = []
    filled: set[int] = set()
    made: list[tuple[NewIdea, IdeaRow]] = []
    for placed, given in without_removed(load, batch, {name: row[0] for name, row in known.items()}):
        name = (given.source_id, given.key)
        row = stored.get(name)
        is_new = row is None
        is_itself = name not in known or known[name][-2:] == name
        is_own = is_itself and load.is_own(given.source_id)
        if row is None:
            row = stored[name] = {"id": load.idea_ids.take(), **_filled_columns(given)}
            made.append((given, row))
        else:
            load.note_differences(placed, idea, cast("int", row["id"]), row, _filled_columns(given), is_own=is_own)
            if _fill(load, given, row, is_there=name in known):
                filled.add(cast("int", row["id"]))
        load.note_seen("idea", cast("int", row["id"]), is_new=is_new)
        found.append(_StoredIdea(given, placed, row, cast("int", row["id"]), is_new, is_itself, is_own))
    _insert(
        load,
        idea,
        [
            (
                *row.values(),
                given.source_id,
                given.key,
                load.moment(given.created),
                load.moment(given.updated),
                given.licence,
            )
            for given, row in made
        ],
    )
    return found, filled


def _known_ideas(load: Load, ideas: Sequence[NewIdea]) -> dict[IdeaName, Row]:
    keys: dict[int, list[str]] = defaultdict(list)
    for given in ideas:
        keys[given.source_id].append(given.key)
    queries = (_MERGED_IDEAS, _KNOWN_IDEAS) if _is_any_merged(load) else (_KNOWN_IDEAS,)
    return {
        (source_id, row[1]): row
        for source_id, of_source in keys.items()
        for query in queries
        for row in load.bulk.rows_among(query, "key", list(dict.fromkeys(of_source)), source_id=source_id)
    }


def _is_any_merged(load: Load) -> bool:
    return load.connection.execute(select(idea_alias.c.idea_id).limit(1)).first() is not None


def _filled_columns(given: NewIdea) -> dict[str, Value]:
    return {name: getattr(given, name) for name in FILLED}


def _fill(load: Load, given: NewIdea, row: IdeaRow, *, is_there: bool) -> bool:
    telling = {name: value for name, value in _filled_columns(given).items() if value not in (None, row[name])}
    if not telling:
        return False
    idea_id = cast("int", row["id"])
    columns_given = {
        name: value for name, value in telling.items() if not load.removed.has_emptied("idea", idea_id, name)
    }
    changed = load.wanted(row, columns_given)
    if not changed:
        return False
    row.update(changed)
    if is_there:
        load.connection.execute(update(idea).where(idea.c.id == idea_id).values(changed | {"updated": load.now}))
        if "pos_id" in changed:
            load.touched.reclassified_ideas.add(idea_id)
    return True


def _load_definitions(load: Load, ideas: list[_StoredIdea], known: list[int]) -> set[int]:
    giving = _those_that_give(known, ideas, lambda given: given.definitions)
    there = set(load.bulk.rows_among(KNOWN_DEFINITIONS, "idea", giving))
    rows: list[tuple[int, int, str]] = []
    for one in _to_be_given(load, ideas):
        for language_id, text in one.given.definitions:
            if (one.id, language_id, text) in there:
                continue
            if (one.id, language_id) in load.removed.edited_definitions:
                load.note_kept(one.placed, "definition", one.id, text, is_own=one.is_own)
                continue
            there.add((one.id, language_id, text))
            rows.append((one.id, language_id, text))
    removed = _remove_definitions(load, ideas, there) if load.policy is Policy.REPLACE else set()
    _insert(load, definition, rows)
    definition_words.stage(load.bulk, ((idea_id, text) for idea_id, _, text in rows))
    return removed.union(idea_id for idea_id, _, _ in rows)


def _remove_definitions(load: Load, ideas: list[_StoredIdea], there: set[Row]) -> set[int]:
    """Remove the definitions that are replaced: those in a language in which the file defines the idea.

    Return the ideas that have lost one.
    """
    kept = {(one.id, *definition) for one in ideas for definition in one.given.definitions}
    languages = {(one.id, language_id) for one in ideas for language_id, _ in one.given.definitions}
    gone = {row for row in there - kept if row[:2] in languages}
    for idea_id, language_id, text in gone:
        load.connection.execute(
            delete(definition).where(
                definition.c.idea_id == idea_id, definition.c.language_id == language_id, definition.c.text == text
            )
        )
        load.counts["replaced"] += 1
    load.touched.gone_definitions.update((idea_id, text) for idea_id, _, text in gone)
    return {idea_id for idea_id, _, _ in gone}


def _those_that_give(known: list[int], ideas: list[_StoredIdea], what: Callable[[NewIdea], object]) -> list[int]:
    """Return the known ideas to which the file adds parts; those of others need not be read."""
    giving = {one.id for one in ideas if what(one.given)}
    return [idea_id for idea_id in known if idea_id in giving]


def _to_be_given(load: Load, ideas: list[_StoredIdea]) -> list[_StoredIdea]:
    """Return the ideas to which definitions, examples and contexts may be added."""
    return [one for one in ideas if one.is_new] if load.policy is Policy.KEEP else ideas


def _load_examples(load: Load, ideas: list[_StoredIdea], known: list[int]) -> set[int]:
    giving = _those_that_give(known, ideas, lambda given: given.examples)
    there: defaultdict[Row, set[Value]] = defaultdict(set)
    for *text, translation in load.bulk.rows_among(KNOWN_EXAMPLES, "idea", giving):
        there[tuple(text)].add(translation)
    rows: list[tuple[Value, ...]] = []
    for one in _to_be_given(load, ideas):
        # Editors may give one text several translations. Other records add none, except those of its own source, which
        # replace the older one.
        new = [each for each in one.given.examples if _is_wanted(load, one, each, there)]
        for each in new:
            there[one.id, *each[:2]].add(each[2])
        rows.extend((one.id, *each) for each in new)
    _insert(load, example, rows)
    return {cast("int", row[0]) for row in rows}


def _is_wanted(
    load: Load, one: _StoredIdea, given: tuple[int, str, str | None], there: Mapping[Row, set[Value]]
) -> bool:
    """Return whether to store an example; record a translation that is left out."""
    *text, translation = given
    translations = there.get((one.id, *text))
    if translations is None:
        return True
    if translation is None or translation in translations:
        return False
    is_edited = any(load.removed.has_added("example", one.id, *text, each) for each in translations)
    if one.is_own and load.policy is Policy.UPDATE and not is_edited:
        return True
    load.note_kept(one.placed, "translation", one.id, translation, is_own=one.is_own)
    return False


def _stage_contexts(load: Load, ideas: list[_StoredIdea], known: list[int]) -> set[int]:
    giving = _those_that_give(known, ideas, lambda given: given.contexts)
    there = set(load.bulk.rows_among(KNOWN_CONTEXTS, "idea", giving))
    given = ((one.id, context) for one in _to_be_given(load, ideas) for context in one.given.contexts)
    rows = [row for row in dict.fromkeys(given) if row not in there]
    load.bulk.insert(staged(idea_context), rows)
    return {idea_id for idea_id, _ in rows}


def _load_aliases(load: Load, ideas: list[_StoredIdea]) -> None:
    """Store the other names by which files know an idea, unless another idea has the name."""
    given = {name: one.id for one in ideas for name in one.given.aliases}
    if not given:
        return
    taken = {
        (source_id, row[1])
        for source_id in {source_id for source_id, _ in given}
        for query in (_MERGED_IDEAS, _KNOWN_IDEAS)
        for row in load.bulk.rows_among(
            query, "key", [key for source, key in given if source == source_id], source_id=source_id
        )
    }
    load.bulk.insert(idea_alias, [(*name, idea_id) for name, idea_id in given.items() if name not in taken])


def _stage_parts(load: Load, ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> None:
    PARTS_OF_SPEECH.stage(load.bulk, _parts_of_speech(ideas, words))
    load.bulk.insert(
        staged_relation,
        [
            (
                one.placed.file,
                one.placed.line,
                one.id,
                relation.type_id,
                relation.inverse_id,
                relation.other.source,
                relation.other.key,
            )
            for one in ideas
            for relation in one.given.relations
        ],
    )


def _parts_of_speech(ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> Iterator[tuple[Value, ...]]:
    for one in ideas:
        pos_id = NO_PART_OF_SPEECH if one.row["pos_id"] is None else one.row["pos_id"]
        for given in one.given.words:
            stored = words[given.language_id, given.text]
            yield (given.language_id, pos_id, stored.sort_key, given.text, stored.id)


def _insert(load: Load, table: Table, rows: Sequence[tuple[Value, ...]]) -> None:
    load.bulk.insert(table, rows)
    load.counts[table.name] += len(rows)
