"""Loading ideas, with everything that belongs to them, a batch at a time."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Table, bindparam, delete, exists, select, update

from abhidhan.domain.incoming import NewIdea, Placed, Policy
from abhidhan.domain.indexing import definition_keys
from abhidhan.storage.bulk import staged, staged_relation
from abhidhan.storage.loading.state import Load
from abhidhan.storage.loading.words import Spelling, StoredWord, load_words
from abhidhan.storage.queries import Row, Value, by_size, in_list
from abhidhan.storage.tables import (
    definition,
    definition_word,
    example,
    idea,
    idea_context,
    sense,
    word,
    word_pos,
)

_KNOWN_IDEAS = by_size(
    lambda size: select(idea.c.id, idea.c.external_key, idea.c.pos_id, idea.c.gender_id, idea.c.glyph).where(
        idea.c.source_id == bindparam("source_id"), in_list(idea.c.external_key, "key", size)
    )
)
_KNOWN_DEFINITIONS = by_size(
    lambda size: select(definition.c.idea_id, definition.c.language_id, definition.c.text).where(
        in_list(definition.c.idea_id, "idea", size)
    )
)
_KNOWN_EXAMPLES = by_size(
    lambda size: select(example.c.idea_id, example.c.language_id, example.c.text).where(
        in_list(example.c.idea_id, "idea", size)
    )
)
_KNOWN_SENSES = by_size(
    lambda size: select(
        sense.c.word_id, sense.c.idea_id, sense.c.id, sense.c.position, sense.c.reference, sense.c.note
    ).where(in_list(sense.c.word_id, "word", size))
)


class _StoredIdea(NamedTuple):
    """An idea of the file, and where it stands in the database now."""

    given: NewIdea
    placed: Placed
    id: int
    pos_id: int | None
    is_new: bool


def load_ideas(load: Load, batch: Sequence[tuple[Placed, NewIdea]]) -> None:
    """Store ideas of which no two have the same source and key."""
    ideas = _load_rows(load, batch)
    known = [one.id for one in ideas if not one.is_new]
    words = load_words(load, (one_word for one in ideas for one_word in one.given.words))
    _load_definitions(load, ideas, known)
    _load_examples(load, ideas, known)
    _load_senses(load, ideas, words)
    _stage_parts(load, ideas, words)


def _load_rows(load: Load, batch: Sequence[tuple[Placed, NewIdea]]) -> list[_StoredIdea]:
    known = _known_ideas(load, [given for _, given in batch])
    stored = []
    rows: list[tuple[Value, ...]] = []
    for placed, given in batch:
        row = known.get((given.source_id, given.key))
        if row is not None:
            stored.append(_fill(load, given, placed, row))
            continue
        idea_id = load.idea_ids.take()
        stored.append(_StoredIdea(given, placed, idea_id, given.pos_id, is_new=True))
        rows.append(
            (
                idea_id,
                given.pos_id,
                given.gender_id,
                given.glyph,
                given.source_id,
                given.key,
                load.now,
                load.now,
            )
        )
    _insert(load, idea, rows)
    return stored


def _known_ideas(load: Load, ideas: Sequence[NewIdea]) -> dict[tuple[int, str], Row]:
    keys: dict[int, list[str]] = defaultdict(list)
    for given in ideas:
        keys[given.source_id].append(given.key)
    return {
        (source_id, row[1]): row
        for source_id, of_source in keys.items()
        for row in load.bulk.rows_among(_KNOWN_IDEAS, "key", of_source, source_id=source_id)
    }


def _fill(load: Load, given: NewIdea, placed: Placed, row: Row) -> _StoredIdea:
    idea_id, _, pos_id, gender_id, glyph = row
    known = {"pos_id": pos_id, "gender_id": gender_id, "glyph": glyph}
    changed = load.wanted(known, {"pos_id": given.pos_id, "gender_id": given.gender_id, "glyph": given.glyph})
    if changed:
        load.connection.execute(update(idea).where(idea.c.id == idea_id).values(changed | {"updated": load.now}))
    if "pos_id" in changed:
        _change_part_of_speech(load, idea_id, pos_id, given.pos_id)
        pos_id = given.pos_id
    return _StoredIdea(given, placed, idea_id, pos_id, is_new=False)


def _change_part_of_speech(load: Load, idea_id: int, old: int | None, new: int | None) -> None:
    """List the words that an idea has already under its new part of speech, no longer under the old one.

    Where a word has the old one by another idea, it stays there.
    """
    words = load.connection.execute(
        select(word.c.language_id, word.c.sort_key, word.c.text, word.c.id)
        .join(sense, sense.c.word_id == word.c.id)
        .where(sense.c.idea_id == idea_id)
    ).all()
    load.bulk.insert(staged(word_pos), [(row.language_id, new, row.sort_key, row.text, row.id) for row in words])
    if old is None:
        return
    elsewhere = exists().where(
        sense.c.word_id == word_pos.c.word_id, sense.c.idea_id == idea.c.id, idea.c.pos_id == old, idea.c.id != idea_id
    )
    for row in words:
        load.connection.execute(
            delete(word_pos).where(word_pos.c.word_id == row.id, word_pos.c.pos_id == old, ~elsewhere)
        )


def _load_definitions(load: Load, ideas: list[_StoredIdea], known: list[int]) -> None:
    there = set(load.bulk.rows_among(_KNOWN_DEFINITIONS, "idea", known))
    rows: list[tuple[Value, ...]] = []
    keys: list[tuple[Value, ...]] = []
    for one in _to_be_given(load, ideas):
        for language_id, text in one.given.definitions:
            if (one.id, language_id, text) not in there:
                rows.append((one.id, language_id, text))
                keys.extend((key, one.id) for key in definition_keys(text))
    if load.policy is Policy.REPLACE:
        _remove_definitions(load, ideas, there)
    _insert(load, definition, rows)
    load.bulk.insert(staged(definition_word), keys)


def _remove_definitions(load: Load, ideas: list[_StoredIdea], there: set[Row]) -> None:
    """Remove the definitions whose place others take: those in a language in which the file defines the idea."""
    kept = {(one.id, *definition) for one in ideas for definition in one.given.definitions}
    languages = {(one.id, language_id) for one in ideas for language_id, _ in one.given.definitions}
    for idea_id, language_id, text in there - kept:
        if (idea_id, language_id) not in languages:
            continue
        load.connection.execute(
            delete(definition).where(
                definition.c.idea_id == idea_id, definition.c.language_id == language_id, definition.c.text == text
            )
        )
        load.connection.execute(delete(definition_word).where(definition_word.c.idea_id == idea_id))
        load.counts["replaced"] += 1
        others = (row[2] for row in there if row[0] == idea_id and row != (idea_id, language_id, text))
        left = {key for other in others for key in definition_keys(other)}
        load.bulk.insert(staged(definition_word), [(key, idea_id) for key in left])


def _to_be_given(load: Load, ideas: list[_StoredIdea]) -> list[_StoredIdea]:
    """Choose the ideas to which definitions, examples and contexts may be added."""
    return [one for one in ideas if one.is_new] if load.policy is Policy.KEEP else ideas


def _load_examples(load: Load, ideas: list[_StoredIdea], known: list[int]) -> None:
    there = set(load.bulk.rows_among(_KNOWN_EXAMPLES, "idea", known))
    _insert(
        load,
        example,
        [
            (one.id, language_id, text, translation)
            for one in _to_be_given(load, ideas)
            for language_id, text, translation in one.given.examples
            if (one.id, language_id, text) not in there
        ],
    )


def _load_senses(load: Load, ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> None:
    known_words = [stored.id for stored in words.values() if not stored.is_new]
    there: dict[tuple[int, int], Row] = {}
    positions: defaultdict[int, int] = defaultdict(int)
    for row in load.bulk.rows_among(_KNOWN_SENSES, "word", known_words):
        there[row[:2]] = row
        positions[row[0]] = max(positions[row[0]], row[3])
    rows: list[tuple[Value, ...]] = []
    for one in ideas:
        for given in one.given.words:
            word_id = words[given.language_id, given.text].id
            old = there.get((word_id, one.id))
            if old is not None:
                load.fill(
                    sense,
                    old[2],
                    {"reference": old[4], "note": old[5]},
                    {"reference": given.reference, "note": given.note},
                )
                continue
            position = given.position or positions[word_id] + 1
            positions[word_id] = max(position, positions[word_id])
            rows.append(
                (
                    word_id,
                    given.language_id,
                    one.id,
                    position,
                    given.reference,
                    given.note,
                    given.source_id or one.given.source_id,
                    load.now,
                )
            )
    _insert(load, sense, rows)


def _stage_parts(load: Load, ideas: list[_StoredIdea], words: dict[Spelling, StoredWord]) -> None:
    load.bulk.insert(staged(word_pos), list(_parts_of_speech(ideas, words)))
    load.bulk.insert(
        staged(idea_context),
        [(one.id, context) for one in _to_be_given(load, ideas) for context in one.given.contexts],
    )
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
        for given in one.given.words if one.pos_id is not None else ():
            stored = words[given.language_id, given.text]
            yield (given.language_id, one.pos_id, stored.sort_key, given.text, stored.id)


def _insert(load: Load, table: Table, rows: list[tuple[Value, ...]]) -> None:
    load.bulk.insert(table, rows)
    load.counts[table.name] += len(rows)
