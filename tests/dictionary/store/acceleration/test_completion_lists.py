"""The lists of words to suggest while a reader types: current after every change, on both engines."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from sqlalchemy import Connection, func, select, text, update

from abhidhan.dictionary.model.completions import MAX_LIST_SIZE, MAX_UNLISTED_WORDS
from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM
from abhidhan.dictionary.store.acceleration.completion_lists import rows, updates
from abhidhan.dictionary.store.acceleration.completion_lists.lists import pack_words
from abhidhan.dictionary.store.keyed_words import load_keyed_words
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import build_word_indexes, reindex
from abhidhan.exchange.store.loading import batches
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import RecordRef
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import FrequencyRecord, IdeaRecord, Record, WordRecord
from abhidhan.records.submission_payloads import DefinitionData, IdeaData, WordChanges, WordData
from abhidhan.schema import completion, word
from tests.support.arbitrary_edits import EDITOR
from tests.support.databases import SqliteDatabases, find_stale_records, load_sample, open_database
from tests.support.plans import find_scanned_tables, record_statements
from tests.support.sample import NOW, SOURCE

MANY = MAX_UNLISTED_WORDS + 24
"""So many words that begin alike have a list."""


def make_words(start: str, count: int, language: str = "en") -> list[tuple[str, str]]:
    """Make words that begin alike and are longer and longer: qab, qabb, qac, qacb, qaccb ..."""
    return [(language, start + chr(ord("a") + place // 5) + "b" * (place % 5)) for place in range(count)]


def load(database: Database, words: list[tuple[str, str]]) -> None:
    records: list[Record] = [SOURCE]
    for language, spelled in words:
        key = f"{language} {spelled}"
        records.append(IdeaRecord(source="sample", key=key, pos="Adverb", words=(WordRecord(language, spelled),)))
    placed = [LocatedRecord("test", line, each) for line, each in enumerate(records, 1)]
    assert not import_records(database, placed, now=NOW).errors


def add(database: Database, language: str, text: str) -> None:
    data = WordData(language, text, None, IdeaData("Adverb", definitions=(DefinitionData("en", text),)))
    asyncio.run(Editing(database).add_word(EDITOR, data))


def find_word(database: Database, text: str) -> RecordRef:
    """Name the word that is spelled so, the one with the lowest ID."""
    with database.engine.begin() as connection:
        chosen = select(func.min(word.c.id)).where(word.c.text == text)
        return RecordRef("word", str(connection.execute(chosen).scalar_one()))


def delete(database: Database, text: str) -> None:
    asyncio.run(Editing(database).delete(EDITOR, find_word(database, text)))


def change_spelling(database: Database, text: str, otherwise: str) -> None:
    change(database, find_word(database, text), WordChanges(word=otherwise))


def change(database: Database, name: RecordRef, changes: WordChanges) -> None:
    editing = Editing(database)
    version = asyncio.run(editing.read(EDITOR, name)).version
    asyncio.run(editing.change(EDITOR, name, version, changes))


def list_prefixes(database: Database) -> set[str]:
    with database.engine.begin() as connection:
        return set(
            connection.execute(select(completion.c.prefix).where(func.length(completion.c.prefix) > 1)).scalars()
        )


def suggest_words(database: Database, typed: str, limit: int = 5) -> tuple[str, ...]:
    return database.read_now(lambda reader: suggest(reader, typed, ALL_LANGUAGES_PARAM, limit))


def is_current(database: Database) -> bool:
    return database.read_now(lambda reader: rows.is_complete(reader) and not find_stale_records(reader))


def test_a_new_word_is_suggested_before_longer_ones(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MANY))
    assert {"Eqa", "Lqa"} <= list_prefixes(dictionary)
    assert suggest_words(dictionary, "qa") == ("qaa", "qab", "qac", "qad", "qae")

    add(dictionary, "en", "qa")
    add(dictionary, "as", "কৱা")
    change_spelling(dictionary, "qac", "zqac")
    delete(dictionary, "qab")

    assert suggest_words(dictionary, "qa") == ("qa", "qaa", "qad", "qae", "qaf")
    assert is_current(dictionary)


def test_lists_are_created_and_deleted_with_their_words(dictionary: Database) -> None:
    words = make_words("qa", MAX_UNLISTED_WORDS + 2)
    load(dictionary, words[:-2])
    assert "Eqa" not in list_prefixes(dictionary)

    add(dictionary, *words[-2])
    assert {"Eq", "Eqa"} <= list_prefixes(dictionary)
    assert is_current(dictionary)
    add(dictionary, *words[-1])
    assert is_current(dictionary)

    for _, gone in words[:3]:
        delete(dictionary, gone)
        assert is_current(dictionary)
    assert not {"Eq", "Eqa"} & list_prefixes(dictionary)


def test_the_list_of_a_longer_prefix_is_created_with_the_shorter_ones(dictionary: Database) -> None:
    load(dictionary, make_words("qaaa", MAX_UNLISTED_WORDS))
    assert "Eq" not in list_prefixes(dictionary)

    add(dictionary, "en", "qaaazz")

    assert {"Eq", "Eqa", "Eqaa", "Eqaaa"} <= list_prefixes(dictionary)
    assert is_current(dictionary)


def test_common_words_come_before_rare_ones_also_after_an_import_and_an_edit(dictionary: Database) -> None:
    def suggest_words() -> tuple[str, ...]:
        return dictionary.read_now(lambda reader: suggest(reader, "qab", ALL_LANGUAGES_PARAM, 2))

    records = [
        IdeaRecord("sample", f"qab{last}", None, (WordRecord("en", f"qab{last}", frequency=frequency),))
        for last, frequency in (("c", 0.5), ("d", 900.0), *((f"x{number}", 0.1) for number in range(40)))
    ]
    import_records(dictionary, [LocatedRecord("test", 1, each) for each in records], now=NOW)
    assert suggest_words() == ("qabd", "qabc")

    more = FrequencyRecord("en", "qabc", 20_000.0, "a corpus")
    import_records(dictionary, [LocatedRecord("test", 1, more)], now=NOW, policy=ConflictPolicy.REPLACE)
    assert suggest_words() == ("qabc", "qabd")

    change(dictionary, find_word(dictionary, "qabd"), WordChanges(frequency=30_000.0))
    assert suggest_words() == ("qabd", "qabc")
    assert is_current(dictionary)


def test_a_rare_word_typed_in_full_is_suggested_before_commoner_ones(dictionary: Database) -> None:
    common = [(f"qab{chr(ord('a') + place)}", 5_000.0) for place in range(MAX_LIST_SIZE - 5)]
    longer = [(f"qabxx{place}{place}", 0.5) for place in range(10, 40)]
    records = [
        IdeaRecord("sample", text, None, (WordRecord("en", text, frequency=frequency),))
        for text, frequency in (*common, ("qab", 0.5), *longer)
    ]
    import_records(dictionary, [LocatedRecord("test", 1, each) for each in records], now=NOW)

    assert {"Eqab"} <= list_prefixes(dictionary)
    for limit in (1, 2, 10):
        found = suggest_words(dictionary, "qab", limit)
        assert (found[0], len(found), {*found[1:]} <= {text for text, _ in common}) == ("qab", limit, True)


def test_a_deleted_word_is_replaced_by_the_same_spelling_of_another_language(dictionary: Database) -> None:
    load(dictionary, [*make_words("qa", MANY), ("as", "qaa")])

    delete(dictionary, "qaa")

    assert suggest_words(dictionary, "qa")[0] == "qaa"
    assert is_current(dictionary)


@pytest.mark.parametrize(("few", "at_once"), [(5, 500), (5000, 500), (5000, 7)])
def test_an_import_of_few_or_many_words_creates_all_lists(
    dictionary: Database, few: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REBUILD_THRESHOLD_WORDS", "POSTGRESQL_REBUILD_THRESHOLD_WORDS"):
        monkeypatch.setattr(batches, name, few)
    monkeypatch.setattr(updates, "UPDATE_BATCH_SIZE", at_once)

    load(dictionary, [*make_words("qa", MANY), *make_words("কা", MANY, "as")])
    load(dictionary, [*make_words("qa", MANY + 9), *make_words("পা", 3, "as")])

    assert {"Eqa", "Lqa", "Eকা"} <= list_prefixes(dictionary)
    assert is_current(dictionary)


def test_the_same_words_are_suggested_while_lists_are_missing(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MANY))
    typed = ("q", "qa", "qab", "পা", "pa", "w")
    with_lists = [suggest_words(dictionary, each) for each in typed]
    there = list_prefixes(dictionary)

    dictionary.write_now(rows.disable)
    assert not dictionary.read_now(rows.is_complete)
    assert [suggest_words(dictionary, each) for each in typed] == with_lists
    add(dictionary, "en", "qa")
    assert suggest_words(dictionary, "qa")[0] == "qa"
    delete(dictionary, "qa")

    build_word_indexes(dictionary)

    assert is_current(dictionary)
    assert list_prefixes(dictionary) == there
    assert [suggest_words(dictionary, each) for each in typed] == with_lists
    assert reindex(dictionary) == 0


def test_lists_are_not_read_once_an_import_has_disabled_them(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MANY))
    with_lists = suggest_words(dictionary, "qa")

    def forget_what_is_out_of_date(connection: Connection) -> None:
        connection.execute(update(completion).values(words=pack_words([])))
        rows.disable(connection)

    dictionary.write_now(forget_what_is_out_of_date)
    assert suggest_words(dictionary, "qa") == with_lists != ()

    build_word_indexes(dictionary)

    assert is_current(dictionary)
    assert suggest_words(dictionary, "qa") == with_lists


def test_a_server_that_starts_during_an_import_does_not_build_lists(dictionary: Database) -> None:
    dictionary.write_now(rows.disable)

    with hold_import_lock(dictionary, wait=False):
        build_word_indexes(dictionary)
        assert not dictionary.read_now(rows.is_complete)

    build_word_indexes(dictionary)
    assert is_current(dictionary)


def test_more_words_than_a_list_holds_can_be_requested(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MANY))

    assert len(suggest_words(dictionary, "qa", MAX_LIST_SIZE)) == MAX_LIST_SIZE
    assert len(suggest_words(dictionary, "qa", MAX_LIST_SIZE + 10)) == MAX_LIST_SIZE + 10
    assert suggest_words(dictionary, "qa", MAX_LIST_SIZE + 10)[:MAX_LIST_SIZE] == suggest_words(
        dictionary, "qa", MAX_LIST_SIZE
    )


def test_only_an_edit_of_the_spelling_rewrites_lists(
    sqlite_databases: SqliteDatabases, subtests: pytest.Subtests
) -> None:
    edits: tuple[tuple[WordChanges, set[str]], ...] = (
        (WordChanges(ipa="x"), set()),
        (WordChanges(word="qaz"), {"completion", "near_key"}),
    )
    with open_database(sqlite_databases, load_sample) as database:
        load(database, make_words("qa", MANY))
        changed = find_word(database, "qab")
        for changes, tables in edits:
            with subtests.test(changes=changes):
                with record_statements(database) as statements:
                    change(database, changed, changes)
                used = {table for table in ("completion", "near_key") for each in statements if table in each}
                assert used == tables


def test_lists_are_found_by_their_index(sqlite_databases: SqliteDatabases) -> None:
    def read(connection: ReadConnection) -> None:
        for typed in ("q", "qa", "qabb", "pani", "কা"):
            suggest(connection, typed, ALL_LANGUAGES_PARAM, 10)

    with open_database(sqlite_databases, load_sample) as dictionary:
        load(dictionary, [*make_words("qa", MANY), *make_words("কা", MANY, "as")])
        assert find_scanned_tables(dictionary, read) == []


def test_simultaneous_additions_to_one_list_lose_nothing(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MAX_UNLISTED_WORDS - 2))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(partial(add, dictionary, "en"), [f"qa{letter}" for letter in "stuvwxyz"]))

    assert "Eqa" in list_prefixes(dictionary)
    assert is_current(dictionary)


def test_a_word_added_during_a_rebuild_is_in_its_list(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    load(dictionary, make_words("qa", MANY))
    dictionary.write_now(rows.disable)
    read = rows.compare_unlocked

    def read_and_add(connection: Connection, code: str) -> object:
        found = read(connection, code)
        add(dictionary, "en", f"qa{code.lower()}")
        return found

    monkeypatch.setattr(rows, "compare_unlocked", read_and_add)
    build_word_indexes(dictionary)

    assert is_current(dictionary)


@pytest.mark.spoils
def test_a_wrong_list_is_rebuilt(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MANY))
    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM completion WHERE prefix = 'Eqa'"))
        connection.execute(text("UPDATE completion SET prefix = 'Ezz' WHERE prefix = 'Lqa'"))
    found = dictionary.read_now(find_stale_records)
    assert [each.split()[0] for each in found] == ["E215"] * 3

    assert reindex(dictionary) == 3

    assert is_current(dictionary)


@pytest.mark.spoils
def test_a_changed_word_leaves_the_lists_of_keys_made_by_older_rules(dictionary: Database) -> None:
    load(dictionary, make_words("qa", MANY) + make_words("ra", MANY))
    name = find_word(dictionary, "qac")

    def store_older_keys(connection: Connection) -> None:
        before = load_keyed_words(connection, [name.number])
        older = dict.fromkeys(("exact_key", "loose_key", "sound_key"), "ra")
        connection.execute(update(word).where(word.c.id == name.number).values(older))
        updates.update_lists(connection, before, load_keyed_words(connection, [name.number]))

    dictionary.write_now(store_older_keys)
    version = asyncio.run(Editing(dictionary).read(EDITOR, name)).version
    asyncio.run(Editing(dictionary).change(EDITOR, name, version, WordChanges(word="zebra")))

    assert [each for each in dictionary.read_now(find_stale_records) if each.startswith("E215")] == []
