"""Mails that people agree to, and stop: on the account page, or by the link in each mail without signing in."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.mail_subscriptions import DIGEST, Choice, StopLink, Topic, is_signed, read_stop_token
from abhidhan.people.service.mail_addresses import MailAddresses, new_secret
from abhidhan.people.store import mails as stored
from abhidhan.people.store.mail_addresses import ask_no_more
from abhidhan.platform.database.database import Database, Writer
from abhidhan.records.errors import ConflictError, ForbiddenError, InputError, sentence
from abhidhan.records.people import Person
from abhidhan.records.throttling import Visit

NO_LINK: Final = sentence("This link does not work: it is not whole, or too old. Stop the mails on your account page.")


class Wanted(msgspec.Struct, frozen=True):
    """Whether a person wants mails about decisions, and in which language of the interface."""

    decisions: bool = False
    language: str = ""


class Mails:
    """What people agree to. Each method is one job; `is_possible` says whether this server can send such mails."""

    def __init__(self, database: Database, *, is_possible: bool, clock: Callable[[], float] = time.time) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self.addresses = MailAddresses(database, clock=clock)
        self.is_possible = is_possible
        self._clock = clock

    async def wanted_by(self, person: Person) -> Wanted:
        """Return what a person has agreed to."""
        known = await self._database.read(partial(stored.find_choice, person_id=person.id))
        return Wanted(known.is_wanted, known.language) if known else Wanted()

    async def choose(self, person: Person, wanted: Wanted, visit: Visit) -> None:
        """Store what a person agrees to, and have the address asked if nobody has confirmed it yet.

        Raises ForbiddenError; mails can always be stopped.
        """
        asking = None
        if wanted.decisions:
            self._allow(person)
            asking = self.addresses.asking(person, wanted.language, visit)
        job = partial(_chosen, person_id=person.id, wanted=wanted, asking=asking, now=self._now())
        await self._database.write(job, public=False)

    async def ask_again(self, person: Person, visit: Visit) -> None:
        """Have the address of somebody who wants mails asked once more.

        Raises ForbiddenError, ConflictError, TooManyRequestsError.
        """
        wanted = await self.wanted_by(person)
        if not wanted.decisions:
            raise ConflictError(sentence("Choose first which mails you want."))
        self._allow(person)
        await self.addresses.ask(person, wanted.language, visit)

    def _allow(self, person: Person) -> None:
        """Make sure that mails can be sent to a person. Raises ForbiddenError."""
        if not self.is_possible:
            raise ForbiddenError(sentence("This server sends no e-mail."))
        if person.email is None:
            raise ForbiddenError(sentence("Your account has no e-mail address."))

    async def look_at(self, token: str) -> str:
        """Return the topic of the mails that a link stops, without stopping them. Raises InputError."""
        link = _read(token)
        if link.topic != DIGEST:
            _checked(link, await self._database.read(partial(stored.find_choice, person_id=link.person_id)))
        return link.topic

    async def stop(self, token: str) -> str:
        """Stop mails by the link in one of them, and return their topic. Raises InputError."""
        link = _read(token)
        if link.topic != DIGEST:
            await self._database.write(partial(_stopped, link=link), public=False)
        return link.topic

    def _now(self) -> int:
        return int(self._clock())


def _chosen(
    connection: Writer, person_id: int, wanted: Wanted, asking: Callable[[Writer], int] | None, now: int
) -> None:
    """Store what is wanted. An address that was asked too often is not asked now: the choice stays, and it waits."""
    if asking is None:
        ask_no_more(connection, person_id)
    else:
        asking(connection)
    before = stored.read_choice(connection, person_id, Topic.DECISIONS)
    if before is None and not wanted.decisions:
        return
    secret = before.secret if before else new_secret()
    choice = Choice(person_id, Topic.DECISIONS, wanted.decisions, wanted.language, secret, now)
    if before is None or (before.is_wanted, before.language) != (choice.is_wanted, choice.language):
        stored.keep_choice(connection, choice)


def _stopped(connection: Writer, link: StopLink) -> None:
    before = _checked(link, stored.read_choice(connection, link.person_id, Topic.DECISIONS))
    stored.keep_choice(connection, msgspec.structs.replace(before, is_wanted=False))


def _read(token: str) -> StopLink:
    link = read_stop_token(token)
    if link is None:
        raise InputError.of("token", NO_LINK)
    return link


def _checked(link: StopLink, choice: Choice | None) -> Choice:
    """Return what a link is about. Raises InputError where it was not written for that."""
    if choice is None or not is_signed(link, choice):
        raise InputError.of("token", NO_LINK)
    return choice
