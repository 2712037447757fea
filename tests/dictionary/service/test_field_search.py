"""Searches by fields, on both engines."""

import asyncio
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update

from abhidhan import schema
from abhidhan.dictionary.model.field_queries import WildcardMode
from abhidhan.dictionary.service import field_search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_resolution import MAX_FIELDS
from abhidhan.dictionary.service.field_search import SearchParams, SearchRequest, SearchResult, search_words
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.http.preferences import translate_to_assamese
from abhidhan.records.errors import InputError
from assamese.collation import sort_key
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.edits import change_record
from tests.support.plans import find_scanned_tables

SOME = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


def find(
    database: Database,
    text: str,
    language: str = "0",
    *,
    limit: int = 1000,
    wildcards: WildcardMode = WildcardMode.EVERYWHERE,
) -> SearchResult:
    request = SearchRequest(text, LanguageParam(language, "lang"), limit, fuzzy=False, wildcards=wildcards)
    return asyncio.run(search_words(Dictionary(database, translate=translate_to_assamese), request))


def words(result: SearchResult) -> list[str]:
    return [word.word for word in result.words]


# --- fields ---------------------------------------------------------------------------------------------------------


def test_words_are_listed_by_fields_alone(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    for text, some, others in [
        ("pos:noun lang:as", ["পানী", "মাছ", "হাতী"], ["ক’লা", "water"]),
        ('pos:"material noun"', ["পানী", "water"], ["fish"]),
        ("pos:3 lang:en", ["water"], ["fish"]),
        ("pos:বিশেষ্য lang:অসমীয়া", ["পানী", "মাছ"], ["ক’লা", "water"]),
        ("pos:adjective lang:Assamese", ["ক’লা", "কলা"], ["পানী"]),
        ("context:water", ["পানী", "water"], ["elephant"]),
        ("context:nature lang:en", ["water"], ["elephant"]),
        ("context:kinship context:water", [], ["boy", "water"]),
        ("pos:noun pos:adjective", [], ["water", "black"]),
        ("lang:en lang:as", [], ["water", "পানী"]),
        ("lang:0 context:mammal", ["elephant", "হাতী"], ["water"]),
        ("has:photo", [], ["water"]),
        ("has:audio pos:noun", [], ["water"]),
    ]:
        with subtests.test(text):
            result = find(shared_dictionary, text, wildcards=WildcardMode.NOWHERE)

            assert result.is_complete
            assert set(some) <= set(words(result))
            assert set(words(result)).isdisjoint(others)
            assert {word.match.value for word in result.words} <= {"field"}


def test_lists_are_in_alphabetical_order(shared_dictionary: Database) -> None:
    code = {1: "en", 2: "as"}
    for text in ("pos:noun lang:as", "lang:en", "context:all lang:as", "pos:noun"):
        listed = [word for word in find(shared_dictionary, text).words if word.language_id in code]
        keys = [(word.language_id, sort_key(word.word, code[word.language_id]), word.word) for word in listed]
        assert keys == sorted(keys)


@SOME
@given(
    fields=st.lists(
        st.sampled_from(
            ["pos:noun", "pos:1", "pos:adjective", "context:nature", "context:animal", "lang:as", "lang:en"]
        ),
        min_size=1,
        max_size=3,
        unique=True,
    ),
    limit=st.integers(1, 40),
    few=st.sampled_from([0, 3, 1024]),
)
def test_few_and_many_ideas_are_scanned_with_the_same_results(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch, fields: list[str], limit: int, few: int
) -> None:
    text = " ".join(fields)
    monkeypatch.setattr("abhidhan.dictionary.store.word_filters.MAX_SCANNED_IDEAS", 1024)
    expected = words(find(shared_dictionary, text))
    monkeypatch.setattr("abhidhan.dictionary.store.word_filters.MAX_SCANNED_IDEAS", few)
    monkeypatch.setattr("abhidhan.dictionary.service.field_search.SCAN_BATCH_SIZE", 4)

    assert words(find(shared_dictionary, text, limit=limit)) == expected[:limit]


def test_a_list_that_takes_too_long_is_marked_incomplete(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("abhidhan.dictionary.store.word_filters.MAX_SCANNED_IDEAS", 0)
    monkeypatch.setattr("abhidhan.dictionary.service.field_search.MAX_SCANNED_WORDS", 5)

    assert find(shared_dictionary, "context:nature").is_complete is False


def test_words_and_fields_are_combined(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    for text, expected in [
        ("pos:noun পানী", "পানী"),
        ("context:water জল", "জল"),
        ("lang:en water", "water"),
        ("pos:noun *নী", "পানী"),
        ("context:water পা*", "পানী"),
        ("lang:as context:water *", "পানী"),
        ("Water POS:Noun", "water"),
    ]:
        with subtests.test(text):
            assert expected in words(find(shared_dictionary, text))
            assert words(find(shared_dictionary, text + " has:photo")) == []
            assert words(find(shared_dictionary, text + " pos:adverb")) == []


@pytest.mark.spoils
def test_words_with_a_photo_are_those_whose_photo_is_approved(dictionary: Database) -> None:
    assert words(find(dictionary, "has:photo")) == []
    number = find(dictionary, "lang:en water", limit=1).words[0].meanings[0].idea_id
    values = {
        "id": 1,
        "idea_id": number,
        "credit": "",
        "status": "pending_review",
        "submitted": 0,
        "key": "k",
        "extension": "jpg",
        "width": 1,
        "height": 1,
        "frames": 1,
        "size": 1,
        "sha256": "0",
        "likeness": "0",
    }
    dictionary.write_now(lambda connection: connection.execute(insert(schema.photo).values(values)))
    assert words(find(dictionary, "has:photo")) == []
    dictionary.write_now(lambda connection: connection.execute(update(schema.photo).values(status="approved")))

    assert "পানী" in words(find(dictionary, "has:photo lang:as"))
    assert words(find(dictionary, "has:photo wat*")) == ["water"]
    assert words(find(dictionary, "has:photo pos:noun water"))[:1] == ["water"]
    assert words(find(dictionary, "has:photo context:animal")) == []


@pytest.mark.spoils
def test_words_with_audio_are_those_whose_recording_is_approved(dictionary: Database) -> None:
    word_id = find(dictionary, "lang:as পানী", limit=1).words[0].id
    values = {
        "id": 1,
        "word_id": word_id,
        "spoken": "পানী",
        "language_id": 2,
        "status": "pending_review",
        "submitted": 0,
        "key": "k",
        "extension": "mp3",
        "milliseconds": 900,
        "clipped": 0,
        "size": 1,
        "sha256": "0",
        "likeness": "0",
    }
    dictionary.write_now(lambda connection: connection.execute(insert(schema.recording).values(values)))
    assert words(find(dictionary, "has:audio")) == []
    dictionary.write_now(lambda connection: connection.execute(update(schema.recording).values(status="approved")))

    assert words(find(dictionary, "has:audio")) == ["পানী"]
    assert words(find(dictionary, "has:audio পা*")) == ["পানী"]
    assert words(find(dictionary, "has:audio lang:en")) == []
    assert words(find(dictionary, "has:audio has:photo")) == []


def test_words_excluded_by_a_field_do_not_count_towards_the_limit(shared_dictionary: Database) -> None:
    assert words(find(shared_dictionary, "কলা pos:adjective", limit=1)) == ["কলা"]
    assert words(find(shared_dictionary, "কলা pos:verb", limit=1)) == []


def test_the_name_of_a_class_selects_the_whole_class_even_if_a_value_has_it_too(dictionary: Database) -> None:
    def list_nouns() -> list[list[str]]:
        return [words(find(dictionary, f"pos:{name} lang:as")) for name in ("noun", "Noun", "বিশেষ্য")]

    before = list_nouns()
    change_record(dictionary, "idea", 1, pos_id=16)

    assert all("পানী" in nouns for nouns in before)
    assert list_nouns() == before


@pytest.mark.spoils
def test_words_without_a_part_of_speech_can_be_listed(dictionary: Database) -> None:
    assert words(find(dictionary, "pos:unassigned")) == []
    change_record(dictionary, "idea", 1, pos_id=None)

    assert words(find(dictionary, "pos:unassigned lang:as")) == ["জল", "পানী"]
    assert words(find(dictionary, "pos:22 has:photo lang:as")) == []
    assert words(find(dictionary, "পানী pos:unassigned")) == ["পানী"]


def test_a_language_field_and_another_language_parameter_find_nothing(shared_dictionary: Database) -> None:
    assert words(find(shared_dictionary, "lang:as পানী", "as"))[:1] == ["পানী"]
    assert find(shared_dictionary, "lang:as পানী", "en").words == ()


def test_at_most_six_fields_are_accepted(shared_dictionary: Database) -> None:
    find(shared_dictionary, " ".join(f"context:{number}" for number in range(1, MAX_FIELDS + 1)))
    find(shared_dictionary, "pos:noun " * 20)

    with pytest.raises(InputError, match="at most 6 fields"):
        find(shared_dictionary, " ".join(f"context:{number}" for number in range(1, MAX_FIELDS + 2)))


def test_an_unknown_value_is_rejected_with_a_list_of_known_values(
    shared_dictionary: Database, subtests: pytest.Subtests
) -> None:
    for text, message in [
        ("pos:nonsense", "Noun"),
        ("pos:", "Put the value"),
        ("pos: noun", "Put the value"),
        ("context:nonsense", "CTX"),
        ("lang:nonsense a", "/api/languages"),
        ("has:nonsense", "photo, audio"),
        ("has:", "photo, audio"),
        ("pos:99999999999999999999", "Noun"),
        ("pos:\ud800", "Noun"),
    ]:
        with subtests.test(ascii(text)):
            with pytest.raises(InputError, match=message) as error:
                find(shared_dictionary, text)

            assert [problem.parameter for problem in error.value.problems] == ["q"]


def test_unknown_field_names_are_searched_as_text(shared_dictionary: Database) -> None:
    assert find(shared_dictionary, "foo:bar", wildcards=WildcardMode.NOWHERE).is_complete is None


# --- how it is read -------------------------------------------------------------------------------------------------


def job(text: str, language_id: int = 0) -> Callable[[ReadConnection], object]:
    params = SearchParams(text, language_id, fuzzy=False, limit=5, wildcards=WildcardMode.EVERYWHERE)
    return lambda reader: field_search.search_by_params(reader, params, str)


JOBS = (
    *(job(text) for text in ("ক*", "*ক", "*ার", "*ক*", "ক*ল*া", "??", "a?b", "?a*", "পা*নী", "*নী*", "*গ")),
    *(job(text, 2) for text in ("ক*", "*ক", "*ক*", "??")),
    *(
        job(text)
        for text in (
            *("pos:noun", "pos:noun lang:as", "lang:as", "context:nature"),
            *("has:photo", "has:photo *ক", "has:audio", "has:audio *ক"),
        )
    ),
    *(job(text) for text in ("pos:noun *ক", "pos:noun পানী", "context:nature context:water pos:1 lang:as has:photo")),
)


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for few, each in product((0, 1024), JOBS):
            monkeypatch.setattr("abhidhan.dictionary.store.word_filters.MAX_SCANNED_IDEAS", few)
            assert find_scanned_tables(dictionary, each) == []
