"""Services for e-mails: the confirmation and refusal of addresses, and subscriptions."""

import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.mails import (
    DIGEST_TOPIC,
    REFUSAL_UNDO_SECONDS,
    AccountAddress,
    AddressLink,
    AddressStatus,
    LinkPurpose,
    MailSubscription,
    MailTopic,
    UnsubscribeLink,
    build_address_token,
    build_confirmation_rules,
    determine_address_status,
    is_signed_for,
    is_valid_link,
    mailbox_key,
    parse_address_token,
    parse_unsubscribe_token,
)
from abhidhan.people.model.one_time_links import REFUSAL_SECONDS, Ticket, TicketKind
from abhidhan.people.service.account_context import hash_token
from abhidhan.people.store import mail_addresses as stored
from abhidhan.people.store import mails as stored_mails
from abhidhan.people.store.mail_addresses import cancel_confirmation
from abhidhan.people.store.people import count_attempts
from abhidhan.people.store.tickets import add_ticket, find_ticket, use_ticket
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import (
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    TooManyRequestsError,
    sentence,
)
from abhidhan.records.people import Person, clean_email
from abhidhan.records.throttling import ClientInfo, Throttle

SECRET_BYTES: Final = 24
INVALID_LINK: Final = sentence("This link is incomplete or has expired. Request a new one on your account page.")


class MailAddresses:
    """Service for the confirmation and refusal of e-mail addresses."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def status(self, person: Person) -> AddressStatus:
        """Return the status of the address of an account."""
        return await self._database.read(partial(_read_status, person_id=person.id, now=self._now()))

    async def request_confirmation(self, person: Person, language: str, client: ClientInfo) -> None:
        """Queue a confirmation e-mail. Raises TooManyRequestsError."""
        wait = await self._database.write(self.build_confirmation_job(person, language, client), public=False)
        if wait:
            raise TooManyRequestsError(
                sentence("We sent an e-mail to this address a short while ago. Try again in %(wait)s s.", wait=wait),
                wait,
            )

    def build_confirmation_job(
        self, person: Person, language: str, client: ClientInfo
    ) -> Callable[[WriteConnection], int]:
        """Return a job that queues a confirmation e-mail and returns the seconds to wait (0 if it was queued).

        The job does nothing if the address is confirmed or refuses mails.
        """
        rules = build_confirmation_rules(person.id, person.email or "", client.address)
        return partial(_queue_confirmation, person_id=person.id, language=language, rules=rules, now=self._now())

    async def check_link(self, token: str, *purposes: LinkPurpose) -> None:
        """Check that a link is valid and has one of the purposes, without applying it. Raises InputError."""
        await self._database.read(
            partial(_check_link, token=token, link=_parse_token(token, *purposes), now=self._now())
        )

    async def confirm(self, token: str) -> None:
        """Confirm an address by the token in the confirmation e-mail; this can be repeated. Raises InputError."""
        await self._database.write(
            partial(_confirm, link=_parse_token(token, LinkPurpose.CONFIRM), now=self._now()), public=False
        )

    async def refuse(self, token: str) -> str:
        """Block all e-mails to an address; return a token that undoes this within REFUSAL_UNDO_SECONDS.

        The token is empty if the account that caused the e-mail was deleted. Raises InputError.
        """
        link, now = _parse_token(token, LinkPurpose.REFUSE), self._now()
        address = await self._database.write(partial(_refuse, token=token, link=link, now=now), public=False)
        return build_address_token(address, LinkPurpose.ALLOW, now + REFUSAL_UNDO_SECONDS) if address else ""

    async def undo_refusal(self, token: str) -> None:
        """Undo a refusal with the token that `add_refusal` returned. Raises InputError."""
        await self._database.write(
            partial(_undo_refusal, link=_parse_token(token, LinkPurpose.ALLOW), now=self._now()), public=False
        )

    async def unblock(self, email: str) -> None:
        """Allow e-mails to a blocked address again, for an administrator whom its owner has asked.

        Raises InputError, NotFoundError.
        """
        clean = clean_email(email) or ""
        if not await self._database.write(partial(stored.delete_refusal, email=clean), public=False):
            raise NotFoundError(sentence("This address is not blocked."))

    def _now(self) -> int:
        return int(self._clock())


def generate_secret() -> str:
    """Generate the secret that signs the links about an address."""
    return secrets.token_urlsafe(SECRET_BYTES)


def _read_status(connection: ReadConnection, person_id: int, now: int) -> AddressStatus:
    address = stored.find_address(connection, person_id)
    is_refused = address.email is not None and stored.has_refused_mails(connection, address.email)
    return determine_address_status(address, is_refused=is_refused, now=now)


def _queue_confirmation(
    connection: WriteConnection, person_id: int, language: str, rules: Mapping[str, Throttle], now: int
) -> int:
    address = stored.read_address(connection, person_id)
    if address.email is None or address.is_confirmed or stored.is_refused(connection, address.email):
        return 0
    wait = count_attempts(connection, rules, now)
    if not wait:
        stored.queue_confirmation(connection, person_id, language, generate_secret(), now)
    return wait


def _confirm(connection: WriteConnection, link: AddressLink, now: int) -> None:
    address = _read_valid_address(connection, link, now)
    stored.confirm(connection, address.person_id, address.email or "", address.secret or "", now)
    # A confirmation overrides an earlier refusal.
    stored.delete_refusal(connection, address.email or "")


def _check_link(connection: ReadConnection, token: str, link: AddressLink, now: int) -> None:
    ticket = link.purpose is LinkPurpose.REFUSE and find_ticket(connection, hash_token(token), TicketKind.REFUSAL, now)
    if not ticket:
        _require_valid(link, stored.find_address(connection, link.person_id), now)


def _refuse(connection: WriteConnection, token: str, link: AddressLink, now: int) -> AccountAddress | None:
    """Refuse e-mails; return the address of the account, or None if the account was deleted."""
    ticket = use_ticket(connection, hash_token(token), TicketKind.REFUSAL, now)
    if ticket is not None:
        # The link stays valid, as pressing the button again must not fail.
        add_ticket(connection, hash_token(token), ticket, now)
        stored.add_refusal(connection, ticket.mailed_to or "", now)
        return None
    address = _read_valid_address(connection, link, now)
    stored.add_refusal(connection, mailbox_key(address.email or ""), now)
    return address


def preserve_refusal_link(connection: WriteConnection, person_id: int, now: int) -> None:
    """Store a ticket, so that the link that refuses all e-mails stays valid after its account is deleted.

    Otherwise, a stranger could create accounts with another person's address, and delete each before the e-mail is
    read.
    """
    address = stored.read_address(connection, person_id)
    if address.secret is None or address.email is None:
        return
    hashed = hash_token(build_address_token(address, LinkPurpose.REFUSE))
    ticket = Ticket(TicketKind.REFUSAL, None, None, now + REFUSAL_SECONDS, mailed_to=mailbox_key(address.email))
    add_ticket(connection, hashed, ticket, now)


def _undo_refusal(connection: WriteConnection, link: AddressLink, now: int) -> None:
    stored.delete_refusal(connection, _read_valid_address(connection, link, now).email or "")


def _parse_token(token: str, *purposes: LinkPurpose) -> AddressLink:
    link = parse_address_token(token)
    if link is None or link.purpose not in purposes:
        raise InputError.of("token", INVALID_LINK)
    return link


def _read_valid_address(connection: WriteConnection, link: AddressLink, now: int) -> AccountAddress:
    return _require_valid(link, stored.read_address(connection, link.person_id), now)


def _require_valid(link: AddressLink, address: AccountAddress, now: int) -> AccountAddress:
    """Return the address if a link is valid for it. Raises InputError if not."""
    if not is_valid_link(link, address, now):
        raise InputError.of("token", INVALID_LINK)
    return address


INVALID_UNSUBSCRIBE_LINK: Final = sentence(
    "This link is incomplete or has expired. You can unsubscribe on your account page."
)


class MailPreferences(msgspec.Struct, frozen=True):
    """A user's e-mail preferences: whether to send decisions, and in which interface language."""

    decisions: bool = False
    language: str = ""


class Mails:
    """Service for subscriptions to e-mails. `is_possible` is whether this server can send any."""

    def __init__(self, database: Database, *, is_possible: bool, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self.addresses = MailAddresses(database, clock=clock)
        self.is_possible = is_possible
        self._clock = clock

    async def get_preferences(self, person: Person) -> MailPreferences:
        """Return a user's e-mail preferences."""
        choice = await self._database.read(partial(stored_mails.find_subscription, person_id=person.id))
        return MailPreferences(choice.is_active, choice.language) if choice else MailPreferences()

    async def save_preferences(self, person: Person, preferences: MailPreferences, client: ClientInfo) -> None:
        """Store a user's e-mail preferences, and queue a confirmation e-mail if the address is unconfirmed.

        Raises ForbiddenError if mails cannot be sent to the user; unsubscribing always succeeds.
        """
        confirmation_job = None
        if preferences.decisions:
            self._check_possible(person)
            confirmation_job = self.addresses.build_confirmation_job(person, preferences.language, client)
        job = partial(
            _store_preferences,
            person_id=person.id,
            preferences=preferences,
            confirmation_job=confirmation_job,
            now=self._now(),
        )
        await self._database.write(job, public=False)

    async def resend_confirmation(self, person: Person, client: ClientInfo) -> None:
        """Send another confirmation e-mail to a subscribed user.

        Raises ForbiddenError, ConflictError if the user is not subscribed, TooManyRequestsError.
        """
        preferences = await self.get_preferences(person)
        if not preferences.decisions:
            raise ConflictError(sentence("First choose which e-mails you want."))
        self._check_possible(person)
        await self.addresses.request_confirmation(person, preferences.language, client)

    def _check_possible(self, person: Person) -> None:
        """Check that e-mails can be sent to a user. Raises ForbiddenError."""
        if not self.is_possible:
            raise ForbiddenError(sentence("This server does not send e-mail."))
        if person.email is None:
            raise ForbiddenError(sentence("Your account has no e-mail address."))

    async def get_topic(self, token: str) -> str:
        """Return the topic of an unsubscribe link, without unsubscribing. Raises InputError."""
        link = _parse_unsubscribe_link(token)
        if link.topic != DIGEST_TOPIC:
            _require_subscription(
                link, await self._database.read(partial(stored_mails.find_subscription, person_id=link.person_id))
            )
        return link.topic

    async def unsubscribe(self, token: str) -> str:
        """Unsubscribe by the link in an e-mail; return the topic of the link. Raises InputError."""
        link = _parse_unsubscribe_link(token)
        if link.topic != DIGEST_TOPIC:
            await self._database.write(partial(_unsubscribe, link=link), public=False)
        return link.topic

    def _now(self) -> int:
        return int(self._clock())


def _store_preferences(
    connection: WriteConnection,
    person_id: int,
    preferences: MailPreferences,
    confirmation_job: Callable[[WriteConnection], int] | None,
    now: int,
) -> None:
    """Store the preferences, even if the rate limit prevents a confirmation e-mail."""
    if confirmation_job is None:
        cancel_confirmation(connection, person_id)
    else:
        confirmation_job(connection)
    before = stored_mails.read_subscription(connection, person_id, MailTopic.DECISIONS)
    if before is None and not preferences.decisions:
        return
    secret = before.secret if before else generate_secret()
    choice = MailSubscription(person_id, MailTopic.DECISIONS, preferences.decisions, preferences.language, secret, now)
    if before is None or (before.is_active, before.language) != (choice.is_active, choice.language):
        stored_mails.save_subscription(connection, choice)


def _unsubscribe(connection: WriteConnection, link: UnsubscribeLink) -> None:
    before = _require_subscription(
        link, stored_mails.read_subscription(connection, link.person_id, MailTopic.DECISIONS)
    )
    stored_mails.save_subscription(connection, msgspec.structs.replace(before, is_active=False))


def _parse_unsubscribe_link(token: str) -> UnsubscribeLink:
    link = parse_unsubscribe_token(token)
    if link is None:
        raise InputError.of("token", INVALID_UNSUBSCRIBE_LINK)
    return link


def _require_subscription(link: UnsubscribeLink, choice: MailSubscription | None) -> MailSubscription:
    """Return the subscription if the unsubscribe link is signed for it. Raises InputError if not."""
    if choice is None or not is_signed_for(link, choice):
        raise InputError.of("token", INVALID_UNSUBSCRIBE_LINK)
    return choice
