"""Whoever follows while others write misses nothing and is told nothing twice, on both engines."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial

import pytest
from sqlalchemy import select

from abhidhan.dictionary.service.changes import list_changes
from abhidhan.dictionary.store import changes
from abhidhan.dictionary.store.indexes import record_changes
from abhidhan.editing.store.history import HistoryEntry
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import (
    Became,
    ChangedRecord,
    FeedPosition,
    Followed,
    TransactionChanges,
    encode_token,
    position_after,
)
from abhidhan.records.errors import UnavailableError
from abhidhan.records.history import HistoryAction, IdeaState, PhraseState, RecordRef, SenseState, WordState
from abhidhan.schema import record_change
from tests.support.copies import DictionaryCopy, make_full_copy, read_all_changes, request_token
from tests.support.plans import ExplainedConnection
from tests.support.sample import NOW

WRITERS = 8
EDITS = 15

Told = list[tuple[Followed, int, Became]]


def summarize(records: list[ChangedRecord]) -> Told:
    return [(one.kind, one.id, one.became) for one in records]


SomeEdit = Callable[[WriteConnection], set[tuple[Followed, int, Became]]]

# --- eight who write --------------------------------------------------------------------------------------------------


class SomeWriter:
    """One of many who write: words with ideas, phrases, changes of what all share, and deletions."""

    def __init__(self, database: Database, number: int) -> None:
        """Write as the `number`th."""
        self._database = database
        self._number = number
        self.told: set[tuple[Followed, int, Became]] = set()

    def write(self) -> None:
        """Make all edits, each in a transaction of its own."""
        for time in range(EDITS):
            self.told |= self._write_in_the_end(partial(self._edit, time=time))

    def _write_in_the_end(self, edit: SomeEdit) -> set[tuple[Followed, int, Became]]:
        """Write as often as it takes: where eight want to, one may wait so long that it is told to come again."""
        while True:
            try:
                return self._database.write_now(edit)
            except UnavailableError:
                continue

    def _edit(self, connection: WriteConnection, time: int) -> set[tuple[Followed, int, Became]]:
        catalogue = self._database.read_now(lambda reader: reader.catalogue)
        ledger = ChangeRecorder(EditContext(connection, catalogue, NOW))
        deeds = (self._add_word, self._add_phrase, self._change_shared, self._add_idea, self._delete_idea)
        told = deeds[time % len(deeds)](ledger, time)
        ledger.commit(HistoryEntry(HistoryAction.WORD_EDITED, None, NOW, RecordRef("word", "1")))
        return told

    def _add_word(self, ledger: ChangeRecorder, time: int) -> set[tuple[Followed, int, Became]]:
        idea = ledger.create("idea", IdeaState(1, None, None, NOW))
        word = ledger.create("word", WordState(1, f"word {self._number} {time}", NOW))
        ledger.create("sense", SenseState(word.number, idea.number, 1, NOW))
        return {(Followed.IDEA, idea.number, Became.CHANGED), (Followed.WORD, word.number, Became.CHANGED)}

    def _add_phrase(self, ledger: ChangeRecorder, time: int) -> set[tuple[Followed, int, Became]]:
        phrase = ledger.create("phrase", PhraseState(2, f"ফকৰা {self._number} {time}", NOW))
        return {(Followed.PHRASE, phrase.number, Became.CHANGED)}

    def _change_shared(self, ledger: ChangeRecorder, time: int) -> set[tuple[Followed, int, Became]]:
        name = RecordRef("word", str(1 + time % 3))
        state = ledger.get_current(name)
        assert isinstance(state, WordState)
        ledger.apply(name, WordState(state.language_id, state.text, state.created, origin=f"{self._number} {time}"))
        return {(Followed.WORD, name.number, Became.CHANGED)}

    def _add_idea(self, ledger: ChangeRecorder, time: int) -> set[tuple[Followed, int, Became]]:
        self._idea = ledger.create("idea", IdeaState(1, None, f"{time}", NOW))
        return {(Followed.IDEA, self._idea.number, Became.CHANGED)}

    def _delete_idea(self, ledger: ChangeRecorder, _: int) -> set[tuple[Followed, int, Became]]:
        ledger.apply(self._idea, None)
        return {(Followed.IDEA, self._idea.number, Became.DELETED)}


class Follower:
    """Somebody who follows while others write."""

    def __init__(self, database: Database) -> None:
        """Begin with a full copy."""
        self._database = database
        self.copy: DictionaryCopy = make_full_copy(database)
        self.first = self.copy.token
        self.read: list[ChangedRecord] = []

    def follow_until(self, ended: threading.Event) -> None:
        """Ask again and again, and once more when all have written."""
        while not ended.is_set():
            self.read += self.copy.apply_changes(self._database, limit=3)
        self.read += self.copy.apply_changes(self._database, limit=3)


@pytest.mark.thorough
def test_a_follower_reads_every_change_of_eight_writers_once(dictionary: Database) -> None:
    url = dictionary.url.render_as_string(hide_password=False)
    ended = threading.Event()
    with ExitStack() as opened, ThreadPoolExecutor(WRITERS + 1) as threads:
        writers = [SomeWriter(opened.enter_context(Database(url)), number) for number in range(WRITERS)]
        follower = Follower(opened.enter_context(Database(url)))
        following = threads.submit(follower.follow_until, ended)
        try:
            for written in [threads.submit(writer.write) for writer in writers]:
                written.result()
        finally:
            ended.set()
        following.result()

    at_once = read_all_changes(dictionary, follower.first)[0]
    assert summarize(follower.read) == summarize(at_once)
    assert {told for writer in writers for told in writer.told} <= set(summarize(at_once))
    made = [told for told in summarize(at_once) if told[0] is Followed.PHRASE]
    assert len(made) == len(set(made)) == WRITERS * EDITS // 5
    assert follower.copy.records == make_full_copy(dictionary).records


# --- what is begun first and ends last --------------------------------------------------------------------------------


def note_phrase(connection: WriteConnection, phrase_id: int) -> None:
    noted = TransactionChanges()
    noted.add_changed(Followed.PHRASE, [phrase_id])
    record_changes.save_changes(connection, noted, NOW)


def test_changes_that_were_rolled_back_are_not_listed(dictionary: Database) -> None:
    first = request_token(dictionary)

    def fail(connection: WriteConnection) -> None:
        note_phrase(connection, 1)
        raise KeyboardInterrupt

    def partly(connection: WriteConnection) -> None:
        part = connection.begin_nested()
        note_phrase(connection, 2)
        part.rollback()
        note_phrase(connection, 3)

    with pytest.raises(KeyboardInterrupt):
        dictionary.write_now(fail)
    dictionary.write_now(partly)

    assert [one.id for one in read_all_changes(dictionary, first)[0]] == [3]


def test_repeated_changes_in_one_transaction_are_listed_once(dictionary: Database) -> None:
    first = request_token(dictionary)

    def note(connection: WriteConnection) -> None:
        for noted_as in ("add_changed", "add_deleted", "add_changed", "add_changed", "add_deleted"):
            noted = TransactionChanges()
            getattr(noted, noted_as)(Followed.WORD, [7])
            noted.add_changed(Followed.WORD, range(10, 20))
            record_changes.save_changes(connection, noted, NOW)

    dictionary.write_now(note)

    told = summarize(read_all_changes(dictionary, first)[0])
    assert told == [
        *((Followed.WORD, number, Became.CHANGED) for number in range(10, 20)),
        (Followed.WORD, 7, Became.DELETED),
    ]


# --- how it is read ---------------------------------------------------------------------------------------------------


def test_listing_changes_searches_an_index_and_reads_no_other_rows(dictionary: Database) -> None:
    if not dictionary.is_sqlite:
        pytest.skip("the plans of SQLite are looked at")
    for phrase_id in range(1, 30):
        dictionary.write_now(partial(note_phrase, phrase_id=phrase_id))
    begun = dictionary.read_now(lambda reader: reader.rows(CompiledQuery(select(record_change.c.id))))
    token = encode_token(position_after(dictionary.read_now(changes.load_newest_run)))

    with closing(ExplainedConnection(str(dictionary.url.database))) as connection:
        reader = ReadConnection(connection, "sqlite", dictionary.get_catalogue)
        list_changes(reader, token, 5)
        list_changes(reader, None, 5)

    assert len(begun) > 29
    assert all(plan.startswith("SEARCH record_change USING") for plan in connection.plans), connection.plans


def test_a_position_between_runs_or_out_of_range_finds_no_run(dictionary: Database) -> None:
    newest = dictionary.read_now(changes.load_newest_run)
    for position in (
        FeedPosition(0, 1, 0, 0),
        FeedPosition(newest.version, newest.number + 1, newest.at, 1),
        FeedPosition(2**63 - 1, 2**31 - 1, 2**63 - 1, 2**31 - 1),
        FeedPosition(-(2**63), -(2**31), -(2**63), -(2**31)),
    ):
        runs = dictionary.read_now(partial(changes.load_runs_from, position=position, limit=3))
        assert not runs or (runs[0].version, runs[0].number) != position[:2]
