"""Stubs, entries without content as in imported lists: they hide no other word, and are found themselves."""

from collections.abc import Iterator
from functools import partial

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


def make_stub(language: str, text: str) -> IdeaRecord:
    return IdeaRecord("sample", f"bare-{language}-{text}", "Common Noun", (WordRecord(language, text),))


def make_entry(key: str, *spelled: tuple[str, str], definition: str = "") -> IdeaRecord:
    definitions = (DefinitionRecord("en", definition),) if definition else ()
    words_of_idea = tuple(WordRecord(language, text) for language, text in spelled)
    return IdeaRecord("sample", key, "Common Noun", words_of_idea, definitions=definitions)


STUBS = ["কিতাপখন", "তৰাবাট", "বাটত"]
DESCRIBED = ["কিতাপ", "বাট"]

RECORDS = (
    SOURCE,
    make_entry("book", ("as", "কিতাপ"), ("en", "book")),
    make_entry("river", ("as", "নদী"), ("en", "river")),
    make_entry("road", ("as", "বাট"), definition="A way that people go."),
    make_stub("as", "কিতাপৰ"),
    make_stub("as", "কিতাপখন"),
    make_stub("as", "নদি"),
    make_stub("bn", "কিতাপৰ"),
    make_stub("as", "তৰাবাট"),
    make_stub("as", "বাটত"),
)


@pytest.fixture
def listed(databases: Databases) -> Iterator[Database]:
    """Open the sample with a list of word forms as imports bring them."""
    with open_database(databases, with_list) as database:
        yield database


def with_list(database: Database) -> None:
    load_sample(database)
    loaded = import_records(database, [LocatedRecord("test", 1, record) for record in RECORDS], now=NOW)
    assert not loaded.errors, loaded.errors


def first(database: Database, query: str, language_id: int = ASSAMESE) -> tuple[Match, list[str]]:
    (item,) = database.read_now(lambda reader: look_up(reader, query, language_id))
    return item.match, [word.word for word in item.entries]


def test_an_exact_stub_comes_after_the_word_with_content(listed: Database) -> None:
    for query, entries in [
        ("কিতাপৰ", ["কিতাপ", "কিতাপৰ"]),
        ("কিতাপখন", ["কিতাপ", "কিতাপখন"]),
        ("নদি", ["নদী", "নদি"]),
        ("বাটত", ["বাট", "বাটত"]),
        ("তৰাবাট", ["তৰাবাট"]),
        ("কিতাপ", ["কিতাপ"]),
    ]:
        assert first(listed, query) == (Match.EXACT, entries), query


def test_stubs_are_judged_within_each_language(listed: Database) -> None:
    items = listed.read_now(lambda reader: look_up(reader, "কিতাপৰ"))

    assert [(word.word, word.language_id) for word in items[0].entries] == [
        ("কিতাপ", ASSAMESE),
        ("কিতাপৰ", ASSAMESE),
        ("কিতাপৰ", BENGALI),
    ]
    assert first(listed, "কিতাপৰ", BENGALI) == (Match.EXACT, ["কিতাপৰ"])


def test_selected_fields_change_no_order(listed: Database) -> None:
    for selection in (None, FieldSelection(frozenset({"word"}))):
        (item,) = listed.read_now(partial(look_up, query="কিতাপৰ", language_id=ASSAMESE, selection=selection))

        assert [word.word for word in item.entries] == ["কিতাপ", "কিতাপৰ"]


def test_roman_input_for_a_form_finds_its_word_first(listed: Database) -> None:
    for query, word in (("kitapor", "কিতাপ"), ("kitapkhon", "কিতাপ"), ("batot", "বাট")):
        match, entries = first(listed, query, 0)

        assert (match, entries[0]) == (Match.PHONETIC, word), query
    assert first(listed, "kitap", 0)[1] == ["কিতাপ"]
    assert first(listed, "bat", 0)[1][:1] == ["বাট"]
    words = listed.read_now(lambda reader: search(reader, "kitapor", None, fuzzy=True, limit=5))
    assert words[0].word == "কিতাপ"


def test_only_stubs_make_a_lookup_pending(listed: Database) -> None:
    def is_pending(word: str) -> bool:
        return isinstance(listed.read_now(lambda reader: look_up_exact(reader, word)), PendingLookup)

    assert not is_pending("কিতাপ")
    assert is_pending("কিতাপৰ")


def test_stubs_are_found_among_entries(listed: Database) -> None:
    ids = listed.read_now(
        lambda reader: [hit.word_id for hit in words.find_by_key(reader, KeyColumn.EXACT, STUBS + DESCRIBED)]
    )

    assert len(listed.read_now(lambda reader: words.find_stubs(reader, ids))) == len(STUBS)
    assert listed.read_now(lambda reader: words.find_stubs(reader, [])) == frozenset()


def test_stubs_are_found_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as database:
        assert find_scanned_tables(database, lambda reader: words.find_stubs(reader, [1, 2, 3])) == []
