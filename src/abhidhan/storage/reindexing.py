"""What is derived, compared with what today's rules make of the data and made anew: a batch at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, insert, literal, select, tuple_, update
from sqlalchemy.schema import CreateTable, DropTable

from abhidhan.domain.indexing import definition_keys, key_rules, phrase_keys, word_keys
from abhidhan.domain.text.keys import near_keys
from abhidhan.storage import tables
from abhidhan.storage.bulk import Bulk, settle, staged
from abhidhan.storage.database import Database, Reader, raise_data_version
from abhidhan.storage.gathered import forget, renew
from abhidhan.storage.queries import Query

BATCH = 2000
NEAR_BATCH = 20_000

KEYS = ("exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
SHOWN_KEYS = ("sort_key", "rule_roman")
"""Keys that answers show, or are ordered by."""

PHRASE_KEYS = ("exact_key", "sound_key", "sort_key", "rule_roman")

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
        yield from _each(database, partial(_by_id, step, codes), 0, BATCH)
    yield from _each(database, _stray_near_keys, ("", 0), NEAR_BATCH)
    yield from _each(database, _ideas, 0, 1)
    database.write_now(note_rules)


Place = TypeVar("Place")


def _by_id(
    step: Callable[[Connection, dict[int, str], int], Batch], codes: dict[int, str], connection: Connection, after: int
) -> tuple[int, Batch]:
    done = step(connection, codes, after)
    return done.last, done


def _each(
    database: Database, step: Callable[[Connection, Place], tuple[Place, Batch]], start: Place, most: int
) -> Iterator[Batch]:
    """Take a step from each place that the one before has reached, until one sees fewer than `most` records."""
    after = start
    while True:

        def job(connection: Connection, after: Place = after) -> tuple[Place, Batch]:
            place, done = step(connection, after)
            if done.changed:
                raise_data_version(connection)
            return place, done

        after, done = database.write_now(job, public=False)
        yield done
        if done.seen < most:
            return


def _ideas(connection: Connection, after: int) -> tuple[int, Batch]:
    """Keep anew what is kept of ideas, where that is not what belongs to them; at their end, of ideas that are gone."""
    last, seen, changed = renew(connection, after)
    return last, Batch(last, seen, changed)


def _words(connection: Connection, codes: dict[int, str], after: int) -> Batch:
    word = tables.word
    columns = (word.c.id, word.c.language_id, word.c.text, *(word.c[name] for name in KEYS))
    rows = connection.execute(select(*columns).where(word.c.id > after).order_by(word.c.id).limit(BATCH)).all()
    changed = 0
    renamed: list[int] = []
    for row in rows:
        keys = word_keys(row.text, codes[row.language_id])
        wanted = {name: getattr(keys, name) for name in KEYS}
        known = {name: getattr(row, name) for name in KEYS}
        if wanted != known:
            changed += 1
            connection.execute(update(word).where(word.c.id == row.id).values(wanted))
        if any(wanted[name] != known[name] for name in SHOWN_KEYS):
            renamed.append(row.id)
        if wanted["sort_key"] != known["sort_key"]:
            of_word = tables.word_pos.c.word_id == row.id
            connection.execute(update(tables.word_pos).where(of_word).values(sort_key=wanted["sort_key"]))
    forget(connection, (), renamed)
    changed_near = _near_keys(connection, rows, codes)
    return Batch(rows[-1].id if rows else after, len(rows), max(changed, changed_near))


def _near_keys(connection: Connection, rows: Sequence[Row[Any]], codes: dict[int, str]) -> int:
    """Write the near keys that words lack; tell how many words lacked any."""
    near, waiting = tables.near_key, staged(tables.near_key)
    wanted = [(key, row.id) for row in rows for key in near_keys(word_keys(row.text, codes[row.language_id]).loose_key)]
    bulk = Bulk(connection)
    connection.execute(CreateTable(waiting))
    bulk.insert(waiting, wanted)
    there = exists().where(near.c.key == waiting.c.key, near.c.word_id == waiting.c.word_id)
    lacking = connection.execute(select(func.count(waiting.c.word_id.distinct())).where(~there)).scalar_one()
    settle(bulk, near)
    connection.execute(DropTable(waiting))
    return int(lacking)


def _stray_near_keys(connection: Connection, after: tuple[str, int]) -> tuple[tuple[str, int], Batch]:
    """Remove near keys that their words do not have by today's rules. They are found by going through all."""
    near, word = tables.near_key, tables.word
    place = tuple_(near.c.key, near.c.word_id)
    rows = connection.execute(
        select(near.c.key, near.c.word_id, word.c.loose_key)
        .join(word, word.c.id == near.c.word_id, isouter=True)
        .where(place > tuple_(literal(after[0]), literal(after[1])))
        .order_by(near.c.key, near.c.word_id)
        .limit(NEAR_BATCH)
    ).all()
    stray = [{"stray": row.key, "of": row.word_id} for row in rows if row.key not in near_keys(row.loose_key or "")]
    if stray:
        wanted = near.c.key == bindparam("stray"), near.c.word_id == bindparam("of")
        connection.execute(delete(near).where(*wanted), stray)
    last = (rows[-1].key, rows[-1].word_id) if rows else after
    return last, Batch(0, len(rows), len({row["of"] for row in stray}))


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
