"""When a wiki may be asked: one request at a time, not too often, and not while it says no or does not answer.

Pure decisions on one value, which all processes share through the database. Times are milliseconds since 1970.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

TOLERATED_FAILURES: Final = 3
"""At most this many requests in a row may fail before a wiki is left alone for a while."""

SHORTEST_CLOSURE: Final = 30_000
LONGEST_CLOSURE: Final = 600_000
"""Milliseconds that a wiki is left alone after the last tolerated failure: twice as long after each further one."""

LONGEST_WISH: Final = 86_400_000
"""A wiki that wishes to be asked again later than this, in milliseconds, is asked then all the same."""


class Wiki(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one wiki: who asks it now and until when at most, when it was asked last, how that went.

    Until `closed_until` it is not asked at all: it said so itself, or it failed `failures` times in a row.
    """

    address: str
    holder: str = ""
    held_until: int = 0
    asked: int = 0
    closed_until: int = 0
    failures: int = 0


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """How wikis are asked: milliseconds between two requests, of one wiki or of all; how long a turn may last.

    After `patience` without an answer a wiki is slow: nobody queues for it any more.
    """

    pace: int
    over_all: bool
    longest_turn: int
    patience: int = 1_000


def closed_for(wiki: Wiki, now: int) -> int:
    """Return for how many milliseconds a wiki is not to be asked; 0 when it may be."""
    return max(0, wiki.closed_until - now)


def wait_for_turn(wiki: Wiki, others: Iterable[Wiki], holder: str, now: int, manners: Manners) -> int:
    """Return how many milliseconds `holder` must wait before its next request; 0 when it may be sent now."""
    asked = max(each.asked for each in (wiki, *others)) if manners.over_all else wiki.asked
    # A clock that was put back must not stop everything until it has caught up: nobody waits longer than the rule says.
    held = min(wiki.held_until - now, manners.longest_turn) if wiki.holder not in {"", holder} else 0
    paced = min(asked + manners.pace - now, manners.pace)
    return max(0, held, paced, closed_for(wiki, now))


def is_tried_by_another(wiki: Wiki, holder: str, now: int, manners: Manners) -> bool:
    """Return whether another process asks a wiki that has just failed, or does not answer: waiting is in vain then."""
    held = wiki.holder not in {"", holder} and wiki.held_until > now
    return held and (wiki.failures > 0 or now - wiki.asked > manners.patience)


def begun(wiki: Wiki, holder: str, now: int, manners: Manners) -> Wiki:
    """Assign the wiki's turn to `holder`, who sends a request now."""
    return msgspec.structs.replace(wiki, holder=holder, held_until=now + manners.longest_turn, asked=now)


def answered(wiki: Wiki) -> Wiki:
    """Note that it answered: it is open, and free for the next."""
    return msgspec.structs.replace(wiki, holder="", held_until=0, closed_until=0, failures=0)


def failed(wiki: Wiki, now: int, wish: int) -> Wiki:
    """Note that it could not be reached, or refused and wishes `wish` milliseconds of rest; free for the next."""
    failures = wiki.failures + 1
    too_many = failures - TOLERATED_FAILURES
    closure = 0 if too_many < 0 else min(SHORTEST_CLOSURE << min(too_many, 10), LONGEST_CLOSURE)
    rest = max(closure, min(wish, LONGEST_WISH))
    closed = max(wiki.closed_until, now + rest) if rest else wiki.closed_until
    return msgspec.structs.replace(wiki, holder="", held_until=0, closed_until=closed, failures=failures)


def released(wiki: Wiki) -> Wiki:
    """Release the turn without a word about how it went."""
    return msgspec.structs.replace(wiki, holder="", held_until=0)


def has_closed(before: Wiki, after: Wiki) -> bool:
    """Return whether a wiki has just begun to be left alone, which is worth a line in the log."""
    return after.closed_until > before.closed_until


def has_recovered(before: Wiki, after: Wiki) -> bool:
    """Return whether a wiki answers again after it had been left alone."""
    return after.failures == 0 and before.failures >= TOLERATED_FAILURES
