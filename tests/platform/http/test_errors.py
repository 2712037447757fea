import errno
import os

import msgspec
import pytest
from litestar import Litestar, get
from structlog.testing import capture_logs

from abhidhan.platform.http.errors import (
    ErrorContext,
    ProblemDocument,
    build_error_response,
    build_exception_handlers,
    format_allowed_methods,
    render_plain_page,
)
from abhidhan.platform.http.problem_kinds import ERROR_STATUSES, PROBLEM_KINDS, STATUS_DETAILS
from abhidhan.records import errors
from tests.support.asgi import ask
from tests.support.edge import make_edge

CONTEXT = ErrorContext("GET", "/api/x", "abc")


def test_a_problem_document_is_complete() -> None:
    answer = ask(make_edge(), "/api/অ")

    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json == {
        "type": "/api/docs#problem-not-found",
        "title": "There is no such thing",
        "status": 404,
        "detail": STATUS_DETAILS[404],
        "instance": "/api/%E0%A6%85",
        "success": False,
    }


@pytest.mark.parametrize("path", ["/api", "/api/x", "/photos/1.webp", "/health/x", "/metrics/x"])
def test_errors_of_the_interface_are_problem_documents(path: str) -> None:
    assert ask(make_edge(), path).json["status"] == 404


def _made(kind: type[Exception]) -> Exception:
    special: dict[type[Exception], Exception] = {
        errors.InputError: errors.InputError.of("w", "`w` is missing."),
        errors.TooManyRequestsError: errors.TooManyRequestsError("Too many.", 7),
        errors.UnavailableError: errors.UnavailableError("Wikipedia cannot be reached.", 9),
        errors.ReadOnlyError: errors.ReadOnlyError(),
    }
    return special.get(kind) or kind("A sentence for people.")


@pytest.mark.parametrize(("kind", "status"), ERROR_STATUSES.items())
def test_each_error_of_ours_has_its_status_and_keeps_its_sentence(kind: type[Exception], status: int) -> None:
    error = _made(kind)
    answer = build_error_response(error, CONTEXT)
    document = msgspec.json.decode(answer.body, type=ProblemDocument)

    assert answer.status == document.status == status
    assert document.detail == (error.message if isinstance(error, errors.AbhidhanError) else "")
    assert document.title == PROBLEM_KINDS[status].title


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [
        (errors.TooManyRequestsError, "7"),
        (errors.UnavailableError, "9"),
        (errors.ReadOnlyError, "10"),
        (errors.DiskFullError, "60"),
        (errors.QuotaError, "3600"),
    ],
)
def test_what_may_be_tried_again_says_when(kind: type[Exception], seconds: str) -> None:
    assert build_error_response(_made(kind), CONTEXT).headers["Retry-After"] == seconds


@pytest.mark.parametrize(
    ("number", "status", "detail"),
    [
        (errno.ENOSPC, 507, "The server's disk is full. Please tell its operator."),
        (errno.EDQUOT, 507, "The server's disk is full. Please tell its operator."),
        (errno.EROFS, 503, "The server cannot save data at the moment. Please tell its operator."),
        (errno.EACCES, 503, "The server cannot save data at the moment. Please tell its operator."),
    ],
)
def test_what_cannot_be_written_is_told_without_its_name_and_logged_with_it(
    number: int, status: int, detail: str
) -> None:
    @get("/api/x", sync_to_thread=False)
    def fails() -> None:
        raise OSError(number, os.strerror(number), "/home/secret")

    app = Litestar([fails], openapi_config=None, logging_config=None, exception_handlers=build_exception_handlers())
    with capture_logs() as logs:
        answer = ask(app, "/api/x")

    assert (answer.status, answer.json["detail"]) == (status, detail)
    assert b"secret" not in answer.body
    assert answer.headers["retry-after"]
    assert logs[0]["reason"].startswith(f"/home/secret cannot be written: {os.strerror(number)}.")


@pytest.mark.parametrize("error", [ValueError("/home/secret"), errors.DatabaseError("/home/secret is damaged")])
def test_an_error_of_our_own_is_a_500_without_its_words(error: Exception) -> None:
    answer = build_error_response(error, CONTEXT)

    assert answer.status == 500
    assert b"secret" not in answer.body
    assert b"abc" in answer.body


def test_the_page_of_an_error_is_escaped() -> None:
    document = ProblemDocument("t", "<title>", 404, "<script>", "/")

    assert "<script>" not in render_plain_page(document)


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
    assert format_allowed_methods(declared) == expected
