"""Context shared by the account services: database, passwords, rules, clock, one-time links, background tasks."""

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import structlog

from abhidhan.people.model.one_time_links import Ticket, TicketKind
from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.people.store import people as stored_people
from abhidhan.people.store import tickets as stored_tickets
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.runtime.passwords import Passwords
from abhidhan.records.errors import TooManyRequestsError, sentence
from abhidhan.records.people import Person, SessionRules, SignUp
from abhidhan.records.throttling import Throttle

T = TypeVar("T")

TOKEN_BYTES: Final = 32


class AccountRules(msgspec.Struct, frozen=True):
    """The operator's settings for accounts. `base_url` is the prefix of links in messages."""

    sign_up: SignUp = SignUp.INVITATION
    sessions: SessionRules = SessionRules()
    base_url: str = ""
    two_factor: TwoFactorRule = TwoFactorRule.OPTIONAL
    contact: str = ""
    """Contact for requests of an account: an e-mail address, a URL, or a short text."""


def hash_token(token: str) -> str:
    """Return the hash of a token for storage. Tokens are random, so no salt is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class AccountContext:
    """Resources and helpers that the account services share: database, passwords, settings, clock, background tasks."""

    def __init__(
        self,
        database: Database,
        passwords: Passwords,
        *,
        rules: AccountRules = AccountRules(),  # noqa: B008  # frozen
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` returns the seconds since 1970."""
        self.database = database
        self.passwords = passwords
        self.rules = rules
        self.clock = clock
        self._tasks: set[asyncio.Task[None]] = set()

    def now(self) -> int:
        """Return the time in whole seconds since 1970."""
        return int(self.clock())

    async def write(self, job: Callable[[WriteConnection], T]) -> T:
        """Run a job that writes private data."""
        return await self.database.write(job, public=False)

    async def count_try(self, rules: dict[str, Throttle], pattern: str) -> None:
        """Count an attempt under each key. Raises TooManyRequestsError, without counting, if a key is throttled."""
        now = self.now()
        job = partial(stored_people.longest_wait_seconds, keys=list(rules), now=now)
        wait = await self.database.read(job) or await self.write(
            partial(stored_people.count_attempts, rules=rules, now=now)
        )
        if wait:
            raise TooManyRequestsError(sentence(pattern, wait=wait), wait)

    async def add_ticket(self, ticket: Ticket) -> str:
        """Store a one-time link and return its token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        job = partial(stored_tickets.add_ticket, token_hash=hash_token(token), new_ticket=ticket, now=self.now())
        await self.write(job)
        return token

    async def find_ticket(self, token: str, kind: TicketKind) -> Ticket | None:
        """Find a valid one-time link by its token, without using it."""
        hashed, now = hash_token(token), self.now()
        return await self.database.read(lambda reader: stored_tickets.find_ticket(reader, hashed, kind, now))

    def start_task(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run work in the background; `finish` waits for it."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self) -> None:
        """Wait for the background tasks."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


SECURITY_LOG: Final = "abhidhan.security"

_log = structlog.get_logger(SECURITY_LOG)


def log_event(
    event: str,
    person: Person | None = None,
    *,
    address: str | None = None,
    by: Person | None = None,
    **details: str | int,
) -> None:
    """Log a security event of a person's account, without passwords, tokens or typed names.

    `address` is the client's address, `by` the administrator who changed the account.
    Commands disable the logger, because they print their results.
    """
    if logging.getLogger(SECURITY_LOG).isEnabledFor(logging.INFO):
        fields = {"person_id": person and person.id, "address": address, "by": by and by.id, **details}
        _log.info(event, **{name: value for name, value in fields.items() if value is not None})
