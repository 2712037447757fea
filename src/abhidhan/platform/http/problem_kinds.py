"""Tables of problem types (RFC 9457) with their statuses, titles and meanings, and of the errors that map to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from abhidhan.records import errors
from abhidhan.records.errors import sentence

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
DOCUMENTATION: Final = "/api/docs"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A problem type, as listed in the documentation."""

    status: int
    name: str
    title: str
    meaning: str

    @property
    def address(self) -> str:
        """The `type` of the problem document, a link to its documentation."""
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
            "The request was too slow",
            "Its body stopped or took too long to arrive; send it again.",
        ),
        ProblemKind(
            409,
            "conflict",
            "Its state does not allow this",
            "Someone else was quicker, or it has already been decided; read it again.",
        ),
        ProblemKind(410, "gone", "No longer available", "`detail` says what to do instead."),
        ProblemKind(
            412,
            "precondition-failed",
            "It is not as the request asks",
            "`If-Match` names another state: read it again.",
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
    errors.GoneError: 410,
    errors.PreconditionError: 412,
    errors.ReusedKeyError: 422,
    errors.TooManyRequestsError: 429,
    errors.UnavailableError: 503,
    errors.DiskFullError: 507,
}
"""Errors whose message is written for clients. All others become a 500 without their message."""

DETAIL_OF_STATUS: Final[Mapping[int, str]] = {
    400: sentence("The request could not be understood."),
    401: sentence("This address needs somebody who is signed in."),
    403: sentence("This is not allowed."),
    404: sentence("There is nothing at this address. The addresses that exist are listed at /api/docs."),
    405: sentence("This address does not know the method %(method)s. It knows %(allow)s."),
    408: sentence("The rest of the request did not come in time; send it again."),
    410: sentence("This is kept no longer."),
    412: sentence("It is not as the request asks."),
    415: sentence("The body of the request has a type that is not read here."),
    422: sentence("The request could be read, but cannot be used."),
    429: sentence("Too many requests."),
    500: sentence(
        "Something went wrong on the server. It has been written to the log under the request id %(request_id)s."
    ),
    503: sentence("The server cannot answer this for now."),
    507: sentence("The server's disk is full; please tell its operator."),
}
