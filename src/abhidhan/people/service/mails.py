"""E-mail settings: users confirm or refuse an address, subscribe, and unsubscribe by the link in each mail."""

import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.mails import (
    ALLOW_SECONDS,
    DIGEST,
    AddressLink,
    Choice,
    KnownAddress,
    Purpose,
    Standing,
    StopLink,
    Topic,
    address_token,
    is_signed,
    mailbox_key,
    question_rules,
    read_address_token,
    read_stop_token,
    standing_of,
    works,
)
from abhidhan.people.model.one_time_links import REFUSAL_SECONDS, Ticket, TicketKind
from abhidhan.people.service.account_context import token_hash
from abhidhan.people.store import mail_addresses as stored
from abhidhan.people.store import mails as stored_mails
from abhidhan.people.store.mail_addresses import ask_no_more
from abhidhan.people.store.people import count_tries
from abhidhan.people.store.tickets import add_ticket, find_ticket, use_ticket
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import (
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    TooManyRequestsError,
    sentence,
)
from abhidhan.records.people import Person, clean_email
from abhidhan.records.throttling import Slowdown, Visit

SECRET_BYTES: Final = 24
NO_LINK: Final = sentence("This link is incomplete or has expired. Request a new one on your account page.")


class MailAddresses:
    """Service for the confirmation of e-mail addresses."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock

    async def standing(self, person: Person) -> Standing:
        """Return the status of the address of an account."""
        return await self._database.read(partial(_standing, person_id=person.id, now=self._now()))

    async def ask(self, person: Person, language: str, visit: Visit) -> None:
        """Queue another confirmation mail. Raises TooManyRequestsError."""
        wait = await self._database.write(self.asking(person, language, visit), public=False)
        if wait:
            raise TooManyRequestsError(
                sentence("We sent an e-mail to this address a short while ago. Try again in %(wait)s s.", wait=wait),
                wait,
            )

    def asking(self, person: Person, language: str, visit: Visit) -> Callable[[Writer], int]:
        """Return a job that queues a confirmation mail and returns the seconds to wait (0 if it was queued).

        The job does nothing if the address is confirmed or refuses mails.
        """
        rules = question_rules(person.id, person.email or "", visit.address)
        return partial(_asked, person_id=person.id, language=language, rules=rules, now=self._now())

    async def look_at(self, token: str, *purposes: Purpose) -> None:
        """Check that a link is valid, without executing it. Raises InputError."""
        await self._database.read(partial(_looked_at, token=token, link=_read(token, *purposes), now=self._now()))

    async def confirm(self, token: str) -> None:
        """Confirm an address by the link in the mail to it; repeated calls are allowed. Raises InputError."""
        await self._database.write(
            partial(_confirmed, link=_read(token, Purpose.CONFIRM), now=self._now()), public=False
        )

    async def refuse(self, token: str) -> str:
        """Stop all mails to an address; return a token that undoes this within ALLOW_SECONDS.

        The token is empty if the account that caused the mail was deleted. Raises InputError.
        """
        link, now = _read(token, Purpose.REFUSE), self._now()
        known = await self._database.write(partial(_refused, token=token, link=link, now=now), public=False)
        return address_token(known, Purpose.ALLOW, now + ALLOW_SECONDS) if known else ""

    async def allow(self, token: str) -> None:
        """Undo a refusal with the token that `refuse` returned. Raises InputError."""
        await self._database.write(partial(_allowed, link=_read(token, Purpose.ALLOW), now=self._now()), public=False)

    async def allow_again(self, email: str) -> None:
        """Allow mails to an address that refused them, on its owner's request to an administrator.

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


def _standing(reader: Reader, person_id: int, now: int) -> Standing:
    known = stored.find_address(reader, person_id)
    refused = known.email is not None and stored.refuses_mails(reader, known.email)
    return standing_of(known, is_refused=refused, now=now)


def _asked(connection: Writer, person_id: int, language: str, rules: Mapping[str, Slowdown], now: int) -> int:
    known = stored.address_in(connection, person_id)
    if known.email is None or known.is_confirmed or stored.is_refused(connection, known.email):
        return 0
    wait = count_tries(connection, rules, now)
    if not wait:
        stored.ask(connection, person_id, language, new_secret(), now)
    return wait


def _confirmed(connection: Writer, link: AddressLink, now: int) -> None:
    known = _checked_in(connection, link, now)
    stored.confirm(connection, known.person_id, known.email or "", known.secret or "", now)
    # A confirmation overrides an earlier refusal.
    stored.allow(connection, known.email or "")


def _looked_at(reader: Reader, token: str, link: AddressLink, now: int) -> None:
    left = link.purpose is Purpose.REFUSE and find_ticket(reader, token_hash(token), TicketKind.REFUSAL, now)
    if not left:
        _checked(link, stored.find_address(reader, link.person_id), now)


def _refused(connection: Writer, token: str, link: AddressLink, now: int) -> KnownAddress | None:
    """Refuse mails; return the address of the account, or None if the account was deleted."""
    left = use_ticket(connection, token_hash(token), TicketKind.REFUSAL, now)
    if left is not None:
        # The link stays valid, as pressing the button again must not fail.
        add_ticket(connection, token_hash(token), left, now)
        stored.refuse(connection, left.mailed_to or "", now)
        return None
    known = _checked_in(connection, link, now)
    stored.refuse(connection, mailbox_key(known.email or ""), now)
    return known


def leave_refusal(connection: Writer, person_id: int, now: int) -> None:
    """Keep the link that refuses all mails valid after its account is deleted.

    Otherwise, a stranger could create accounts with someone's address and delete each before its mail is read.
    """
    known = stored.address_in(connection, person_id)
    if known.secret is None or known.email is None:
        return
    hashed = token_hash(address_token(known, Purpose.REFUSE))
    made = Ticket(TicketKind.REFUSAL, None, None, now + REFUSAL_SECONDS, mailed_to=mailbox_key(known.email))
    add_ticket(connection, hashed, made, now)


def _allowed(connection: Writer, link: AddressLink, now: int) -> None:
    stored.allow(connection, _checked_in(connection, link, now).email or "")


def _read(token: str, *purposes: Purpose) -> AddressLink:
    link = read_address_token(token)
    if link is None or link.purpose not in purposes:
        raise InputError.of("token", NO_LINK)
    return link


def _checked_in(connection: Writer, link: AddressLink, now: int) -> KnownAddress:
    return _checked(link, stored.address_in(connection, link.person_id), now)


def _checked(link: AddressLink, known: KnownAddress, now: int) -> KnownAddress:
    """Return the address if the link is valid for it. Raises InputError if the link is not, or has expired."""
    if not works(link, known, now):
        raise InputError.of("token", NO_LINK)
    return known


NO_STOP_LINK: Final = sentence("This link is incomplete or has expired. You can unsubscribe on your account page.")


class Wanted(msgspec.Struct, frozen=True):
    """A user's choice of mails: whether to send decisions, and in which interface language."""

    decisions: bool = False
    language: str = ""


class Mails:
    """Service for subscriptions to mails. `is_possible` is false if this server cannot send such mails."""

    def __init__(self, database: Database, *, is_possible: bool, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self.addresses = MailAddresses(database, clock=clock)
        self.is_possible = is_possible
        self._clock = clock

    async def wanted_by(self, person: Person) -> Wanted:
        """Return a user's choice of mails."""
        known = await self._database.read(partial(stored_mails.find_choice, person_id=person.id))
        return Wanted(known.is_wanted, known.language) if known else Wanted()

    async def choose(self, person: Person, wanted: Wanted, visit: Visit) -> None:
        """Store a user's choice of mails, and queue a confirmation mail if the address is unconfirmed.

        Raises ForbiddenError if mails cannot be sent to the user; unsubscribing always succeeds.
        """
        asking = None
        if wanted.decisions:
            self._allow(person)
            asking = self.addresses.asking(person, wanted.language, visit)
        job = partial(_chosen, person_id=person.id, wanted=wanted, asking=asking, now=self._now())
        await self._database.write(job, public=False)

    async def ask_again(self, person: Person, visit: Visit) -> None:
        """Send another confirmation mail to a subscribed user.

        Raises ForbiddenError, ConflictError if the user is not subscribed, TooManyRequestsError.
        """
        wanted = await self.wanted_by(person)
        if not wanted.decisions:
            raise ConflictError(sentence("First choose which e-mails you want."))
        self._allow(person)
        await self.addresses.ask(person, wanted.language, visit)

    def _allow(self, person: Person) -> None:
        """Check that mails can be sent to a user. Raises ForbiddenError."""
        if not self.is_possible:
            raise ForbiddenError(sentence("This server does not send e-mail."))
        if person.email is None:
            raise ForbiddenError(sentence("Your account has no e-mail address."))

    async def look_at(self, token: str) -> str:
        """Return the topic of an unsubscribe link, without unsubscribing. Raises InputError."""
        link = _read_stop_link(token)
        if link.topic != DIGEST:
            _checked_choice(
                link, await self._database.read(partial(stored_mails.find_choice, person_id=link.person_id))
            )
        return link.topic

    async def stop(self, token: str) -> str:
        """Unsubscribe by the link in a mail; return its topic. Raises InputError."""
        link = _read_stop_link(token)
        if link.topic != DIGEST:
            await self._database.write(partial(_stopped, link=link), public=False)
        return link.topic

    def _now(self) -> int:
        return int(self._clock())


def _chosen(
    connection: Writer, person_id: int, wanted: Wanted, asking: Callable[[Writer], int] | None, now: int
) -> None:
    """Store the choice, even if the rate limit delays the confirmation mail."""
    if asking is None:
        ask_no_more(connection, person_id)
    else:
        asking(connection)
    before = stored_mails.read_choice(connection, person_id, Topic.DECISIONS)
    if before is None and not wanted.decisions:
        return
    secret = before.secret if before else new_secret()
    choice = Choice(person_id, Topic.DECISIONS, wanted.decisions, wanted.language, secret, now)
    if before is None or (before.is_wanted, before.language) != (choice.is_wanted, choice.language):
        stored_mails.keep_choice(connection, choice)


def _stopped(connection: Writer, link: StopLink) -> None:
    before = _checked_choice(link, stored_mails.read_choice(connection, link.person_id, Topic.DECISIONS))
    stored_mails.keep_choice(connection, msgspec.structs.replace(before, is_wanted=False))


def _read_stop_link(token: str) -> StopLink:
    link = read_stop_token(token)
    if link is None:
        raise InputError.of("token", NO_STOP_LINK)
    return link


def _checked_choice(link: StopLink, choice: Choice | None) -> Choice:
    """Return the subscription if the link is signed for it. Raises InputError if not."""
    if choice is None or not is_signed(link, choice):
        raise InputError.of("token", NO_STOP_LINK)
    return choice
