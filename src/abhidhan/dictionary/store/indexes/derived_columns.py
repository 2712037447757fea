"""Derived columns of records: recordings, word counts, rarity, and languages of senses."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sqlalchemy import Column, Connection, Integer, Table, bindparam, func, select, update

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, per_list_size
from abhidhan.records.change_feed import Followed, TransactionChanges
from abhidhan.records.history import ChangeSet, RecordingState
from abhidhan.records.recordings import Audio, encode_audio, recording_path
from abhidhan.records.submissions import Status
from abhidhan.schema import language, phrase, recording, sense, word
from assamese.word_frequency import find_word_rarity

_word_counts = select(word.c.language_id, func.count().label("words")).group_by(word.c.language_id).subquery("counted")
_actual_count = func.coalesce(_word_counts.c.words, 0)
_MISCOUNTED = CompiledQuery(
    select(language.c.id, language.c.code, language.c.words, _actual_count)
    .join(_word_counts, _word_counts.c.language_id == language.c.id, isouter=True)
    .where(language.c.words != _actual_count)
    .order_by(language.c.id)
)

_TOTAL = CompiledQuery(select(func.coalesce(func.sum(language.c.words), 0)))


def count_all_words(tables: RowSource) -> int:
    """Return the number of words in all languages."""
    return int(tables.rows(_TOTAL)[0][0])


def add_to_word_counts(connection: Connection, deltas: Mapping[int, int]) -> None:
    """Add `deltas`, negative for removed words, to the word counts of languages, by language ID."""
    for language_id, number in sorted(deltas.items()):
        is_language = language.c.id == language_id
        connection.execute(update(language).where(is_language).values(words=language.c.words + number))


def find_stale_word_counts(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the languages with wrong word counts."""
    for _, code, stored, counted in tables.rows(_MISCOUNTED):
        yield StaleRecord(f"language:{code}", f"{stored} is not {counted}")


def rebuild_word_counts(connection: Connection, _: RebuildCursor) -> StepResult:
    """Correct the wrong word counts of languages."""
    wrong = TransactionRows(connection).rows(_MISCOUNTED)
    for language_id, _code, _stored, counted in wrong:
        connection.execute(update(language).where(language.c.id == language_id).values(words=counted))
    return StepResult(0, len(wrong), None)


RARITY_BATCH_SIZE: Final = 2000
"""Number of words compared in one batch."""

_rarities = select(word.c.id, word.c.exact_key, word.c.frequency, language.c.code, word.c.rarity).join(
    language, language.c.id == word.c.language_id
)
_NEXT_RARITIES = CompiledQuery(
    _rarities.where(word.c.id > bindparam("after", type_=Integer)).order_by(word.c.id).limit(RARITY_BATCH_SIZE)
)
_RARITIES_BY_ID = per_list_size(lambda size: _rarities.where(in_list(word.c.id, "id", size)))
_WRITE_RARITY = (
    update(word)
    .where(word.c.id == bindparam("of_word"), word.c.rarity != bindparam("right"))
    .values(rarity=bindparam("right"))
)


def update_rarities(connection: Connection, word_ids: Iterable[int]) -> None:
    """Update the rarity of words whose keys or frequencies have changed."""
    _write_rarities(connection, BulkTransaction(connection).rows_for_values(_RARITIES_BY_ID, "id", sorted({*word_ids})))


def find_stale_rarities(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the words with a wrong rarity."""
    after = 0
    while rows := tables.rows(_NEXT_RARITIES, after=after):
        after = rows[-1][0]
        yield from (
            StaleRecord(f"word:{row[0]}", f"{row[4]} is not {right}") for row, right in _find_wrong_rarities(rows)
        )


def rebuild_next_rarities(connection: Connection, after: RebuildCursor) -> StepResult:
    """Correct the rarity of the next words. Responses do not show it, so no change is recorded."""
    rows = TransactionRows(connection).rows(_NEXT_RARITIES, after=after[1])
    changed = _write_rarities(connection, rows)
    return StepResult(len(rows), changed, ("", rows[-1][0]) if len(rows) == RARITY_BATCH_SIZE else None)


def _write_rarities(connection: Connection, rows: Iterable[Row]) -> int:
    wrong = [{"of_word": row[0], "right": right} for row, right in _find_wrong_rarities(rows)]
    if wrong:
        connection.execute(_WRITE_RARITY, wrong)
    return len(wrong)


def _find_wrong_rarities(rows: Iterable[Row]) -> Iterator[tuple[Row, int]]:
    """Yield the rows with a wrong rarity, each with the correct one."""
    for row in rows:
        _, exact_key, frequency, code, stored = row
        right = find_word_rarity(exact_key, frequency, code)
        if stored != right:
            yield row, right


SENSE_BATCH_SIZE: Final = 1000

_WRONG_LANGUAGES = CompiledQuery(
    select(sense.c.id, sense.c.word_id, sense.c.idea_id)
    .join(word, word.c.id == sense.c.word_id)
    .where(sense.c.id > bindparam("after", type_=Integer), sense.c.language_id != word.c.language_id)
    .order_by(sense.c.id)
    .limit(SENSE_BATCH_SIZE)
)


def find_word_language(connection: Connection, word_id: int) -> int:
    """Return the language ID of a word, which is also stored with each of its senses."""
    return int(connection.execute(select(word.c.language_id).where(word.c.id == word_id)).scalar_one())


def update_sense_languages(connection: Connection, word_ids: Iterable[int]) -> None:
    """Update the languages stored with the senses of words."""
    word_language = select(word.c.language_id).where(word.c.id == sense.c.word_id).scalar_subquery()
    for batch in chunks(sorted({*word_ids})):
        connection.execute(update(sense).where(sense.c.word_id.in_(batch)).values(language_id=word_language))


def find_stale_sense_languages(tables: RowSource) -> Iterator[StaleRecord]:
    """Yield the senses whose stored language differs from that of their word."""
    after = 0
    while rows := tables.rows(_WRONG_LANGUAGES, after=after):
        after = rows[-1][0]
        yield from (StaleRecord(f"sense:{sense_id}", f"word {word_id}") for sense_id, word_id, _ in rows)


def rebuild_next_sense_languages(connection: Connection, after: RebuildCursor) -> StepResult:
    """Correct the languages of the next senses that have a wrong one."""
    rows = BulkTransaction(connection).rows(_WRONG_LANGUAGES, {"after": after[1]})
    if rows:
        update_sense_languages(connection, (row[1] for row in rows))
        changed_records = TransactionChanges()
        changed_records.add_changed(Followed.IDEA, idea_cache.invalidate(connection, (row[2] for row in rows)))
        record_changes.save_changes(connection, changed_records, int(time.time()))
    return StepResult(len(rows), len(rows), ("", rows[-1][0]) if len(rows) == SENSE_BATCH_SIZE else None)


class AudioColumn:
    """Column `audio` of one table, derived from the recordings of its rows."""

    def __init__(self, table: Table, record_column: Column[int], kind: Followed) -> None:
        """Prepare the statements."""
        self.table = table
        self.kind = kind
        approved = (
            select(
                record_column, recording.c.id, recording.c.speaker, recording.c.place, recording.c.licence,
                recording.c.milliseconds,
            )
            .where(recording.c.status == str(Status.APPROVED), record_column.is_not(None))
            .order_by(record_column, recording.c.id)
        )  # fmt: skip
        self._all_query = CompiledQuery(approved)
        self._by_id_query = per_list_size(lambda size: approved.where(in_list(record_column, "id", size)))
        self._stored_query = CompiledQuery(select(table.c.id, table.c.audio).where(table.c.audio.is_not(None)))

    def update_column(self, connection: Connection, record_ids: Iterable[int]) -> list[int]:
        """Update the column of records; return the IDs of those that have changed."""
        sorted_ids = sorted({*record_ids})
        if not sorted_ids:
            return []
        audio_by_record = _group_audio(BulkTransaction(connection).rows_for_values(self._by_id_query, "id", sorted_ids))
        return [number for number in sorted_ids if self._write(connection, number, audio_by_record.get(number))]

    def find_stale(self, tables: RowSource) -> Iterator[StaleRecord]:
        """Yield the records whose column does not match their recordings."""
        for number in self._find_wrong(tables):
            yield StaleRecord(f"{self.table.name}:{number}", "its recordings are not those that are approved")

    def rebuild_next(self, connection: Connection, _: RebuildCursor) -> StepResult:
        """Correct the column for all records in one step, since few records have recordings."""
        wrong = self._find_wrong(TransactionRows(connection))
        changed = self.update_column(connection, wrong)
        changed_records = TransactionChanges()
        changed_records.add_changed(self.kind, changed)
        record_changes.save_changes(connection, changed_records, int(time.time()))
        return StepResult(len(wrong), len(changed), None)

    def _find_wrong(self, tables: RowSource) -> list[int]:
        stored, correct = dict(map(tuple, tables.rows(self._stored_query))), _group_audio(tables.rows(self._all_query))
        return sorted(number for number in stored.keys() | correct.keys() if stored.get(number) != correct.get(number))

    def _write(self, connection: Connection, number: int, audio: str | None) -> bool:
        differs = (self.table.c.id == number, self.table.c.audio.is_distinct_from(audio))
        return connection.execute(update(self.table).where(*differs).values(audio=audio)).rowcount > 0


def _group_audio(rows: Iterable[Row]) -> Mapping[int, str | None]:
    audio_by_record: dict[int, list[Audio]] = defaultdict(list)
    for record_id, number, *details in rows:
        audio_by_record[record_id].append(Audio(recording_path(number), *details))
    return {record_id: encode_audio(audio) for record_id, audio in audio_by_record.items()}


WORD_AUDIO: Final = AudioColumn(word, recording.c.word_id, Followed.WORD)
PHRASE_AUDIO: Final = AudioColumn(phrase, recording.c.phrase_id, Followed.PHRASE)


def refresh_audio(connection: Connection, change_set: ChangeSet) -> None:
    """Update `audio` of the records whose recordings an edit has changed, and record them as changed.

    This is a subscriber of the history.
    """
    recordings = [change for change in change_set.changes if change.ref.kind == "recording"]
    if not recordings:
        return
    states = [
        state for change in recordings for state in (change.before, change.after) if isinstance(state, RecordingState)
    ]
    changed_records = TransactionChanges()
    ids_by_column = {
        WORD_AUDIO: {state.word_id for state in states},
        PHRASE_AUDIO: {state.phrase_id for state in states},
    }
    for audio_column, record_ids in ids_by_column.items():
        changed_records.add_changed(
            audio_column.kind,
            audio_column.update_column(connection, (record_id for record_id in record_ids if record_id is not None)),
        )
    record_changes.save_changes(connection, changed_records, change_set.at)
