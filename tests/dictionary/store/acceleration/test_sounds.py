"""Indexes of the sounds of words: current after every change, on both engines, and read again only where changed."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import pytest
from sqlalchemy import Connection, select, text

from abhidhan.dictionary.model.cascade import QueryWord
from abhidhan.dictionary.model.sound_frames import hash_frame_and_sound
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.store.acceleration.number_pages import NumberPages
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES, may_be_sound_of_word
from abhidhan.dictionary.store.index import REBUILD_START, RebuildCursor, TransactionRows
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.maintenance import build_word_indexes, reindex
from abhidhan.platform.database.database import Database
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.submission_payloads import DefinitionData, IdeaData, WordData
from abhidhan.schema import sound_frame, word
from tests.support.arbitrary_edits import EDITOR
from tests.support.databases import Databases, load_sample

PAGES: Final[tuple[NumberPages[Any, Any], ...]] = (SOUND_FRAMES, SOUND_FILTER)

QUERIES = (
    "pani",
    "panee",
    "mon",
    "jam",
    "oxom",
    "hati",
    "haathi",
    "koribo",
    "water",
    "elephant",
    "xur",
    "kola",
    "a1",
    "ou",
)


def look_up_typed(database: Database) -> list[tuple[QueryWord, ...]]:
    return [database.read_now(partial(look_up, query=query)) for query in QUERIES]


def search_words(database: Database, query: str) -> list[str]:
    hits = database.read_now(partial(search, text=query, language_id=None, fuzzy=True, limit=20))
    return [hit.word for hit in hits]


def suggest_words(database: Database, query: str) -> list[str]:
    items = database.read_now(partial(look_up, query=query))
    return [suggestion.word for item in items for suggestion in item.suggestions]


def add_word(database: Database, language: str, text: str) -> None:
    data = WordData(language, text, None, IdeaData("Adverb", definitions=(DefinitionData("en", text),)))
    asyncio.run(Editing(database).add_word(EDITOR, data))


def is_known(database: Database, query: str) -> bool:
    return database.read_now(lambda reader: may_be_sound_of_word(reader, query))


def test_a_word_is_suggested_as_soon_as_another_worker_has_added_it(dictionary: Database) -> None:
    add_word(dictionary, "en", "xylophone")
    assert not is_known(dictionary, "xylophone")
    assert suggest_words(dictionary, "xylophone") == []

    with Database(dictionary.url.render_as_string(hide_password=False)) as other:
        add_word(other, "as", "জাইলফন")
        add_word(other, "as", "শলফনে")

    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert is_known(dictionary, "jailophon")


def test_only_pages_that_have_changed_are_read_again(dictionary: Database) -> None:
    before = dictionary.read_now(SOUND_FRAMES.current)
    add_word(dictionary, "en", "another")
    same = dictionary.read_now(SOUND_FRAMES.current)
    add_word(dictionary, "as", "জাইলফন")
    after = dictionary.read_now(SOUND_FRAMES.current)

    assert before is same
    assert same
    assert after
    assert after is not same
    pages = [(old, new) for old, new in zip(same.pages, after.pages, strict=True) if old is not new]
    assert len(pages) == 2, "that of its frame, and that of its sound"


def test_every_word_is_searched_for_until_the_sound_frames_are_complete(dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        stored = connection.execute(select(sound_frame)).all()
        connection.execute(text("DELETE FROM sound_frame"))
        connection.execute(text("UPDATE state SET data_version = data_version + 1"))
    assert is_known(dictionary, "xylophone")

    build_word_indexes(dictionary)

    assert not is_known(dictionary, "xylophone")
    with dictionary.engine.begin() as connection:
        assert {(row.page, row.numbers) for row in connection.execute(select(sound_frame))} == {
            (row.page, row.numbers) for row in stored
        }
    assert reindex(dictionary) == 0
    build_word_indexes(dictionary)


@pytest.mark.spoils
def test_a_rebuild_in_steps_covers_all_words_and_changes_nothing_the_second_time(
    dictionary: Database, subtests: pytest.Subtests
) -> None:
    def rebuild(connection: Connection, pages: NumberPages[Any, Any]) -> list[int]:
        changed = []
        place: RebuildCursor | None = REBUILD_START
        while place is not None:
            step = pages.rebuild_next(connection, place)
            changed.append(step.changed)
            place = step.next_cursor
        return changed

    for pages in PAGES:
        with subtests.test(str(pages.table.name)), dictionary.engine.begin() as connection:
            connection.execute(text(f"UPDATE {pages.table.name} SET form = 0"))  # noqa: S608
            assert any(rebuild(connection, pages))
            assert not any(rebuild(connection, pages))
            assert pages.is_complete(TransactionRows(connection))


def test_simultaneous_additions_to_one_page_lose_nothing(dictionary: Database, subtests: pytest.Subtests) -> None:
    numbers = [(7 << 24) + number for number in range(40)]

    def add(number: int, pages: NumberPages[Any, Any]) -> None:
        dictionary.write_now(lambda connection: pages.add_numbers(connection, {number}))

    for pages in PAGES:
        with subtests.test(str(pages.table.name)):
            with ThreadPoolExecutor(4) as threads:
                list(threads.map(partial(add, pages=pages), numbers))

            with dictionary.engine.begin() as connection:
                assert pages.add_numbers(connection, numbers) == set()


def test_a_word_is_found_by_its_sound_as_soon_as_another_worker_has_added_it(dictionary: Database) -> None:
    assert "জাইলফন" not in search_words(dictionary, "jailfon") + search_words(dictionary, "jaikfon")

    with Database(dictionary.url.render_as_string(hide_password=False)) as other:
        add_word(other, "as", "জাইলফন")

    assert "জাইলফন" in search_words(dictionary, "jailfon")
    assert "জাইলফন" in search_words(dictionary, "jaikfon")


def test_every_sound_is_searched_for_until_the_sound_filter_is_complete(dictionary: Database) -> None:
    known = dictionary.read_now(SOUND_FILTER.current)
    assert known
    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM sound_filter"))
        connection.execute(text("UPDATE state SET data_version = data_version + 1"))
    assert dictionary.read_now(SOUND_FILTER.current) is None

    build_word_indexes(dictionary)

    filled = dictionary.read_now(SOUND_FILTER.current)
    assert filled
    assert filled.bits == known.bits
    assert reindex(dictionary) == 0


def test_an_upgraded_database_gives_the_same_answers_before_and_after_indexing(databases: Databases) -> None:
    url = databases.copy(load_sample)
    with Database(url) as upgraded:
        with upgraded.engine.begin() as connection:
            words = connection.execute(
                select(word.c.text, word.c.sound_key).where(word.c.language_id == ASSAMESE)
            ).all()
            assert any(hash_frame_and_sound(*row) for row in words)
            connection.execute(text("DELETE FROM sound_frame"))
        before = look_up_typed(upgraded)
        build_word_indexes(upgraded)
        assert look_up_typed(upgraded) == before
    databases.remove(url)


@pytest.mark.spoils
def test_rewritten_pages_are_all_read_again(dictionary: Database) -> None:
    add_word(dictionary, "as", "জাইলফন")
    assert is_known(dictionary, "jailophon")
    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM sound_frame WHERE page < 256"))
        connection.execute(text("UPDATE sound_frame SET version = 1"))
        connection.execute(text("UPDATE state SET data_version = data_version + 1"))

    assert not is_known(dictionary, "jailophon")
