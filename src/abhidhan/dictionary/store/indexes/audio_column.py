"""The approved recordings of words and phrases, kept in their rows as answers show them."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sqlalchemy import Column, Connection, Table, select, update

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, Row, by_size, in_list
from abhidhan.records.change_feed import Followed, Noted
from abhidhan.records.history import ChangeSet, RecordingState
from abhidhan.records.recordings import Audio, recording_address, write_audio
from abhidhan.records.submissions import Status
from abhidhan.schema import phrase, recording, word


class Voices:
    """The column `audio` of one table, derived from the recordings that name its rows."""

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
        """Write the column of some records anew; return those in which it has changed."""
        wanted = sorted({*record_ids})
        if not wanted:
            return []
        right = _audio_of(Bulk(connection).rows_among(self._some, "id", wanted))
        return [number for number in wanted if self._write(connection, number, right.get(number))]

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """List the records whose column is not what their recordings make."""
        for number in self._wrong(tables):
            yield Stale(f"{self.table.name}:{number}", "its recordings are not those that are approved")

    def renew_next(self, connection: Connection, _: Place) -> Step:
        """Write the column anew where it is wrong: few records have recordings."""
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


VOICES_OF_WORDS: Final = Voices(word, recording.c.word_id, Followed.WORD)
VOICES_OF_PHRASES: Final = Voices(phrase, recording.c.phrase_id, Followed.PHRASE)


def refresh(connection: Connection, change_set: ChangeSet) -> None:
    """Renew the column of what recordings say that an edit has changed, and note these records as changed.

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
        VOICES_OF_WORDS: {state.word_id for state in states},
        VOICES_OF_PHRASES: {state.phrase_id for state in states},
    }
    for voices, numbers in touched.items():
        noted.change(voices.kind, voices.renew(connection, (number for number in numbers if number is not None)))
    record_changes.note(connection, noted, change_set.at)
