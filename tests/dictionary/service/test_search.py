import msgspec
import pytest
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
from abhidhan.dictionary.model.query import build_query
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


def searched(
    dictionary: Database, query: str, language_id: int | None = None, *, fuzzy: bool = True, limit: int = 20
) -> tuple[FoundWord, ...]:
    return tuple(dictionary.read_now(lambda reader: search(reader, query, language_id, fuzzy=fuzzy, limit=limit)))


def suggested(dictionary: Database, query: str, language_id: int | None = None, limit: int = 10) -> list[str]:
    return list(dictionary.read_now(lambda reader: suggest(reader, query, LanguageParam(str(language_id or 0)), limit)))


@pytest.mark.parametrize(
    ("query", "word", "match"),
    [
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
    ],
)
def test_a_word_is_found_by_the_best_class_of_match(
    shared_dictionary: Database, query: str, word: str, match: SearchMatch
) -> None:
    found = {each.word: each.match for each in searched(shared_dictionary, query)}

    assert found[word] == match


def test_words_found_come_in_the_order_of_their_scores_and_once_each(shared_dictionary: Database) -> None:
    for query in ("পানী", "pani", "water", "কলা", "a"):
        found = searched(shared_dictionary, query, limit=100)

        assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
        assert len({each.id for each in found}) == len(found)
        assert all(0 < each.score <= 1 for each in found)


def test_a_plain_search_goes_by_spelling_and_beginning_only(shared_dictionary: Database) -> None:
    plain = {SearchMatch.EXACT, SearchMatch.LOOSE, SearchMatch.PREFIX}

    assert {each.match for each in searched(shared_dictionary, "পানী", fuzzy=False)} <= plain
    assert searched(shared_dictionary, "xobdo", fuzzy=False) == ()
    assert searched(shared_dictionary, "watre", fuzzy=False) == ()
    assert [each.word for each in searched(shared_dictionary, "wat", fuzzy=False)] == ["water"]


@pytest.mark.parametrize("language_id", [ENGLISH, ASSAMESE, HINDI, BENGALI])
def test_only_words_of_the_language_are_found(shared_dictionary: Database, language_id: int) -> None:
    found = searched(shared_dictionary, "pani", language_id, limit=100)

    assert {each.language_id for each in found} <= {language_id}
    assert found


def test_no_more_words_are_found_than_asked_for(shared_dictionary: Database) -> None:
    many = searched(shared_dictionary, "ক", limit=1_000)

    assert len(many) > 3
    assert searched(shared_dictionary, "ক", limit=3) == many[:3]


def test_a_word_found_is_a_word_with_two_more_keys(shared_dictionary: Database) -> None:
    found = msgspec.json.decode(msgspec.json.encode(searched(shared_dictionary, "elephant")[0], enc_hook=to_raw_json))

    assert list(found)[-3:] == ["meanings", "match", "score"]
    assert (found["word"], found["match"], found["score"]) == ("elephant", "exact", 1.0)


@pytest.mark.parametrize(
    ("query", "language_id", "words"),
    [
        ("wat", None, ["water"]),
        ("পান", ASSAMESE, ["পানী"]),
        ("pan", ASSAMESE, ["পানী"]),
        ("oxom", ASSAMESE, ["অসম", "অসমীয়া"]),
        ("hotw", None, ["hot water"]),
        ("ক্", ASSAMESE, ["ক্ষমা"]),
        ("खान", HINDI, ["खाना"]),
        ("ach", GARO, ["A·chik"]),
        ("qqqq", None, []),
    ],
)
def test_headwords_that_begin_so_or_sound_so_are_suggested(
    shared_dictionary: Database, query: str, language_id: int | None, words: list[str]
) -> None:
    found = suggested(shared_dictionary, query, language_id)

    assert [word for word in found if word in words] == words
    assert bool(found) == bool(words)


def test_the_word_itself_is_suggested_first(shared_dictionary: Database) -> None:
    for word in ("পানী", "water", "pani", "কলা"):
        assert suggested(shared_dictionary, word)[0] == word


def test_each_headword_is_suggested_once(shared_dictionary: Database) -> None:
    found = suggested(shared_dictionary, "প", limit=100)

    assert len(set(found)) == len(found) > 5
    assert suggested(shared_dictionary, "প", limit=2) == found[:2]


def plainly_suggested(connection: ReadConnection, text: str, language_id: int, limit: int) -> list[str]:
    """Suggest as the rules say, with every word of the dictionary in hand and nothing left out."""
    asked = build_query(text, connection.catalogue.orthographies(language_id))
    kinds = (
        ("exact_key", 0.0, (asked.exact_key,)),
        ("loose_key", 0.25, asked.filter_long_keys(asked.loose_keys())),
        ("sound_key", 0.75, asked.filter_long_keys(asked.sound_keys())),
    )
    found = []
    for column, lag, prefixes in kinds:
        columns = ("id", "language_id", "text", column, "exact_key", "frequency")
        words = connection.rows(CompiledQuery(select(*(schema.word.c[name] for name in columns))))
        for prefix in filter(None, prefixes):
            begun = [row for row in words if row[3].startswith(prefix) and language_id in {0, row[1]}]
            # Lists name those that come first of all languages; of one language, the shortest are read too.
            shortest = sorted(begun, key=lambda row: (len(row[3]), row[3], row[0]))[: max(limit, 16)]
            passed_over = 2.0 * count_missing_consonants(text, prefix) if column == "sound_key" else 0.0
            every = [weighed(row) for row in words if row[3].startswith(prefix)]
            whole = [weighed(row) for row in words if row[3] == prefix]
            named = every if len(every) <= MAX_UNLISTED_WORDS else build_prefix_list(every, whole)
            of_language = [each for each in named if language_id in {0, each[1]}]
            found.append(
                (lag + passed_over - len(prefix), [*of_language, *(map(weighed, shortest) if language_id else ())])
            )
    return [each.text for each in rank_completions(asked.exact_key, found, limit)]


def weighed(row: Row) -> PrefixMatch:
    return completion_weight(row[3], row[4], row[1], row[5]), row[1], row[2], row[0]


@pytest.mark.parametrize("language_id", [0, ASSAMESE])
def test_what_is_not_read_would_not_have_been_suggested(shared_dictionary: Database, language_id: int) -> None:
    def compare(connection: ReadConnection) -> int:
        texts = [
            row[0] for row in connection.rows(CompiledQuery(select(schema.word.c.text).order_by(schema.word.c.id)))
        ]
        beginnings = dict.fromkeys(text[:letters] for text in texts for letters in (1, 2, 3, 4))
        language = LanguageParam(str(language_id or 0))
        for text in beginnings:
            for limit in (1, 3, 10):
                plainly = plainly_suggested(connection, text, language_id, limit)
                assert list(suggest(connection, text, language, limit)) == plainly, (text, limit)
        return len(beginnings)

    assert shared_dictionary.read_now(compare) > 100


@pytest.mark.parametrize("text", STRANGE)
def test_strange_text_finds_nothing_and_harms_nothing(shared_dictionary: Database, text: str) -> None:
    assert searched(shared_dictionary, text) == ()
    assert suggested(shared_dictionary, text) == []
    assert suggested(shared_dictionary, text, ASSAMESE) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text())
def test_any_text_can_be_searched(shared_dictionary: Database, text: str) -> None:
    searched(shared_dictionary, text, limit=3)
    suggested(shared_dictionary, text, ASSAMESE)


@pytest.mark.parametrize("language_id", [None, ASSAMESE])
def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, language_id: int | None) -> None:
    def read(connection: ReadConnection) -> None:
        search(connection, "animal that flies", language_id, fuzzy=True, limit=50)
        suggest(connection, "ক", LanguageParam(str(language_id or 0)), 10)

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, read) == []


def test_what_begins_so_is_found_in_each_language_that_spells_it(shared_dictionary: Database) -> None:
    found = [(word.word, word.language_id) for word in searched(shared_dictionary, "ক", limit=100)]

    assert {("কলা", ASSAMESE), ("কলা", BENGALI)} <= set(found)


@pytest.mark.parametrize("typed", ["নদিৰ", "মানহুৰ", "পাণীৰ", "kolar", "watrs", "...'kitapo'..."])
def test_what_is_guessed_is_in_the_order_of_its_scores(shared_dictionary: Database, typed: str) -> None:
    scores = [word.score for word in searched(shared_dictionary, typed, limit=50)]

    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("typed", ["oh", "myanmar"])
def test_a_word_is_first_however_its_letters_are_written(dictionary: Database, typed: str) -> None:
    written = [typed.upper(), *(f"{typed}{number:03}" for number in range(40))]
    ideas = [
        IdeaRecord("sample", f"w-{each}", None, (WordRecord("en", each, frequency=500.0),)) for each in written[1:]
    ]
    rare = IdeaRecord("sample", "rare", None, (WordRecord("en", written[0]),))
    import_records(dictionary, [LocatedRecord("test", 1, each) for each in (rare, *ideas)], now=NOW)

    assert suggested(dictionary, typed)[0] == written[0]
