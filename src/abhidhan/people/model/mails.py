"""Rules of e-mails: confirmed and refused addresses, subscriptions, sending times, and signed links."""

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
    Throttle,
    throttle_key,
)

CONFIRM_DAYS: Final = 3
CONFIRM_SECONDS: Final = CONFIRM_DAYS * 86_400
"""Lifetime of the link that confirms an address, in seconds."""

ALLOW_SECONDS: Final = 3_600
"""Seconds for which the link on the page after a refusal can undo the refusal."""


class AddressStatus(StrEnum):
    """Status of an account's e-mail address; e-mails are sent to confirmed addresses only."""

    NONE = "none"
    UNCONFIRMED = "unconfirmed"
    WAITING = "waiting"
    CONFIRMED = "confirmed"
    REFUSED = "refused"


class AccountAddress(NamedTuple):
    """The current address of an account, and the address that its owner has confirmed.

    The `secret` signs its links. `requested_at` is the time of the latest confirmation e-mail; 0 if there is none.
    """

    person_id: int
    email: str | None
    confirmed: str | None = None
    secret: str | None = None
    asked_at: int = 0

    @property
    def is_confirmed(self) -> bool:
        """Return whether the current address is the confirmed one; after a change, it is not."""
        return self.email is not None and self.email == self.confirmed


def address_status(address: AccountAddress, *, is_refused: bool, now: int) -> AddressStatus:
    """Return the status of an address, which says whether e-mails can be sent to it and, if not, why."""
    if address.email is None:
        return AddressStatus.NONE
    if is_refused:
        return AddressStatus.REFUSED
    if address.is_confirmed:
        return AddressStatus.CONFIRMED
    return AddressStatus.WAITING if now - address.asked_at < CONFIRM_SECONDS else AddressStatus.UNCONFIRMED


# --- mailboxes ----------------------------------------------------------------------------------------------------

DOTS_MEAN_NOTHING: Final = frozenset({"gmail.com", "googlemail.com"})


def mailbox_key(email: str) -> str:
    """Return a hash that identifies the mailbox of an address without revealing the address.

    Spellings of one mailbox (case, `+tag`, dots at Gmail) share a key, so that they share one rate limit.
    """
    local, _, domain = unicodedata.normalize("NFKC", email).casefold().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in DOTS_MEAN_NOTHING:
        local = local.replace(".", "")
    return throttle_key("mailbox", local, domain)


def confirmation_rules(person_id: int, email: str, visitor: str) -> Mapping[str, Throttle]:
    """Return the rate limits of confirmation e-mails: per mailbox, per user, and per client address."""
    mailbox = mailbox_key(email)
    return {
        throttle_key("confirm by hour", mailbox): CONFIRMATION_BY_HOUR,
        throttle_key("confirm by day", mailbox): CONFIRMATION_BY_DAY,
        throttle_key("confirm by hour for", str(person_id)): CONFIRMATION_BY_HOUR,
        throttle_key("confirm by day for", str(person_id)): CONFIRMATION_BY_DAY,
        throttle_key("confirm from", visitor): CONFIRMATION_FROM_ONE_ADDRESS,
    }


def reset_rules(email: str) -> Mapping[str, Throttle]:
    """Return the rate limits of reset e-mails: per mailbox, over all accounts and clients."""
    mailbox = mailbox_key(email)
    return {
        throttle_key("reset mail by hour", mailbox): RESET_MAIL_BY_HOUR,
        throttle_key("reset mail by day", mailbox): RESET_MAIL_BY_DAY,
    }


# --- links --------------------------------------------------------------------------------------------------------


class Purpose(StrEnum):
    """Purpose of a link: confirm an address, refuse all e-mails to it, or undo the refusal."""

    CONFIRM = "confirm"
    REFUSE = "refuse"
    ALLOW = "allow"


class AddressLink(NamedTuple):
    """Parsed token of a link about an account's address. `expires` is the expiry time or NO_EXPIRY."""

    person_id: int
    purpose: Purpose
    until: int
    signature: str


NO_EXPIRY: Final = 0
_TOKEN: Final = re.compile(r"([1-9][0-9]{0,8})-(confirm|refuse|allow)-([0-9]{1,12})-([0-9a-f]{32})")


def address_token(address: AccountAddress, purpose: Purpose, until: int = NO_EXPIRY) -> str:
    """Build the token of a link about the current address of an account; changing the address invalidates it."""
    return f"{address.person_id}-{purpose}-{until}-{_signature(address, purpose, until)}"


def read_address_token(token: str) -> AddressLink | None:
    """Parse the token of a link; None if it is malformed."""
    match = _TOKEN.fullmatch(token)
    return AddressLink(int(match[1]), Purpose(match[2]), int(match[3]), match[4]) if match else None


def is_valid_link(link: AddressLink, address: AccountAddress, now: int) -> bool:
    """Return whether a link is signed for the account's current address and has not expired."""
    if address.secret is None or address.email is None or link.person_id != address.person_id:
        return False
    is_signed = hmac.compare_digest(link.signature, _signature(address, link.purpose, link.until))
    return is_signed and (link.until == NO_EXPIRY or now < link.until)


def _signature(address: AccountAddress, purpose: Purpose, until: int) -> str:
    message = f"{address.person_id}-{purpose}-{until}-{address.email}"
    return hmac.new((address.secret or "").encode(), message.encode(), hashlib.sha256).hexdigest()[:32]


DAY: Final = 86_400
HOUR: Final = 3_600


class MailTopic(StrEnum):
    """Topic of an e-mail: decisions about the user's contributions, or the confirmation of the address.

    Decisions are sent to confirmed addresses only.
    """

    DECISIONS = "decisions"
    CONFIRMATION = "confirmation"


class MailChoice(msgspec.Struct, frozen=True):
    """A user's subscription to a topic: whether it is active, the interface language, and the time of the last change.

    The `secret` signs the links in the e-mails about this topic.
    """

    person_id: int
    topic: MailTopic
    is_wanted: bool
    language: str
    secret: str
    agreed: int


# --- sending times ------------------------------------------------------------------------------------------------

MORNING: Final = 2 * HOUR + 1_800
"""Time of day at which e-mails about decisions are sent, in seconds since midnight UTC: 8:00 in Assam."""

LEASE_SECONDS: Final = 900
"""Duration of a worker's lease on an e-mail, in seconds; if the worker has died by then, another one takes over."""

RETRY_DELAYS_SECONDS: Final = (60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR)
"""Delays before each retry in seconds; the last one repeats."""

GIVE_UP_SECONDS: Final = 4 * DAY
"""Seconds after which undelivered decisions are removed from the outbox; the account page still lists them."""


def next_morning(moment: int) -> int:
    """Return the next sending time of the daily e-mail later than `after`, in seconds since 1970."""
    return ((moment - MORNING) // DAY + 1) * DAY + MORNING


def retry_delay(tries: int) -> int:
    """Return the delay in seconds before the next attempt, after `attempts` failed ones."""
    return RETRY_DELAYS_SECONDS[min(tries, len(RETRY_DELAYS_SECONDS)) - 1]


# --- unsubscribe links --------------------------------------------------------------------------------------------

DIGEST: Final = "digest"
"""Topic of e-mails that older versions sent. Their unsubscribe links are still accepted, but have no effect."""

_STOP_TOKEN: Final = re.compile(rf"([1-9][0-9]{{0,8}})-({MailTopic.DECISIONS}|{DIGEST})-([0-9a-f]{{32}})")


class StopLink(NamedTuple):
    """Parsed token of an unsubscribe link: the user, the topic, and the signature."""

    person_id: int
    topic: str
    signature: str


def stop_token(choice: MailChoice) -> str:
    """Build the token of the unsubscribe link in e-mails. It never expires, and allows nothing but unsubscribing."""
    return f"{choice.person_id}-{choice.topic}-{_stop_signature(choice)}"


def read_stop_token(token: str) -> StopLink | None:
    """Parse the token of an unsubscribe link; None if it is malformed."""
    match = _STOP_TOKEN.fullmatch(token)
    return StopLink(int(match[1]), match[2], match[3]) if match else None


def is_signed(link: StopLink, choice: MailChoice) -> bool:
    """Return whether an unsubscribe link has a valid signature for a subscription."""
    is_same_choice = (link.person_id, link.topic) == (choice.person_id, choice.topic)
    return is_same_choice and hmac.compare_digest(link.signature, _stop_signature(choice))


def _stop_signature(choice: MailChoice) -> str:
    # The final hyphen keeps links valid that older versions have sent.
    signed = f"{choice.person_id}-{choice.topic}-"
    return hmac.new(choice.secret.encode(), signed.encode(), hashlib.sha256).hexdigest()[:32]
