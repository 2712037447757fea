"""Stored keys of words and phrases, computed from their texts by the recorded rules."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Integer, Table, bindparam, delete, insert, select, update

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration import words as accelerators
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.dictionary.store.indexes import derived_columns, near_keys, record_changes
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.dictionary.store.keyed_words import KeyedWord, load_keyed_words
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, SqlValue
from abhidhan.records.change_feed import Followed, TransactionChanges
from abhidhan.schema import phrase, word
from assamese.search_keys import compute_phrase_keys, compute_word_keys, key_rules_version

BATCH_SIZE: Final = 2000
"""Number of records compared in one batch."""

WORD_KEYS: Final = ("exact_key", "loose_key", "sound_key", "sort_key", "rule_roman")
VISIBLE_KEYS: Final = ("sort_key", "rule_roman")
"""Keys of words that are shown in responses or determine their order."""

LOOKUP_KEYS: Final = ("exact_key", "loose_key", "sound_key")
"""Keys by which words are found, in the order of `KeyedWord`."""

PHRASE_KEYS: Final = ("exact_key", "sound_key", "sort_key", "rule_roman")


class _WrongKeys(NamedTuple):
    """Record with wrong keys: the stored and the correct ones."""

    record_id: int
    text: str
    stored: Mapping[str, SqlValue]
    correct: Mapping[str, SqlValue]

    def has_wrong(self, *names: str) -> bool:
        """Return whether any of the named keys is wrong."""
        return any(self.stored[name] != self.correct[name] for name in names)


class TableKeys:
    """Key columns of one table, and the pure function that computes their values from a text and its language."""

    def __init__(self, table: Table, names: Sequence[str], compute: Callable[[str, str], object]) -> None:
        """Prepare the statement."""
        self.table = table
        self._names = names
        self._compute = compute
        self._next_query = CompiledQuery(
            select(table.c.id, table.c.language_id, table.c.text, *(table.c[name] for name in names))
            .where(table.c.id > bindparam("after", type_=Integer))
            .order_by(table.c.id)
            .limit(BATCH_SIZE)
        )

    def compute(self, text: str, language: str) -> dict[str, Any]:
        """Return the keys of a text of `language` (BCP 47), by column."""
        keys = self._compute(text, language)
        return {name: getattr(keys, name) for name in self._names}

    def find_stale(self, tables: RowSource) -> Iterator[StaleRecord]:
        """Yield the records with wrong keys."""
        after = 0
        while rows := tables.rows(self._next_query, after=after):
            after = rows[-1][0]
            for wrong in self._find_wrong(rows, tables):
                yield StaleRecord(f"{self.table.name}:{wrong.record_id}", wrong.text)

    def rebuild_next(self, connection: Connection, after: RebuildCursor) -> tuple[StepResult, list[_WrongKeys]]:
        """Correct the keys of the next records; return also the records corrected."""
        tables = TransactionRows(connection)
        rows = tables.rows(self._next_query, after=after[1])
        wrong = [record for record in self._find_wrong(rows, tables) if self._write(connection, record)]
        return StepResult(len(rows), len(wrong), ("", rows[-1][0]) if len(rows) == BATCH_SIZE else None), wrong

    def _write(self, connection: Connection, record: _WrongKeys) -> bool:
        """Write the right keys, unless another process has just changed the text, along with its keys."""
        unchanged = (self.table.c.id == record.record_id, self.table.c.text == record.text)
        return connection.execute(update(self.table).where(*unchanged).values(record.correct)).rowcount > 0

    def _find_wrong(self, rows: Sequence[Row], tables: RowSource) -> Iterator[_WrongKeys]:
        codes = {language.id: language.code for language in tables.catalogue.languages}
        for record_id, language_id, text, *stored in rows:
            correct = self.compute(text, codes[language_id])
            if stored != [*correct.values()]:
                yield _WrongKeys(record_id, text, dict(zip(self._names, stored, strict=True)), correct)


WORD_TABLE_KEYS = TableKeys(word, WORD_KEYS, compute_word_keys)
PHRASE_TABLE_KEYS = TableKeys(phrase, PHRASE_KEYS, compute_phrase_keys)


def rebuild_next_words(connection: Connection, after: RebuildCursor) -> StepResult:
    """Correct the keys of the next words, and the data derived from them."""
    step, wrong = WORD_TABLE_KEYS.rebuild_next(connection, after)
    bulk = BulkTransaction(connection)
    for record in wrong:
        if record.has_wrong("loose_key"):
            near_keys.replace_near_keys(
                bulk, record.record_id, str(record.stored["loose_key"]), str(record.correct["loose_key"])
            )
    _update_accelerators(connection, [record for record in wrong if record.has_wrong(*LOOKUP_KEYS)])
    derived_columns.update_rarities(connection, (record.record_id for record in wrong if record.has_wrong("exact_key")))
    _update_parts_of_speech(connection, [record for record in wrong if record.has_wrong("sort_key")])
    renamed_ids = [record.record_id for record in wrong if record.has_wrong(*VISIBLE_KEYS)]
    if renamed_ids:
        changed_records = TransactionChanges()
        changed_records.add_changed(Followed.WORD, renamed_ids)
        changed_records.add_changed(Followed.IDEA, idea_cache.invalidate(connection, (), renamed_ids))
        record_changes.save_changes(connection, changed_records, int(time.time()))
    return step


def _update_parts_of_speech(connection: Connection, wrong: Sequence[_WrongKeys]) -> None:
    stored = {record.record_id: record.stored["sort_key"] for record in wrong}
    before = [
        (language_id, pos_id, stored[word_id], text, word_id)
        for language_id, pos_id, _, text, word_id in PARTS_OF_SPEECH.derive_rows(connection, stored)
    ]
    PARTS_OF_SPEECH.update_rows(connection, stored, before)


def _update_accelerators(connection: Connection, wrong: Sequence[_WrongKeys]) -> None:
    words_by_id = {record.id: record for record in load_keyed_words(connection, (record.record_id for record in wrong))}
    before = [
        _replace_keys(words_by_id[record.record_id], record.stored)
        for record in wrong
        if record.record_id in words_by_id
    ]
    accelerators.update_accelerators(connection, before, [*words_by_id.values()])


def _replace_keys(keyed_word: KeyedWord, keys: Mapping[str, SqlValue]) -> KeyedWord:
    exact, loose, sound = (str(keys[name]) for name in LOOKUP_KEYS)
    return keyed_word._replace(exact_key=exact, loose_key=loose, sound_key=sound)


def rebuild_next_phrases(connection: Connection, after: RebuildCursor) -> StepResult:
    """Correct the keys of the next phrases."""
    step, wrong = PHRASE_TABLE_KEYS.rebuild_next(connection, after)
    changed_records = TransactionChanges()
    changed_records.add_changed(
        Followed.PHRASE, (record.record_id for record in wrong if record.has_wrong("rule_roman"))
    )
    record_changes.save_changes(connection, changed_records, int(time.time()))
    return step


_RULES = CompiledQuery(select(schema.key_rules.c.rules))


def read_stored_rules(reader: RowSource) -> str | None:
    """Return the name of the rules by which the stored keys were computed; None if it is not recorded."""
    rows = reader.rows(_RULES)
    return str(rows[0][0]) if rows else None


def store_rules(connection: Connection) -> None:
    """Record that all stored keys follow the current rules."""
    connection.execute(delete(schema.key_rules))
    connection.execute(insert(schema.key_rules).values(id=1, rules=key_rules_version()))


def store_rules_if_empty(connection: Connection) -> None:
    """Record the current rules in a database without words."""
    if connection.execute(select(schema.word.c.id).limit(1)).first() is None:
        store_rules(connection)
