from collections.abc import Sequence
from functools import partial
from itertools import product

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.model.cascade import FoundWord, SearchMatch
from abhidhan.dictionary.model.completions import (
    MAX_UNLISTED_WORDS,
    PrefixMatch,
    build_prefix_list,
    completion_weight,
    rank_completions,
)
from abhidhan.dictionary.model.query import SearchQuery, build_query
from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.dictionary.service.search import search
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH, HINDI
from abhidhan.records.lazy_json import to_raw_json
from assamese.keys import count_missing_consonants
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables
from tests.support.sample import NOW

GARO = 6

STRANGE = ["", " ", "।", "💧", "\ud800", "\0", "্", "’", "-", "ক" + "\u0981" * 10_000, "a" * 10_000]


def search_words(
    dictionary: Database, query: str, language_id: int | None = None, *, fuzzy: bool = True, limit: int = 20
) -> tuple[FoundWord, ...]:
    return tuple(dictionary.read_now(lambda reader: search(reader, query, language_id, fuzzy=fuzzy, limit=limit)))


def suggest_words(dictionary: Database, query: str, language_id: int | None = None, limit: int = 10) -> list[str]:
    return list(dictionary.read_now(lambda reader: suggest(reader, query, LanguageParam(str(language_id or 0)), limit)))


def test_a_word_is_found_by_its_best_class_of_match(shared_dictionary: Database) -> None:
    for query, word, match in [
        ("পানী", "পানী", SearchMatch.EXACT),
        ("WATER", "water", SearchMatch.EXACT),
        ("hotwater", "hot water", SearchMatch.LOOSE),
        ("হঠাত", "হঠাৎ", SearchMatch.LOOSE),
        ("পাণি", "পানী", SearchMatch.PHONETIC),
        ("xobdo", "শব্দ", SearchMatch.PHONETIC),
        ("eleph", "elephant", SearchMatch.PREFIX),
        ("অসমী", "অসমীয়া", SearchMatch.PREFIX),
        ("watre", "water", SearchMatch.FUZZY),
        ("went", "go", SearchMatch.INFLECTED),
        ("coal", "ক’লা", SearchMatch.DEFINITION),
        ("animal that flies", "bird", SearchMatch.DEFINITION),
    ]:
        matches = {each.word: each.match for each in search_words(shared_dictionary, query)}

        assert matches.get(word) == match, query


def test_words_come_once_each_in_the_order_of_their_scores(shared_dictionary: Database) -> None:
    exact = ("পানী", "pani", "water", "কলা", "a")
    guesses = ("নদিৰ", "মানহুৰ", "পাণীৰ", "kolar", "watrs", "...'kitapo'...")
    for query in exact + guesses:
        words = search_words(shared_dictionary, query, limit=100)

        assert [each.score for each in words] == sorted((each.score for each in words), reverse=True), query
        assert len({each.id for each in words}) == len(words), query
        assert all(0 < each.score <= 1 for each in words), query


def test_a_search_that_is_not_fuzzy_uses_spelling_and_beginning_only(shared_dictionary: Database) -> None:
    plain = {SearchMatch.EXACT, SearchMatch.LOOSE, SearchMatch.PREFIX}

    assert {each.match for each in search_words(shared_dictionary, "পানী", fuzzy=False)} <= plain
    assert search_words(shared_dictionary, "xobdo", fuzzy=False) == ()
    assert search_words(shared_dictionary, "watre", fuzzy=False) == ()
    assert [each.word for each in search_words(shared_dictionary, "wat", fuzzy=False)] == ["water"]


def test_only_words_of_the_chosen_language_are_found(shared_dictionary: Database) -> None:
    for language_id in [ENGLISH, ASSAMESE, HINDI, BENGALI]:
        words = search_words(shared_dictionary, "pani", language_id, limit=100)

        assert {each.language_id for each in words} == {language_id}


def test_at_most_the_limit_of_words_is_found(shared_dictionary: Database) -> None:
    many = search_words(shared_dictionary, "ক", limit=1_000)

    assert len(many) > 3
    assert search_words(shared_dictionary, "ক", limit=3) == many[:3]


def test_a_search_result_is_a_word_with_its_match_and_score(shared_dictionary: Database) -> None:
    word = msgspec.json.decode(
        msgspec.json.encode(search_words(shared_dictionary, "elephant")[0], enc_hook=to_raw_json)
    )

    assert list(word)[-3:] == ["meanings", "match", "score"]
    assert (word["word"], word["match"], word["score"]) == ("elephant", "exact", 1.0)


def test_headwords_with_the_typed_beginning_or_sound_are_suggested(shared_dictionary: Database) -> None:
    for query, language_id, words in [
        ("wat", None, ["water"]),
        ("পান", ASSAMESE, ["পানী"]),
        ("pan", ASSAMESE, ["পানী"]),
        ("oxom", ASSAMESE, ["অসম", "অসমীয়া"]),
        ("hotw", None, ["hot water"]),
        ("ক্", ASSAMESE, ["ক্ষমা"]),
        ("खान", HINDI, ["खाना"]),
        ("ach", GARO, ["A·chik"]),
        ("qqqq", None, []),
    ]:
        suggestions = suggest_words(shared_dictionary, query, language_id)

        assert [word for word in suggestions if word in words] == words, query
        assert bool(suggestions) == bool(words), query


def test_a_typed_word_is_suggested_first(shared_dictionary: Database) -> None:
    for word in ("পানী", "water", "pani", "কলা"):
        assert suggest_words(shared_dictionary, word)[0] == word


def test_each_headword_is_suggested_once(shared_dictionary: Database) -> None:
    suggestions = suggest_words(shared_dictionary, "প", limit=100)

    assert len(set(suggestions)) == len(suggestions) > 5
    assert suggest_words(shared_dictionary, "প", limit=2) == suggestions[:2]


def list_words_by_key(connection: ReadConnection) -> dict[str, Sequence[Row]]:
    """Return all words of the dictionary with each of their keys."""

    def list_words(column: str) -> Sequence[Row]:
        columns = ("id", "language_id", "text", column, "exact_key", "frequency")
        return connection.rows(CompiledQuery(select(*(schema.word.c[name] for name in columns))))

    return {column: list_words(column) for column in ("exact_key", "loose_key", "sound_key")}


def suggest_by_rules(
    query: SearchQuery, text: str, words_by_key: dict[str, Sequence[Row]], language_id: int, limit: int
) -> list[str]:
    """Suggest as the rules say, from every word of the dictionary."""
    kinds = (
        ("exact_key", 0.0, (query.exact_key,)),
        ("loose_key", 0.25, query.filter_long_keys(query.loose_keys())),
        ("sound_key", 0.75, query.filter_long_keys(query.sound_keys())),
    )
    matches = []
    for column, lag, prefixes in kinds:
        words = words_by_key[column]
        for prefix in filter(None, prefixes):
            begun = [row for row in words if row[3].startswith(prefix) and language_id in {0, row[1]}]
            # Lists name those that come first of all languages; of one language, the shortest are read too.
            shortest = sorted(begun, key=lambda row: (len(row[3]), row[3], row[0]))[: max(limit, 16)]
            skipped = 2.0 * count_missing_consonants(text, prefix) if column == "sound_key" else 0.0
            every = [weigh(row) for row in words if row[3].startswith(prefix)]
            whole = [weigh(row) for row in words if row[3] == prefix]
            named = every if len(every) <= MAX_UNLISTED_WORDS else build_prefix_list(every, whole)
            of_language = [each for each in named if language_id in {0, each[1]}]
            matches.append(
                (lag + skipped - len(prefix), [*of_language, *(map(weigh, shortest) if language_id else ())])
            )
    return [each.text for each in rank_completions(query.exact_key, matches, limit)]


def weigh(row: Row) -> PrefixMatch:
    return completion_weight(row[3], row[4], row[1], row[5]), row[1], row[2], row[0]


def test_suggestions_equal_those_of_all_words_ranked_by_the_rules(shared_dictionary: Database) -> None:
    def compare(connection: ReadConnection) -> int:
        words = list_words_by_key(connection)
        beginnings = dict.fromkeys(row[2][:letters] for row in words["exact_key"] for letters in (1, 2, 3, 4))
        for text, language_id in product(beginnings, (0, ASSAMESE)):
            query = build_query(text, connection.catalogue.orthographies(language_id))
            for limit in (1, 3, 10):
                suggestions = list(suggest(connection, text, LanguageParam(str(language_id)), limit))
                expected = suggest_by_rules(query, text, words, language_id, limit)
                assert suggestions == expected, (text, language_id, limit)
        return len(beginnings)

    assert shared_dictionary.read_now(compare) > 100


def test_strange_text_finds_nothing(shared_dictionary: Database) -> None:
    for text in STRANGE:
        assert search_words(shared_dictionary, text) == (), ascii(text[:9])
        assert suggest_words(shared_dictionary, text) == [], ascii(text[:9])
        assert suggest_words(shared_dictionary, text, ASSAMESE) == [], ascii(text[:9])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text())
def test_any_text_can_be_searched(shared_dictionary: Database, text: str) -> None:
    search_words(shared_dictionary, text, limit=3)
    suggest_words(shared_dictionary, text, ASSAMESE)


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    def read(connection: ReadConnection, language_id: int | None) -> None:
        search(connection, "animal that flies", language_id, fuzzy=True, limit=50)
        suggest(connection, "ক", LanguageParam(str(language_id or 0)), 10)

    with open_database(sqlite_databases, load_sample) as dictionary:
        for language_id in (None, ASSAMESE):
            assert find_scanned_tables(dictionary, partial(read, language_id=language_id)) == []


def test_a_beginning_is_found_in_each_language_of_the_script(shared_dictionary: Database) -> None:
    words = [(word.word, word.language_id) for word in search_words(shared_dictionary, "ক", limit=100)]

    assert {("কলা", ASSAMESE), ("কলা", BENGALI)} <= set(words)


def test_a_typed_word_is_suggested_first_even_in_capital_letters(dictionary: Database) -> None:
    for typed in ("oh", "myanmar"):
        completions = [f"{typed}{number:03}" for number in range(40)]
        ideas = [
            IdeaRecord("sample", f"w-{each}", None, (WordRecord("en", each, frequency=500.0),)) for each in completions
        ]
        rare = IdeaRecord("sample", f"rare-{typed}", None, (WordRecord("en", typed.upper()),))
        import_records(dictionary, [LocatedRecord("test", 1, each) for each in (rare, *ideas)], now=NOW)

        assert suggest_words(dictionary, typed)[0] == typed.upper()
