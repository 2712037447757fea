"""Attempts to sign in, counted by how they ended."""

from collections.abc import Iterator
from contextlib import contextmanager

from abhidhan.domain.figures import Count
from abhidhan.errors import CodeRequiredError, ForbiddenError, SignInRequiredError, TooManyRequestsError

SUCCEEDED = "succeeded"
FAILED = "failed"
SLOWED = "slowed"


class SignIns(Count):
    """How many have signed in, failed, or must wait since they or others failed too often."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__("abhidhan_sign_ins", [(SUCCEEDED,), (FAILED,), (SLOWED,)])

    @contextmanager
    def counting(self, code: str) -> Iterator[None]:
        """Count an attempt. Who is asked for a code after the right password has neither failed nor succeeded yet."""
        try:
            yield
        except TooManyRequestsError:
            self.add(SLOWED)
            raise
        except CodeRequiredError:
            if code:
                self.add(FAILED)
            raise
        except (SignInRequiredError, ForbiddenError):
            self.add(FAILED)
            raise
        self.add(SUCCEEDED)
