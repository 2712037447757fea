"""Words that have no entry but are made of words that have: compounds, and derived words."""

from functools import partial

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
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import list_statements


def first(dictionary: Database, query: str, language_id: int = ALL_LANGUAGES) -> tuple[Match, list[str]]:
    (item,) = dictionary.read_now(lambda reader: look_up(reader, query, language_id))
    return item.match, [word.word for word in item.entries]


def test_a_compound_has_the_entries_of_its_parts(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    for query, language_id, parts in [
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
    ]:
        with subtests.test(f"{query} in {language_id}"):
            assert first(shared_dictionary, query, language_id) == (Match.COMPOUND, parts)


def test_short_parts_and_parts_of_different_languages_make_no_compound(shared_dictionary: Database) -> None:
    for query, language_id in (
        ("মনভাত", ASSAMESE),
        ("ৰাজ্যভাষা", HINDI),
        ("ৰাজ্যভাষা", ENGLISH),
        ("water-elephant", ALL_LANGUAGES),
        ("चाहपानी", ALL_LANGUAGES),
    ):
        items = shared_dictionary.read_now(partial(look_up, query=query, language_id=language_id))

        assert all(item.match is not Match.COMPOUND for item in items), query


def test_a_derived_word_is_answered_with_its_base(shared_dictionary: Database) -> None:
    for query, base in (("শব্দহীন", "শব্দ"), ("ক্ষমাশীল", "ক্ষমা"), ("ভাষাগত", "ভাষা")):
        assert first(shared_dictionary, query, ASSAMESE) == (Match.INFLECTED, [base])
    # This has two suffixes and an ending.
    assert first(shared_dictionary, "শব্দহীনতাৰ", ASSAMESE) == (Match.NONE, [])


def test_a_search_lists_parts_of_a_compound_after_better_matches(shared_dictionary: Database) -> None:
    words = shared_dictionary.read_now(lambda reader: search(reader, "চাহপানী", None, fuzzy=True, limit=20))
    matches = [word.match for word in words]

    assert [word.word for word in words if word.match is SearchMatch.COMPOUND] == ["চাহ", "পানী"]
    assert matches == sorted(matches, key=list(SearchMatch).index)
    assert [word.score for word in words] == sorted((word.score for word in words), reverse=True)


def test_a_search_that_is_not_fuzzy_splits_no_compounds(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(lambda reader: search(reader, "চাহপানী", None, fuzzy=False, limit=20)) == ()


def test_all_parts_of_a_text_are_read_by_one_statement(sqlite_databases: SqliteDatabases) -> None:
    def split(reader: ReadConnection, query: str) -> None:
        batch = LookupBatch([query])
        any(strategy.find(reader, batch) for strategy in SPLITTERS)

    for query in ("ৰাজ্যভাষা", "চাহ-মাছ-পানী", "শব্দহীন"):
        with open_database(sqlite_databases, load_sample) as dictionary:
            of_catalogue = list_statements(dictionary, lambda reader: reader.catalogue)

            assert len(list_statements(dictionary, partial(split, query=query))) == len(of_catalogue) + 1, query


def test_a_word_that_is_found_otherwise_is_not_split(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    split: list[str] = []

    def find_none(_reader: ReadConnection, batch: LookupBatch) -> Hits:
        split.extend(batch.texts)
        return {}

    monkeypatch.setattr(guess, "SPLITTERS", [strategy._replace(find=find_none) for strategy in SPLITTERS])
    for query in ("পানী", "xobdo", "পাণি", "খাওঁ", "water"):
        first(shared_dictionary, query)

    assert split == []
