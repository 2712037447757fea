"""Bare entries, of which imported lists are full: they hide no word that says something, and are found themselves."""

from collections.abc import Iterator

import pytest

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.service.lookup import look_up, look_up_exact
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, WordRecord
from abhidhan.records.languages import ASSAMESE, BENGALI
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables
from tests.support.sample import NOW, SOURCE


def bare(language: str, text: str) -> IdeaRecord:
    return IdeaRecord("sample", f"bare-{language}-{text}", "Common Noun", (WordRecord(language, text),))


def telling(key: str, *spelled: tuple[str, str], definition: str = "") -> IdeaRecord:
    definitions = (DefinitionRecord("en", definition),) if definition else ()
    words_of_idea = tuple(WordRecord(language, text) for language, text in spelled)
    return IdeaRecord("sample", key, "Common Noun", words_of_idea, definitions=definitions)


BARE = ["কিতাপখন", "তৰাবাট", "বাটত"]
TELLING = ["কিতাপ", "বাট"]

RECORDS = (
    SOURCE,
    telling("book", ("as", "কিতাপ"), ("en", "book")),
    telling("river", ("as", "নদী"), ("en", "river")),
    telling("road", ("as", "বাট"), definition="A way that people go."),
    bare("as", "কিতাপৰ"),
    bare("as", "কিতাপখন"),
    bare("as", "নদি"),
    bare("bn", "কিতাপৰ"),
    bare("as", "তৰাবাট"),
    bare("as", "বাটত"),
)


@pytest.fixture
def listed(databases: Databases) -> Iterator[Database]:
    """Open the sample with a list of word forms that somebody imported."""
    with open_database(databases, with_list) as database:
        yield database


def with_list(database: Database) -> None:
    load_sample(database)
    loaded = import_records(database, [LocatedRecord("test", 1, record) for record in RECORDS], now=NOW)
    assert not loaded.errors, loaded.errors


def first(database: Database, query: str, language_id: int = ASSAMESE) -> tuple[Match, list[str]]:
    (item,) = database.read_now(lambda reader: look_up(reader, query, language_id))
    return item.match, [word.word for word in item.entries]


@pytest.mark.parametrize(
    ("query", "entries"),
    [
        ("কিতাপৰ", ["কিতাপ", "কিতাপৰ"]),
        ("কিতাপখন", ["কিতাপ", "কিতাপখন"]),
        ("নদি", ["নদী", "নদি"]),
        ("বাটত", ["বাট", "বাটত"]),
        ("তৰাবাট", ["তৰাবাট"]),
        ("কিতাপ", ["কিতাপ"]),
    ],
)
def test_an_exact_entry_that_says_nothing_stands_behind_a_word_that_says_more(
    listed: Database, query: str, entries: list[str]
) -> None:
    assert first(listed, query) == (Match.EXACT, entries)


def test_each_language_is_judged_by_itself(listed: Database) -> None:
    items = listed.read_now(lambda reader: look_up(reader, "কিতাপৰ"))

    assert [(word.word, word.language_id) for word in items[0].entries] == [
        ("কিতাপ", ASSAMESE),
        ("কিতাপৰ", ASSAMESE),
        ("কিতাপৰ", BENGALI),
    ]
    assert first(listed, "কিতাপৰ", BENGALI) == (Match.EXACT, ["কিতাপৰ"])


@pytest.mark.parametrize("fields", [None, frozenset({"word"})])
def test_what_a_request_leaves_out_of_its_answer_changes_no_order(
    listed: Database, fields: frozenset[str] | None
) -> None:
    selection = None if fields is None else FieldSelection(fields)
    (item,) = listed.read_now(lambda reader: look_up(reader, "কিতাপৰ", ASSAMESE, selection))

    assert [word.word for word in item.entries] == ["কিতাপ", "কিতাপৰ"]


@pytest.mark.parametrize("query", ["kitapor", "kitapkhon", "batot"])
def test_what_is_typed_for_a_form_leads_to_its_word(listed: Database, query: str) -> None:
    match, entries = first(listed, query, 0)

    assert match is Match.PHONETIC
    assert entries[0] in {"কিতাপ", "বাট"}


def test_a_word_that_is_typed_so_itself_is_not_pushed_back_by_a_bare_form_of_it(listed: Database) -> None:
    assert first(listed, "kitap", 0)[1] == ["কিতাপ"]
    assert first(listed, "bat", 0)[1][:1] == ["বাট"]


def test_a_search_puts_the_word_first_too(listed: Database) -> None:
    found = listed.read_now(lambda reader: search(reader, "kitapor", None, fuzzy=True, limit=5))

    assert found[0].word == "কিতাপ"


def test_only_bare_entries_take_longer(listed: Database) -> None:
    def is_begun(word: str) -> bool:
        return isinstance(listed.read_now(lambda reader: look_up_exact(reader, word)), PendingLookup)

    assert not is_begun("কিতাপ")
    assert is_begun("কিতাপৰ")


def test_whether_entries_are_bare_is_told_of_each(listed: Database) -> None:
    ids = listed.read_now(
        lambda reader: [hit.word_id for hit in words.find_by_key(reader, KeyColumn.EXACT, BARE + TELLING)]
    )

    assert len(listed.read_now(lambda reader: words.find_stubs(reader, ids))) == len(BARE)
    assert listed.read_now(lambda reader: words.find_stubs(reader, [])) == frozenset()


def test_it_is_an_index_search(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as database:
        assert find_scanned_tables(database, lambda reader: words.find_stubs(reader, [1, 2, 3])) == []
