"""Errors made answers: one table from the class of an error to its problem document (RFC 9457), or a small page."""

import http
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, EnumType
from html import escape
from typing import Final, cast
from urllib.parse import quote

import msgspec
import structlog
from litestar import Request, Response
from litestar.datastructures import State
from litestar.di import Dependency
from litestar.enums import ParamType
from litestar.exceptions import ClientException, HTTPException, ValidationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.params import ParameterKwarg
from litestar.types import ExceptionHandlersMap
from litestar.typing import FieldDefinition

from abhidhan import errors
from abhidhan.errors import InputError, Problem, sentence
from abhidhan.web.edge.logs import REQUEST_ID

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
DOCUMENTATION: Final = "/api/docs"
API_PATHS: Final = re.compile(r"/(?:api|photos|health|metrics)(?:/|$)")
"""Addresses whose errors are problem documents; all others are pages, and answer with one."""

RETRY_AFTER: Final = 30
"""Seconds after which another try makes sense when nothing better is known."""

WHOLE_BODY: Final = "data"
"""Under which name handlers take the body of a request."""

WITH_BODY: Final = {"POST", "PUT", "PATCH"}
UNREADABLE_BODY: Final = "The body of the request could not be read. It must be JSON in UTF-8, not nested deeply."
TOO_LARGE: Final = "The body of the request is larger than anything that is read here."


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem, as the documentation lists it."""

    status: int
    name: str
    title: str
    meaning: str

    @property
    def address(self) -> str:
        """The `type` of the problem document: where the kind is explained."""
        return f"{DOCUMENTATION}#problem-{self.name}"


PROBLEM_KINDS: Final[Mapping[int, ProblemKind]] = {
    kind.status: kind
    for kind in (
        ProblemKind(
            400, "bad-parameter", "A parameter is missing or wrong", "`errors` lists each one and what would be right."
        ),
        ProblemKind(401, "sign-in-required", "Nobody is signed in", "Sign in at `/api/session` first."),
        ProblemKind(403, "forbidden", "This is not allowed", "This person or site may not do this."),
        ProblemKind(
            404, "not-found", "There is no such thing", "There is no address or record with this name or number."
        ),
        ProblemKind(405, "method-not-allowed", "The address has no such method", "`Allow` lists the methods it has."),
        ProblemKind(
            408,
            "request-timeout",
            "The request came too slowly",
            "Its body stopped or took too long to arrive; send it again.",
        ),
        ProblemKind(
            409,
            "conflict",
            "Its state does not allow this",
            "Someone else was quicker, or it has already been decided; read it again.",
        ),
        ProblemKind(415, "unsupported-media-type", "The body has another type", "`detail` says which type is read."),
        ProblemKind(422, "key-reused", "The key belongs to another request", "Use a new key for each request."),
        ProblemKind(429, "too-many-requests", "A limit is used up", "Ask again after `Retry-After` seconds."),
        ProblemKind(
            500, "internal-error", "Something went wrong here", "The server's log has details, under the request's id."
        ),
        ProblemKind(503, "unavailable", "A source cannot be reached", "Ask again after `Retry-After` seconds."),
        ProblemKind(507, "disk-full", "There is no room left", "Nothing was saved. The operator must make room."),
    )
}

STATUS_OF_ERROR: Final[Mapping[type[Exception], int]] = {
    errors.InputError: 400,
    errors.SignInRequiredError: 401,
    errors.ForbiddenError: 403,
    errors.NotFoundError: 404,
    errors.UnreadableRequestError: 400,
    errors.SlowRequestError: 408,
    errors.ConflictError: 409,
    errors.ReusedKeyError: 422,
    errors.TooManyRequestsError: 429,
    errors.UnavailableError: 503,
    errors.DiskFullError: 507,
}
"""Errors whose sentence was written for the caller. Every other error is our own fault: 500, and says nothing."""

DETAIL_OF_STATUS: Final[Mapping[int, str]] = {
    400: "The request could not be understood.",
    401: "This address needs somebody who is signed in.",
    403: "This is not allowed.",
    404: "There is nothing at this address. The addresses that exist are listed at /api/docs.",
    405: "This address does not know the method {method}. It knows {allow}.",
    408: "The rest of the request did not come in time; send it again.",
    415: "The body of the request has a type that is not read here.",
    422: "The request could be read, but cannot be used.",
    429: "Too many requests.",
    500: "Something went wrong on the server. It has been written to the log under the request id {request_id}.",
    503: "The server cannot answer this for now.",
    507: "The server's disk is full; please tell its operator.",
}


class ParameterProblem(msgspec.Struct, frozen=True):
    """What is wrong with one parameter, and what would be right."""

    parameter: str
    detail: str


class ProblemDocument(msgspec.Struct, frozen=True):
    """The body of every error under `/api/`, `/photos/` and `/health/` (RFC 9457)."""

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


ErrorPage = Callable[[ProblemDocument], str]
"""Writes the HTML page of an error that did not happen under `/api/`."""


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """A finished error, for whichever layer sends it."""

    status: int
    headers: dict[str, str]
    media_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """What an error's answer tells of the request: its method, its raw path and its id."""

    method: str
    path: str
    request_id: str


def plain_page(document: ProblemDocument) -> str:
    """Write the least page that tells an error, until pages have a design of their own."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{document.status} · {escape(document.title)}</title>"
        f'<main><h1>{escape(document.title)}</h1><p>{escape(document.detail)}</p><p><a href="/">Abhidhan</a></p></main>'
    )


def answer_error(
    error: Exception, asked: Asked, *, problems: Iterable[Problem] = (), page: ErrorPage = plain_page
) -> ErrorAnswer:
    """Make the answer to an error: a problem document under `/api/`, a page elsewhere.

    `problems` are those of parameters which the error itself does not carry.
    """
    status = status_of(error)
    headers = _headers_of(error, status)
    document = _document(error, status, asked, (*getattr(error, "problems", ()), *problems), headers)
    if API_PATHS.match(asked.path):
        return ErrorAnswer(status, headers, PROBLEM_MEDIA_TYPE, msgspec.json.encode(document))
    shown = msgspec.structs.replace(document, detail=_for_people(error, document.detail))
    return ErrorAnswer(status, headers, "text/html; charset=utf-8", page(shown).encode())


def _for_people(error: Exception, detail: str) -> str:
    """Give the sentence of a document as one that pages can translate, where it was made so."""
    problems: tuple[Problem, ...] = getattr(error, "problems", ())
    said = problems[0].detail if len(problems) == 1 else getattr(error, "said", detail)
    return said if said == detail else detail


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error; one that nobody foresaw, and a bug of ours, is 500."""
    for base in type(error).__mro__:
        if base in STATUS_OF_ERROR:
            return STATUS_OF_ERROR[base]
    if not isinstance(error, HTTPException):
        return 500
    if error.status_code in PROBLEM_KINDS:
        return error.status_code
    return 400 if 400 <= error.status_code < 500 else 500  # noqa: PLR2004 (the range is what 4xx means)


def exception_handlers(page: ErrorPage = plain_page) -> ExceptionHandlersMap:
    """Make Litestar's `exception_handlers`: one for every error there is."""

    def handle(request: Request[object, object, State], error: Exception) -> Response[bytes]:
        asked = Asked(request.method, raw_path(request.scope), REQUEST_ID.get())
        if isinstance(error, RecursionError) and request.method in WITH_BODY:
            error = ClientException("JSON nested too deeply")
        if _names_nothing(request, error):
            error = errors.NotFoundError(sentence("There is no such record."))
        error = in_words(error)
        log_if_ours(error, asked)
        answer = answer_error(error, asked, problems=parameter_problems(request, error), page=page)
        # Litestar writes the charset of text itself.
        media_type = answer.media_type.partition(";")[0]
        return Response(answer.body, status_code=answer.status, headers=answer.headers, media_type=media_type)

    return {Exception: handle, HTTPException: handle}


def _names_nothing(request: Request[object, object, State], error: Exception) -> bool:
    """Return whether the path holds a number that no record can have."""
    if not isinstance(error, ValidationException) or not isinstance(error.extra, list):
        return False
    wrong = {each.get("key") for each in cast("list[dict[str, str]]", error.extra) if each.get("source") != "body"}
    return not wrong.isdisjoint(request.path_params)


def raw_path(scope: Mapping[str, object]) -> str:
    """Return the path as the client wrote it, percent-encoded."""
    raw = scope.get("raw_path")
    text = raw.decode("latin-1") if isinstance(raw, bytes) and raw else str(scope["path"])
    return quote(text.partition("?")[0], safe="/%:@!$&'()*+,;=~")


def in_words(error: Exception) -> Exception:
    """Return the error that stands for a file which cannot be written, wherever it was noticed; others as they are."""
    if isinstance(error, OSError) and error.errno in errors.FULL | errors.UNWRITABLE:
        return errors.cannot_be_written(error.filename or "A file", error)
    return error


def log_failure(error: Exception, asked: Asked) -> None:
    """Write an error nobody foresaw to the log, with its traceback."""
    structlog.get_logger("abhidhan.web").error(
        "request failed", method=asked.method, path=asked.path, request_id=asked.request_id, exc_info=error
    )


def log_if_ours(error: Exception, asked: Asked) -> None:
    """Write to the log what only the operator can mend: which file cannot be written, or an error nobody foresaw."""
    if isinstance(error, errors.UnwritableError):
        structlog.get_logger("abhidhan.web").error(
            "request failed", method=asked.method, path=asked.path, request_id=asked.request_id, reason=str(error)
        )
    elif status_of(error) == http.HTTPStatus.INTERNAL_SERVER_ERROR:
        log_failure(error, asked)


def parameter_problems(request: Request[object, object, State], error: Exception) -> tuple[Problem, ...]:
    """Translate what Litestar found wrong with the parameters, all of it at once."""
    if not isinstance(error, ValidationException) or "route_handler" not in request.scope:
        return ()
    handler = request.route_handler
    fields = dict(_parameters(handler.parsed_fn_signature.parameters))
    if not isinstance(error.extra, list):
        types = {field.name: field.type for field in msgspec.structs.fields(handler.signature_model)}
        return tuple(_missing_and_wrong(fields, types, request.query_params))
    return tuple(_translated(fields, cast("list[dict[str, str]]", error.extra)))


def requirement(field: FieldDefinition, name: str) -> str:
    """Say in one sentence what the value of a parameter must be."""
    limits = field.kwarg_definition
    kinds = [inner.annotation for inner in field.inner_types if not inner.is_none_type] or [field.annotation]
    if bool in kinds:
        return f"`{name}` must be true, 1, false or 0."
    if int in kinds:
        return f"`{name}` must be a whole number{_bounds(limits)}."
    if isinstance(limits, ParameterKwarg) and limits.max_length is not None:
        return f"`{name}` must have from {limits.min_length or 0} to {limits.max_length:,} characters."
    if values := _values_of(kinds):
        return f"`{name}` must be one of {', '.join(values)}."
    if isinstance(limits, ParameterKwarg) and limits.description:
        return f"`{name}`: {limits.description}"
    return f"`{name}` does not have a value that can be used."


def _values_of(kinds: Iterable[object]) -> list[str]:
    """List the values of enumerations and literals."""
    values: list[str] = []
    for kind in kinds:
        if isinstance(kind, EnumType):
            values += [str(member.value) for member in cast("Iterable[Enum]", kind)]
        elif isinstance(kind, str):
            values.append(kind)
    return values


def _bounds(limits: object) -> str:
    if not isinstance(limits, ParameterKwarg) or limits.ge is None:
        return ""
    return f" of at least {limits.ge:,}" if limits.le is None else f" from {limits.ge:,} to {limits.le:,}"


def _parameters(fields: Mapping[str, FieldDefinition]) -> Iterator[tuple[str, tuple[str, FieldDefinition]]]:
    """List a handler's parameters in query and path: the name in Python, the public name, the definition."""
    for name, field in fields.items():
        limits = field.kwarg_definition
        if any(isinstance(note, Dependency) for note in field.metadata):
            continue
        if isinstance(limits, ParameterKwarg) and limits.param_type in {ParamType.QUERY, ParamType.PATH}:
            yield name, (limits.name or name, field)


def _missing_and_wrong(
    fields: Mapping[str, tuple[str, FieldDefinition]], types: Mapping[str, object], given: Mapping[str, str]
) -> Iterator[Problem]:
    """Find all that is wrong when Litestar stopped at the first parameter that is missing."""
    for name, (public, field) in fields.items():
        if public in given:
            try:
                msgspec.convert(given[public], types[name], strict=False)
            except msgspec.ValidationError:
                yield Problem(public, requirement(field, public))
        elif field.is_required and not field.is_optional:
            yield Problem(public, f"`{public}` is missing. {requirement(field, public)}")


def _translated(
    fields: Mapping[str, tuple[str, FieldDefinition]], messages: Iterable[Mapping[str, str]]
) -> Iterator[Problem]:
    for message in messages:
        key = message.get("key", WHOLE_BODY)
        if key in fields and message.get("source") != "body":
            public, field = fields[key]
            yield Problem(public, requirement(field, public))
        else:
            yield body_problem(key, message.get("message", ""))


_OF_BODY: Final = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (r"Object missing required field `(.+?)`", "`{0}` is missing."),
        (r"Expected `str` of length >= (\d+)", "`{key}` must have at least {0} characters."),
        (r"Expected `str` of length <= (\d+)", "`{key}` must have at most {0} characters."),
        (r"Expected `int.*?` >= (\d+)", "`{key}` must be a whole number of at least {0}."),
        (r"Expected `int.*?` <= (\d+)", "`{key}` must be a whole number of at most {0}."),
        (r"Expected `int|Integer value out of range", "`{key}` must be a whole number."),
        (r"Expected `str", "`{key}` must be text."),
        (r"Expected `bool", "`{key}` must be true or false."),
        (r"Expected `array", "`{key}` must be a list."),
        (r"Expected `object`", "`{key}` must be an object."),
        (r"Object contains unknown field `(.+?)`", "`{0}` is not a field that is known here."),
        (r"Invalid enum value", "`{key}` is not one of the known values."),
    )
)
"""msgspec's messages about a body, and our sentences."""


_NOT_AN_OBJECT: Final = re.compile(r"Expected `object.*?`, got `(\w+)`|^'data'$")
"""Of an empty body the framework says no more than the name under which handlers take it."""

_KINDS_OF_JSON: Final = {
    "array": "an array",
    "str": "a string",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
}


def body_problem(key: str, message: str) -> Problem:
    """Translate one message about the body of a request."""
    if key == WHOLE_BODY and (found := _NOT_AN_OBJECT.search(message)):
        kind = _KINDS_OF_JSON.get(found[1] or "", "empty or null")
        return Problem("body", f"The body must be a JSON object, not {kind}.")
    for pattern, said in _OF_BODY:
        if found := pattern.search(message):
            named = found[1] if said.startswith("`{0}`") else key
            return Problem(named, said.format(*found.groups(), key=key))
    return Problem(key, f"`{key}` does not have a value that can be used.")


def _document(
    error: Exception, status: int, asked: Asked, problems: tuple[Problem, ...], headers: Mapping[str, str]
) -> ProblemDocument:
    kind = PROBLEM_KINDS[status]
    return ProblemDocument(
        type=kind.address,
        title=kind.title,
        status=status,
        detail=" ".join(problem.detail for problem in problems) or _detail(error, status, asked, headers),
        instance=asked.path,
        errors=tuple(ParameterProblem(each.parameter, str(each.detail)) for each in problems) or msgspec.UNSET,
        code_required=getattr(error, "code_required", msgspec.UNSET),
        current=getattr(error, "current", None) or msgspec.UNSET,
        proposed=getattr(error, "proposed", None) or msgspec.UNSET,
    )


def _detail(error: Exception, status: int, asked: Asked, headers: Mapping[str, str]) -> str:
    """Choose the sentence: the error's own where it was written for the caller, else that of its status."""
    if isinstance(error, errors.AbhidhanError) and type(error) is not InputError and status != 500:  # noqa: PLR2004
        return str(error.said)
    if status == http.HTTPStatus.UNSUPPORTED_MEDIA_TYPE and isinstance(error, HTTPException) and error.detail:
        return error.detail
    if isinstance(error, RequestEntityTooLarge):
        return TOO_LARGE
    if status == http.HTTPStatus.BAD_REQUEST and "JSON" in str(getattr(error, "detail", "")):
        return UNREADABLE_BODY
    allow = headers.get("Allow", "other methods")
    return DETAIL_OF_STATUS[status].format(method=asked.method, allow=allow, request_id=asked.request_id)


def _headers_of(error: Exception, status: int) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if status in {429, 503, 507}:
        headers["Retry-After"] = str(getattr(error, "retry_after", RETRY_AFTER))
    if status == http.HTTPStatus.METHOD_NOT_ALLOWED and isinstance(error, HTTPException):
        headers["Allow"] = allowed_methods((error.headers or {}).get("allow", ""))
    return headers


def allowed_methods(declared: str) -> str:
    """Write an `Allow` header: every address that knows GET knows HEAD, and each knows OPTIONS."""
    methods = {method.strip() for method in declared.split(",") if method.strip()} | {"OPTIONS"}
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))
