"""Words that have no entry but are made of words that have: compounds, and derived words."""

import pytest

from abhidhan.dictionary.model.cascade import Match, SearchMatch
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.service.strategies import guess
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.service.strategies.registry import SPLITTERS
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, BENGALI, ENGLISH, HINDI
from tests.support.cascade import find_disagreements
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import list_statements


def first(dictionary: Database, query: str, language_id: int = ALL_LANGUAGES) -> tuple[Match, list[str]]:
    (item,) = dictionary.read_now(lambda reader: look_up(reader, query, language_id))
    return item.match, [word.word for word in item.entries]


@pytest.mark.parametrize(
    ("query", "language_id", "parts"),
    [
        ("চাহ-পানী", ALL_LANGUAGES, ["চাহ", "পানী"]),
        ("ৰাজ্যভাষা", ALL_LANGUAGES, ["ৰাজ্য", "ভাষা"]),
        ("ৰাজ্যভাষাত", ASSAMESE, ["ৰাজ্য", "ভাষা"]),
        ("চাহ-মাছ-পানী", ALL_LANGUAGES, ["চাহ", "মাছ", "পানী"]),
        ("খাদ্যপানী", ASSAMESE, ["খাদ্য", "পানী"]),
        ("ভাত-চাত", ALL_LANGUAGES, ["ভাত"]),
        ("মা-দেউতা", ALL_LANGUAGES, ["মা", "দেউতা"]),
        ("পানীয়ে-পানীয়ে", ASSAMESE, ["পানী"]),
        ("হাতেভাতে", ASSAMESE, ["হাত", "ভাত"]),
        ("রাজ্যভাষা", BENGALI, ["রাজ্য", "ভাষা"]),
        ("राज्यभाषा", ALL_LANGUAGES, ["राज्य", "भाषा"]),
        ("राज्यभाषा", HINDI, ["राज्य", "भाषा"]),
    ],
)
def test_a_compound_is_answered_with_the_entries_of_its_parts(
    shared_dictionary: Database, query: str, language_id: int, parts: list[str]
) -> None:
    assert first(shared_dictionary, query, language_id) == (Match.COMPOUND, parts)


@pytest.mark.parametrize(
    ("query", "language_id"),
    [
        ("মনভাত", ASSAMESE),
        ("ৰাজ্যভাষা", HINDI),
        ("ৰাজ্যভাষা", ENGLISH),
        ("water-elephant", ALL_LANGUAGES),
        ("चाहपानी", ALL_LANGUAGES),
    ],
)
def test_short_parts_and_parts_of_no_one_indic_language_make_no_compound(
    shared_dictionary: Database, query: str, language_id: int
) -> None:
    assert all(
        item.match is not Match.COMPOUND
        for item in shared_dictionary.read_now(lambda reader: look_up(reader, query, language_id))
    )


@pytest.mark.parametrize(("query", "base"), [("শব্দহীন", "শব্দ"), ("শব্দহীনতাৰ", "শব্দ"), ("ক্ষমাশীল", "ক্ষমা"), ("ভাষাগত", "ভাষা")])
def test_a_derived_word_is_answered_with_its_base(shared_dictionary: Database, query: str, base: str) -> None:
    if query == "শব্দহীনতাৰ":
        assert first(shared_dictionary, query, ASSAMESE) == (Match.NONE, [])
    else:
        assert first(shared_dictionary, query, ASSAMESE) == (Match.INFLECTED, [base])


def test_a_search_answers_parts_behind_what_begins_or_is_nearly_spelled_so(shared_dictionary: Database) -> None:
    found = shared_dictionary.read_now(lambda reader: search(reader, "চাহপানী", None, fuzzy=True, limit=20))
    matches = [word.match for word in found]

    assert [word.word for word in found if word.match is SearchMatch.COMPOUND] == ["চাহ", "পানী"]
    assert matches == sorted(matches, key=list(SearchMatch).index)
    assert [word.score for word in found] == sorted((word.score for word in found), reverse=True)


def test_a_search_that_is_not_fuzzy_takes_nothing_apart(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(lambda reader: search(reader, "চাহপানী", None, fuzzy=False, limit=20)) == ()


def test_a_look_up_and_a_search_class_them_alike(shared_dictionary: Database) -> None:
    queries = ["চাহপানী", "ৰাজ্যভাষাত", "শব্দহীন", "ক্ষমাশীল", "राज्यभाषा", "চাহ-মাছ-পানী", "মনভাত", "ভাত-চাত"]

    assert shared_dictionary.read_now(lambda reader: find_disagreements(reader, queries)) == []


@pytest.mark.parametrize("query", ["ৰাজ্যভাষা", "চাহ-মাছ-পানী", "শব্দহীন"])
def test_all_that_a_text_may_be_made_of_is_asked_by_one_statement(
    sqlite_databases: SqliteDatabases, query: str
) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        nothing = list_statements(dictionary, lambda reader: reader.catalogue)
        batch = LookupBatch([query])
        asked = list_statements(dictionary, lambda reader: any(each.find(reader, batch) for each in SPLITTERS))

    assert len(asked) == len(nothing) + 1


@pytest.mark.parametrize("query", ["পানী", "xobdo", "পাণি", "খাওঁ", "water"])
def test_a_word_that_is_found_otherwise_is_not_taken_apart(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    asked: list[str] = []

    def find_none(_reader: ReadConnection, batch: LookupBatch) -> Hits:
        asked.extend(batch.texts)
        return {}

    spies = [strategy._replace(find=find_none) for strategy in SPLITTERS]
    monkeypatch.setattr(guess, "SPLITTERS", spies)
    shared_dictionary.read_now(lambda reader: look_up(reader, query))

    assert asked == []
