"""The one tree of errors. Each carries its data; `platform/http/errors.py` and `cli` turn them into answers.

AbhidhanError
├── SettingError            a setting is missing or wrong; the start stops
├── InputError              what the caller sent cannot be used (400)
├── NotFoundError           there is no such record (404)
├── GoneError               what was asked for is kept no longer (410)
├── SignInRequiredError     nobody is signed in (401)
│   ├── CodeRequiredError   name and password are right, and a code is needed besides
│   └── TokenRefusedError   the request brought a token, which does not count
├── ForbiddenError          signed in, but not allowed (403)
│   └── ScopeMissingError   the token is for something else
├── ConflictError           somebody else's newer change, or a state that is already decided (409)
├── PreconditionError      it is not, or no more, what the caller asked for by `If-Match` (412)
├── ReusedKeyError          a key that names one request came with another one (422)
├── UnavailableError        a source outside cannot be reached for now (503)
│   ├── LostDatabaseError   the database cannot be reached: the log says so once (503)
│   ├── ReadOnlyError       the database is a standby: it is only read (503)
│   └── UnwritableError     a file or the database cannot be written (503)
│       └── DiskFullError   because the disk is full (507)
├── TooManyRequestsError    the caller has used up a limit (429)
│   └── QuotaError          so much of the caller's waits for review that no more is taken
├── UnreadableRequestError  the request itself is damaged: its Host, or a body that broke off (400)
├── SlowRequestError        the rest of the request did not come in time (408)
└── DatabaseError           the database cannot be used as it is
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
    """Seconds after which another try makes sense: the `Retry-After` of an answer."""

    MOMENT = 5
    """The database, a wiki or the hashing of passwords is busy, or is being reached again."""

    LONG_JOB = 10
    """Long searches or files of lists keep the server busy, or a standby is about to become the primary."""

    QUEUE = 30
    """Uploads wait to be processed, or the store of their files cannot be reached."""

    OPERATOR = 60
    """The operator has something to do: a disk is full, a file is lost, an address cannot be written to."""

    REVIEW = 3_600
    """Editors have to decide something first."""

    NOT_SET_UP = 86_400
    """This server does not have what was asked for."""


class Sentence(str):
    """A sentence for people, in English and filled in; its pattern and values let it be said in other languages."""

    __slots__ = ("pattern", "values")

    pattern: str
    values: Mapping[str, object]


def sentence(pattern: str, /, **values: str | int) -> Sentence:
    """Make a sentence of a pattern, in which `%(name)s` stands for a value. tools/translations.py collects patterns.

    A value that is a sentence itself (the name of a role) is translated with it. Values are what people read: text and
    numbers, no object of the program's.
    """
    made = Sentence(pattern % values if values else pattern)
    made.pattern = pattern
    made.values = values
    return made


_UNSEEN: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Characters that would act upon a terminal or a page, instead of standing on it."""


def quoted(text: object) -> str:
    """Quote what somebody has written, as a person would; what cannot be seen becomes a mark."""
    return f"'{_UNSEEN.sub(chr(0xFFFD), str(text))}'"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with what is counted: `one` says it of one, `many` of all other counts (else `one` and an s)."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


class AbhidhanError(Exception):
    """Anything that goes wrong in a way this program expects. `str(error)` is a sentence for people."""

    @property
    def said(self) -> str:
        """The sentence as it was made: one that can be translated stays one."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class SettingError(AbhidhanError):
    """A setting is missing or wrong. The sentence names the setting and says what would be right."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one parameter: its public name, and a sentence that says what would be right."""

    parameter: str
    detail: str


class InputError(AbhidhanError):
    """One or more parameters cannot be used. All that are known to be wrong are told together."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems, of which there is at least one."""
        self.problems = problems
        super().__init__(" ".join(problem.detail for problem in problems))

    @classmethod
    def of(cls, parameter: str, detail: str) -> "InputError":
        """Make the error for a single parameter."""
        return cls(Problem(parameter, detail))


class NotFoundError(AbhidhanError):
    """There is no such record. The sentence says which was asked for."""


class GoneError(AbhidhanError):
    """What was asked for was there once, and is kept no longer. The sentence says what to ask for instead."""


class SignInRequiredError(AbhidhanError):
    """Nobody is signed in, and the address needs somebody to be."""


class CodeRequiredError(SignInRequiredError):
    """Name and password are right, but the account asks for a code besides.

    `step` is the token by which pages go on without the password; empty where it would be of no use.
    """

    code_required = True

    def __init__(self, detail: str, step: str = "") -> None:
        """Keep the token."""
        self.step = step
        super().__init__(detail)


class TokenRefusedError(SignInRequiredError):
    """The token that a request brought does not count. Nobody is told whether it ever did."""

    challenge: ClassVar = 'Bearer error="invalid_token"'


class ForbiddenError(AbhidhanError):
    """The person, or the site the request came from, is not allowed to do this."""


class ScopeMissingError(ForbiddenError):
    """The token of a request is for something else: it has none of these scopes, which have spaces between them."""

    def __init__(self, detail: str, scopes: str) -> None:
        """Keep what the answer tells programs (RFC 6750, section 3.1)."""
        self.challenge = f'Bearer error="insufficient_scope", scope="{scopes}"'
        super().__init__(detail)


class ConflictError(AbhidhanError):
    """The record has changed meanwhile, or its state does not allow this step.

    Where somebody else was quicker, `current` is what the record holds now, `proposed` what the caller wanted to save.
    """

    def __init__(self, detail: str, *, current: object = None, proposed: object = None) -> None:
        """Keep both states, if there are any to show."""
        self.current = current
        self.proposed = proposed
        super().__init__(detail)


class PreconditionError(AbhidhanError):
    """What is kept is not what the caller has made a condition of the request."""


class ReusedKeyError(AbhidhanError):
    """The caller's own key for a request has come before, with another request."""


class UnavailableError(AbhidhanError):
    """Something outside this program cannot be reached; worth another try after `retry_after` seconds."""

    def __init__(self, detail: str, retry_after: int) -> None:
        """Keep the seconds after which another try makes sense."""
        self.retry_after = retry_after
        super().__init__(detail)


class LostDatabaseError(UnavailableError):
    """The database cannot be reached. The log says so once, when it is noticed: nobody else need."""


class ReadOnlyError(UnavailableError):
    """The database is a standby: nothing is written until it is promoted. Nothing is wrong, so the log is silent."""

    def __init__(self) -> None:
        """Say so to everybody."""
        super().__init__(
            sentence("This server is read-only and saves nothing at the moment. Please try again later."),
            RetryAfter.LONG_JOB,
        )


class UnwritableError(UnavailableError):
    """A file, a folder or the database cannot be written. The sentence names it for the operator; others get `told`."""

    told: ClassVar = sentence("The server cannot save data at the moment; please tell its operator.")

    def __init__(self, detail: str) -> None:
        """Keep the sentence for the operator."""
        super().__init__(detail, RetryAfter.OPERATOR)

    @property
    def said(self) -> str:
        """The sentence for everybody who asks over the network: it names no file."""
        return self.told


class DiskFullError(UnwritableError):
    """There is no room left for a file or for the database, or its owner may not have more."""

    told = sentence("The server's disk is full; please tell its operator.")


FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the operating system says when there is no room, or none for this account."""

UNWRITABLE: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO})
"""What it says of a file that must not or cannot be written."""


def cannot_be_written(place: object, error: OSError) -> UnwritableError:
    """Make the error that names a file or folder, and why the operating system does not let it be written."""
    kind = DiskFullError if error.errno in FULL else UnwritableError
    return kind(f"{place} cannot be written: {error.strerror or error}.{_remedy(error)}")


def _remedy(error: OSError) -> str:
    """Say what an operator can do about it."""
    if error.errno in FULL:
        return " Make room on this disk."
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f" It must belong to the account that runs this program (user ID {os.geteuid()})."
    return ""


class TooManyRequestsError(AbhidhanError):
    """The caller has used up a limit; more may be asked after `retry_after` seconds."""

    def __init__(self, detail: str, retry_after: int) -> None:
        """Keep the seconds after which the caller may ask again."""
        self.retry_after = retry_after
        super().__init__(detail)


class UnreadableRequestError(AbhidhanError):
    """The request itself is damaged. The sentence says where."""


class SlowRequestError(AbhidhanError):
    """The rest of the request did not come in time."""


class QuotaError(TooManyRequestsError):
    """So much of the caller's waits for review that no more is taken; the sentence says how much, and what to do."""

    def __init__(self, detail: str) -> None:
        """Ask for patience: somebody has to decide first."""
        super().__init__(detail, RetryAfter.REVIEW)


class DatabaseError(AbhidhanError):
    """The database cannot be used as it is. The sentence says what to do."""


class DamagedDatabaseError(DatabaseError):
    """The file is not a database, or its contents are damaged."""


class NewerDatabaseError(DatabaseError):
    """The database was written by a newer version of this program."""
