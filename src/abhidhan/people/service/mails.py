"""Services for e-mails: the confirmation and refusal of addresses, and subscriptions."""

import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.mails import (
    ALLOW_SECONDS,
    DIGEST,
    AccountAddress,
    AddressLink,
    AddressStatus,
    MailChoice,
    MailTopic,
    Purpose,
    StopLink,
    address_status,
    address_token,
    confirmation_rules,
    is_signed,
    is_valid_link,
    mailbox_key,
    read_address_token,
    read_stop_token,
)
from abhidhan.people.model.one_time_links import REFUSAL_SECONDS, Ticket, TicketKind
from abhidhan.people.service.account_context import token_hash
from abhidhan.people.store import mail_addresses as stored
from abhidhan.people.store import mails as stored_mails
from abhidhan.people.store.mail_addresses import cancel_confirmation
from abhidhan.people.store.people import count_tries
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
NO_LINK: Final = sentence("This link is incomplete or has expired. Request a new one on your account page.")


class MailAddresses:
    """Service for the confirmation and refusal of e-mail addresses."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def status(self, person: Person) -> AddressStatus:
        """Return the status of the address of an account."""
        return await self._database.read(partial(_read_status, person_id=person.id, now=self._now()))

    async def ask(self, person: Person, language: str, visit: ClientInfo) -> None:
        """Queue a confirmation e-mail. Raises TooManyRequestsError."""
        wait = await self._database.write(self.confirmation_job(person, language, visit), public=False)
        if wait:
            raise TooManyRequestsError(
                sentence("We sent an e-mail to this address a short while ago. Try again in %(wait)s s.", wait=wait),
                wait,
            )

    def confirmation_job(self, person: Person, language: str, visit: ClientInfo) -> Callable[[WriteConnection], int]:
        """Return a job that queues a confirmation e-mail and returns the seconds to wait (0 if it was queued).

        The job does nothing if the address is confirmed or refuses mails.
        """
        rules = confirmation_rules(person.id, person.email or "", visit.address)
        return partial(_queue_confirmation, person_id=person.id, language=language, rules=rules, now=self._now())

    async def check_link(self, token: str, *purposes: Purpose) -> None:
        """Check that a link is valid and has one of the purposes, without applying it. Raises InputError."""
        await self._database.read(
            partial(_check_link, token=token, link=_parse_token(token, *purposes), now=self._now())
        )

    async def confirm(self, token: str) -> None:
        """Confirm an address by the token in the confirmation e-mail; this can be repeated. Raises InputError."""
        await self._database.write(
            partial(_confirm, link=_parse_token(token, Purpose.CONFIRM), now=self._now()), public=False
        )

    async def refuse(self, token: str) -> str:
        """Block all e-mails to an address; return a token that undoes this within REFUSAL_UNDO_SECONDS.

        The token is empty if the account that caused the e-mail was deleted. Raises InputError.
        """
        link, now = _parse_token(token, Purpose.REFUSE), self._now()
        address = await self._database.write(partial(_refuse, token=token, link=link, now=now), public=False)
        return address_token(address, Purpose.ALLOW, now + ALLOW_SECONDS) if address else ""

    async def allow(self, token: str) -> None:
        """Undo a refusal with the token that `refuse` returned. Raises InputError."""
        await self._database.write(
            partial(_allow_mails, link=_parse_token(token, Purpose.ALLOW), now=self._now()), public=False
        )

    async def allow_again(self, email: str) -> None:
        """Allow e-mails to a blocked address again, for an administrator whom its owner has asked.

        Raises InputError, NotFoundError.
        """
        clean = clean_email(email) or ""
        if not await self._database.write(partial(stored.allow, email=clean), public=False):
            raise NotFoundError(sentence("This address is not blocked."))

    def _now(self) -> int:
        return int(self._clock())


def new_secret() -> str:
    """Generate the secret that signs the links about an address."""
    return secrets.token_urlsafe(SECRET_BYTES)


def _read_status(reader: ReadConnection, person_id: int, now: int) -> AddressStatus:
    address = stored.find_address(reader, person_id)
    is_refused = address.email is not None and stored.refuses_mails(reader, address.email)
    return address_status(address, is_refused=is_refused, now=now)


def _queue_confirmation(
    connection: WriteConnection, person_id: int, language: str, rules: Mapping[str, Throttle], now: int
) -> int:
    address = stored.address_in(connection, person_id)
    if address.email is None or address.is_confirmed or stored.is_refused(connection, address.email):
        return 0
    wait = count_tries(connection, rules, now)
    if not wait:
        stored.queue_confirmation(connection, person_id, language, new_secret(), now)
    return wait


def _confirm(connection: WriteConnection, link: AddressLink, now: int) -> None:
    address = _read_valid_address(connection, link, now)
    stored.confirm(connection, address.person_id, address.email or "", address.secret or "", now)
    # A confirmation overrides an earlier refusal.
    stored.allow(connection, address.email or "")


def _check_link(reader: ReadConnection, token: str, link: AddressLink, now: int) -> None:
    ticket = link.purpose is Purpose.REFUSE and find_ticket(reader, token_hash(token), TicketKind.REFUSAL, now)
    if not ticket:
        _require_valid(link, stored.find_address(reader, link.person_id), now)


def _refuse(connection: WriteConnection, token: str, link: AddressLink, now: int) -> AccountAddress | None:
    """Refuse e-mails; return the address of the account, or None if the account was deleted."""
    ticket = use_ticket(connection, token_hash(token), TicketKind.REFUSAL, now)
    if ticket is not None:
        # The link stays valid, as pressing the button again must not fail.
        add_ticket(connection, token_hash(token), ticket, now)
        stored.refuse(connection, ticket.mailed_to or "", now)
        return None
    address = _read_valid_address(connection, link, now)
    stored.refuse(connection, mailbox_key(address.email or ""), now)
    return address


def preserve_refusal_link(connection: WriteConnection, person_id: int, now: int) -> None:
    """Store a ticket, so that the link that refuses all e-mails stays valid after its account is deleted.

    Otherwise, a stranger could create accounts with another person's address, and delete each before the e-mail is
    read.
    """
    address = stored.address_in(connection, person_id)
    if address.secret is None or address.email is None:
        return
    hashed = token_hash(address_token(address, Purpose.REFUSE))
    ticket = Ticket(TicketKind.REFUSAL, None, None, now + REFUSAL_SECONDS, mailed_to=mailbox_key(address.email))
    add_ticket(connection, hashed, ticket, now)


def _allow_mails(connection: WriteConnection, link: AddressLink, now: int) -> None:
    stored.allow(connection, _read_valid_address(connection, link, now).email or "")


def _parse_token(token: str, *purposes: Purpose) -> AddressLink:
    link = read_address_token(token)
    if link is None or link.purpose not in purposes:
        raise InputError.of("token", NO_LINK)
    return link


def _read_valid_address(connection: WriteConnection, link: AddressLink, now: int) -> AccountAddress:
    return _require_valid(link, stored.address_in(connection, link.person_id), now)


def _require_valid(link: AddressLink, address: AccountAddress, now: int) -> AccountAddress:
    """Return the address if a link is valid for it. Raises InputError if not."""
    if not is_valid_link(link, address, now):
        raise InputError.of("token", NO_LINK)
    return address


NO_STOP_LINK: Final = sentence("This link is incomplete or has expired. You can unsubscribe on your account page.")


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

    async def preferences_of(self, person: Person) -> MailPreferences:
        """Return a user's e-mail preferences."""
        choice = await self._database.read(partial(stored_mails.find_choice, person_id=person.id))
        return MailPreferences(choice.is_wanted, choice.language) if choice else MailPreferences()

    async def choose(self, person: Person, preferences: MailPreferences, visit: ClientInfo) -> None:
        """Store a user's e-mail preferences, and queue a confirmation e-mail if the address is unconfirmed.

        Raises ForbiddenError if mails cannot be sent to the user; unsubscribing always succeeds.
        """
        asking = None
        if preferences.decisions:
            self._allow(person)
            asking = self.addresses.confirmation_job(person, preferences.language, visit)
        job = partial(_store_choice, person_id=person.id, preferences=preferences, asking=asking, now=self._now())
        await self._database.write(job, public=False)

    async def ask_again(self, person: Person, visit: ClientInfo) -> None:
        """Send another confirmation e-mail to a subscribed user.

        Raises ForbiddenError, ConflictError if the user is not subscribed, TooManyRequestsError.
        """
        preferences = await self.preferences_of(person)
        if not preferences.decisions:
            raise ConflictError(sentence("First choose which e-mails you want."))
        self._allow(person)
        await self.addresses.ask(person, preferences.language, visit)

    def _allow(self, person: Person) -> None:
        """Check that e-mails can be sent to a user. Raises ForbiddenError."""
        if not self.is_possible:
            raise ForbiddenError(sentence("This server does not send e-mail."))
        if person.email is None:
            raise ForbiddenError(sentence("Your account has no e-mail address."))

    async def topic_of(self, token: str) -> str:
        """Return the topic of an unsubscribe link, without unsubscribing. Raises InputError."""
        link = _read_stop_link(token)
        if link.topic != DIGEST:
            _checked_choice(
                link, await self._database.read(partial(stored_mails.find_choice, person_id=link.person_id))
            )
        return link.topic

    async def stop(self, token: str) -> str:
        """Unsubscribe by the link in an e-mail; return the topic of the link. Raises InputError."""
        link = _read_stop_link(token)
        if link.topic != DIGEST:
            await self._database.write(partial(_stop, link=link), public=False)
        return link.topic

    def _now(self) -> int:
        return int(self._clock())


def _store_choice(
    connection: WriteConnection,
    person_id: int,
    preferences: MailPreferences,
    asking: Callable[[WriteConnection], int] | None,
    now: int,
) -> None:
    """Store the preferences, even if the rate limit prevents a confirmation e-mail."""
    if asking is None:
        cancel_confirmation(connection, person_id)
    else:
        asking(connection)
    before = stored_mails.read_choice(connection, person_id, MailTopic.DECISIONS)
    if before is None and not preferences.decisions:
        return
    secret = before.secret if before else new_secret()
    choice = MailChoice(person_id, MailTopic.DECISIONS, preferences.decisions, preferences.language, secret, now)
    if before is None or (before.is_wanted, before.language) != (choice.is_wanted, choice.language):
        stored_mails.save_choice(connection, choice)


def _stop(connection: WriteConnection, link: StopLink) -> None:
    before = _checked_choice(link, stored_mails.read_choice(connection, link.person_id, MailTopic.DECISIONS))
    stored_mails.save_choice(connection, msgspec.structs.replace(before, is_wanted=False))


def _read_stop_link(token: str) -> StopLink:
    link = read_stop_token(token)
    if link is None:
        raise InputError.of("token", NO_STOP_LINK)
    return link


def _checked_choice(link: StopLink, choice: MailChoice | None) -> MailChoice:
    """Return the subscription if the unsubscribe link is signed for it. Raises InputError if not."""
    if choice is None or not is_signed(link, choice):
        raise InputError.of("token", NO_STOP_LINK)
    return choice
