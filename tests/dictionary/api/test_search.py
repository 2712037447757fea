from collections.abc import Callable

import pytest

from abhidhan.dictionary.service import wildcard_search
from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_each_word_has_its_kind_of_match_and_its_score(api: Ask) -> None:
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


def test_suggestions_are_limited(api: Ask) -> None:
    assert len(api("/api/suggest", {"q": "m", "limit": 3}).json) == 3


def test_suggestions_with_details_are_the_same_headwords(api: Ask) -> None:
    for query in ("pan", "হা", "w", "qqqq"):
        plain = api("/api/suggest", {"q": query}).json
        details = api("/api/suggest", {"q": query, "details": "true"}).json

        assert [each["word"] for each in details] == plain
        for each in details:
            word = api(f"/api/words/{each['id']}").json
            assert (each["language_id"], each["roman"]) == (word["language_id"], word["roman"])
            assert list(each) == ["word", "id", "language_id", "roman", "gloss", "language", "language_code", "kind"]
            assert each["kind"] == "word"


def test_a_gloss_is_a_word_of_another_language(api: Ask) -> None:
    details = {each["word"]: each for each in api("/api/suggest", {"q": "পানী", "details": "1"}).json}

    assert details["পানী"]["gloss"] == "water"
    assert (details["পানী"]["language"], details["পানী"]["language_code"]) == ("Assamese", "as")
    in_hindi = api("/api/suggest", {"q": "পানী", "details": "1", "langs": "hi"}).json
    assert {each["word"]: each["gloss"] for each in in_hindi}["পানী"] == "पानी"


def test_the_headword_of_a_form_is_suggested_where_no_word_begins_like_the_text(api: Ask) -> None:
    assert api("/api/suggest", {"q": "khabole"}).json[:1] == ["খোৱা"]
    assert [each["word"] for each in api("/api/suggest", {"q": "khabole", "details": "1"}).json][:1] == ["খোৱা"]
    assert api("/api/suggest", {"q": "qqqqqq"}).json == []


def test_words_of_the_requested_languages_are_suggested_first(api: Ask) -> None:
    details = api("/api/suggest", {"q": "pan", "langs": "hi, bn", "details": "true"}).json
    languages = [each["language_id"] for each in details]

    named = [language for language in languages if language in {21, 22}]
    assert named
    assert languages[: len(named)] == named
    assert len(languages) > len(named)
    assert [each["word"] for each in details] == api("/api/suggest", {"q": "pan", "langs": "hi,bn"}).json


def test_only_words_of_the_chosen_language_are_suggested(api: Ask) -> None:
    assert (
        api("/api/suggest", {"q": "pan", "lang": "as", "langs": "hi"}).json
        == api("/api/suggest", {"q": "pan", "lang": "as"}).json
    )


def test_invalid_languages_and_details_are_rejected_with_400(api: Ask) -> None:
    for name, value in (("langs", "as,xx"), ("langs", ",".join(["as"] * 11)), ("details", "yes"), ("langs", "2.0")):
        answer = api("/api/suggest", {"q": "pan", name: value})

        assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, name), value


# --- phrases ---------------------------------------------------------------------------------------------------------


def suggest_proverbs(api: Ask, typed: str, **rest: object) -> list[str]:
    found = api("/api/suggest", {"q": typed, "details": "true", "phrases": "true", **rest}).json
    return [each["word"] for each in found if each["kind"] == "phrase"]


GORGAON = "নগৈ গড়গাঁৱৰ বতৰা কয়"


def test_a_proverb_is_suggested_for_its_beginning_or_its_words(api: Ask) -> None:
    for typed in ("নগৈ", "নগৈ গ", "nogoi gor", "nogoi botora", "নগই গড়গাঁৱৰ"):
        assert GORGAON in suggest_proverbs(api, typed), typed


def test_no_proverb_is_suggested_for_other_words_languages_or_a_single_letter(api: Ask) -> None:
    assert suggest_proverbs(api, "নগ", lang="en") == []
    assert suggest_proverbs(api, "xyz gor") == []
    assert suggest_proverbs(api, "ন") == []
    assert suggest_proverbs(api, "নগৈ", phrases="false") == []


def test_proverbs_come_after_words_within_one_limit(api: Ask) -> None:
    for limit in (1, 2, 3, 8):
        parameters = {"q": "নগৈ", "details": "true", "limit": limit}
        words, both = api("/api/suggest", parameters).json, api("/api/suggest", parameters | {"phrases": "true"}).json
        kinds = [each["kind"] for each in both]
        assert kinds == sorted(kinds, reverse=True)
        assert len(both) <= limit
        assert [each for each in both if each["kind"] == "word"] == words[: kinds.count("word")]


def test_a_suggested_proverb_has_its_meaning_and_the_id_of_its_record(api: Ask) -> None:
    found = api("/api/suggest", {"q": "নগৈ গ", "details": "true", "phrases": "true"}).json[-1]
    record = api(f"/api/phrases/{found['id']}").json

    assert (found["word"], found["gloss"], found["roman"]) == (record["phrase"], record["meaning"], record["roman"])
    assert (found["language"], found["language_code"]) == ("Assamese", "as")


# --- wildcards and fields --------------------------------------------------------------------------------------------


def test_wildcards_count_only_where_they_are_requested(api: Ask) -> None:
    answer = api("/api/search", {"q": "wat*", "wildcards": "true"}).json

    assert [(word["word"], word["match"]) for word in answer["data"]] == [("water", "wildcard")]
    assert (answer["query"], answer["count"], answer["complete"]) == ("wat*", 1, True)
    assert "complete" not in api("/api/search", {"q": "wat*"}).json
    assert api("/api/search", {"q": "wat*"}).body == api("/api/search", {"q": "wat*", "wildcards": "0"}).body


def test_a_final_question_mark_is_punctuation_without_wildcards_and_a_letter_with_them(api: Ask) -> None:
    assert [word["match"] for word in api("/api/search", {"q": "পানী?"}).json["data"]][:1] == ["exact"]
    assert api("/api/search", {"q": "পান?", "wildcards": "1"}).json["data"] == []
    assert [word["word"] for word in api("/api/search", {"q": "পা?", "wildcards": "1", "lang": "as"}).json["data"]]


def test_wildcards_change_nothing_for_a_query_without_signs(api: Ask) -> None:
    assert api("/api/search", {"q": "oxomiya", "wildcards": "true"}).body == api("/api/search", {"q": "oxomiya"}).body


def test_an_invalid_value_of_wildcards_is_rejected_with_400(api: Ask) -> None:
    for wildcards in ("yes", "TRUE", "*"):
        answer = api("/api/search", {"q": "a", "wildcards": wildcards})

        assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, "wildcards")


def test_an_invalid_query_with_wildcards_or_fields_is_rejected_with_400(api: Ask) -> None:
    for query in ("*", "***", "pos:foo", "pos:", "lang:xx", "context:xx", "has:money"):
        answer = api("/api/search", {"q": query, "wildcards": "true"})

        assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, "q"), query
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_query_with_fields_lists_the_words_they_choose(api: Ask) -> None:
    listed = api("/api/search", {"q": "pos:noun lang:as", "limit": 3}).json

    assert (listed["count"], listed["complete"]) == (3, True)
    assert {(word["language_id"], word["match"], word["score"]) for word in listed["data"]} == {(2, "field", 1.0)}
    assert "complete" not in api("/api/search", {"q": "pos:noun water"}).json
    assert [
        word["word"] for word in api("/api/search", {"q": "pos:বিশেষ্য lang:en wat*", "wildcards": "1"}).json["data"]
    ]


def test_fields_and_langs_select_parts_of_an_answer_with_wildcards(api: Ask) -> None:
    answer = api("/api/search", {"q": "wat*", "wildcards": "1", "fields": "word,translations", "langs": "as"}).json

    assert [list(word) for word in answer["data"]] == [["word", "meanings", "match", "score"]]
    assert {each["language_id"] for word in answer["data"] for each in word["meanings"][0]["translations"]} == {2}


def test_an_answer_that_took_too_long_is_marked_incomplete_and_not_cached(
    api: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    parameters = {"q": "*a*e*", "wildcards": "1"}
    with monkeypatch.context() as patch:
        patch.setattr(wildcard_search, "TIME_LIMIT_SECONDS", 0.0)
        answer = api("/api/search", parameters)

    assert (answer.status, answer.json["complete"]) == (200, False)
    assert answer.headers["cache-control"] == "no-store"
    assert api("/api/search", parameters).json["complete"] is True
