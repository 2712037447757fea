"""All indexes in the order of rebuilding: each comes after those from which it is derived."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Final

from sqlalchemy import Connection

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration.words import WORD_ACCELERATORS
from abhidhan.dictionary.store.index import REBUILD_START, Index, RebuildCursor, StepResult
from abhidhan.dictionary.store.indexes import (
    definition_words,
    derived_columns,
    near_keys,
    parts_of_speech,
    phrase_words,
    stored_keys,
)
from abhidhan.dictionary.store.indexes.definition_words import DEFINITION_WORDS
from abhidhan.dictionary.store.indexes.derived_columns import PHRASE_AUDIO, WORD_AUDIO
from abhidhan.dictionary.store.indexes.derived_table import DerivedTable
from abhidhan.dictionary.store.indexes.near_keys import NEAR_KEYS, WORD_FORMS
from abhidhan.dictionary.store.indexes.perceptual_hash_bands import PHOTO_BANDS, RECORDING_BANDS
from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_GRAMS, PHRASE_WORDS
from abhidhan.dictionary.store.indexes.record_keys import RecordKeys
from abhidhan.dictionary.store.indexes.stored_keys import PHRASE_TABLE_KEYS, WORD_TABLE_KEYS, store_rules
from abhidhan.platform.database.data_version import increment_data_version
from abhidhan.platform.database.database import Database

RULES_CODE: Final = "E202"
"""Code of the finding that keys were computed by other rules, for which all indexes are rebuilt."""

StepFunction = Callable[[Connection, RebuildCursor], StepResult]


def _build_table_index(code: str, table: DerivedTable) -> Index:
    return Index(code, frozenset({code}), table.find_stale, (table.rebuild_next,))


def _build_key_index(code: str, table: RecordKeys, *steps: StepFunction) -> Index:
    return Index(code, frozenset({code}), table.find_stale, steps, is_compared_first=True)


INDEXES: Final = (
    Index("E201", frozenset({"E201"}), WORD_TABLE_KEYS.find_stale, (stored_keys.rebuild_next_words,)),
    Index("E201", frozenset({"E201"}), PHRASE_TABLE_KEYS.find_stale, (stored_keys.rebuild_next_phrases,)),
    Index("E217", frozenset({"E217"}), derived_columns.find_stale_rarities, (derived_columns.rebuild_next_rarities,)),
    _build_key_index("E204", NEAR_KEYS, near_keys.add_missing_near_keys, near_keys.remove_stray_near_keys),
    _build_key_index("E205", DEFINITION_WORDS, definition_words.add_missing, definition_words.remove_stray),
    Index(
        "E206",
        frozenset({"E206"}),
        parts_of_speech.find_stale,
        (parts_of_speech.add_missing, parts_of_speech.remove_stray),
    ),
    _build_table_index("E207", PHRASE_GRAMS),
    Index("E208", frozenset({"E208"}), phrase_words.find_stale_gram_counts, (phrase_words.rebuild_gram_counts,)),
    _build_table_index("E209", WORD_FORMS),
    _build_table_index("E214", PHRASE_WORDS),
    Index(
        "E210",
        frozenset({"E210"}),
        derived_columns.find_stale_sense_languages,
        (derived_columns.rebuild_next_sense_languages,),
    ),
    _build_table_index("E211", PHOTO_BANDS),
    _build_table_index("E211", RECORDING_BANDS),
    Index("E216", frozenset({"E216"}), WORD_AUDIO.find_stale, (WORD_AUDIO.rebuild_next,)),
    Index("E216", frozenset({"E216"}), PHRASE_AUDIO.find_stale, (PHRASE_AUDIO.rebuild_next,)),
    *(accelerator.index_entry for accelerator in WORD_ACCELERATORS),
    Index("E301", frozenset({"E301"}), derived_columns.find_stale_word_counts, (derived_columns.rebuild_word_counts,)),
    Index("E203", frozenset({"E203", "W203"}), idea_cache.find_stale, (idea_cache.rebuild_next,)),
)
"""The idea cache comes last, since rebuilding the others invalidates parts of it."""

REPAIRABLE_CODES: Final = frozenset({RULES_CODE}).union(*(index.repaired_codes for index in INDEXES))
"""Codes of all findings that `rebuild_indexes` repairs."""


def rebuild_indexes(database: Database, codes: Collection[str] = frozenset({RULES_CODE})) -> Iterator[StepResult]:
    """Rebuild the indexes for these finding codes, or all, in small transactions between which others can write.

    When rebuilding all, slow indexes are rebuilt only if a comparison, which writes nothing, finds a difference.
    """
    is_full = RULES_CODE in codes
    for index in INDEXES:
        if is_full and index.is_compared_first and not _is_any_stale(database, index):
            continue
        if is_full or index is INDEXES[-1] or index.repaired_codes.intersection(codes):
            for step in index.steps:
                yield from run_step(database, step)
    if is_full:
        database.write_now(store_rules)


def _is_any_stale(database: Database, index: Index) -> bool:
    with database.snapshot() as reader:
        return next(index.compare(reader), None) is not None


def run_step(database: Database, step: StepFunction) -> Iterator[StepResult]:
    """Repeat a step from its last cursor to the end, each time in a transaction of its own."""
    cursor: RebuildCursor | None = REBUILD_START
    while cursor is not None:
        result = database.write_now(partial(_run_in_transaction, cursor=cursor, step=step), public=False)
        yield result
        cursor = result.next_cursor


def _run_in_transaction(connection: Connection, *, cursor: RebuildCursor, step: StepFunction) -> StepResult:
    result = step(connection, cursor)
    if result.changed:
        increment_data_version(connection)
    return result
