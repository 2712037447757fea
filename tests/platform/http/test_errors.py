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


def test_errors_of_the_api_are_problem_documents() -> None:
    for path in ("/api", "/api/x", "/photos/1.webp", "/health/x", "/metrics/x"):
        assert ask(make_edge(), path).json["status"] == 404, path


def make_error(kind: type[Exception]) -> Exception:
    special: dict[type[Exception], Exception] = {
        errors.InputError: errors.InputError.of("w", "`w` is missing."),
        errors.TooManyRequestsError: errors.TooManyRequestsError("Too many.", 7),
        errors.UnavailableError: errors.UnavailableError("Wikipedia cannot be reached.", 9),
        errors.ReadOnlyError: errors.ReadOnlyError(),
    }
    return special.get(kind) or kind("A sentence for people.")


def test_each_error_class_has_its_status_and_keeps_its_message(subtests: pytest.Subtests) -> None:
    for kind, status in ERROR_STATUSES.items():
        with subtests.test(kind.__name__):
            error = make_error(kind)
            answer = build_error_response(error, CONTEXT)
            document = msgspec.json.decode(answer.body, type=ProblemDocument)

            assert answer.status == document.status == status
            assert document.detail == (error.message if isinstance(error, errors.AbhidhanError) else "")
            assert document.title == PROBLEM_KINDS[status].title


RETRY_AFTER: tuple[tuple[type[Exception], str], ...] = (
    (errors.TooManyRequestsError, "7"),
    (errors.UnavailableError, "9"),
    (errors.ReadOnlyError, "10"),
    (errors.DiskFullError, "60"),
    (errors.QuotaError, "3600"),
)


def test_a_temporary_error_says_when_to_try_again() -> None:
    for kind, seconds in RETRY_AFTER:
        assert build_error_response(make_error(kind), CONTEXT).headers["Retry-After"] == seconds, kind


DISK_FULL = "The server's disk is full. Please tell its operator."
READ_ONLY = "The server cannot save data at the moment. Please tell its operator."


def test_a_write_error_is_reported_without_the_path_and_logged_with_it(subtests: pytest.Subtests) -> None:
    for number, status, detail in (
        (errno.ENOSPC, 507, DISK_FULL),
        (errno.EDQUOT, 507, DISK_FULL),
        (errno.EROFS, 503, READ_ONLY),
        (errno.EACCES, 503, READ_ONLY),
    ):
        with subtests.test(errno.errorcode[number]):
            app = make_failing_app(OSError(number, os.strerror(number), "/home/secret"))
            with capture_logs() as logs:
                answer = ask(app, "/api/x")

            assert (answer.status, answer.json["detail"]) == (status, detail)
            assert b"secret" not in answer.body
            assert answer.headers["retry-after"]
            assert logs[0]["reason"].startswith(f"/home/secret cannot be written: {os.strerror(number)}.")


def make_failing_app(error: Exception) -> Litestar:
    @get("/api/x", sync_to_thread=False)
    def fail() -> None:
        raise error

    return Litestar([fail], openapi_config=None, logging_config=None, exception_handlers=build_exception_handlers())


def test_an_internal_error_is_answered_with_500_without_its_message() -> None:
    for error in (ValueError("/home/secret"), errors.DatabaseError("/home/secret is damaged")):
        answer = build_error_response(error, CONTEXT)

        assert answer.status == 500
        assert b"secret" not in answer.body
        assert b"abc" in answer.body


def test_the_page_of_an_error_is_escaped() -> None:
    document = ProblemDocument("t", "<title>", 404, "<script>", "/")

    assert "<script>" not in render_plain_page(document)


def test_allowed_methods_include_head_and_options() -> None:
    for declared, expected in (
        ("GET", "GET, HEAD, OPTIONS"),
        ("POST, OPTIONS", "OPTIONS, POST"),
        ("", "OPTIONS"),
        ("GET,POST", "GET, HEAD, OPTIONS, POST"),
    ):
        assert format_allowed_methods(declared) == expected, declared
