"""Tables of problem types (RFC 9457) with their statuses, titles and meanings, and of the errors that map to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from abhidhan.records import errors
from abhidhan.records.errors import sentence

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
DOCUMENTATION_PATH: Final = "/api/docs"


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
        return f"{DOCUMENTATION_PATH}#problem-{self.name}"


PROBLEM_KINDS: Final[Mapping[int, ProblemKind]] = {
    kind.status: kind
    for kind in (
        ProblemKind(
            400,
            "bad-parameter",
            "A parameter is missing or wrong",
            "`errors` lists the parameters and the expected values.",
        ),
        ProblemKind(401, "sign-in-required", "Nobody is signed in", "Sign in at `/api/session` first."),
        ProblemKind(403, "forbidden", "This is not allowed", "This person or site may not do this."),
        ProblemKind(
            404, "not-found", "There is no such thing", "There is no endpoint or record with this name or number."
        ),
        ProblemKind(405, "method-not-allowed", "Method not allowed", "`Allow` lists the methods that are allowed."),
        ProblemKind(
            408,
            "request-timeout",
            "The request was too slow",
            "Its body stopped or took too long to arrive; send it again.",
        ),
        ProblemKind(
            409,
            "conflict",
            "Conflict with the current state",
            "Someone else changed it first, or it has already been decided; read it again.",
        ),
        ProblemKind(410, "gone", "No longer available", "`detail` says what to do instead."),
        ProblemKind(
            412,
            "precondition-failed",
            "Precondition failed",
            "`If-Match` does not match the current state; read it again.",
        ),
        ProblemKind(415, "unsupported-media-type", "Unsupported content type", "`detail` names the type to send."),
        ProblemKind(422, "key-reused", "The key belongs to another request", "Use a new key for each request."),
        ProblemKind(429, "too-many-requests", "Too many requests", "Try again after `Retry-After` seconds."),
        ProblemKind(
            500,
            "internal-error",
            "Something went wrong on the server",
            "The server's log has details under the request ID.",
        ),
        ProblemKind(503, "unavailable", "Not available at the moment", "Try again after `Retry-After` seconds."),
        ProblemKind(507, "disk-full", "The disk is full", "Nothing was saved. The operator must free some space."),
    )
}

ERROR_STATUSES: Final[Mapping[type[Exception], int]] = {
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

STATUS_DETAILS: Final[Mapping[int, str]] = {
    400: sentence("The request could not be understood."),
    401: sentence("You must be signed in."),
    403: sentence("This is not allowed."),
    404: sentence("Nothing at this address. See /api/docs for all endpoints."),
    405: sentence("%(method)s is not allowed here. Allowed: %(allow)s."),
    408: sentence("The rest of the request did not arrive in time. Please send it again."),
    410: sentence("This is no longer available."),
    412: sentence("The request's precondition failed."),
    415: sentence("Unsupported content type."),
    422: sentence("The request was understood but cannot be processed."),
    429: sentence("Too many requests."),
    500: sentence("Something went wrong on the server. It has been logged under the request ID %(request_id)s."),
    503: sentence("The server is unavailable at the moment."),
    507: sentence("The server's disk is full. Please tell its operator."),
}
