"""Stored keys, compared with those of today's rules and made anew: a batch of words or phrases at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from abhidhan.domain.indexing import definition_keys, key_rules, phrase_keys, word_keys
from abhidhan.domain.text.keys import near_keys
from abhidhan.storage import tables
from abhidhan.storage.bulk import Bulk
from abhidhan.storage.database import Database, Reader, raise_data_version
from abhidhan.storage.queries import Query

BATCH = 2000

KEYS = ("exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
PHRASE_KEYS = ("exact_key", "sound_key", "rule_roman")

_RULES = Query(select(tables.key_rules.c.rules))


class Batch(NamedTuple):
    """What one batch did: up to which ID, how many records it looked at, and how many of them had other keys."""

    last: int
    seen: int
    changed: int


def stored_rules(reader: Reader) -> str | None:
    """Tell by which rules the stored keys were made; None when that was never noted."""
    row = reader.row(_RULES)
    return str(row[0]) if row else None


def note_rules(connection: Connection) -> None:
    """Note that every stored key was made by today's rules."""
    connection.execute(delete(tables.key_rules))
    connection.execute(insert(tables.key_rules).values(id=1, rules=key_rules()))


def note_rules_if_empty(connection: Connection) -> None:
    """Note today's rules in a database that has no words yet."""
    if connection.execute(select(tables.word.c.id).limit(1)).first() is None:
        note_rules(connection)


def reindex(database: Database) -> Iterator[Batch]:
    """Make every key anew, in transactions of their own, between which others read and write."""
    codes = {language.id: language.code for language in database.read_now(lambda reader: reader.catalogue).languages}
    for step in (_words, _phrases, _definitions):
        yield from _each(database, step, codes)
    database.write_now(note_rules)


Step = Callable[[Connection, dict[int, str], int], Batch]


def _each(database: Database, step: Step, codes: dict[int, str]) -> Iterator[Batch]:
    after = 0
    while True:

        def job(connection: Connection, after: int = after) -> Batch:
            done = step(connection, codes, after)
            if done.changed:
                raise_data_version(connection)
            return done

        done = database.write_now(job, public=False)
        yield done
        if done.seen < BATCH:
            return
        after = done.last


def _words(connection: Connection, codes: dict[int, str], after: int) -> Batch:
    word = tables.word
    columns = (word.c.id, word.c.language_id, word.c.text, *(word.c[name] for name in KEYS))
    rows = connection.execute(select(*columns).where(word.c.id > after).order_by(word.c.id).limit(BATCH)).all()
    changed = 0
    for row in rows:
        keys = word_keys(row.text, codes[row.language_id])
        wanted = {name: getattr(keys, name) for name in KEYS}
        known = {name: getattr(row, name) for name in KEYS}
        if wanted != known:
            changed += 1
            connection.execute(update(word).where(word.c.id == row.id).values(wanted))
        if wanted["sort_key"] != known["sort_key"]:
            of_word = tables.word_pos.c.word_id == row.id
            connection.execute(update(tables.word_pos).where(of_word).values(sort_key=wanted["sort_key"]))
    changed_near = _near_keys(connection, rows, codes)
    return Batch(rows[-1].id if rows else after, len(rows), max(changed, changed_near))


def _near_keys(connection: Connection, rows: Sequence[Row[Any]], codes: dict[int, str]) -> int:
    """Bring the near keys of words up to date; tell of how many they were others."""
    near = tables.near_key
    ids = [row.id for row in rows]
    known: defaultdict[int, set[str]] = defaultdict(set)
    for word_id, key in connection.execute(select(near.c.word_id, near.c.key).where(near.c.word_id.in_(ids))):
        known[word_id].add(key)
    new: list[tuple[str, int]] = []
    changed = 0
    for row in rows:
        wanted = near_keys(word_keys(row.text, codes[row.language_id]).loose_key)
        gone = known[row.id] - wanted
        if gone:
            connection.execute(delete(near).where(near.c.word_id == row.id, near.c.key.in_(sorted(gone))))
        added = [(key, row.id) for key in sorted(wanted - known[row.id])]
        new.extend(added)
        changed += bool(gone or added)
    Bulk(connection).insert(near, new)
    return changed


def _phrases(connection: Connection, codes: dict[int, str], after: int) -> Batch:
    phrase, gram, counted = tables.phrase, tables.phrase_gram, tables.gram_count
    columns = (phrase.c.id, phrase.c.language_id, phrase.c.text, *(phrase.c[name] for name in PHRASE_KEYS))
    rows = connection.execute(select(*columns).where(phrase.c.id > after).order_by(phrase.c.id).limit(BATCH)).all()
    changed = 0
    for row in rows:
        keys = phrase_keys(row.text, codes[row.language_id])
        wanted = {name: getattr(keys, name) for name in PHRASE_KEYS}
        pieces = set(connection.execute(select(gram.c.gram).where(gram.c.phrase_id == row.id)).scalars())
        if wanted == {name: getattr(row, name) for name in PHRASE_KEYS} and pieces == keys.grams:
            continue
        changed += 1
        connection.execute(update(phrase).where(phrase.c.id == row.id).values(wanted))
        connection.execute(delete(gram).where(gram.c.phrase_id == row.id))
        Bulk(connection).insert(gram, [(row.language_id, piece, row.id) for piece in sorted(keys.grams)])
    if changed:
        connection.execute(delete(counted))
        grouped = select(gram.c.language_id, gram.c.gram, func.count()).group_by(gram.c.language_id, gram.c.gram)
        connection.execute(insert(counted).from_select(["language_id", "gram", "phrases"], grouped))
    return Batch(rows[-1].id if rows else after, len(rows), changed)


def _definitions(connection: Connection, codes: dict[int, str], after: int) -> Batch:
    del codes
    idea, definition, keyed = tables.idea, tables.definition, tables.definition_word
    ids = (
        connection.execute(select(idea.c.id).where(idea.c.id > after).order_by(idea.c.id).limit(BATCH)).scalars().all()
    )
    wanted: defaultdict[int, set[str]] = defaultdict(set)
    for idea_id, text in connection.execute(
        select(definition.c.idea_id, definition.c.text).where(definition.c.idea_id.in_(ids))
    ):
        wanted[idea_id] |= definition_keys(text)
    known: defaultdict[int, set[str]] = defaultdict(set)
    for idea_id, key in connection.execute(select(keyed.c.idea_id, keyed.c.key).where(keyed.c.idea_id.in_(ids))):
        known[idea_id].add(key)
    changed = [idea_id for idea_id in ids if wanted[idea_id] != known[idea_id]]
    for idea_id in changed:
        connection.execute(delete(keyed).where(keyed.c.idea_id == idea_id))
        Bulk(connection).insert(keyed, [(key, idea_id) for key in sorted(wanted[idea_id])])
    return Batch(ids[-1] if ids else after, len(ids), len(changed))
