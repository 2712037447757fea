"""/api/lookup: what dic.php answers for each of many words."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.contract.test_rules import check_open_to_every_site, check_problem
from tests.support.application import Ask, open_application
from tests.support.asgi import AsgiResponse
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database

JSON: Final = {"Content-Type": "application/json"}
WORDS: Final = ["পানী", "xobdo", "গৰম পানি", "went", "qqqqzzzz", " hot \t water ", "পানী", "!?।", "pani"]


def look_up(api: Ask, words: object, *, headers: Mapping[str, str] = JSON, **rest: object) -> AsgiResponse:
    body = json.dumps({"words": words, **rest}).encode()
    return api("/api/lookup", method="POST", headers=dict(headers), body=body)


@pytest.fixture(scope="module")
def every_api(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask the application over the sample, on each engine."""
    home = tmp_path_factory.mktemp("home")
    with open_database(databases, load_sample) as database, open_application(database, home) as ask:
        yield ask


SAME_REQUESTS: Final[tuple[tuple[dict[str, Any], dict[str, object]], ...]] = (
    ({}, {}),
    ({"language": "as"}, {"l": "2"}),
    (
        {"language": 2, "fields": "word,translations", "langs": "en"},
        {"l": "as", "fields": "word,translations", "langs": "en"},
    ),
    ({"fields": ["id", "word"], "langs": ["hi", 1]}, {"fields": "id,word", "langs": "hi,1"}),
    ({"language": None, "fields": None, "langs": None}, {}),
    ({"language": "", "fields": " ", "langs": []}, {}),
    ({"language": 0}, {}),
)
"""What the body of a request has besides the words, and the parameters of dic.php with the same meaning."""


def test_each_word_has_the_same_answer_as_in_dic_php(every_api: Ask, subtests: pytest.Subtests) -> None:
    for rest, query in SAME_REQUESTS:
        with subtests.test(rest=rest):
            answer = look_up(every_api, WORDS, **rest)

            assert answer.status == 200
            assert answer.json["count"] == len(WORDS)
            assert answer.json["data"] == [every_api("/api/dic.php", {"w": word, **query}).json for word in WORDS]


def test_at_most_a_hundred_texts_are_looked_up(api: Ask) -> None:
    assert look_up(api, ["water"] * 100).json["count"] == 100
    check_problem(look_up(api, ["water"] * 101), 400, "words")


def test_all_texts_together_have_at_most_two_hundred_words(api: Ask) -> None:
    assert look_up(api, ["hot water"] * 100).status == 200
    check_problem(look_up(api, ["hot black water"] * 67), 400, "words")
    check_problem(look_up(api, [" ".join(f"w{number}" for number in range(21))]), 400, "words")


INVALID_WORDS: Final[tuple[tuple[object, str], ...]] = (
    ([], "words"),
    ("water", "words"),
    (None, "words"),
    ({}, "words"),
    ([1], "words[0]"),
    ([""], "words[0]"),
    (["water", " \t"], "words[1]"),
    (["a\x01b"], "words[0]"),
    (["a\x00b"], "words"),
    (["\x85"], "words[0]"),
    (["a" * 201], "words"),
)


def test_invalid_words_are_rejected_with_400(api: Ask, subtests: pytest.Subtests) -> None:
    for words, named in INVALID_WORDS:
        with subtests.test(words=words):
            check_problem(look_up(api, words), 400, named)


INVALID_VALUES: Final[tuple[tuple[dict[str, Any], str], ...]] = (
    ({"language": "klingon"}, "language"),
    ({"language": 999}, "language"),
    ({"language": -1}, "language"),
    ({"language": True}, "language"),
    ({"fields": "wrong"}, "fields"),
    ({"fields": ["word", "wrong"]}, "fields"),
    ({"fields": ["word", ""]}, "fields"),
    ({"fields": [" "]}, "fields"),
    ({"langs": "klingon"}, "langs"),
    ({"langs": ["as", 999]}, "langs"),
    ({"langs": ["as"] * 100}, "langs"),
    ({"langs": 2}, "langs"),
    ({"lang": "as"}, "lang"),
)


def test_every_other_invalid_value_is_rejected_with_its_name(api: Ask, subtests: pytest.Subtests) -> None:
    for rest, named in INVALID_VALUES:
        with subtests.test(rest=rest):
            check_problem(look_up(api, ["water"], **rest), 400, named)


def test_white_space_around_a_text_does_not_count_for_its_length(api: Ask) -> None:
    assert look_up(api, ["  " + "a" * 200 + " \n "]).status == 200


def test_a_body_without_words_is_rejected_with_400(api: Ask) -> None:
    for body in (b"", b"null", b"[]", b"{}", b"{", b"\xff"):
        assert api("/api/lookup", method="POST", headers=JSON, body=body).status == 400, body


def test_a_body_of_another_type_is_rejected_with_415_and_a_large_one_with_400(api: Ask) -> None:
    check_problem(look_up(api, ["water"], headers={"Content-Type": "text/csv"}), 415)
    assert look_up(api, ["x" * 300_000]).status == 400


def test_answers_are_open_to_every_site_and_not_stored_by_caches(api: Ask) -> None:
    other = {"Origin": "https://example.org", "Sec-Fetch-Site": "cross-site"}
    answer = look_up(api, ["water"], headers=JSON | other)

    check_open_to_every_site(answer)
    assert answer.headers["cache-control"] == "no-store"
    assert not {"etag", "set-cookie", "access-control-allow-credentials"} & set(answer.headers)
    check_open_to_every_site(look_up(api, []))


def test_a_preflight_request_is_allowed(api: Ask) -> None:
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    answer = api("/api/lookup", method="OPTIONS", headers=headers)

    assert (answer.status, answer.headers["access-control-allow-methods"]) == (204, "OPTIONS, POST")
    assert answer.headers["access-control-allow-headers"] == "*"
    assert "access-control-allow-credentials" not in answer.headers


def test_another_method_is_rejected_with_405(api: Ask) -> None:
    for method in ("GET", "HEAD", "PUT", "DELETE"):
        assert api("/api/lookup", method=method).status == 405, method


def test_each_word_counts_as_a_request_where_those_are_limited(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_application(database, tmp_path, rate_limit="10/hour") as ask,
    ):
        six, five, four, one = (look_up(ask, ["water"] * count) for count in (6, 5, 3, 1))
        too_many = look_up(lambda *args, **rest: ask(*args, client=("198.51.100.7", 1), **rest), ["water"] * 11)

    assert [each.status for each in (six, five, four, one)] == [200, 429, 200, 429]
    assert six.headers["ratelimit"].startswith('"default";r=4;')
    # One of the four was taken by the request itself, before its body was read.
    assert five.headers["ratelimit"].startswith('"default";r=3;')
    check_problem(five, 429)
    assert 0 < int(five.headers["retry-after"]) <= 3600
    check_problem(too_many, 400, "words")
    assert "10 words" in too_many.json["detail"]
