"""A headword is found under its own spelling, whatever it is spelled with and whatever stands around it."""

from collections.abc import Iterable, Iterator
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service.lookup import look_up, look_up_exact
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.languages import ASSAMESE
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database
from tests.support.plans import list_statements
from tests.support.sample import NOW

HEADWORDS = {
    "as": ("ধীৰে ধীৰে", "লাহে লাহে", "অট’ ৰিক্সা", "-খন", "ল’ৰা-ছোৱালী"),
    "en": ("elder sister", "100%", "and/or", "etc.", "Kʼicheʼ", "24/7", "?!", "get up", "part of the body"),
    "kha": ("'riewspah",),
}


def add(database: Database, language: str, texts: Iterable[str]) -> None:
    ideas = [IdeaRecord("sample", f"{language}-{text}", None, (WordRecord(language, text),)) for text in texts]
    loaded = import_records(database, [LocatedRecord("test", 1, idea) for idea in ideas], now=NOW)
    assert not loaded.errors, loaded.errors


@pytest.fixture
def headwords(databases: Databases) -> Iterator[Database]:
    """Open the sample with words that are hard to split."""
    with open_database(databases, with_headwords) as database:
        yield database


def with_headwords(database: Database) -> None:
    load_sample(database)
    for language, texts in HEADWORDS.items():
        add(database, language, texts)


def look_up_words(dictionary: Database, query: str, language_id: int = 0) -> tuple[QueryWord, ...]:
    return dictionary.read_now(lambda reader: look_up(reader, query, language_id))


def first(dictionary: Database, query: str) -> tuple[str, Match, list[str]]:
    item = look_up_words(dictionary, query)[0]
    return item.queryword, item.match, [word.word for word in item.entries]


def test_each_headword_is_exact_under_its_own_spelling(headwords: Database) -> None:
    texts = [text for of_language in HEADWORDS.values() for text in of_language]

    assert [first(headwords, text) for text in texts] == [(text, Match.EXACT, [text]) for text in texts]


def test_a_word_with_punctuation_around_it_takes_one_more_statement_than_without(
    sqlite_databases: SqliteDatabases,
) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:

        def count_statements(query: str) -> int:
            return len(list_statements(dictionary, lambda reader: look_up_exact(reader, query)))

        assert count_statements("“মাছ”!?") == count_statements("মাছ") + 1


def test_a_headword_is_found_despite_punctuation_around_it(headwords: Database, subtests: pytest.Subtests) -> None:
    for query, headword in [
        ("elder sister!", "elder sister"),
        ("“Elder sister”,", "elder sister"),
        ("“অট’ ৰিক্সা”!", "অট’ ৰিক্সা"),
        ("(ধীৰে ধীৰে)", "ধীৰে ধীৰে"),
        ("“100%”!", "100%"),
        ("(-খন)", "-খন"),
        ("‘Kʼicheʼ’?", "Kʼicheʼ"),
        ("ʼriewspah.", "'riewspah"),
        ("it is 100%", "100%"),
    ]:
        with subtests.test(query):
            exact = [
                word.word
                for item in look_up_words(headwords, query)
                if item.match is Match.EXACT
                for word in item.entries
            ]

            assert headword in exact


def test_several_roman_words_find_a_headword_by_its_sound(headwords: Database) -> None:
    for query, headword in [("lahe lahe", "লাহে লাহে"), ("dhire dhire", "ধীৰে ধীৰে"), ("lora sowali", "ল’ৰা-ছোৱালী")]:
        assert first(headwords, query) == (query, Match.PHONETIC, [headword]), query


def test_variants_of_an_english_phrase_are_found_by_lookup_and_search(headwords: Database) -> None:
    for query, match, headword in (
        ("part of body", Match.LOOSE, "part of the body"),
        ("the part of a body", Match.LOOSE, "part of the body"),
        ("sister elder", Match.LOOSE, "elder sister"),
        ("got up", Match.INFLECTED, "get up"),
        ("parts of the body", Match.INFLECTED, "part of the body"),
    ):
        assert first(headwords, query) == (query, match, [headword])
        best = headwords.read_now(partial(search, text=query, language_id=None, fuzzy=True, limit=5))[0]
        assert (best.word, best.match.value) == (headword, match.value), query


def test_english_articles_are_left_out_and_phrases_come_before_their_words(headwords: Database) -> None:
    for query, texts in (
        ("the water", ["water"]),
        ("water of a bird", ["water", "of", "bird"]),
        ("my elder sister", ["my", "elder sister", "elder", "sister"]),
        ("a qqqq", ["a", "qqqq"]),
        ("water a", ["water", "a"]),
    ):
        assert [item.queryword for item in look_up_words(headwords, query)] == texts
    assert [item.queryword for item in look_up_words(headwords, "the water", ASSAMESE)] == ["the", "water"]


def test_a_query_is_split_into_its_headwords(headwords: Database) -> None:
    for query, texts in (
        ("ধীৰে ধীৰে", ["ধীৰে ধীৰে", "ধীৰে"]),
        # Several Roman words are not joined to one word, even if they sound like it.
        ("xob do", ["xob", "do"]),
        ("(…) —", []),
    ):
        assert [item.queryword for item in look_up_words(headwords, query)] == texts


def test_a_headword_with_punctuation_is_found_quickly(headwords: Database) -> None:
    wholly = IdeaRecord("sample", "wholly", None, (WordRecord("en", "100%"), WordRecord("as", "একেবাৰে")))
    import_records(headwords, [LocatedRecord("test", 1, wholly)], now=NOW)

    assert not isinstance(headwords.read_now(lambda reader: look_up_exact(reader, "100%")), PendingLookup)


MADE_UP = st.text(st.sampled_from("abKčকখনীৰ্ি012 -'’ʼ.%!?/,()&“”।"), min_size=1, max_size=14).map(
    lambda text: " ".join(text.split())
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(texts=st.lists(MADE_UP.filter(bool), min_size=1, max_size=12, unique=True))
def test_any_generated_headword_is_exact_under_its_own_spelling(
    sqlite_databases: SqliteDatabases, texts: list[str]
) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        add(dictionary, "en", texts)

        for text in texts:
            item = look_up_words(dictionary, text, 1)[0]
            assert (item.match, text in [word.word for word in item.entries]) == (Match.EXACT, True), text
