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

    free: int
    first: int
    longest: int
    reset_after: int


class AttemptCount(msgspec.Struct, frozen=True):
    """The number of attempts, the last one, and the earliest time of the next one (seconds since 1970)."""

    count: int = 0
    last: int = 0
    until: int = 0


SIGN_IN_FROM_ONE_ADDRESS: Final = Throttle(free=5, first=2, longest=900, reset_after=3600)
"""Sign-in attempts for one account from one address; guessing soon becomes useless."""

SIGN_IN_BY_ADDRESS: Final = Throttle(free=30, first=2, longest=900, reset_after=3600)
"""Sign-in attempts for any account from one address, which a school may share."""

SIGN_IN_BY_ACCOUNT: Final = Throttle(free=20, first=1, longest=30, reset_after=3600)
"""Sign-in attempts for one account from anywhere. The delay is at most half a minute, and does not apply to addresses
from which the owner has signed in before, so that an attack from many addresses cannot lock the owner out."""

SIGN_UP: Final = Throttle(free=5, first=3600, longest=86_400, reset_after=86_400)
"""Accounts created from one address."""

SIGN_UP_ANYWHERE: Final = Throttle(free=200, first=60, longest=600, reset_after=3600)
"""Accounts created from all addresses together."""

RESET_REQUEST: Final = Throttle(free=3, first=600, longest=3600, reset_after=86_400)
"""Requests for reset links, by account and by address."""

RESET_MAIL_BY_HOUR: Final = Throttle(free=3, first=3600, longest=3600, reset_after=3600)
"""E-mails with reset links to one mailbox per hour, for any accounts."""

RESET_MAIL_BY_DAY: Final = Throttle(free=8, first=3 * 3600, longest=6 * 3600, reset_after=86_400)
"""E-mails with reset links to one mailbox per day, so that accounts created with another person's address can neither
fill the mailbox nor lock its owner out for longer."""

RESET: Final = Throttle(free=10, first=30, longest=900, reset_after=3600)
"""Attempts to set a new password by a link, from one address."""

RESET_BY_LINK: Final = Throttle(free=5, first=30, longest=900, reset_after=3600)
"""Attempts to set a new password by the same link, from anywhere. A link works only once."""

CODE_FROM_ONE_ADDRESS: Final = Throttle(free=5, first=2, longest=900, reset_after=3600)
"""Two-factor codes tried for one account from one address."""

CODE_BY_ACCOUNT: Final = Throttle(free=10, first=60, longest=900, reset_after=86_400)
"""Two-factor codes tried for one account, except from addresses known from its owner's sign-ins. An attacker already
knows the password; at this rate, one of the three valid six-digit codes is hit once in ten years."""

CONFIRMATION_BY_HOUR: Final = Throttle(free=1, first=3600, longest=3600, reset_after=3600)
"""E-mails that confirm an address, per hour: to one mailbox over all accounts, and for one user."""

CONFIRMATION_BY_DAY: Final = Throttle(free=3, first=86_400, longest=86_400, reset_after=86_400)
"""E-mails that confirm an address, per day: no mailbox gets more than three, for any number of accounts."""

CONFIRMATION_FROM_ONE_ADDRESS: Final = Throttle(free=10, first=600, longest=3600, reset_after=86_400)
"""Requests from one address for e-mails that confirm an address, to any mailboxes."""

REPORT: Final = Throttle(free=10, first=600, longest=3600, reset_after=3600)
"""Errors reported from one address without an account."""

REPORT_ANYWHERE: Final = Throttle(free=300, first=60, longest=600, reset_after=3600)
"""Errors reported from all addresses together."""


MAX_CLOCK_SKEW_SECONDS: Final = 60
"""Maximum difference between machine clocks, in seconds. An attempt that lies further in the future was stored before a
clock was set back, and is ignored."""


def wait_seconds(tries: AttemptCount, now: int) -> int:
    """Return the delay before the next attempt in seconds, or 0."""
    return 0 if tries.last > now + MAX_CLOCK_SKEW_SECONDS else max(0, tries.until - now)


def after_attempt(rule: Throttle, tries: AttemptCount, now: int) -> AttemptCount:
    """Return the count and the next delay after one more attempt under a rule."""
    count = 1 if now - tries.last >= rule.reset_after else tries.count + 1
    over = count - rule.free
    wait = min(rule.longest, rule.first * 2 ** min(over, 20)) if over >= 0 else 0
    return AttemptCount(count, now, now + wait)
