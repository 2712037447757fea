"""Mails to people who agreed to them: when they go out, and the link that stops them."""

import hashlib
import hmac
import re
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

DAY: Final = 86_400
HOUR: Final = 3_600


class Topic(StrEnum):
    """The topic of a mail: decisions on one's own contributions, or the question whether the address is right.

    The question comes before any decision (`people/model/mail_addresses.py`).
    """

    DECISIONS = "decisions"
    CONFIRMATION = "confirmation"


class Choice(msgspec.Struct, frozen=True):
    """Whether a person wants mails of a topic, in which language of the interface, and since when.

    The links in these mails are signed with the `secret`.
    """

    person_id: int
    topic: Topic
    is_wanted: bool
    language: str
    secret: str
    agreed: int


# --- when ---------------------------------------------------------------------------------------------------------

MORNING: Final = 2 * HOUR + 1_800
"""When mails about decisions go out, in seconds of a day in UTC: eight in the morning in Assam."""

LEASE_SECONDS: Final = 900
"""So long a mail belongs to the worker that has taken it; if that has died, another takes it afterwards."""

PAUSES: Final = (60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR)
"""Seconds between a try that has failed and the next; the last pause is that between all later ones."""

GIVEN_UP_AFTER: Final = 4 * DAY
"""Seconds after which decisions that could not be told are not told any more: the account page has them."""


def next_morning(moment: int) -> int:
    """Return when the next mail about decisions goes out after a moment: one a day."""
    return ((moment - MORNING) // DAY + 1) * DAY + MORNING


def pause_after(tries: int) -> int:
    """Return how many seconds to wait after so many tries that have failed."""
    return PAUSES[min(tries, len(PAUSES)) - 1]


# --- the link that stops them -------------------------------------------------------------------------------------

DIGEST: Final = "digest"
"""The topic of mails that older versions sent: their links still work, and have nothing left to stop."""

_TOKEN: Final = re.compile(rf"([1-9][0-9]{{0,8}})-({Topic.DECISIONS}|{DIGEST})-([0-9a-f]{{32}})")


class StopLink(NamedTuple):
    """What a link says: whose mails it stops, of which topic, and the signature."""

    person_id: int
    topic: str
    signature: str


def stop_token(choice: Choice) -> str:
    """Write the token of the link that stops mails about decisions, and can do nothing else. It never expires."""
    return f"{choice.person_id}-{choice.topic}-{_signature(choice)}"


def read_stop_token(token: str) -> StopLink | None:
    """Read what a link says; None where that is nothing."""
    found = _TOKEN.fullmatch(token)
    return StopLink(int(found[1]), found[2], found[3]) if found else None


def is_signed(link: StopLink, choice: Choice) -> bool:
    """Say whether a link was written for these mails of this person."""
    own = (link.person_id, link.topic) == (choice.person_id, choice.topic)
    return own and hmac.compare_digest(link.signature, _signature(choice))


def _signature(choice: Choice) -> str:
    # The hyphen at the end is that of links which older versions have sent.
    signed = f"{choice.person_id}-{choice.topic}-"
    return hmac.new(choice.secret.encode(), signed.encode(), hashlib.sha256).hexdigest()[:32]
