"""Searches with wildcards, on both engines."""

import asyncio
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.model.field_queries import WildcardMode, parse_pattern
from abhidhan.dictionary.service import wildcard_search
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_search import SearchRequest, SearchResult, search_words
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.dictionary.service.wildcard_search import find_pattern_matches
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.http.preferences import translate_to_assamese
from abhidhan.records.errors import InputError, UnavailableError

SOME = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
PATTERNS = (
    st.text(st.sampled_from([*"পানীজলমাছকাৰবিহশদ্ঙগতয়়িaetrwn", "*", "*", "?"]), min_size=1, max_size=6)
    .filter(lambda text: "*" in text or "?" in text)
    .filter(lambda text: not parse_pattern(text).matches_all)
)


def find(database: Database, text: str, language: str = "0", limit: int = 12) -> SearchResult:
    request = SearchRequest(
        text, LanguageParam(language, "lang"), limit, fuzzy=False, wildcards=WildcardMode.EVERYWHERE
    )
    return asyncio.run(search_words(Dictionary(database, translate=translate_to_assamese), request))


def words(result: SearchResult) -> list[str]:
    return [word.word for word in result.words]


ANSWERS: Final = {
    "পা*": "পাখি পাখি পাখী পানি পানী পানীয়_জল",
    "*ানী": "পানী গৰম_পানী খোৱা_পানী",
    "*া*": "খা চা মা মা যা ক’লা কলা কলা চাঁদ চাহ তৰা বগা",
    "ক?": "ক’লা কলা কলা",
    "??": "go आम और कल जल मन আই আম আম আর জল জল",
    "?া": "খা চা মা মা যা",
    "?া?": "চাঁদ চাহ ভাত ভাত মাছ মাছ লাল সাত সাত হাত হাত কালি",
    "ক?া": "ক’লা কলা কলা",
    "*লা": "ক’লা কলা কলা",
    "ৰ*": "ৰঙা রাজ্য ৰাজ্য",
    "সূৰ্য্য*": "সূর্য সূৰ্য সূৰ্য্য",
    "*নি": "পানি ধ্বনি ধ্বনি",
    "*ঙা": "ৰঙা",
    "ৰ?": "ৰঙা",
    "*er": "water father mother hot_water drinking_water",
    "?at*": "eat water father",
    "w?t*r": "water",
    "wa*er": "water",
    "ক*া": "ক’লা কলা কলা ক্ষমা ক্ষমা",
    "ক্?*": "ক্ষমা ক্ষমা",
    "*?্?*": "শব্দ শব্দ ক্ষমা ক্ষমা খাদ্য খাদ্য জন্তু ধ্বনি ধ্বনি রাজ্য সূর্য সূৰ্য",
    "*-*a": "tea Mangifera_indica",
    "ক’লা*": "ক’লা কলা কলা",
    "*qqq*": "",
    "pos:noun *া": "চা মা মা কলা কলা তৰা মশা ল’ৰা ডানা তারা পিতা পিতা",
    "lang:as ??": "আই আম জল মন মহ ম’হ আৰু ক’লা কলা চাহ জোন তৰা",
    "lang:en *a*": "and art eat tea deaf Garo hand star Assam black mango state",
    "*a* has:photo": "",
    "context:water *": "drinking_water water খোৱা_পানী জল পানী दै pani जल पानी জল পানি পানীয়_জল",
}
"""The first twelve words of each answer, in their order; of the sample, where a space is written `_`."""


def test_patterns_find_the_words_that_match_shortest_first(shared_dictionary: Database) -> None:
    for pattern, answer in ANSWERS.items():
        result = find(shared_dictionary, pattern)

        assert " ".join(word.replace(" ", "_") for word in words(result)) == answer, pattern
        assert result.is_complete, pattern


def test_the_word_with_the_fewest_further_letters_has_the_highest_score(
    shared_dictionary: Database,
) -> None:
    scores = [(word.match.value, word.score) for word in find(shared_dictionary, "*a*", "en", limit=1000).words]

    assert scores[0] == ("wildcard", 0.68)
    assert scores == sorted(scores, key=lambda each: -each[1])


def test_a_pattern_that_matches_every_word_is_rejected(shared_dictionary: Database) -> None:
    for pattern in ["*", "**", "* *", "*-*"]:
        with pytest.raises(InputError, match="at least one letter"):
            find(shared_dictionary, pattern)


def test_without_wildcards_a_sign_is_an_ordinary_character(shared_dictionary: Database) -> None:
    for text in ("wat*", "water?", "?"):
        request = SearchRequest(text, fuzzy=False, wildcards=WildcardMode.NOWHERE)
        result = asyncio.run(search_words(Dictionary(shared_dictionary), request))
        assert result.is_complete is None
        assert {word.match.value for word in result.words}.isdisjoint({"wildcard", "field"})


@SOME
@given(
    pattern=PATTERNS,
    numbers=st.tuples(st.sampled_from([2, 1024]), st.sampled_from([0, 1, 2, 21, 22]), st.integers(1, 5)),
)
def test_exactly_the_words_that_match_are_found_shortest_first(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch, pattern: str, numbers: tuple[int, int, int]
) -> None:
    read, (batch_size, language_id, limit) = parse_pattern(pattern), numbers
    word = schema.word.c
    every_word = CompiledQuery(select(word.id, word.exact_key, word.loose_key, word.language_id))

    def compare(connection: ReadConnection) -> None:
        expected = {
            row[0]
            for row in connection.rows(every_word)
            if language_id in {0, row[3]} and read.matches(row[1], row[2], connection.catalogue.language(row[3]).code)
        }
        matches, is_complete = find_pattern_matches(connection, read, language_id, WordFilter(), 100_000)
        first, _ = find_pattern_matches(connection, read, language_id, WordFilter(), limit)
        assert ({each.id for each in matches}, is_complete) == (expected, True)
        assert [len(each.loose_key) for each in first] == [len(each.loose_key) for each in matches[:limit]]

    monkeypatch.setattr("abhidhan.dictionary.store.word_filters.PATTERN_BATCH_SIZE", batch_size)
    shared_dictionary.read_now(compare)


@pytest.mark.thorough
@SOME
@given(pattern=PATTERNS, language=st.sampled_from(["0", "as", "en", "bn"]), limit=st.integers(1, 30))
def test_both_engines_find_the_same_in_the_same_order(
    databases_with_sample: dict[str, Database], pattern: str, language: str, limit: int
) -> None:
    sqlite, postgresql = (find(database, pattern, language, limit=limit) for database in databases_with_sample.values())

    assert sqlite == postgresql


def test_an_answer_is_incomplete_after_the_time_limit(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wildcard_search, "TIME_LIMIT_SECONDS", 0.0)

    assert find(shared_dictionary, "*a*", limit=1000).is_complete is False


def test_too_many_concurrent_patterns_are_rejected_and_other_searches_answered(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wildcard_search, "MAX_WILDCARD_SEARCHES", 2)
    pattern = SearchRequest("*ক" * 100, wildcards=WildcardMode.EVERYWHERE)

    async def search_at_once() -> list[SearchResult | BaseException]:
        dictionary = Dictionary(shared_dictionary)
        requests = [*[pattern] * 6, SearchRequest("water", fuzzy=False)]
        return await asyncio.gather(*(search_words(dictionary, each) for each in requests), return_exceptions=True)

    *answers, other = asyncio.run(search_at_once())

    assert isinstance(other, SearchResult)
    assert words(other)[:1] == ["water"]
    assert [type(each) for each in answers] == [SearchResult, SearchResult, *[UnavailableError] * 4]
    assert [each for each in answers if isinstance(each, SearchResult)] == [SearchResult([], is_complete=True)] * 2
