"""The one tree of errors. Each carries its data; `web/errors.py` and `cli` turn them into answers.

AbhidhanError
├── SettingError            a setting is missing or wrong; the start stops
├── InputError              what the caller sent cannot be used (400)
├── NotFoundError           there is no such record (404)
├── SignInRequiredError     nobody is signed in (401)
├── ForbiddenError          signed in, but not allowed (403)
├── ConflictError           somebody else's newer change, or a state that is already decided (409)
├── ReusedKeyError          a key that names one request came with another one (422)
├── UnavailableError        a source outside cannot be reached for now (503)
├── TooManyRequestsError    the caller has used up a limit (429)
│   └── QuotaError          so much of the caller's waits for review that no more is taken
└── DatabaseError           the database cannot be used as it is
    ├── DamagedDatabaseError
    └── NewerDatabaseError
"""

from collections.abc import Mapping
from dataclasses import dataclass

SECONDS_OF_REVIEW = 3600
"""When it makes sense to look again whether people have decided something."""


class Sentence(str):
    """A sentence for people, in English and filled in; its pattern and values let it be said in other languages."""

    __slots__ = ("pattern", "values")

    pattern: str
    values: Mapping[str, object]


def sentence(pattern: str, /, **values: object) -> Sentence:
    """Make a sentence of a pattern, in which `%(name)s` stands for a value. tools/translations.py collects patterns."""
    made = Sentence(pattern % values if values else pattern)
    made.pattern = pattern
    made.values = values
    return made


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


class SignInRequiredError(AbhidhanError):
    """Nobody is signed in, and the address needs somebody to be."""


class ForbiddenError(AbhidhanError):
    """The person, or the site the request came from, is not allowed to do this."""


class ConflictError(AbhidhanError):
    """The record has changed meanwhile, or its state does not allow this step.

    Where somebody else was quicker, `current` is what the record holds now, `proposed` what the caller wanted to save.
    """

    def __init__(self, detail: str, *, current: object = None, proposed: object = None) -> None:
        """Keep both states, if there are any to show."""
        self.current = current
        self.proposed = proposed
        super().__init__(detail)


class ReusedKeyError(AbhidhanError):
    """The caller's own key for a request has come before, with another request."""


class UnavailableError(AbhidhanError):
    """Something outside this program cannot be reached; worth another try after `retry_after` seconds."""

    def __init__(self, detail: str, retry_after: int) -> None:
        """Keep the seconds after which another try makes sense."""
        self.retry_after = retry_after
        super().__init__(detail)


class TooManyRequestsError(AbhidhanError):
    """The caller has used up a limit; more may be asked after `retry_after` seconds."""

    def __init__(self, detail: str, retry_after: int) -> None:
        """Keep the seconds after which the caller may ask again."""
        self.retry_after = retry_after
        super().__init__(detail)


class QuotaError(TooManyRequestsError):
    """So much of the caller's waits for review that no more is taken; the sentence says how much, and what to do."""

    def __init__(self, detail: str) -> None:
        """Ask for patience: somebody has to decide first."""
        super().__init__(detail, SECONDS_OF_REVIEW)


class DatabaseError(AbhidhanError):
    """The database cannot be used as it is. The sentence says what to do."""


class DamagedDatabaseError(DatabaseError):
    """The file is not a database, or its contents are damaged."""


class NewerDatabaseError(DatabaseError):
    """The database was written by a newer version of this program."""
