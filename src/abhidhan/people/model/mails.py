"""Mails: the address they go to, confirmed or refused, the topics and times people agreed to, and the links in them."""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.throttling import (
    CONFIRMATION_BY_DAY,
    CONFIRMATION_BY_HOUR,
    CONFIRMATION_FROM_ONE_ADDRESS,
    RESET_MAIL_BY_DAY,
    RESET_MAIL_BY_HOUR,
    Slowdown,
    try_key,
)

CONFIRM_DAYS: Final = 3
CONFIRM_SECONDS: Final = CONFIRM_DAYS * 86_400
"""So long the link works by which an address is confirmed."""

ALLOW_SECONDS: Final = 3_600
"""So long a refusal can be taken back by whoever has just refused."""


class Standing(StrEnum):
    """Whether mails go to the address of an account: only where whoever reads them there has confirmed it."""

    NONE = "none"
    UNCONFIRMED = "unconfirmed"
    WAITING = "waiting"
    CONFIRMED = "confirmed"
    REFUSED = "refused"


class KnownAddress(NamedTuple):
    """The address of an account, and which one was confirmed for it.

    Its links are signed with the `secret`; whoever is not asked has `asked` 0.
    """

    person_id: int
    email: str | None
    confirmed: str | None = None
    secret: str | None = None
    asked: int = 0

    @property
    def is_confirmed(self) -> bool:
        """Say whether the address is the one that was confirmed: a changed one needs it anew."""
        return self.email is not None and self.email == self.confirmed


def standing_of(known: KnownAddress, *, is_refused: bool, now: int) -> Standing:
    """Say whether mails go to an address, or what they wait for."""
    if known.email is None:
        return Standing.NONE
    if is_refused:
        return Standing.REFUSED
    if known.is_confirmed:
        return Standing.CONFIRMED
    return Standing.WAITING if now - known.asked < CONFIRM_SECONDS else Standing.UNCONFIRMED


# --- mailboxes ----------------------------------------------------------------------------------------------------

DOTS_MEAN_NOTHING: Final = frozenset({"gmail.com", "googlemail.com"})


def mailbox_key(email: str) -> str:
    """Name the mailbox of an address, without the address in clear.

    Ways to write one mailbox are one: else a stranger would write them all, and each could be asked.
    """
    local, _, domain = unicodedata.normalize("NFKC", email).casefold().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in DOTS_MEAN_NOTHING:
        local = local.replace(".", "")
    return try_key("mailbox", local, domain)


def question_rules(person_id: int, email: str, visitor: str) -> Mapping[str, Slowdown]:
    """Choose what counts when an address is asked: its mailbox over all accounts, the person, and where they are."""
    mailbox = mailbox_key(email)
    return {
        try_key("confirm by hour", mailbox): CONFIRMATION_BY_HOUR,
        try_key("confirm by day", mailbox): CONFIRMATION_BY_DAY,
        try_key("confirm by hour for", str(person_id)): CONFIRMATION_BY_HOUR,
        try_key("confirm by day for", str(person_id)): CONFIRMATION_BY_DAY,
        try_key("confirm from", visitor): CONFIRMATION_FROM_ONE_ADDRESS,
    }


def reset_rules(email: str) -> Mapping[str, Slowdown]:
    """Choose what counts when reset links are mailed to an address: its mailbox, over all accounts and visitors."""
    mailbox = mailbox_key(email)
    return {
        try_key("reset mail by hour", mailbox): RESET_MAIL_BY_HOUR,
        try_key("reset mail by day", mailbox): RESET_MAIL_BY_DAY,
    }


# --- links --------------------------------------------------------------------------------------------------------


class Purpose(StrEnum):
    """What a link does: confirm an address, refuse all mails to it, or take that back."""

    CONFIRM = "confirm"
    REFUSE = "refuse"
    ALLOW = "allow"


class AddressLink(NamedTuple):
    """What a link says: for the address of whose account it was written, what it does, until when, the signature."""

    person_id: int
    purpose: Purpose
    until: int
    signature: str


FOR_GOOD: Final = 0
_TOKEN: Final = re.compile(r"([1-9][0-9]{0,8})-(confirm|refuse|allow)-([0-9]{1,12})-([0-9a-f]{32})")


def address_token(known: KnownAddress, purpose: Purpose, until: int = FOR_GOOD) -> str:
    """Write the token of a link about the address that an account has now; about another one it says nothing."""
    return f"{known.person_id}-{purpose}-{until}-{_signature(known, purpose, until)}"


def read_address_token(token: str) -> AddressLink | None:
    """Read what a link says; None where that is nothing."""
    found = _TOKEN.fullmatch(token)
    return AddressLink(int(found[1]), Purpose(found[2]), int(found[3]), found[4]) if found else None


def works(link: AddressLink, known: KnownAddress, now: int) -> bool:
    """Say whether a link was written for the address that this account has now, and has not expired."""
    if known.secret is None or known.email is None or link.person_id != known.person_id:
        return False
    is_signed = hmac.compare_digest(link.signature, _signature(known, link.purpose, link.until))
    return is_signed and (link.until == FOR_GOOD or now < link.until)


def _signature(known: KnownAddress, purpose: Purpose, until: int) -> str:
    said = f"{known.person_id}-{purpose}-{until}-{known.email}"
    return hmac.new((known.secret or "").encode(), said.encode(), hashlib.sha256).hexdigest()[:32]


DAY: Final = 86_400
HOUR: Final = 3_600


class Topic(StrEnum):
    """The topic of a mail: decisions on one's own contributions, or the question whether the address is right.

    The question comes before any decision (`people/model/mails.py`).
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

_STOP_TOKEN: Final = re.compile(rf"([1-9][0-9]{{0,8}})-({Topic.DECISIONS}|{DIGEST})-([0-9a-f]{{32}})")


class StopLink(NamedTuple):
    """What a link says: whose mails it stops, of which topic, and the signature."""

    person_id: int
    topic: str
    signature: str


def stop_token(choice: Choice) -> str:
    """Write the token of the link that stops mails about decisions, and can do nothing else. It never expires."""
    return f"{choice.person_id}-{choice.topic}-{_stop_signature(choice)}"


def read_stop_token(token: str) -> StopLink | None:
    """Read what a link says; None where that is nothing."""
    found = _STOP_TOKEN.fullmatch(token)
    return StopLink(int(found[1]), found[2], found[3]) if found else None


def is_signed(link: StopLink, choice: Choice) -> bool:
    """Say whether a link was written for these mails of this person."""
    own = (link.person_id, link.topic) == (choice.person_id, choice.topic)
    return own and hmac.compare_digest(link.signature, _stop_signature(choice))


def _stop_signature(choice: Choice) -> str:
    # The hyphen at the end is that of links which older versions have sent.
    signed = f"{choice.person_id}-{choice.topic}-"
    return hmac.new(choice.secret.encode(), signed.encode(), hashlib.sha256).hexdigest()[:32]
