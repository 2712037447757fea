"""Loading of phrases (proverbs and idioms), with the grams that index them by similarity."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import bindparam, select

from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_GRAMS
from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import Row, SqlValue, in_list, per_list_size
from abhidhan.records.change_feed import Followed
from abhidhan.records.import_records import LocatedRecord, NewPhrase
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.phrase import PHRASE_FIELDS
from abhidhan.records.local_texts import encode_texts
from abhidhan.records.recordings import NO_AUDIO
from abhidhan.schema import phrase
from assamese.search_keys import compute_phrase_keys

FILLABLE_COLUMNS = tuple(name for name in list_columns(PHRASE_FIELDS) if name != "text")
"""Columns of a stored phrase without a value that a record may fill."""

_COLUMNS = (phrase.c.id, *(phrase.c[name] for name in FILLABLE_COLUMNS), phrase.c.text, phrase.c.source_id)

_STORED_BY_KEY = per_list_size(
    lambda size: select(phrase.c.external_key, *_COLUMNS).where(
        phrase.c.source_id == bindparam("source_id"), in_list(phrase.c.external_key, "key", size)
    )
)
_STORED_BY_TEXT = per_list_size(
    lambda size: select(phrase.c.text, *_COLUMNS).where(
        phrase.c.language_id == bindparam("language_id"), in_list(phrase.c.text, "text", size)
    )
)


def load_phrases(load: Load, batch: Sequence[tuple[LocatedRecord, NewPhrase]]) -> None:
    """Store phrases, or fill stored ones; within a batch, source and key are unique, and so are texts."""
    phrases = [record for _, record in batch]
    stored_rows = _find_stored_phrases(load, phrases)
    rows: list[tuple[SqlValue, ...]] = []
    grams: list[tuple[SqlValue, ...]] = []
    filled: list[int] = []
    for index, record in enumerate(phrases):
        if index in stored_rows:
            _, phrase_id, *stored, text, source_id = stored_rows[index]
            values = dict(zip(FILLABLE_COLUMNS, stored, strict=True))
            file_values = {name: getattr(record, name) for name in FILLABLE_COLUMNS} | {
                "meanings": encode_texts(record.meanings)
            }
            load.note_differences(
                batch[index][0],
                phrase,
                phrase_id,
                values | {"text": text},
                file_values | {"text": record.text},
                is_own=load.is_own_source(source_id),
            )
            load.note_seen("phrase", phrase_id)
            if load.fill_row(phrase, phrase_id, values, file_values):
                load.changes.phrases.add(phrase_id)
                filled.append(phrase_id)
            continue
        if load.tombstones.is_phrase_deleted(load.history_source_id(record.source_id), record.key):
            located = batch[index][0]
            load.withhold(located.file, located.line, f"The proverb {record.key} was deleted here since.")
            continue
        phrase_id = load.phrase_ids.allocate()
        load.note_seen("phrase", phrase_id, is_new=True)
        row, new_grams = _build_row(record, phrase_id, load.time_or_now(record.added))
        load.changes.phrases.add(phrase_id)
        rows.append(row)
        grams.extend((record.language_id, piece, phrase_id) for piece in new_grams)
    load.bulk.insert(phrase, rows)
    PHRASE_GRAMS.stage(load.bulk, grams)
    load.counts["phrase"] += len(rows)
    load.changes.other_records.add_changed(Followed.PHRASE, filled)
    load.count_existing(len(stored_rows), len(filled))


def _build_row(record: NewPhrase, phrase_id: int, added: int) -> tuple[tuple[SqlValue, ...], frozenset[str]]:
    keys = compute_phrase_keys(record.text, record.language)
    row = (
        phrase_id,
        record.language_id,
        record.text,
        keys.exact_key,
        keys.sound_key,
        keys.sort_key,
        record.roman,
        keys.rule_roman,
        record.meaning,
        record.category_id,
        record.source_id,
        record.key,
        added,
        record.licence,
        NO_AUDIO,
        encode_texts(record.meanings),
    )
    return row, keys.grams


def _find_stored_phrases(load: Load, phrases: Sequence[NewPhrase]) -> dict[int, Row]:
    """Find the stored phrases by key, else by text; return their rows by index in `phrases`."""
    keys: dict[int, list[str]] = defaultdict(list)
    texts: dict[int, list[str]] = defaultdict(list)
    for record in phrases:
        keys[record.source_id].append(record.key)
        texts[record.language_id].append(record.text)
    by_key = {
        (source_id, row[0]): row
        for source_id, of_source in keys.items()
        for row in load.bulk.rows_for_values(_STORED_BY_KEY, "key", of_source, source_id=source_id)
    }
    by_text = {
        (language_id, row[0]): row
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_for_values(_STORED_BY_TEXT, "text", of_language, language_id=language_id)
    }
    local_rows = own_keys.find_local_phrases(load, phrases)
    return {
        index: row
        for index, record in enumerate(phrases)
        if (
            row := by_key.get((record.source_id, record.key))
            or local_rows.get(index)
            or by_text.get((record.language_id, record.text))
        )
    }
