from collections.abc import Callable

import pytest

from tests.support.asgi import Answered

Ask = Callable[..., Answered]


def test_search_tells_how_and_how_well_each_word_fits(api: Ask) -> None:
    answer = api("/api/search", {"q": "oxomiya"}).json

    assert (answer["query"], answer["fuzzy"], answer["count"]) == ("oxomiya", True, len(answer["data"]))
    assert answer["data"][0]["word"] == "অসমীয়া"
    assert answer["data"][0]["match"] == "phonetic"
    scores = [word["score"] for word in answer["data"]]
    assert scores == sorted(scores, reverse=True)


def test_words_are_found_by_their_definitions_last(api: Ask) -> None:
    found = [(word["word"], word["match"]) for word in api("/api/search", {"q": "trunk"}).json["data"]]

    assert ("হাতী", "definition") in found


def test_without_fuzzy_only_spellings_count(api: Ask) -> None:
    assert api("/api/search", {"q": "oxomiya", "fuzzy": "false"}).json["count"] == 0
    assert {word["match"] for word in api("/api/search", {"q": "পা", "fuzzy": "0"}).json["data"]} == {"prefix"}


@pytest.mark.parametrize("fuzzy", ["yes", "TRUE", "2"])
def test_another_fuzzy_is_400(api: Ask, fuzzy: str) -> None:
    answered = api("/api/search", {"q": "a", "fuzzy": fuzzy})

    assert (answered.status, answered.json["errors"][0]["parameter"]) == (400, "fuzzy")


def test_suggestions_are_a_bare_array_of_headwords(api: Ask) -> None:
    assert "পানী" in api("/api/suggest", {"q": "pan", "lang": "as"}).json


def test_suggestions_stop_at_the_limit(api: Ask) -> None:
    assert len(api("/api/suggest", {"q": "m", "limit": 3}).json) == 3
