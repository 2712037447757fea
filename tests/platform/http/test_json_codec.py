from typing import Any

import pytest
from litestar.exceptions import HTTPException

from abhidhan.platform.http.json_codec import read_json
from abhidhan.records.errors import InputError
from abhidhan.records.people import Role
from tests.support.contributing import Site

JSON = "application/json"


@pytest.mark.parametrize(
    "kind", ["", JSON, "Application/JSON ; charset=utf-8", "application/problem+json", "text/json"]
)
def test_a_body_of_json_is_read(kind: str) -> None:
    assert read_json(b'{"a": [1, "\xe0\xa6\x95"]}', kind) == {"a": [1, "ক"]}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "*/*"])
def test_a_body_of_another_type_is_not_read_and_no_body_has_no_type(kind: str) -> None:
    with pytest.raises(HTTPException) as raised:
        read_json(b"{}", kind)

    assert raised.value.status_code == 415
    assert read_json(b"", kind) is None


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff", b"\xef\xbb\xbf{}", b"[" * 100_000, b'"\\ud800"', b'{"a": NaN}', b'{"a": 1e400}', b"01", b"'a'"],
)
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(HTTPException) as raised:
        read_json(body, JSON)

    assert raised.value.status_code == 400


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b'{"reason": "\\u0000"}', "reason"),
        (b'{"data": {"word": ["a", "b\\u0000"]}}', "word"),
        (b'{"\\u0000": 1}', "body"),
        (b'"\\u0000"', "body"),
    ],
)
def test_a_nul_is_told_with_its_field(body: bytes, key: str) -> None:
    with pytest.raises(InputError) as raised:
        read_json(body, JSON)

    assert raised.value.problems[0].parameter == key


def test_a_backslash_before_four_zeros_is_no_nul() -> None:
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


@pytest.mark.parametrize("name", BAD_BODIES)
def test_a_bad_body_is_a_problem_that_says_what_would_be_right(site: Site, name: str) -> None:
    body, status, detail = BAD_BODIES[name]

    answer = site.ask("POST", "/api/session", body=body, headers={"Content-Type": JSON})

    assert answer.status == status
    assert answer.json["detail"].startswith(detail)


def test_a_form_where_json_is_wanted_is_415(site: Site) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    answer = site.ask("POST", "/api/session", body=b"username=a&password=b", headers=headers)

    assert (answer.status, answer.json["detail"]) == (
        415,
        "Send the body as JSON: Content-Type: application/json.",
    )


NUMBERS: list[Any] = [2**31, 2**63, 2**64, 10**30, -1, 0, 1.5, 1e300, True, "x", "9" * 5000, None, [], {}]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda value: str(value)[:10])
def test_a_number_that_no_record_can_have_is_refused_wherever_it_stands(site: Site, number: object) -> None:
    site.add("editor", role=Role.EDITOR)
    asked = (
        ("/api/editing/ideas/1/merge", {"into": number}),
        ("/api/editing/ideas/1/relations", {"type_id": number, "other_id": 2}),
        ("/api/editing/cards", {"set_id": number, "clue": "a", "answer": "b"}),
        ("/api/editing/words", {"language": number or 2**31, "word": "a", "idea_id": 1}),
        ("/api/submissions", {"kind": "example", "data": {"idea_id": number, "language": "en", "text": "a"}}),
        ("/api/submissions/similar", {"kind": "correction", "data": {"word_id": number or -1, "word": {"word": "a"}}}),
        ("/api/reports", {"word_id": number, "text": "a"}),
    )

    answers = {path: site.ask("POST", path, by="editor", json=body) for path, body in asked}

    assert {path: answer.status for path, answer in answers.items() if answer.status != 400} == {}
