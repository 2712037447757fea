"""Stored keys of words and phrases, computed from their texts by the recorded rules."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Integer, Table, bindparam, delete, insert, select, update

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration import words as accelerators
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.dictionary.store.indexes import derived_columns, near_keys, record_changes
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.dictionary.store.keyed_words import KeyedWord, read_keyed_words
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, Row, Value
from abhidhan.records.change_feed import Followed, Noted
from abhidhan.schema import phrase, word
from assamese.search_keys import key_rules, phrase_keys, word_keys

AT_ONCE: Final = 2000
"""Number of records compared in one batch."""

WORD_KEYS: Final = ("exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
SHOWN_KEYS: Final = ("sort_key", "rule_roman")
"""Keys of words that responses show or are sorted by."""

FOUND_BY: Final = ("exact_key", "loose_key", "sound_key")
"""Keys by which words are found, in the order of `KeyedWord`."""

PHRASE_KEYS: Final = ("exact_key", "sound_key", "sort_key", "rule_roman")


class _Wrong(NamedTuple):
    """Record with wrong keys: the stored and the right ones."""

    record_id: int
    text: str
    stored: Mapping[str, Value]
    right: Mapping[str, Value]

    def differs(self, *names: str) -> bool:
        """Return whether any of the named keys is wrong."""
        return any(self.stored[name] != self.right[name] for name in names)


class StoredKeys:
    """Key columns of one table, and the pure function of a text and its language that computes them."""

    def __init__(self, table: Table, names: Sequence[str], make: Callable[[str, str], object]) -> None:
        """Prepare the statement."""
        self.table = table
        self._names = names
        self._make = make
        self._next = Query(
            select(table.c.id, table.c.language_id, table.c.text, *(table.c[name] for name in names))
            .where(table.c.id > bindparam("after", type_=Integer))
            .order_by(table.c.id)
            .limit(AT_ONCE)
        )

    def of(self, text: str, language: str) -> dict[str, Any]:
        """Return the keys of a text of `language` (BCP 47), by column."""
        made = self._make(text, language)
        return {name: getattr(made, name) for name in self._names}

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """Yield the records with wrong keys."""
        after = 0
        while rows := tables.rows(self._next, after=after):
            after = rows[-1][0]
            for one in self._wrong(rows, tables):
                yield Stale(f"{self.table.name}:{one.record_id}", one.text)

    def renew_next(self, connection: Connection, after: Place) -> tuple[Step, list[_Wrong]]:
        """Correct the keys of the next records; return also the records corrected."""
        tables = OpenTransaction(connection)
        rows = tables.rows(self._next, after=after[1])
        wrong = [one for one in self._wrong(rows, tables) if self._write(connection, one)]
        return Step(len(rows), len(wrong), ("", rows[-1][0]) if len(rows) == AT_ONCE else None), wrong

    def _write(self, connection: Connection, one: _Wrong) -> bool:
        """Write the right keys, unless another process has just changed the text, along with its keys."""
        still = (self.table.c.id == one.record_id, self.table.c.text == one.text)
        return connection.execute(update(self.table).where(*still).values(one.right)).rowcount > 0

    def _wrong(self, rows: Sequence[Row], tables: Tables) -> Iterator[_Wrong]:
        codes = {language.id: language.code for language in tables.catalogue.languages}
        for record_id, language_id, text, *stored in rows:
            right = self.of(text, codes[language_id])
            if stored != [*right.values()]:
                yield _Wrong(record_id, text, dict(zip(self._names, stored, strict=True)), right)


KEYS_OF_WORDS = StoredKeys(word, WORD_KEYS, word_keys)
KEYS_OF_PHRASES = StoredKeys(phrase, PHRASE_KEYS, phrase_keys)


def renew_next_words(connection: Connection, after: Place) -> Step:
    """Correct the keys of the next words, and the data derived from them."""
    step, wrong = KEYS_OF_WORDS.renew_next(connection, after)
    bulk = Bulk(connection)
    for one in wrong:
        if one.differs("loose_key"):
            near_keys.replace_near_keys(bulk, one.record_id, str(one.stored["loose_key"]), str(one.right["loose_key"]))
    _renew_accelerators(connection, [one for one in wrong if one.differs(*FOUND_BY)])
    derived_columns.renew_rarities(connection, (one.record_id for one in wrong if one.differs("exact_key")))
    _renew_parts_of_speech(connection, [one for one in wrong if one.differs("sort_key")])
    renamed = [one.record_id for one in wrong if one.differs(*SHOWN_KEYS)]
    if renamed:
        noted = Noted()
        noted.change(Followed.WORD, renamed)
        noted.change(Followed.IDEA, idea_cache.invalidate(connection, (), renamed))
        record_changes.note(connection, noted, int(time.time()))
    return step


def _renew_parts_of_speech(connection: Connection, wrong: Sequence[_Wrong]) -> None:
    stored = {one.record_id: one.stored["sort_key"] for one in wrong}
    before = [
        (language_id, pos_id, stored[word_id], text, word_id)
        for language_id, pos_id, _, text, word_id in PARTS_OF_SPEECH.derived_of(connection, stored)
    ]
    PARTS_OF_SPEECH.renew(connection, stored, before)


def _renew_accelerators(connection: Connection, wrong: Sequence[_Wrong]) -> None:
    now = {one.id: one for one in read_keyed_words(connection, (one.record_id for one in wrong))}
    before = [_with_keys(now[one.record_id], one.stored) for one in wrong if one.record_id in now]
    accelerators.renew(connection, before, [*now.values()])


def _with_keys(one: KeyedWord, keys: Mapping[str, Value]) -> KeyedWord:
    exact, loose, sound = (str(keys[name]) for name in FOUND_BY)
    return one._replace(exact_key=exact, loose_key=loose, sound_key=sound)


def renew_next_phrases(connection: Connection, after: Place) -> Step:
    """Correct the keys of the next phrases."""
    step, wrong = KEYS_OF_PHRASES.renew_next(connection, after)
    noted = Noted()
    noted.change(Followed.PHRASE, (one.record_id for one in wrong if one.differs("rule_roman")))
    record_changes.note(connection, noted, int(time.time()))
    return step


_RULES = Query(select(schema.key_rules.c.rules))


def stored_rules(reader: Tables) -> str | None:
    """Return the name of the rules by which the stored keys were made; None if not recorded."""
    rows = reader.rows(_RULES)
    return str(rows[0][0]) if rows else None


def note_rules(connection: Connection) -> None:
    """Record that all stored keys follow the current rules."""
    connection.execute(delete(schema.key_rules))
    connection.execute(insert(schema.key_rules).values(id=1, rules=key_rules()))


def note_rules_if_empty(connection: Connection) -> None:
    """Record the current rules in a database without words."""
    if connection.execute(select(schema.word.c.id).limit(1)).first() is None:
        note_rules(connection)
