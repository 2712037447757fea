from typing import Any

import pytest
from litestar.exceptions import HTTPException

from abhidhan.platform.http.json_codec import read_json
from abhidhan.records.errors import InputError
from abhidhan.records.people import Role
from tests.support.contributions import Site

JSON = "application/json"


def test_a_body_of_a_json_type_is_read() -> None:
    for kind in ("", JSON, "Application/JSON ; charset=utf-8", "application/problem+json", "text/json"):
        assert read_json(b'{"a": [1, "\xe0\xa6\x95"]}', kind) == {"a": [1, "ক"]}, kind


def test_a_body_of_another_type_is_rejected_with_415() -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", "*/*"):
        with pytest.raises(HTTPException) as raised:
            read_json(b"{}", kind)

        assert raised.value.status_code == 415, kind
        assert read_json(b"", kind) is None, kind


def test_malformed_json_is_rejected_with_400(subtests: pytest.Subtests) -> None:
    bodies = (
        b"{",
        b"\xff",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'"\\ud800"',
        b'{"a": NaN}',
        b'{"a": 1e400}',
        b"01",
        b"'a'",
    )
    for body in bodies:
        with subtests.test(repr(body[:10])):
            with pytest.raises(HTTPException) as raised:
                read_json(body, JSON)

            assert raised.value.status_code == 400


BODIES_WITH_NUL = (
    (b'{"reason": "\\u0000"}', "reason"),
    (b'{"data": {"word": ["a", "b\\u0000"]}}', "word"),
    (b'{"\\u0000": 1}', "body"),
    (b'"\\u0000"', "body"),
)


def test_a_nul_character_is_reported_with_its_field() -> None:
    for body, field in BODIES_WITH_NUL:
        with pytest.raises(InputError) as raised:
            read_json(body, JSON)

        assert raised.value.problems[0].parameter == field, body


def test_an_escaped_backslash_before_u0000_is_not_a_nul_character() -> None:
    assert read_json(b'{"a": "\\\\u0000"}', JSON) == {"a": "\\u0000"}


BAD_BODIES: dict[str, tuple[bytes, int, str]] = {
    "nothing": (b"", 400, "The body must be a JSON object, not empty or null."),
    "null": (b"null", 400, "The body must be a JSON object, not empty or null."),
    "an array": (b"[]", 400, "The body must be a JSON object, not an array."),
    "a text": (b'"x"', 400, "The body must be a JSON object, not a string."),
    "a number": (b"1", 400, "The body must be a JSON object, not a number."),
    "cut short": (b'{"username":', 400, "The request body could not be read."),
    "nested": (b'{"username":' * 5_000, 400, "The request body could not be read."),
    "too large": (b'"' * 70_000, 400, "The request body is too large."),
    "another encoding": ('{"username": "é"}'.encode("latin-1"), 400, "The request body could not be read."),
    "a NUL": (b'{"username": "a\\u0000", "password": "b"}', 400, "`username` must not contain the character U+0000."),
    "half a letter": (b'{"username": "\\ud800", "password": "b"}', 400, "The request body could not be read."),
    "too great": (b'{"username": 1e400, "password": "b"}', 400, "The request body could not be read."),
}


def test_a_bad_body_is_answered_with_a_problem_that_explains_what_is_expected(
    open_site: Site, subtests: pytest.Subtests
) -> None:
    for name, (body, status, detail) in BAD_BODIES.items():
        with subtests.test(name):
            answer = open_site.ask("POST", "/api/session", body=body, headers={"Content-Type": JSON})

            assert answer.status == status
            assert answer.json["detail"].startswith(detail)


def test_a_form_is_rejected_with_415_where_json_is_expected(open_site: Site) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    answer = open_site.ask("POST", "/api/session", body=b"username=a&password=b", headers=headers)

    assert (answer.status, answer.json["detail"]) == (
        415,
        "Send the body as JSON: Content-Type: application/json.",
    )


NUMBERS: list[Any] = [2**31, 2**63, 2**64, 10**30, -1, 0, 1.5, 1e300, True, "x", "9" * 5000, None, [], {}]


def test_a_number_that_no_record_can_have_is_rejected_in_every_field(site: Site, subtests: pytest.Subtests) -> None:
    site.add("editor", role=Role.EDITOR)
    for number in NUMBERS:
        requests: tuple[tuple[str, dict[str, Any]], ...] = (
            ("/api/editing/ideas/1/merge", {"into": number}),
            ("/api/editing/ideas/1/relations", {"type_id": number, "other_id": 2}),
            ("/api/editing/cards", {"set_id": number, "clue": "a", "answer": "b"}),
            ("/api/editing/words", {"language": number or 2**31, "word": "a", "idea_id": 1}),
            ("/api/submissions", {"kind": "example", "data": {"idea_id": number, "language": "en", "text": "a"}}),
            (
                "/api/submissions/similar",
                {"kind": "correction", "data": {"word_id": number or -1, "word": {"word": "a"}}},
            ),
            ("/api/reports", {"word_id": number, "text": "a"}),
        )
        with subtests.test(str(number)[:10]):
            answers = {path: site.ask("POST", path, by="editor", json=body) for path, body in requests}

            assert {path: answer.status for path, answer in answers.items() if answer.status != 400} == {}
