"""Throttling of sign-in, sign-up, reset links, e-mails and reports, by client and account."""

import hashlib
from typing import Final

import msgspec


class ClientInfo(msgspec.Struct, frozen=True):
    """The client of a request: its network address, its user agent, and the session token, if any."""

    address: str
    agent: str | None = None
    token: str | None = None


def throttle_key(kind: str, *parts: str) -> str:
    """Return the key under which attempts are counted, with names and addresses hashed."""
    return f"{kind}:{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


class Throttle(msgspec.Struct, frozen=True):
    """A throttling rule: `free_attempts` without delay, then delays that double up to `max_delay_seconds`.

    After `reset_after_seconds` without an attempt, the count is reset.
    """

    free_attempts: int
    first_delay_seconds: int
    max_delay_seconds: int
    reset_after_seconds: int


class AttemptCount(msgspec.Struct, frozen=True):
    """The number of attempts, the last one, and the earliest time of the next one (seconds since 1970)."""

    count: int = 0
    last: int = 0
    until: int = 0


SIGN_IN_BY_ACCOUNT_AND_ADDRESS: Final = Throttle(
    free_attempts=5, first_delay_seconds=2, max_delay_seconds=900, reset_after_seconds=3600
)
"""Sign-in attempts for one account from one address; guessing soon becomes useless."""

SIGN_IN_BY_ADDRESS: Final = Throttle(
    free_attempts=30, first_delay_seconds=2, max_delay_seconds=900, reset_after_seconds=3600
)
"""Sign-in attempts for any account from one address, which a school may share."""

SIGN_IN_BY_ACCOUNT: Final = Throttle(
    free_attempts=20, first_delay_seconds=1, max_delay_seconds=30, reset_after_seconds=3600
)
"""Sign-in attempts for one account from anywhere. The delay is at most half a minute, and does not apply to addresses
from which the owner has signed in before, so that an attack from many addresses cannot lock the owner out."""

SIGN_UP_BY_ADDRESS: Final = Throttle(
    free_attempts=5, first_delay_seconds=3600, max_delay_seconds=86_400, reset_after_seconds=86_400
)
"""Accounts created from one address."""

SIGN_UP_ANYWHERE: Final = Throttle(
    free_attempts=200, first_delay_seconds=60, max_delay_seconds=600, reset_after_seconds=3600
)
"""Accounts created from all addresses together."""

RESET_REQUEST: Final = Throttle(
    free_attempts=3, first_delay_seconds=600, max_delay_seconds=3600, reset_after_seconds=86_400
)
"""Requests for reset links, by account and by address."""

RESET_MAIL_BY_HOUR: Final = Throttle(
    free_attempts=3, first_delay_seconds=3600, max_delay_seconds=3600, reset_after_seconds=3600
)
"""E-mails with reset links to one mailbox per hour, for any accounts."""

RESET_MAIL_BY_DAY: Final = Throttle(
    free_attempts=8, first_delay_seconds=3 * 3600, max_delay_seconds=6 * 3600, reset_after_seconds=86_400
)
"""E-mails with reset links to one mailbox per day, so that accounts created with another person's address can neither
fill the mailbox nor lock its owner out for longer."""

PASSWORD_RESET_BY_ADDRESS: Final = Throttle(
    free_attempts=10, first_delay_seconds=30, max_delay_seconds=900, reset_after_seconds=3600
)
"""Attempts to set a new password by a link, from one address."""

RESET_BY_LINK: Final = Throttle(
    free_attempts=5, first_delay_seconds=30, max_delay_seconds=900, reset_after_seconds=3600
)
"""Attempts to set a new password by the same link, from anywhere. A link works only once."""

CODE_FROM_ONE_ADDRESS: Final = Throttle(
    free_attempts=5, first_delay_seconds=2, max_delay_seconds=900, reset_after_seconds=3600
)
"""Two-factor codes tried for one account from one address."""

CODE_BY_ACCOUNT: Final = Throttle(
    free_attempts=10, first_delay_seconds=60, max_delay_seconds=900, reset_after_seconds=86_400
)
"""Two-factor codes tried for one account, except from addresses known from its owner's sign-ins. An attacker already
knows the password; at this rate, one of the three valid six-digit codes is hit once in ten years."""

CONFIRMATION_BY_HOUR: Final = Throttle(
    free_attempts=1, first_delay_seconds=3600, max_delay_seconds=3600, reset_after_seconds=3600
)
"""E-mails that confirm an address, per hour: to one mailbox over all accounts, and for one user."""

CONFIRMATION_BY_DAY: Final = Throttle(
    free_attempts=3, first_delay_seconds=86_400, max_delay_seconds=86_400, reset_after_seconds=86_400
)
"""E-mails that confirm an address, per day: no mailbox gets more than three, for any number of accounts."""

CONFIRMATION_FROM_ONE_ADDRESS: Final = Throttle(
    free_attempts=10, first_delay_seconds=600, max_delay_seconds=3600, reset_after_seconds=86_400
)
"""Requests from one address for e-mails that confirm an address, to any mailboxes."""

REPORT_BY_ADDRESS: Final = Throttle(
    free_attempts=10, first_delay_seconds=600, max_delay_seconds=3600, reset_after_seconds=3600
)
"""Errors reported from one address without an account."""

REPORT_ANYWHERE: Final = Throttle(
    free_attempts=300, first_delay_seconds=60, max_delay_seconds=600, reset_after_seconds=3600
)
"""Errors reported from all addresses together."""


MAX_CLOCK_SKEW_SECONDS: Final = 60
"""Maximum difference between machine clocks, in seconds. An attempt that lies further in the future was stored before a
clock was set back, and is ignored."""


def seconds_to_wait(attempts: AttemptCount, now: int) -> int:
    """Return the delay before the next attempt in seconds, or 0."""
    return 0 if attempts.last > now + MAX_CLOCK_SKEW_SECONDS else max(0, attempts.until - now)


def count_attempt(rule: Throttle, attempts: AttemptCount, now: int) -> AttemptCount:
    """Return the count and the next delay after one more attempt under a rule."""
    count = 1 if now - attempts.last >= rule.reset_after_seconds else attempts.count + 1
    excess = count - rule.free_attempts
    wait = min(rule.max_delay_seconds, rule.first_delay_seconds * 2 ** min(excess, 20)) if excess >= 0 else 0
    return AttemptCount(count, now, now + wait)
