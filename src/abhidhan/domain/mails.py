"""Mails to people who agreed to them: which there are, when each goes out, and the links that stop them."""

import hashlib
import hmac
import re
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.people import Permission, Role, permits

DAY: Final = 86_400
HOUR: Final = 3_600


class Topic(StrEnum):
    """What mails of a kind tell: what was decided about one's own contributions, or what waits for editors.

    Before both goes the question whether the address is right (`domain/mail_addresses.py`).
    """

    DECISIONS = "decisions"
    DIGEST = "digest"
    CONFIRMATION = "confirmation"


class Often(StrEnum):
    """How often mails of a kind may come; who has never agreed gets none."""

    NEVER = "never"
    AT_ONCE = "at_once"
    DAILY = "daily"
    WEEKLY = "weekly"


CHOICES: Final = {
    Topic.DECISIONS: (Often.NEVER, Often.AT_ONCE),
    Topic.DIGEST: (Often.NEVER, Often.DAILY, Often.WEEKLY),
}
"""How often mails of each kind may be wanted; nobody chooses to be asked."""

NEEDED: Final = {Topic.DIGEST: Permission.REVIEW}
"""What whoever gets mails of a kind must be allowed to do."""


def may_get(topic: Topic, role: Role) -> bool:
    """Say whether people of a role may get mails of a kind."""
    return topic not in NEEDED or permits(role, NEEDED[topic])


class Choice(msgspec.Struct, frozen=True):
    """What a person has agreed to: mails of a kind, how often, in which language of the interface, and since when.

    Links that stop these mails are signed with the `secret`.
    """

    person_id: int
    topic: Topic
    often: Often
    language: str
    secret: str
    agreed: int


# --- when ---------------------------------------------------------------------------------------------------------

QUIET_SECONDS: Final = 600
"""So long after the last decision they are told, all in one mail: an editor decides about many, and may undo one."""

LONGEST_WAIT: Final = HOUR
"""So long after the first of them they are told, however many more come."""

DIGEST_SECOND: Final = 2 * HOUR + 1_800
"""When digests go out, in seconds of a day in UTC: eight in the morning in Assam."""

TOO_LATE: Final = 12 * HOUR
"""A digest that is late by more than this is left out: the next one tells the same."""

LEASE_SECONDS: Final = 900
"""So long a mail belongs to the worker that has taken it; if that has died, another takes it afterwards."""

PAUSES: Final = (60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR)
"""Seconds between a try that has failed and the next; the last pause is that between all later ones."""

GIVEN_UP_AFTER: Final = 4 * DAY
"""Seconds after which decisions that could not be told are not told any more: the account page has them."""


def due_of(first: int, last: int) -> int:
    """Return when decisions are told, the first and last of which were made then."""
    return min(first + LONGEST_WAIT, last + QUIET_SECONDS)


def next_digest(now: int, often: Often) -> int | None:
    """Return when the next digest is due: in the morning of a day or, by the week, of a Monday; None: never."""
    if often not in {Often.DAILY, Often.WEEKLY}:
        return None
    day = (now - DIGEST_SECOND) // DAY + 1
    if often is Often.WEEKLY:
        # 1 January 1970 was a Thursday.
        day += (4 - day) % 7
    return day * DAY + DIGEST_SECOND


def pause_after(tries: int) -> int:
    """Return how many seconds to wait after so many tries that have failed."""
    return PAUSES[min(tries, len(PAUSES)) - 1]


# --- links --------------------------------------------------------------------------------------------------------

RESUME_SECONDS: Final = HOUR
_TOKEN: Final = re.compile(r"([1-9][0-9]{0,8})-([a-z]{1,20})-(?:([a-z_]{1,20})-([0-9]{1,12})-)?([0-9a-f]{32})")


class Link(NamedTuple):
    """What a link says: whose mails, of which kind, and the signature.

    One that takes a stop back also says how often they came before, and until when it works.
    """

    person_id: int
    topic: Topic
    signature: str
    often: Often | None = None
    until: int = 0


def stop_token(choice: Choice) -> str:
    """Write the token of the link that stops mails of a kind, and can do nothing else; it works for good."""
    return f"{choice.person_id}-{choice.topic}-{_signature(choice, '')}"


def resume_token(choice: Choice, until: int) -> str:
    """Write the token that takes back, for a while, that mails were stopped which came as `choice` says.

    Whatever is chosen after the stop is newer than it, and counts.
    """
    back = f"{choice.often}-{until}"
    return f"{choice.person_id}-{choice.topic}-{back}-{_signature(choice, f'{back}-{choice.agreed}')}"


def read_token(token: str) -> Link | None:
    """Read what a link says; None where that is nothing."""
    found = _TOKEN.fullmatch(token)
    if found is None or found[2] not in {*CHOICES} or found[3] not in {None, *Often}:
        return None
    often = Often(found[3]) if found[3] else None
    return Link(int(found[1]), Topic(found[2]), found[5], often, int(found[4] or 0))


def is_signed(link: Link, choice: Choice) -> bool:
    """Say whether a link was written for these mails of this person."""
    back = f"{link.often}-{link.until}-{choice.agreed}" if link.often else ""
    mine = (link.person_id, link.topic) == (choice.person_id, choice.topic)
    return mine and hmac.compare_digest(link.signature, _signature(choice, back))


def _signature(choice: Choice, back: str) -> str:
    said = f"{choice.person_id}-{choice.topic}-{back}"
    return hmac.new(choice.secret.encode(), said.encode(), hashlib.sha256).hexdigest()[:32]
