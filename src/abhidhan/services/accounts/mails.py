"""Mails that people agree to, and stop: on the account page, or by the link in each mail without signing in."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.domain.mails import (
    CHOICES,
    NEEDED,
    RESUME_SECONDS,
    Choice,
    Link,
    Often,
    Topic,
    is_signed,
    read_token,
    resume_token,
)
from abhidhan.domain.people import Person, require
from abhidhan.domain.visits import Visit
from abhidhan.errors import ConflictError, ForbiddenError, InputError, sentence
from abhidhan.services.accounts.mail_addresses import MailAddresses, new_secret
from abhidhan.storage import mails as stored
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.mail_addresses import ask_no_more
from abhidhan.storage.pending import lock_person

NO_LINK: Final = sentence("This link does not work: it is not whole, or too old. Stop the mails on your account page.")


class Wanted(msgspec.Struct, frozen=True):
    """Which mails a person wants, and in which language of the interface."""

    decisions: Often = Often.NEVER
    digest: Often = Often.NEVER
    language: str = ""

    def often(self, topic: Topic) -> Often:
        """Return how often mails of a kind are wanted."""
        return {Topic.DECISIONS: self.decisions, Topic.DIGEST: self.digest}[topic]

    @property
    def any(self) -> bool:
        """Say whether any mails are wanted."""
        return any(self.often(topic) is not Often.NEVER for topic in CHOICES)


class Stopped(msgspec.Struct, frozen=True):
    """Mails that are stopped; `resume` is the token that takes it back, if they came before."""

    topic: Topic
    resume: str | None


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
        known = await self._database.read(partial(stored.choices_of, person_id=person.id))
        often = {str(topic): choice.often for topic, choice in known.items()}
        return Wanted(**often, language=next((each.language for each in known.values()), ""))

    async def choose(self, person: Person, wanted: Wanted, visit: Visit) -> None:
        """Keep what a person agrees to, and have the address asked if nobody has confirmed it yet.

        Raises ForbiddenError, InputError; whatever was agreed to can be stopped.
        """
        for topic, choices in CHOICES.items():
            if wanted.often(topic) not in choices:
                raise InputError.of(
                    str(topic),
                    sentence("`%(parameter)s` must be one of %(value)s.", parameter=topic, value=", ".join(choices)),
                )
            if wanted.often(topic) is not Often.NEVER:
                self._allow(person)
                if topic in NEEDED:
                    require(person, NEEDED[topic])
        asking = self.addresses.asking(person, wanted.language, visit) if wanted.any else None
        job = partial(_chosen, person_id=person.id, wanted=wanted, asking=asking, now=self._now())
        await self._database.write(job, public=False)

    async def ask_again(self, person: Person, visit: Visit) -> None:
        """Have the address of somebody who wants mails asked once more.

        Raises ForbiddenError, ConflictError, TooManyRequestsError.
        """
        wanted = await self.wanted_by(person)
        if not wanted.any:
            raise ConflictError(sentence("Choose first which mails you want."))
        self._allow(person)
        await self.addresses.ask(person, wanted.language, visit)

    def _allow(self, person: Person) -> None:
        """Make sure that mails can be sent to a person. Raises ForbiddenError."""
        if not self.is_possible:
            raise ForbiddenError(sentence("This server sends no e-mail."))
        if person.email is None:
            raise ForbiddenError(sentence("Your account has no e-mail address."))

    async def look_at(self, token: str) -> Topic:
        """Return which mails a link would stop, without stopping them. Raises InputError."""
        link = _read(token)
        known = await self._database.read(partial(stored.choices_of, person_id=link.person_id))
        return _checked(link, known.get(link.topic)).topic

    async def stop(self, token: str) -> Stopped:
        """Stop mails of a kind by the link in one of them. Raises InputError."""
        job = partial(_stopped, link=_read(token), now=self._now())
        before = await self._database.write(job, public=False)
        came = before.often is not Often.NEVER
        return Stopped(before.topic, resume_token(before, self._now() + RESUME_SECONDS) if came else None)

    async def resume(self, token: str) -> Topic:
        """Take a stop back, by the token that it has given. Raises InputError."""
        link = _read(token)
        if link.often is None or link.until <= self._now():
            raise InputError.of("token", NO_LINK)
        await self._database.write(partial(_resumed, link=link, now=self._now()), public=False)
        return link.topic

    def _now(self) -> int:
        return int(self._clock())


def _chosen(
    connection: Writer, person_id: int, wanted: Wanted, asking: Callable[[Writer], int] | None, now: int
) -> None:
    """Keep what is wanted. An address that was asked too often is not asked now: the choice stays, and it waits."""
    lock_person(connection, person_id)
    if asking is None:
        ask_no_more(connection, person_id)
    else:
        asking(connection)
    for topic in CHOICES:
        before = stored.lock_choice(connection, person_id, topic)
        often = wanted.often(topic)
        if before is None and often is Often.NEVER:
            continue
        secret = before.secret if before else new_secret()
        # Later than the choice before, even in the same second: no stop of that one can be taken back any more.
        agreed = max(now, before.agreed + 1) if before else now
        choice = Choice(person_id, topic, often, wanted.language, secret, agreed)
        if before is None or often is Often.NEVER or (before.often, before.language) != (often, wanted.language):
            stored.keep_choice(connection, choice, now)


def _stopped(connection: Writer, link: Link, now: int) -> Choice:
    """Stop mails; gives what was agreed to before."""
    before = _checked(link, stored.lock_choice(connection, link.person_id, link.topic))
    stored.keep_choice(connection, msgspec.structs.replace(before, often=Often.NEVER), now)
    return before


def _resumed(connection: Writer, link: Link, now: int) -> None:
    choice = _checked(link, stored.lock_choice(connection, link.person_id, link.topic), back=True)
    if choice.often is Often.NEVER and link.often is not None:
        stored.keep_choice(connection, msgspec.structs.replace(choice, often=link.often), now)


def _read(token: str) -> Link:
    link = read_token(token)
    if link is None:
        raise InputError.of("token", NO_LINK)
    return link


def _checked(link: Link, choice: Choice | None, *, back: bool = False) -> Choice:
    """Return what a link is about. Raises InputError where it was not written for that, or for the other purpose."""
    if choice is None or (link.often is not None) is not back or not is_signed(link, choice):
        raise InputError.of("token", NO_LINK)
    return choice
