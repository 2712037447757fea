"""Rate limit of a wiki: one request at a time, at a minimum interval, with pauses after failures.

The functions compute the next state of a wiki; all processes share the states through the database. Times are
milliseconds since 1970.
"""

from typing import Final

import msgspec

TOLERATED_FAILURES: Final = 3
"""Number of consecutive failures after which a wiki is paused."""

MIN_PAUSE_MILLISECONDS: Final = 30_000
MAX_PAUSE_MILLISECONDS: Final = 600_000
"""Milliseconds of the first pause, and the maximum: the pause doubles with each further failure."""

ALL_WIKIS: Final = ""
"""The address of the row for the interval between requests to any wiki."""


class Wiki(msgspec.Struct, frozen=True, kw_only=True):
    """The request state of a wiki: no request may start before `free_at`; `failures` counts consecutive failures."""

    address: str
    free_at: int = 0
    failures: int = 0


class RequestPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of requests to wikis. All numbers are in milliseconds.

    The interval between requests applies to each wiki or, if it is shared, to all wikis together. A turn, the
    permission to send a request, expires after `max_turn_milliseconds`. A wiki that has not responded after
    `slow_after_milliseconds` counts as slow, and callers no longer queue for it.
    """

    pace: int
    over_all: bool
    max_turn: int
    patience: int = 1_000


def wait_for_turn(wiki: Wiki, now: int, policy: RequestPolicy) -> int:
    """Return the number of milliseconds until the next request may be sent; 0 if it may be sent now."""
    wait = max(0, wiki.free_at - now)
    # If the clock was set back, a turn seems to last longer than the maximum.
    return wait if wiki.failures or wait <= policy.max_turn else 0


def is_out_of_reach(wiki: Wiki, now: int, policy: RequestPolicy) -> bool:
    """Return whether waiting is useless: the wiki is paused, is being retried by another process, or is slow."""
    wait = wait_for_turn(wiki, now, policy)
    return wait > policy.pace and (wiki.failures > 0 or wait < policy.max_turn - policy.patience)


def acquire_turn(wiki: Wiki, now: int, policy: RequestPolicy) -> Wiki:
    """Return the state during a request; it expires in case the process dies before it records the outcome."""
    return msgspec.structs.replace(wiki, free_at=now + policy.max_turn)


def record_answer(wiki: Wiki, now: int, policy: RequestPolicy) -> Wiki:
    """Return the state after a successful request."""
    return msgspec.structs.replace(wiki, free_at=now + policy.pace, failures=0)


def record_failure(wiki: Wiki, now: int, requested_pause: int, policy: RequestPolicy) -> Wiki:
    """Return the state after a failure, or after a refusal that asks for a pause of `requested_pause` milliseconds."""
    failures = wiki.failures + 1
    too_many = failures - TOLERATED_FAILURES
    closure = 0 if too_many < 0 else min(MIN_PAUSE_MILLISECONDS << min(too_many, 10), MAX_PAUSE_MILLISECONDS)
    return msgspec.structs.replace(wiki, free_at=now + max(closure, requested_pause, policy.pace), failures=failures)
