"""The hierarchy of expected errors; `platform/http/errors.py` and `cli` convert them to responses and messages.

AbhidhanError
├── SettingError            a setting is missing or invalid; the start is aborted
├── InputError              a parameter is invalid (400)
├── NotFoundError           the record does not exist (404)
├── GoneError               the resource is no longer available (410)
├── SignInRequiredError     no user is signed in (401)
│   ├── CodeRequiredError   the password is right, but a two-factor code is required
│   └── TokenRefusedError   the token of the request is invalid
├── ForbiddenError          the user is signed in, but not allowed (403)
│   └── ScopeMissingError   the token lacks the required scope
├── ConflictError           a newer change by another user, or a state that does not allow the step (409)
├── PreconditionError       the condition of `If-Match` is not met (412)
├── ReusedKeyError          an idempotency key was reused for a different request (422)
├── UnavailableError        an external service is temporarily unreachable (503)
│   ├── LostDatabaseError   the database is unreachable, which is logged once (503)
│   ├── ReadOnlyError       the database is a read-only standby (503)
│   └── UnwritableError     a file or the database cannot be written (503)
│       └── DiskFullError   because the disk is full (507)
├── TooManyRequestsError    the caller has exceeded a limit (429)
│   └── QuotaError          too many of the caller's contributions are waiting for review
├── UnreadableRequestError  the request is malformed: its Host, or an incomplete body (400)
├── SlowRequestError        the request did not arrive in time (408)
└── DatabaseError           the database is unusable in its current state
    ├── DamagedDatabaseError
    └── NewerDatabaseError
"""

import errno
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Final


class RetryAfter(IntEnum):
    """Seconds after which a retry makes sense: the `Retry-After` header of a response."""

    MOMENT = 5
    """The database, a wiki or password hashing is busy, or a connection is being restored."""

    LONG_JOB = 10
    """The server is busy with long searches or list exports, or a standby is about to become the primary."""

    QUEUE = 30
    """The upload queue is full, or the file store is unreachable."""

    OPERATOR = 60
    """The operator has to act: a disk is full, a file is lost, or the mail server rejects a message."""

    REVIEW = 3_600
    """Editors have to review pending contributions first."""

    NOT_SET_UP = 86_400
    """The requested feature is not set up on this server."""


class Sentence(str):
    """A formatted English message for users, with the pattern and values for its translation."""

    __slots__ = ("pattern", "values")

    pattern: str
    values: Mapping[str, object]


def sentence(pattern: str, /, **values: str | int) -> Sentence:
    """Format a message from a pattern with `%(name)s` placeholders. tools/translations.py extracts the patterns.

    A value that is a message itself (the name of a role) is translated too. Values must be text or numbers.
    """
    message = Sentence(pattern % values if values else pattern)
    message.pattern = pattern
    message.values = values
    return message


_CONTROL_CHARACTERS: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Control characters that could affect a terminal or a page."""


def quoted(text: object) -> str:
    """Return user input in quotation marks, with control characters replaced by U+FFFD."""
    return f"'{_CONTROL_CHARACTERS.sub(chr(0xFFFD), str(text))}'"


def pluralize(count: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun. `plural` is `singular` with an s by default."""
    return f"{count:,} {singular if count == 1 else plural or f'{singular}s'}"


class AbhidhanError(Exception):
    """Base class of expected errors. `str(error)` is a message for users."""

    @property
    def message(self) -> str:
        """The message; it can be translated if it was created with `sentence`."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class SettingError(AbhidhanError):
    """A setting is missing or invalid. The message has its name and the valid values."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a parameter: its public name, and a message that says what would be valid."""

    parameter: str
    detail: str


class InputError(AbhidhanError):
    """One or more parameters are invalid. All known problems are reported together."""

    def __init__(self, *problems: Problem) -> None:
        """Initialise with at least one problem."""
        self.problems = problems
        super().__init__(" ".join(problem.detail for problem in problems))

    @classmethod
    def of(cls, parameter: str, detail: str) -> "InputError":
        """Return the error for a single parameter."""
        return cls(Problem(parameter, detail))


class NotFoundError(AbhidhanError):
    """The record does not exist. The message says which one was requested."""


class GoneError(AbhidhanError):
    """The resource is no longer available. The message says what to request instead."""


class SignInRequiredError(AbhidhanError):
    """The endpoint requires a signed-in user."""


class CodeRequiredError(SignInRequiredError):
    """Username and password are right, but the account requires a two-factor code.

    `step_token` is the token with which the second step works without the password, or "" if there is none.
    """

    code_required = True

    def __init__(self, detail: str, step_token: str = "") -> None:
        """Initialise with the token of the second step."""
        self.step_token = step_token
        super().__init__(detail)


class TokenRefusedError(SignInRequiredError):
    """The token of a request is invalid. The response does not reveal whether it ever was valid."""

    challenge: ClassVar = 'Bearer error="invalid_token"'


class ForbiddenError(AbhidhanError):
    """The user, or the site that sent the request, is not allowed to do this."""


class ScopeMissingError(ForbiddenError):
    """The token of a request has none of the required scopes."""

    def __init__(self, detail: str, scopes: str) -> None:
        """Initialise with the required scopes, separated by spaces, for the challenge (RFC 6750, section 3.1)."""
        self.challenge = f'Bearer error="insufficient_scope", scope="{scopes}"'
        super().__init__(detail)


class ConflictError(AbhidhanError):
    """The record was changed by another user, or its state does not allow this step.

    After a concurrent change, `current` is the stored state of the record and `proposed` the one the caller sent.
    """

    def __init__(self, detail: str, *, current: object = None, proposed: object = None) -> None:
        """Initialise with both states, if there are any."""
        self.current = current
        self.proposed = proposed
        super().__init__(detail)


class PreconditionError(AbhidhanError):
    """The stored record does not meet the precondition of the request."""


class ReusedKeyError(AbhidhanError):
    """The idempotency key was already used for a different request."""


class UnavailableError(AbhidhanError):
    """An external service is unreachable; retry after `retry_after` seconds."""

    def __init__(self, detail: str, retry_after: int) -> None:
        """Initialise with the seconds after which a retry makes sense."""
        self.retry_after = retry_after
        super().__init__(detail)


class LostDatabaseError(UnavailableError):
    """The database is unreachable. This is logged once, where it is detected, and not per request."""


class ReadOnlyError(UnavailableError):
    """The database is a read-only standby until it is promoted. This is a normal state and not logged."""

    def __init__(self) -> None:
        """Initialise with the message for users."""
        super().__init__(
            sentence("This server is read-only at the moment. Please try again later."),
            RetryAfter.LONG_JOB,
        )


class UnwritableError(UnavailableError):
    """A file, folder or database cannot be written. The detail is for the operator; clients get `public_message`."""

    public_message: ClassVar = sentence("The server cannot save data at the moment. Please tell its operator.")

    def __init__(self, detail: str) -> None:
        """Initialise with the message for the operator."""
        super().__init__(detail, RetryAfter.OPERATOR)

    @property
    def message(self) -> str:
        """The message for clients, without file names."""
        return self.public_message


class DiskFullError(UnwritableError):
    """The disk is full, or the account's disk quota is used up."""

    public_message = sentence("The server's disk is full. Please tell its operator.")


DISK_FULL_ERRNOS: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The error numbers for a full disk and an exhausted disk quota."""

UNWRITABLE_ERRNOS: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO})
"""The error numbers for a file that must not or cannot be written."""


def unwritable_error(path: object, error: OSError) -> UnwritableError:
    """Convert an OSError to the error for a file or folder that cannot be written."""
    error_type = DiskFullError if error.errno in DISK_FULL_ERRNOS else UnwritableError
    return error_type(f"{path} cannot be written: {error.strerror or error}.{_remedy(error)}")


def _remedy(error: OSError) -> str:
    """Return advice for the operator, or ""."""
    if error.errno in DISK_FULL_ERRNOS:
        return " Free some space on this disk."
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f" It must belong to the account that runs this program (user ID {os.geteuid()})."
    return ""


class TooManyRequestsError(AbhidhanError):
    """The caller has exceeded a rate limit; retry after `retry_after` seconds."""

    def __init__(self, detail: str, retry_after: int) -> None:
        """Initialise with the seconds after which the caller may retry."""
        self.retry_after = retry_after
        super().__init__(detail)


class UnreadableRequestError(AbhidhanError):
    """The request is malformed. The message says where."""


class SlowRequestError(AbhidhanError):
    """The rest of the request did not arrive in time."""


class QuotaError(TooManyRequestsError):
    """Too many of the caller's contributions are waiting for review; the message says how many and what to do."""

    def __init__(self, detail: str) -> None:
        """Initialise with `RetryAfter.REVIEW` as the retry interval."""
        super().__init__(detail, RetryAfter.REVIEW)


class DatabaseError(AbhidhanError):
    """The database is unusable in its current state. The message says what to do."""


class DamagedDatabaseError(DatabaseError):
    """The file is not a database, or its contents are damaged."""


class NewerDatabaseError(DatabaseError):
    """The database was written by a newer version of this program."""
