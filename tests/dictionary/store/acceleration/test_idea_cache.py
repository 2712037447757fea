"""The idea cache holds the current data of ideas, and answers are the same with and without it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec
import pytest
from sqlalchemy import Connection, select, update

from abhidhan import schema
from abhidhan.dictionary.model.idea_json import IdeaJSON
from abhidhan.dictionary.store import word_rows, words
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.idea_details import FirstWordsCache, load_uncached_ideas
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import Change, ChangeSet, IdeaState, ListItemState, RecordRef, WordState
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import IdeaRecord, LanguageRecord, ListItemRecord, Record, RelationRecord, WordRecord
from abhidhan.records.lazy_json import LazyList, to_raw_json
from tests.support.sample import NOW

IDEA = IdeaState(None, None, None, 0)
OPPOSITE_OF_SOME = RelationRecord("Antonym", "sample:some")


def change_set(*changes: Change) -> ChangeSet:
    return ChangeSet(changes, None, NOW)


def encode_everything(connection: ReadConnection) -> bytes:
    """Write every word and every idea as answers do."""
    shown = word_rows.load_words(connection, words.list_page(connection, 0, 1000, 0))
    ideas = [load_idea(connection, number) for number in range(1, 60)]
    return msgspec.json.encode([shown, ideas], enc_hook=to_raw_json)


def count_missing(database: Database) -> int:
    return database.read_now(idea_cache.count_missing)


def fill(database: Database) -> None:
    with database.long_write() as connection:
        idea_cache.fill(connection)


def load_records(database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL) -> None:
    placed = (LocatedRecord("more.jsonl", line, record) for line, record in enumerate(records, 1))
    assert not import_records(database, placed, now=NOW, policy=policy).errors


def test_ideas_cached_together_are_the_same_as_those_read_one_by_one(dictionary: Database) -> None:
    word = WordRecord("en", "some")
    without_words = IdeaRecord("sample", "none", "Adverb", (), relations=(OPPOSITE_OF_SOME,))
    load_records(dictionary, IdeaRecord("sample", "some", "Adverb", (word,)), without_words)
    dictionary.write_now(idea_cache.invalidate_all)

    fill(dictionary)

    assert count_missing(dictionary) == 0
    assert dictionary.read_now(lambda reader: [*idea_cache.find_stale(reader)]) == []


@pytest.mark.spoils
def test_the_words_of_related_ideas_are_read_again_after_any_change(dictionary: Database) -> None:
    first_words = FirstWordsCache()

    def read(connection: Connection) -> list[IdeaJSON]:
        version = connection.execute(select(schema.state.c.data_version)).scalar_one()
        tables = TransactionRows(connection)
        ids = [row[0] for row in connection.execute(select(schema.idea.c.id))]
        cached = load_uncached_ideas(tables, ids, first_words.clear_if_outdated(version))
        assert cached == load_uncached_ideas(tables, ids)
        return [*cached.values()]

    before = dictionary.write_now(read)
    dictionary.write_now(
        lambda connection: connection.execute(update(schema.word).values(text=schema.word.c.text + "x"))
    )

    assert dictionary.write_now(read) != before


def test_answers_are_the_same_bytes_with_and_without_the_cache(dictionary: Database) -> None:
    assert count_missing(dictionary) == 0
    cached = dictionary.read_now(encode_everything)
    dictionary.write_now(idea_cache.invalidate_all)

    assert count_missing(dictionary) > 40
    assert dictionary.read_now(encode_everything) == cached

    fill(dictionary)

    assert count_missing(dictionary) == 0
    assert dictionary.read_now(encode_everything) == cached


def test_cached_lists_are_decoded_only_when_read(shared_dictionary: Database) -> None:
    found = shared_dictionary.read_now(lambda reader: word_rows.load_words(reader, words.list_page(reader, 0, 1000, 0)))

    lists = [meaning.translations for word in found for meaning in word.meanings if meaning.translations]
    assert all(isinstance(each, LazyList) for each in lists)


def test_rows_of_another_format_are_ignored_and_then_replaced(dictionary: Database) -> None:
    before = dictionary.read_now(encode_everything)
    dictionary.write_now(lambda connection: connection.execute(update(schema.idea_cache).values(form=0, words=b"?")))

    assert dictionary.read_now(encode_everything) == before
    fill(dictionary)
    assert (count_missing(dictionary), dictionary.read_now(encode_everything)) == (0, before)


def test_a_changed_word_is_seen_in_every_answer(dictionary: Database) -> None:
    def change(connection: Connection) -> None:
        word = connection.execute(select(schema.word).where(schema.word.c.text == "পানী")).one()
        connection.execute(update(schema.word).where(schema.word.c.id == word.id).values(roman="new"))
        state = WordState(word.language_id, word.text, word.created)
        idea_cache.refresh(connection, change_set(Change(RecordRef("word", str(word.id)), state, state)))

    dictionary.write_now(change)

    assert count_missing(dictionary) == 0
    assert b'"roman":"new","variant"' in dictionary.read_now(encode_everything)


def test_a_renamed_list_value_is_seen_in_every_answer(dictionary: Database) -> None:
    def change(connection: Connection) -> None:
        item = schema.list_item
        of_lists = item.c.list.in_(["CTX", "VRT", "RIC"])
        items = connection.execute(select(item).where(of_lists)).all()
        connection.execute(update(item).where(of_lists).values(value=item.c.value + " (new)"))
        states = [ListItemState(row.list, row.id, row.value, row.position) for row in items]
        changes = [Change(RecordRef("list_item", f"{each.list}-{each.item_id}"), each, each) for each in states]
        idea_cache.refresh(connection, change_set(*changes))

    dictionary.write_now(change)

    assert count_missing(dictionary) > 0
    assert dictionary.read_now(encode_everything).count(b" (new)") > 10


def test_an_imported_word_is_seen_in_its_idea_and_in_related_ideas(dictionary: Database) -> None:
    load_records(
        dictionary,
        IdeaRecord("sample", "none", None, (WordRecord("as", "নাই"),), relations=(OPPOSITE_OF_SOME,)),
        IdeaRecord("sample", "some", None, (WordRecord("as", "কিছু"),)),
    )
    load_records(dictionary, IdeaRecord("sample", "some", None, (WordRecord("en", "some"),)))

    found = dictionary.read_now(lambda reader: word_rows.load_words(reader, words.list_page(reader, 0, 1000, 0)))
    none = next(word for word in found if word.word == "নাই")
    assert none.meanings[-1].relations[0].words == ("some", "কিছু")
    assert count_missing(dictionary) == 0


def test_a_name_that_an_import_replaces_is_seen_everywhere(dictionary: Database) -> None:
    records: tuple[tuple[Record, bytes], ...] = (
        (LanguageRecord(2, "as", "asm", "Asamiya", "অসমীয়া", "Beng", "ltr"), b'"language":"Asamiya"'),
        (ListItemRecord("CTX", 26, "Another name"), b'"Another name"'),
    )
    for record, expected in records:
        load_records(dictionary, record, policy=ConflictPolicy.REPLACE)

        assert dictionary.read_now(encode_everything).count(expected) > 3, expected
        assert count_missing(dictionary) == 0


@pytest.mark.spoils
def test_simultaneous_edits_of_one_idea_leave_no_stale_row(dictionary: Database) -> None:
    def define(connection: Connection, time: int) -> None:
        connection.execute(
            update(schema.definition).where(schema.definition.c.idea_id == 1).values(text=f"text {time}")
        )
        idea_cache.refresh(connection, change_set(Change(RecordRef("idea", "1"), IDEA, IDEA)))

    def romanize(connection: Connection, *, time: int) -> None:
        of_idea = select(schema.sense.c.word_id).where(schema.sense.c.idea_id == 1)
        connection.execute(update(schema.word).where(schema.word.c.id.in_(of_idea)).values(roman=f"roman {time}"))
        idea_cache.refresh(connection, change_set(Change(RecordRef("idea", "1"), IDEA, IDEA)))

    def edit(database: Database, job: Callable[..., None]) -> None:
        for time in range(20):
            database.write_now(partial(job, time=time))

    url = dictionary.url.render_as_string(hide_password=False)
    with Database(url) as other, ThreadPoolExecutor() as people:
        edits = [people.submit(edit, dictionary, define), people.submit(edit, other, romanize)]
        for each in edits:
            each.result()

    shown = dictionary.read_now(encode_everything)
    assert b"text 19" in shown
    assert b"roman 19" in shown
    assert not dictionary.read_now(lambda reader: list(idea_cache.find_stale(reader)))
