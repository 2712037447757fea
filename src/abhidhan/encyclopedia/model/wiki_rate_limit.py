"""When a wiki may be asked: one request at a time, not too often, and not while it fails.

Pure decisions on one row, which all processes share through the database. Times are milliseconds since 1970.
"""

from typing import Final

import msgspec

TOLERATED_FAILURES: Final = 3
"""At most this many requests in a row may fail before a wiki is left alone for a while."""

SHORTEST_CLOSURE: Final = 30_000
LONGEST_CLOSURE: Final = 600_000
"""Milliseconds that a wiki is left alone after the last tolerated failure: twice as long after each further one."""

ALL_WIKIS: Final = ""
"""The address of the row that holds the distance between requests over all wikis."""


class Wiki(msgspec.Struct, frozen=True, kw_only=True):
    """Until `free_at` a wiki is not asked: a request is under way, or it rests. Its last `failures` requests failed."""

    address: str
    free_at: int = 0
    failures: int = 0


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """How wikis are asked: milliseconds between two requests, of one wiki or of all; how long a turn may last.

    After `patience` without an answer a wiki is slow: nobody queues for it any more.
    """

    pace: int
    over_all: bool
    longest_turn: int
    patience: int = 1_000


def wait_for_turn(wiki: Wiki, now: int, manners: Manners) -> int:
    """Return how many milliseconds to wait before the next request; 0 when it may be sent now."""
    wait = max(0, wiki.free_at - now)
    # After a clock was put back, a turn seems to last longer than it may.
    return wait if wiki.failures or wait <= manners.longest_turn else 0


def is_out_of_reach(wiki: Wiki, now: int, manners: Manners) -> bool:
    """Return whether waiting is in vain: the wiki failed and rests or is tried by another, or it is slow to answer."""
    wait = wait_for_turn(wiki, now, manners)
    return wait > manners.pace and (wiki.failures > 0 or wait < manners.longest_turn - manners.patience)


def take_turn(wiki: Wiki, now: int, manners: Manners) -> Wiki:
    """Return the wiki as it is while a request is under way, at most until the turn ends by itself."""
    return msgspec.structs.replace(wiki, free_at=now + manners.longest_turn)


def record_answer(wiki: Wiki, now: int, manners: Manners) -> Wiki:
    """Return the wiki as it is after an answer."""
    return msgspec.structs.replace(wiki, free_at=now + manners.pace, failures=0)


def record_failure(wiki: Wiki, now: int, wish: int, manners: Manners) -> Wiki:
    """Return the wiki as it is after one more failure, or a refusal that wishes `wish` milliseconds of rest."""
    failures = wiki.failures + 1
    too_many = failures - TOLERATED_FAILURES
    closure = 0 if too_many < 0 else min(SHORTEST_CLOSURE << min(too_many, 10), LONGEST_CLOSURE)
    return msgspec.structs.replace(wiki, free_at=now + max(closure, wish, manners.pace), failures=failures)
