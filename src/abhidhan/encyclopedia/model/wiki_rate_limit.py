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


class WikiState(msgspec.Struct, frozen=True, kw_only=True):
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

    interval_milliseconds: int
    is_interval_shared: bool
    max_turn_milliseconds: int
    slow_after_milliseconds: int = 1_000


def milliseconds_to_wait(wiki: WikiState, now: int, policy: RequestPolicy) -> int:
    """Return the number of milliseconds until the next request may be sent; 0 if it may be sent now."""
    wait = max(0, wiki.free_at - now)
    # If the clock was set back, a turn seems to last longer than the maximum.
    return wait if wiki.failures or wait <= policy.max_turn_milliseconds else 0


def is_unavailable(wiki: WikiState, now: int, policy: RequestPolicy) -> bool:
    """Return whether waiting is useless: the wiki is paused, is being retried by another process, or is slow."""
    wait = milliseconds_to_wait(wiki, now, policy)
    return wait > policy.interval_milliseconds and (
        wiki.failures > 0 or wait < policy.max_turn_milliseconds - policy.slow_after_milliseconds
    )


def start_turn(wiki: WikiState, now: int, policy: RequestPolicy) -> WikiState:
    """Return the state during a request; it expires in case the process dies before it records the outcome."""
    return msgspec.structs.replace(wiki, free_at=now + policy.max_turn_milliseconds)


def record_success(wiki: WikiState, now: int, policy: RequestPolicy) -> WikiState:
    """Return the state after a successful request."""
    return msgspec.structs.replace(wiki, free_at=now + policy.interval_milliseconds, failures=0)


def record_failure(wiki: WikiState, now: int, requested_pause: int, policy: RequestPolicy) -> WikiState:
    """Return the state after a failure, or after a refusal that asks for a pause of `requested_pause` milliseconds."""
    failures = wiki.failures + 1
    excess_failures = failures - TOLERATED_FAILURES
    pause = (
        0 if excess_failures < 0 else min(MIN_PAUSE_MILLISECONDS << min(excess_failures, 10), MAX_PAUSE_MILLISECONDS)
    )
    return msgspec.structs.replace(
        wiki, free_at=now + max(pause, requested_pause, policy.interval_milliseconds), failures=failures
    )
