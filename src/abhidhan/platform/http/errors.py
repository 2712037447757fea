"""Error responses: a problem document (RFC 9457) for programs, a page for browsers, a log line for operators."""

import http
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final, cast
from urllib.parse import quote

import msgspec
import structlog
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import ClientException, HTTPException, ValidationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import ExceptionHandlersMap

from abhidhan.platform.http.logging import REQUEST_ID
from abhidhan.platform.http.parameter_problems import find_parameter_problems
from abhidhan.platform.http.policies import OLD_PREFIX
from abhidhan.platform.http.preferences import VARY_HEADER
from abhidhan.platform.http.problem_kinds import ERROR_STATUSES, PROBLEM_KINDS, PROBLEM_MEDIA_TYPE, STATUS_DETAILS
from abhidhan.records import errors
from abhidhan.records.errors import InputError, Problem, RetryAfter, sentence

API_PATHS: Final = re.compile(
    rf"(?:{OLD_PREFIX})?/api(?:/|$)|/(?:mcp|photos|recordings|packs|today\.xml|health|metrics)(?:/|$)"
)
"""Paths whose errors are problem documents; errors of all other paths are pages."""


METHODS_WITH_BODY: Final = {"POST", "PUT", "PATCH"}
UNREADABLE_BODY_MESSAGE: Final = sentence(
    "The request body could not be read. It must be UTF-8 JSON and not deeply nested."
)
BODY_TOO_LARGE_MESSAGE: Final = sentence("The request body is too large.")


class ParameterProblem(msgspec.Struct, frozen=True):
    """An invalid parameter, with a description of the problem and of valid values."""

    parameter: str
    detail: str


class ProblemDocument(msgspec.Struct, frozen=True):
    """The body of every error under `/api/`, `/photos/`, `/recordings/`, `/packs/` and `/health/` (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    success: bool = False
    errors: tuple[ParameterProblem, ...] | msgspec.UnsetType = msgspec.UNSET
    code_required: bool | msgspec.UnsetType = msgspec.UNSET
    current: object = msgspec.UNSET
    proposed: object = msgspec.UNSET


ErrorPageRenderer = Callable[[ProblemDocument], str]
"""Renders the HTML page of an error outside `/api/`."""


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A complete error response, independent of the layer that sends it."""

    status: int
    headers: dict[str, str]
    media_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class ErrorContext:
    """The failed request: its method, its raw path and its ID."""

    method: str
    path: str
    request_id: str


def render_plain_page(document: ProblemDocument) -> str:
    """Render a minimal error page without templates."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{document.status} · {escape(document.title)}</title>"
        f'<main><h1>{escape(document.title)}</h1><p>{escape(document.detail)}</p><p><a href="/">Abhidhan</a></p></main>'
    )


def build_error_response(
    error: Exception,
    context: ErrorContext,
    *,
    problems: Iterable[Problem] = (),
    render_page: ErrorPageRenderer = render_plain_page,
) -> ErrorResponse:
    """Build the response to an error: a problem document for API paths, a page for all others.

    `problems` are problems of parameters that the error itself does not contain.
    """
    status = get_status(error)
    headers = _build_headers(error, status)
    all_problems: tuple[Problem, ...] = (*getattr(error, "problems", ()), *problems)
    detail = _select_detail(error, status, context, headers)
    document = _build_document(error, status, context, all_problems, detail)
    if API_PATHS.match(context.path):
        return ErrorResponse(status, headers, PROBLEM_MEDIA_TYPE, msgspec.json.encode(document))
    page_document = msgspec.structs.replace(document, detail=_select_page_detail(all_problems, detail, document.detail))
    return ErrorResponse(
        status, {**headers, "Vary": VARY_HEADER}, "text/html; charset=utf-8", render_page(page_document).encode()
    )


def _select_page_detail(problems: tuple[Problem, ...], default: str, detail: str) -> str:
    """Return the detail for an error page: the translatable message, if the document's detail is a single message."""
    message = problems[0].detail if len(problems) == 1 else default
    return message if message == detail else detail


def get_status(error: Exception) -> int:
    """Return the HTTP status of an error; 500 for unexpected ones."""
    for base in type(error).__mro__:
        if base in ERROR_STATUSES:
            return ERROR_STATUSES[base]
    if not isinstance(error, HTTPException):
        return 500
    if error.status_code in PROBLEM_KINDS:
        return error.status_code
    return 400 if 400 <= error.status_code < 500 else 500  # noqa: PLR2004 (the range of 4xx)


def build_exception_handlers(render_page: ErrorPageRenderer = render_plain_page) -> ExceptionHandlersMap:
    """Build the value of Litestar's option `exception_handlers`: one handler for all errors."""

    def handle(request: Request[object, object, State], error: Exception) -> Response[bytes]:
        context = ErrorContext(request.method, get_raw_path(request.scope), REQUEST_ID.get())
        if isinstance(error, RecursionError) and request.method in METHODS_WITH_BODY:
            error = ClientException("JSON nested too deeply")
        if _has_impossible_id(request, error):
            error = errors.NotFoundError(sentence("There is no such record."))
        error = translate_os_error(error)
        log_server_error(error, context)
        response = build_error_response(
            error, context, problems=find_parameter_problems(request, error), render_page=render_page
        )
        # Litestar adds the charset of text itself.
        media_type = response.media_type.partition(";")[0]
        return Response(response.body, status_code=response.status, headers=response.headers, media_type=media_type)

    return {Exception: handle, HTTPException: handle}


def _has_impossible_id(request: Request[object, object, State], error: Exception) -> bool:
    """Return whether the path contains an ID that no record can have."""
    if not isinstance(error, ValidationException) or not isinstance(error.extra, list):
        return False
    invalid_names = {
        problem.get("key") for problem in cast("list[dict[str, str]]", error.extra) if problem.get("source") != "body"
    }
    return not invalid_names.isdisjoint(request.path_params)


def get_raw_path(scope: Mapping[str, object]) -> str:
    """Return the percent-encoded path as sent by the client."""
    raw = scope.get("raw_path")
    text = raw.decode("latin-1") if isinstance(raw, bytes) and raw else str(scope["path"])
    return quote(text.partition("?")[0], safe="/%:@!$&'()*+,;=~")


def translate_os_error(error: Exception) -> Exception:
    """Translate an OSError of a file that cannot be written; return other errors unchanged."""
    if isinstance(error, OSError) and error.errno in errors.DISK_FULL_ERRNOS | errors.UNWRITABLE_ERRNOS:
        return errors.unwritable_error(error.filename or "A file", error)
    return error


def log_failure(error: Exception, context: ErrorContext) -> None:
    """Log an unexpected error with its traceback."""
    structlog.get_logger("abhidhan.web").error(
        "request failed", method=context.method, path=context.path, request_id=context.request_id, exc_info=error
    )


def log_server_error(error: Exception, context: ErrorContext) -> None:
    """Log errors that only the operator can fix: a file that cannot be written, or an unexpected error."""
    if isinstance(error, errors.UnwritableError):
        structlog.get_logger("abhidhan.web").error(
            "request failed", method=context.method, path=context.path, request_id=context.request_id, reason=str(error)
        )
    elif get_status(error) == http.HTTPStatus.INTERNAL_SERVER_ERROR:
        log_failure(error, context)


def _build_document(
    error: Exception, status: int, context: ErrorContext, problems: tuple[Problem, ...], default: str
) -> ProblemDocument:
    kind = PROBLEM_KINDS[status]
    return ProblemDocument(
        type=kind.address,
        title=kind.title,
        status=status,
        detail=" ".join(problem.detail for problem in problems) or str(default),
        instance=context.path,
        errors=tuple(ParameterProblem(each.parameter, str(each.detail)) for each in problems) or msgspec.UNSET,
        code_required=getattr(error, "code_required", msgspec.UNSET),
        current=getattr(error, "current", None) or msgspec.UNSET,
        proposed=getattr(error, "proposed", None) or msgspec.UNSET,
    )


def _select_detail(error: Exception, status: int, context: ErrorContext, headers: Mapping[str, str]) -> str:
    """Return the error's own message if it was written for clients, otherwise the message of its status."""
    if isinstance(error, errors.AbhidhanError) and type(error) is not InputError and status != 500:  # noqa: PLR2004
        return error.message
    if status == http.HTTPStatus.UNSUPPORTED_MEDIA_TYPE and isinstance(error, HTTPException) and error.detail:
        return error.detail
    if isinstance(error, RequestEntityTooLarge):
        return BODY_TOO_LARGE_MESSAGE
    if status == http.HTTPStatus.BAD_REQUEST and "JSON" in str(getattr(error, "detail", "")):
        return UNREADABLE_BODY_MESSAGE
    allow = headers.get("Allow", "other methods")
    return sentence(STATUS_DETAILS[status], method=context.method, allow=allow, request_id=context.request_id)


def _build_headers(error: Exception, status: int) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if status in {429, 503, 507}:
        headers["Retry-After"] = str(getattr(error, "retry_after", RetryAfter.QUEUE))
    if challenge := getattr(error, "challenge", None):
        headers["WWW-Authenticate"] = challenge
    if status == http.HTTPStatus.METHOD_NOT_ALLOWED and isinstance(error, HTTPException):
        headers["Allow"] = format_allowed_methods((error.headers or {}).get("allow", ""))
    return headers


def format_allowed_methods(declared: str) -> str:
    """Format an `Allow` header: every path that allows GET also allows HEAD, and all allow OPTIONS."""
    methods = {method.strip() for method in declared.split(",") if method.strip()} | {"OPTIONS"}
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))
