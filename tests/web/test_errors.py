import errno
import os
from typing import Annotated, Any, Literal

import msgspec
import pytest
from litestar import Litestar, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from structlog.testing import capture_logs

from abhidhan import errors
from abhidhan.web.edge.errors import (
    DETAIL_OF_STATUS,
    PROBLEM_KINDS,
    STATUS_OF_ERROR,
    Asked,
    ProblemDocument,
    allowed_methods,
    answer_error,
    exception_handlers,
    plain_page,
)
from abhidhan.web.edge.middleware import Edge
from tests.support.asgi import Answered, ask

ASKED = Asked("GET", "/api/x", "abc")


class SignIn(msgspec.Struct):
    """A body with two texts."""

    username: str
    password: str


class Chosen(msgspec.Struct):
    """A body with a choice and a number."""

    kind: Literal["word", "card"]
    count: Annotated[int, msgspec.Meta(ge=1)] = 1


def an_app() -> Edge:
    @get("/api/wordsalpha.php")
    async def words(  # noqa: PLR0913 (one parameter of each kind)
        start: Annotated[str, QueryParameter(min_length=1, max_length=200)],
        end: Annotated[str | None, QueryParameter(max_length=200)] = None,
        lim: Annotated[int, QueryParameter(ge=1)] = 50,
        pos: Annotated[int | None, QueryParameter(name="p", ge=1)] = None,
        offset: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
        *,
        fuzzy: FromQuery[bool] = True,
    ) -> dict[str, Any]:
        return {"start": start, "end": end, "lim": lim, "p": pos, "offset": offset, "fuzzy": fuzzy}

    @post("/api/session")
    async def session(data: JSONBody[SignIn]) -> None: ...

    @post("/api/submissions")
    async def submit(data: JSONBody[Chosen]) -> None: ...

    handlers = [words, session, submit]
    app = Litestar(handlers, openapi_config=None, logging_config=None, exception_handlers=exception_handlers())

    async def version() -> int:
        return 1

    return Edge(app, version=version)


def details(answer: Answered) -> dict[str, str]:
    assert answer.status == 400, answer
    return {each["parameter"]: each["detail"] for each in answer.json["errors"]}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("start=a&lim=x", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=0", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=-1", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=5.0", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=1e3", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=%D9%A5", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=-" + "9" * 5000, {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&p=noun", {"p": "`p` must be a whole number of at least 1."}),
        ("start=a&offset=100001", {"offset": "`offset` must be a whole number from 0 to 100,000."}),
        ("start=a&fuzzy=maybe", {"fuzzy": "`fuzzy` must be true, 1, false or 0."}),
        ("start=" + "a" * 201, {"start": "`start` must have from 1 to 200 characters."}),
        ("start=a&end=" + "a" * 201, {"end": "`end` must have from 0 to 200 characters."}),
        ("", {"start": "`start` is missing. `start` must have from 1 to 200 characters."}),
        ("start=%20", {"start": "`start` is missing. `start` must have from 1 to 200 characters."}),
    ],
)
def test_a_wrong_parameter_is_told_with_what_would_be_right(query: str, expected: dict[str, str]) -> None:
    assert details(ask(an_app(), "/api/wordsalpha.php", query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lim=x&p=0&fuzzy=2&start=" + "a" * 300, {"start", "lim", "p", "fuzzy"}),
        ("lim=x&p=0&fuzzy=2", {"start", "lim", "p", "fuzzy"}),
    ],
)
def test_everything_wrong_is_told_at_once(query: str, expected: set[str]) -> None:
    assert set(details(ask(an_app(), "/api/wordsalpha.php", query))) == expected


@pytest.mark.parametrize(("lim", "expected"), [("%2B5", 5), ("+5+", 5), ("007", 7), ("9" * 400, 10**18 - 1)])
def test_whole_numbers_are_read_as_people_write_them(lim: str, expected: int) -> None:
    assert ask(an_app(), "/api/wordsalpha.php", f"start=a&lim={lim}").json["lim"] == expected


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/api/session", b"{}", {"username": "`username` is missing."}),
        ("/api/session", b'{"username": 1, "password": ""}', {"username": "`username` must be text."}),
        ("/api/submissions", b'{"kind": "other"}', {"kind": "`kind` is not one of the known values."}),
        (
            "/api/submissions",
            b'{"kind": "word", "count": 0}',
            {"count": "`count` must be a whole number of at least 1."},
        ),
    ],
)
def test_what_is_wrong_with_a_body_is_told(path: str, body: bytes, expected: dict[str, str]) -> None:
    answer = ask(an_app(), path, method="POST", body=body, headers={"Content-Type": "application/json"})

    assert expected.items() <= details(answer).items()


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_json_is_a_400(body: bytes) -> None:
    answer = ask(an_app(), "/api/session", method="POST", body=body, headers={"Content-Type": "application/json"})

    assert answer.status == 400
    assert answer.json["success"] is False


def test_a_problem_document_is_complete() -> None:
    answer = ask(an_app(), "/api/অ")

    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json == {
        "type": "/api/docs#problem-not-found",
        "title": "There is no such thing",
        "status": 404,
        "detail": DETAIL_OF_STATUS[404],
        "instance": "/api/%E0%A6%85",
        "success": False,
    }


@pytest.mark.parametrize("path", ["/api", "/api/x", "/photos/1.webp", "/health/x", "/metrics/x"])
def test_errors_of_the_interface_are_problem_documents(path: str) -> None:
    assert ask(an_app(), path).json["status"] == 404


def _made(kind: type[Exception]) -> Exception:
    special: dict[type[Exception], Exception] = {
        errors.InputError: errors.InputError.of("w", "`w` is missing."),
        errors.TooManyRequestsError: errors.TooManyRequestsError("Too many.", 7),
        errors.UnavailableError: errors.UnavailableError("Wikipedia cannot be reached.", 9),
    }
    return special.get(kind) or kind("A sentence for people.")


@pytest.mark.parametrize(("kind", "status"), STATUS_OF_ERROR.items())
def test_each_error_of_ours_has_its_status_and_keeps_its_sentence(kind: type[Exception], status: int) -> None:
    error = _made(kind)
    answer = answer_error(error, ASKED)
    document = msgspec.json.decode(answer.body, type=ProblemDocument)

    assert answer.status == document.status == status
    assert document.detail == (error.said if isinstance(error, errors.AbhidhanError) else "")
    assert document.title == PROBLEM_KINDS[status].title


@pytest.mark.parametrize(("kind", "seconds"), [(errors.TooManyRequestsError, "7"), (errors.UnavailableError, "9")])
def test_what_may_be_tried_again_says_when(kind: type[Exception], seconds: str) -> None:
    assert answer_error(_made(kind), ASKED).headers["Retry-After"] == seconds


@pytest.mark.parametrize(
    ("number", "status", "detail"),
    [
        (errno.ENOSPC, 507, "The server's disk is full; please tell its operator."),
        (errno.EDQUOT, 507, "The server's disk is full; please tell its operator."),
        (errno.EROFS, 503, "The server cannot save data at the moment; please tell its operator."),
        (errno.EACCES, 503, "The server cannot save data at the moment; please tell its operator."),
    ],
)
def test_what_cannot_be_written_is_told_without_its_name_and_logged_with_it(
    number: int, status: int, detail: str
) -> None:
    @get("/api/x", sync_to_thread=False)
    def fails() -> None:
        raise OSError(number, os.strerror(number), "/home/secret")

    app = Litestar([fails], openapi_config=None, logging_config=None, exception_handlers=exception_handlers())
    with capture_logs() as logs:
        answer = ask(app, "/api/x")

    assert (answer.status, answer.json["detail"]) == (status, detail)
    assert b"secret" not in answer.body
    assert answer.headers["retry-after"]
    assert logs[0]["reason"].startswith(f"/home/secret cannot be written: {os.strerror(number)}.")


@pytest.mark.parametrize("error", [ValueError("/home/secret"), errors.DatabaseError("/home/secret is damaged")])
def test_an_error_of_our_own_is_a_500_without_its_words(error: Exception) -> None:
    answer = answer_error(error, ASKED)

    assert answer.status == 500
    assert b"secret" not in answer.body
    assert b"abc" in answer.body


def test_the_page_of_an_error_is_escaped() -> None:
    document = ProblemDocument("t", "<title>", 404, "<script>", "/")

    assert "<script>" not in plain_page(document)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("GET", "GET, HEAD, OPTIONS"),
        ("POST, OPTIONS", "OPTIONS, POST"),
        ("", "OPTIONS"),
        ("GET,POST", "GET, HEAD, OPTIONS, POST"),
    ],
)
def test_allow_knows_head_and_options(declared: str, expected: str) -> None:
    assert allowed_methods(declared) == expected
