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
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS

CONFIRMATION_DAYS: Final = 3
CONFIRMATION_SECONDS: Final = CONFIRMATION_DAYS * DAY_SECONDS
"""Lifetime of the link that confirms an address, in seconds."""

REFUSAL_UNDO_SECONDS: Final = HOUR_SECONDS
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
    confirmed_email: str | None = None
    secret: str | None = None
    requested_at: int = 0

    @property
    def is_confirmed(self) -> bool:
        """Return whether the current address is the confirmed one; after a change, it is not."""
        return self.email is not None and self.email == self.confirmed_email


def determine_address_status(address: AccountAddress, *, is_refused: bool, now: int) -> AddressStatus:
    """Return the status of an address, which says whether e-mails can be sent to it and, if not, why."""
    if address.email is None:
        return AddressStatus.NONE
    if is_refused:
        return AddressStatus.REFUSED
    if address.is_confirmed:
        return AddressStatus.CONFIRMED
    return AddressStatus.WAITING if now - address.requested_at < CONFIRMATION_SECONDS else AddressStatus.UNCONFIRMED


# --- mailboxes ----------------------------------------------------------------------------------------------------

DOT_INSENSITIVE_DOMAINS: Final = frozenset({"gmail.com", "googlemail.com"})


def mailbox_key(email: str) -> str:
    """Return a hash that identifies the mailbox of an address without revealing the address.

    Spellings of one mailbox (case, `+tag`, dots at Gmail) share a key, so that they share one rate limit.
    """
    local, _, domain = unicodedata.normalize("NFKC", email).casefold().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in DOT_INSENSITIVE_DOMAINS:
        local = local.replace(".", "")
    return throttle_key("mailbox", local, domain)


def build_confirmation_rules(person_id: int, email: str, client_address: str) -> Mapping[str, Throttle]:
    """Return the rate limits of confirmation e-mails: per mailbox, per user, and per client address."""
    mailbox = mailbox_key(email)
    return {
        throttle_key("confirm by hour", mailbox): CONFIRMATION_BY_HOUR,
        throttle_key("confirm by day", mailbox): CONFIRMATION_BY_DAY,
        throttle_key("confirm by hour for", str(person_id)): CONFIRMATION_BY_HOUR,
        throttle_key("confirm by day for", str(person_id)): CONFIRMATION_BY_DAY,
        throttle_key("confirm from", client_address): CONFIRMATION_FROM_ONE_ADDRESS,
    }


def build_reset_rules(email: str) -> Mapping[str, Throttle]:
    """Return the rate limits of reset e-mails: per mailbox, over all accounts and clients."""
    mailbox = mailbox_key(email)
    return {
        throttle_key("reset mail by hour", mailbox): RESET_MAIL_BY_HOUR,
        throttle_key("reset mail by day", mailbox): RESET_MAIL_BY_DAY,
    }


# --- links --------------------------------------------------------------------------------------------------------


class LinkPurpose(StrEnum):
    """Purpose of a link: confirm an address, refuse all e-mails to it, or undo the refusal."""

    CONFIRM = "confirm"
    REFUSE = "refuse"
    ALLOW = "allow"


class AddressLink(NamedTuple):
    """Parsed token of a link about an account's address. `expires` is the expiry time or NO_EXPIRY."""

    person_id: int
    purpose: LinkPurpose
    expires: int
    signature: str


NO_EXPIRY: Final = 0
_ADDRESS_TOKEN: Final = re.compile(r"([1-9][0-9]{0,8})-(confirm|refuse|allow)-([0-9]{1,12})-([0-9a-f]{32})")


def build_address_token(address: AccountAddress, purpose: LinkPurpose, expires: int = NO_EXPIRY) -> str:
    """Build the token of a link about the current address of an account; changing the address invalidates it."""
    return f"{address.person_id}-{purpose}-{expires}-{_sign_address(address, purpose, expires)}"


def parse_address_token(token: str) -> AddressLink | None:
    """Parse the token of a link; None if it is malformed."""
    match = _ADDRESS_TOKEN.fullmatch(token)
    return AddressLink(int(match[1]), LinkPurpose(match[2]), int(match[3]), match[4]) if match else None


def is_valid_link(link: AddressLink, address: AccountAddress, now: int) -> bool:
    """Return whether a link is signed for the account's current address and has not expired."""
    if address.secret is None or address.email is None or link.person_id != address.person_id:
        return False
    is_signed = hmac.compare_digest(link.signature, _sign_address(address, link.purpose, link.expires))
    return is_signed and (link.expires == NO_EXPIRY or now < link.expires)


def _sign_address(address: AccountAddress, purpose: LinkPurpose, expires: int) -> str:
    message = f"{address.person_id}-{purpose}-{expires}-{address.email}"
    return hmac.new((address.secret or "").encode(), message.encode(), hashlib.sha256).hexdigest()[:32]


class MailTopic(StrEnum):
    """Topic of an e-mail: decisions about the user's contributions, or the confirmation of the address.

    Decisions are sent to confirmed addresses only.
    """

    DECISIONS = "decisions"
    CONFIRMATION = "confirmation"


class MailSubscription(msgspec.Struct, frozen=True):
    """A user's subscription to a topic: whether it is active, the interface language, and the time of the last change.

    The `secret` signs the links in the e-mails about this topic.
    """

    person_id: int
    topic: MailTopic
    is_active: bool
    language: str
    secret: str
    agreed: int


# --- sending times ------------------------------------------------------------------------------------------------

SENDING_SECOND_OF_DAY: Final = 2 * HOUR_SECONDS + 1_800
"""Time of day at which e-mails about decisions are sent, in seconds since midnight UTC: 8:00 in Assam."""

LEASE_SECONDS: Final = 900
"""Duration of a worker's lease on an e-mail, in seconds; if the worker has died by then, another one takes over."""

RETRY_DELAYS_SECONDS: Final = (60, 300, 900, HOUR_SECONDS, 3 * HOUR_SECONDS, 6 * HOUR_SECONDS)
"""Delays before each retry in seconds; the last one repeats."""

MAX_DELIVERY_SECONDS: Final = 4 * DAY_SECONDS
"""Seconds after which undelivered decisions are removed from the outbox; the account page still lists them."""


def next_sending_time(after: int) -> int:
    """Return the next sending time of the daily e-mail later than `after`, in seconds since 1970."""
    return ((after - SENDING_SECOND_OF_DAY) // DAY_SECONDS + 1) * DAY_SECONDS + SENDING_SECOND_OF_DAY


def retry_delay_seconds(attempts: int) -> int:
    """Return the delay in seconds before the next attempt, after `attempts` failed ones."""
    return RETRY_DELAYS_SECONDS[min(attempts, len(RETRY_DELAYS_SECONDS)) - 1]


# --- unsubscribe links --------------------------------------------------------------------------------------------

DIGEST_TOPIC: Final = "digest"
"""Topic of e-mails that older versions sent. Their unsubscribe links are still accepted, but have no effect."""

_UNSUBSCRIBE_TOKEN: Final = re.compile(rf"([1-9][0-9]{{0,8}})-({MailTopic.DECISIONS}|{DIGEST_TOPIC})-([0-9a-f]{{32}})")


class UnsubscribeLink(NamedTuple):
    """Parsed token of an unsubscribe link: the user, the topic, and the signature."""

    person_id: int
    topic: str
    signature: str


def build_unsubscribe_token(subscription: MailSubscription) -> str:
    """Build the token of the unsubscribe link in e-mails. It never expires, and allows nothing but unsubscribing."""
    return f"{subscription.person_id}-{subscription.topic}-{_sign_subscription(subscription)}"


def parse_unsubscribe_token(token: str) -> UnsubscribeLink | None:
    """Parse the token of an unsubscribe link; None if it is malformed."""
    match = _UNSUBSCRIBE_TOKEN.fullmatch(token)
    return UnsubscribeLink(int(match[1]), match[2], match[3]) if match else None


def is_signed_for(link: UnsubscribeLink, subscription: MailSubscription) -> bool:
    """Return whether an unsubscribe link has a valid signature for a subscription."""
    is_same_subscription = (link.person_id, link.topic) == (subscription.person_id, subscription.topic)
    return is_same_subscription and hmac.compare_digest(link.signature, _sign_subscription(subscription))


def _sign_subscription(subscription: MailSubscription) -> str:
    # The final hyphen keeps links valid that older versions have sent.
    message = f"{subscription.person_id}-{subscription.topic}-"
    return hmac.new(subscription.secret.encode(), message.encode(), hashlib.sha256).hexdigest()[:32]
