"""Derived columns of records: recordings, word counts, rarity, and languages of senses."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sqlalchemy import Column, Connection, Integer, Table, bindparam, func, select, update

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, Row, by_size, chunks, in_list
from abhidhan.records.change_feed import Followed, Noted
from abhidhan.records.history import ChangeSet, RecordingState
from abhidhan.records.recordings import Audio, recording_address, write_audio
from abhidhan.records.submissions import Status
from abhidhan.schema import language, phrase, recording, sense, word
from assamese.word_frequency import rarity_of_word

_counted = select(word.c.language_id, func.count().label("words")).group_by(word.c.language_id).subquery("counted")
_now = func.coalesce(_counted.c.words, 0)
_MISCOUNTED = Query(
    select(language.c.id, language.c.code, language.c.words, _now)
    .join(_counted, _counted.c.language_id == language.c.id, isouter=True)
    .where(language.c.words != _now)
    .order_by(language.c.id)
)

_TOTAL = Query(select(func.coalesce(func.sum(language.c.words), 0)))


def total_words(tables: Tables) -> int:
    """Return the number of words in all languages."""
    return int(tables.rows(_TOTAL)[0][0])


def add_to_word_counts(connection: Connection, more: Mapping[int, int]) -> None:
    """Add numbers of words (negative for removed ones) to the counts, by language ID."""
    for language_id, number in sorted(more.items()):
        of_language = language.c.id == language_id
        connection.execute(update(language).where(of_language).values(words=language.c.words + number))


def stale_word_counts(tables: Tables) -> Iterator[Stale]:
    """Yield the languages with wrong word counts."""
    for _, code, stored, counted in tables.rows(_MISCOUNTED):
        yield Stale(f"language:{code}", f"{stored} is not {counted}")


def renew_word_counts(connection: Connection, _: Place) -> Step:
    """Correct the wrong word counts of languages."""
    wrong = OpenTransaction(connection).rows(_MISCOUNTED)
    for language_id, _code, _stored, counted in wrong:
        connection.execute(update(language).where(language.c.id == language_id).values(words=counted))
    return Step(0, len(wrong), None)


RARITY_BATCH_SIZE: Final = 2000
"""Number of words compared in one batch."""

_rarities = select(word.c.id, word.c.exact_key, word.c.frequency, language.c.code, word.c.rarity).join(
    language, language.c.id == word.c.language_id
)
_NEXT_RARITIES = Query(
    _rarities.where(word.c.id > bindparam("after", type_=Integer)).order_by(word.c.id).limit(RARITY_BATCH_SIZE)
)
_SOME_RARITIES = by_size(lambda size: _rarities.where(in_list(word.c.id, "id", size)))
_WRITE_RARITY = (
    update(word)
    .where(word.c.id == bindparam("of_word"), word.c.rarity != bindparam("right"))
    .values(rarity=bindparam("right"))
)


def renew_rarities(connection: Connection, word_ids: Iterable[int]) -> None:
    """Update the rarity of words whose keys or frequencies have changed."""
    _write_rarities(connection, Bulk(connection).rows_among(_SOME_RARITIES, "id", sorted({*word_ids})))


def stale_rarities(tables: Tables) -> Iterator[Stale]:
    """Yield the words with a wrong rarity."""
    after = 0
    while rows := tables.rows(_NEXT_RARITIES, after=after):
        after = rows[-1][0]
        yield from (Stale(f"word:{row[0]}", f"{row[4]} is not {right}") for row, right in _wrong_rarities(rows))


def renew_next_rarities(connection: Connection, after: Place) -> Step:
    """Correct the rarity of the next words. Responses do not show it, so no change is recorded."""
    rows = OpenTransaction(connection).rows(_NEXT_RARITIES, after=after[1])
    changed = _write_rarities(connection, rows)
    return Step(len(rows), changed, ("", rows[-1][0]) if len(rows) == RARITY_BATCH_SIZE else None)


def _write_rarities(connection: Connection, rows: Iterable[Row]) -> int:
    wrong = [{"of_word": row[0], "right": right} for row, right in _wrong_rarities(rows)]
    if wrong:
        connection.execute(_WRITE_RARITY, wrong)
    return len(wrong)


def _wrong_rarities(rows: Iterable[Row]) -> Iterator[tuple[Row, int]]:
    """Yield the rows with a wrong rarity, and the right one."""
    for row in rows:
        _, exact_key, frequency, code, stored = row
        right = rarity_of_word(exact_key, frequency, code)
        if stored != right:
            yield row, right


SENSE_BATCH_SIZE: Final = 1000

_WRONG_LANGUAGES = Query(
    select(sense.c.id, sense.c.word_id, sense.c.idea_id)
    .join(word, word.c.id == sense.c.word_id)
    .where(sense.c.id > bindparam("after", type_=Integer), sense.c.language_id != word.c.language_id)
    .order_by(sense.c.id)
    .limit(SENSE_BATCH_SIZE)
)


def language_of_word(connection: Connection, word_id: int) -> int:
    """Return the language of a word, which is also stored with each of its senses."""
    return int(connection.execute(select(word.c.language_id).where(word.c.id == word_id)).scalar_one())


def renew_sense_languages(connection: Connection, word_ids: Iterable[int]) -> None:
    """Update the languages stored with the senses of words."""
    of_word = select(word.c.language_id).where(word.c.id == sense.c.word_id).scalar_subquery()
    for some in chunks(sorted({*word_ids})):
        connection.execute(update(sense).where(sense.c.word_id.in_(some)).values(language_id=of_word))


def stale_sense_languages(tables: Tables) -> Iterator[Stale]:
    """Yield the senses with another language than their word."""
    after = 0
    while rows := tables.rows(_WRONG_LANGUAGES, after=after):
        after = rows[-1][0]
        yield from (Stale(f"sense:{sense_id}", f"word {word_id}") for sense_id, word_id, _ in rows)


def renew_next_sense_languages(connection: Connection, after: Place) -> Step:
    """Correct the languages of the next senses with a wrong one."""
    rows = Bulk(connection).rows(_WRONG_LANGUAGES, {"after": after[1]})
    if rows:
        renew_sense_languages(connection, (row[1] for row in rows))
        noted = Noted()
        noted.change(Followed.IDEA, idea_cache.invalidate(connection, (row[2] for row in rows)))
        record_changes.note(connection, noted, int(time.time()))
    return Step(len(rows), len(rows), ("", rows[-1][0]) if len(rows) == SENSE_BATCH_SIZE else None)


class AudioColumn:
    """Column `audio` of one table, derived from the recordings of its rows."""

    def __init__(self, table: Table, named: Column[int], kind: Followed) -> None:
        """Prepare the statements."""
        self.table = table
        self.kind = kind
        approved = (
            select(
                named, recording.c.id, recording.c.speaker, recording.c.place, recording.c.licence,
                recording.c.milliseconds,
            )
            .where(recording.c.status == str(Status.APPROVED), named.is_not(None))
            .order_by(named, recording.c.id)
        )  # fmt: skip
        self._all = Query(approved)
        self._some = by_size(lambda size: approved.where(in_list(named, "id", size)))
        self._stored = Query(select(table.c.id, table.c.audio).where(table.c.audio.is_not(None)))

    def renew(self, connection: Connection, record_ids: Iterable[int]) -> list[int]:
        """Update the column of records; return the IDs of those that have changed."""
        wanted = sorted({*record_ids})
        if not wanted:
            return []
        right = _audio_of(Bulk(connection).rows_among(self._some, "id", wanted))
        return [number for number in wanted if self._write(connection, number, right.get(number))]

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """Yield the records whose column does not match their recordings."""
        for number in self._wrong(tables):
            yield Stale(f"{self.table.name}:{number}", "its recordings are not those that are approved")

    def renew_next(self, connection: Connection, _: Place) -> Step:
        """Correct the column in one step, since few records have recordings."""
        wrong = self._wrong(OpenTransaction(connection))
        changed = self.renew(connection, wrong)
        noted = Noted()
        noted.change(self.kind, changed)
        record_changes.note(connection, noted, int(time.time()))
        return Step(len(wrong), len(changed), None)

    def _wrong(self, tables: Tables) -> list[int]:
        stored, right = dict(map(tuple, tables.rows(self._stored))), _audio_of(tables.rows(self._all))
        return sorted(number for number in stored.keys() | right.keys() if stored.get(number) != right.get(number))

    def _write(self, connection: Connection, number: int, audio: str | None) -> bool:
        another = (self.table.c.id == number, self.table.c.audio.is_distinct_from(audio))
        return connection.execute(update(self.table).where(*another).values(audio=audio)).rowcount > 0


def _audio_of(rows: Iterable[Row]) -> Mapping[int, str | None]:
    of_record: dict[int, list[Audio]] = defaultdict(list)
    for record_id, number, *told in rows:
        of_record[record_id].append(Audio(recording_address(number), *told))
    return {record_id: write_audio(audio) for record_id, audio in of_record.items()}


WORD_AUDIO: Final = AudioColumn(word, recording.c.word_id, Followed.WORD)
PHRASE_AUDIO: Final = AudioColumn(phrase, recording.c.phrase_id, Followed.PHRASE)


def refresh_audio(connection: Connection, change_set: ChangeSet) -> None:
    """Update the column of the records whose recordings an edit has changed, and record them as changed.

    A subscriber of the history.
    """
    recordings = [change for change in change_set.changes if change.name.kind == "recording"]
    if not recordings:
        return
    states = [
        state for change in recordings for state in (change.before, change.after) if isinstance(state, RecordingState)
    ]
    noted = Noted()
    touched = {
        WORD_AUDIO: {state.word_id for state in states},
        PHRASE_AUDIO: {state.phrase_id for state in states},
    }
    for voices, numbers in touched.items():
        noted.change(voices.kind, voices.renew(connection, (number for number in numbers if number is not None)))
    record_changes.note(connection, noted, change_set.at)
