"""Throttling: who a client is, and how soon it may try again to sign in, to sign up, to ask for links, to report."""

import hashlib
from typing import Final

import msgspec


class Visit(msgspec.Struct, frozen=True):
    """Where somebody comes from: the address that limits count, the program, and the token it brought, if any."""

    address: str
    agent: str | None = None
    token: str | None = None


def try_key(kind: str, *parts: str) -> str:
    """Name what tries are counted under, without names and addresses in clear."""
    return f"{kind}:{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


class Slowdown(msgspec.Struct, frozen=True):
    """How tries are slowed down: so many are free, then each next one waits twice as long, up to `longest` seconds.

    After `forgotten` seconds without a try all is as at the beginning.
    """

    free: int
    first: int
    longest: int
    forgotten: int


class Tries(msgspec.Struct, frozen=True):
    """How often something was tried, when last, and until when it must wait (seconds since 1970)."""

    count: int = 0
    last: int = 0
    until: int = 0


SIGN_IN_FROM_ONE_ADDRESS: Final = Slowdown(free=5, first=2, longest=900, forgotten=3600)
"""One account tried from one address: guessing soon becomes useless."""

SIGN_IN_BY_ADDRESS: Final = Slowdown(free=30, first=2, longest=900, forgotten=3600)
"""Any accounts tried from one address; a school behind one address has more than one forgetful pupil."""

SIGN_IN_BY_ACCOUNT: Final = Slowdown(free=20, first=1, longest=30, forgotten=3600)
"""One account tried from anywhere. Never more than half a minute, and not for an address from which the owner has
signed in before: whoever guesses from many addresses cannot lock the owner out."""

SIGN_UP: Final = Slowdown(free=5, first=3600, longest=86_400, forgotten=86_400)
"""Accounts made from one address."""

SIGN_UP_ANYWHERE: Final = Slowdown(free=200, first=60, longest=600, forgotten=3600)
"""Accounts made from all addresses together."""

RESET_REQUEST: Final = Slowdown(free=3, first=600, longest=3600, forgotten=86_400)
"""Reset links asked for, by account and by address."""

RESET_MAIL_BY_HOUR: Final = Slowdown(free=3, first=3600, longest=3600, forgotten=3600)
"""Mails with reset links to one mailbox, whatever accounts they are for."""

RESET_MAIL_BY_DAY: Final = Slowdown(free=8, first=3 * 3600, longest=6 * 3600, forgotten=86_400)
"""The same by the day: whoever makes accounts with somebody's address fills no mailbox, nor keeps its owner out for
longer."""

RESET: Final = Slowdown(free=10, first=30, longest=900, forgotten=3600)
"""New passwords set by links, from one address."""

RESET_BY_LINK: Final = Slowdown(free=5, first=30, longest=900, forgotten=3600)
"""New passwords set by one link, from anywhere: it works once, so that more is a mistake or a flood."""

CODE_FROM_ONE_ADDRESS: Final = Slowdown(free=5, first=2, longest=900, forgotten=3600)
"""Codes of one account tried from one address."""

CODE_BY_ACCOUNT: Final = Slowdown(free=10, first=60, longest=900, forgotten=86_400)
"""Codes of one account tried from anywhere but from where its owner has signed in before. Who tries one knows the
password already; at this pace a code of six digits, three of which fit at a time, is hit once in ten years."""

CONFIRMATION_BY_HOUR: Final = Slowdown(free=1, first=3600, longest=3600, forgotten=3600)
"""Mails that ask whether an address is right: to one mailbox over all accounts, and for one person."""

CONFIRMATION_BY_DAY: Final = Slowdown(free=3, first=86_400, longest=86_400, forgotten=86_400)
"""The same by the day: nobody's mailbox gets more than three, whoever makes accounts with its address."""

CONFIRMATION_FROM_ONE_ADDRESS: Final = Slowdown(free=10, first=600, longest=3600, forgotten=86_400)
"""The same mails, to whatever mailboxes, asked for from one address."""

REPORT: Final = Slowdown(free=10, first=600, longest=3600, forgotten=3600)
"""Errors reported from one address without an account."""

REPORT_ANYWHERE: Final = Slowdown(free=300, first=60, longest=600, forgotten=3600)
"""Errors reported from all addresses together."""


CLOCKS_DIFFER: Final = 60
"""So many seconds the clocks of machines may differ at most; whatever was tried later than that was before a clock was
set back, and nobody waits until it has caught up."""


def wait_of(tries: Tries, now: int) -> int:
    """Return how many seconds the next try must wait; 0: none."""
    return 0 if tries.last > now + CLOCKS_DIFFER else max(0, tries.until - now)


def after_try(rule: Slowdown, tries: Tries, now: int) -> Tries:
    """Count one more try."""
    count = 1 if now - tries.last >= rule.forgotten else tries.count + 1
    over = count - rule.free
    wait = min(rule.longest, rule.first * 2 ** min(over, 20)) if over >= 0 else 0
    return Tries(count, now, now + wait)
