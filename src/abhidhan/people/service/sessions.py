"""Sessions: who is signed in where, since when, and out again; and how often something was tried."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

import msgspec
import structlog

from abhidhan.people.model.one_time_links import Ticket, TicketKind
from abhidhan.people.model.two_factor import must_have
from abhidhan.people.service.administration import TOKEN_BYTES, AccountRules, People, token_hash
from abhidhan.people.store import people as stored_people
from abhidhan.people.store import sessions as stored_sessions
from abhidhan.people.store import tickets as stored_tickets
from abhidhan.people.store.sessions import NewSession
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.runtime.passwords import Passwords
from abhidhan.records.errors import NotFoundError, TooManyRequestsError, UnavailableError, UnwritableError, sentence
from abhidhan.records.people import OwnSession, SignedIn
from abhidhan.records.throttling import Slowdown, Visit

SEEN_EVERY: Final = 300
"""Seconds after which it is noted again that a session is in use: each time is a write."""

SEEN_PATIENCE: Final = 0.25
"""Seconds that a request waits for that write, which goes on without it."""

LONGEST_AGENT: Final = 200

_log = structlog.get_logger("abhidhan.accounts")


class Sessions(People):
    """Where people are signed in. Each method is one job."""

    def __init__(  # each is one independent part, named where it is given
        self,
        database: Database,
        passwords: Passwords,
        *,
        rules: AccountRules = AccountRules(),  # noqa: B008  # frozen
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. `clock` tells the seconds since 1970."""
        super().__init__(database, passwords, rules=rules, clock=clock)
        self._tasks: set[asyncio.Task[None]] = set()
        self._being_noted: set[int] = set()

    async def who(self, token: str | None) -> SignedIn | None:
        """Find who is signed in by a token."""
        if not token:
            return None
        now, sessions = self.now(), self.rules.sessions
        hashed = token_hash(token)
        found = await self._database.read(lambda reader: stored_sessions.find_session(reader, hashed, sessions, now))
        if found is None:
            return None
        if now - found.seen >= SEEN_EVERY:
            await self._note_seen(found.session_id, now)
        must = must_have(self.rules.two_factor, found.person.role) and not found.two_factor
        return msgspec.structs.replace(found, must_set_up=True) if must else found

    async def sign_out(self, token: str | None) -> None:
        """Close the session of a token; without one nothing has to be done.

        Where nothing can be written, such as on a full disk, the session stays until it expires: whoever signs out on a
        shared computer loses the cookie all the same.
        """
        if token:
            try:
                await self._write(partial(stored_sessions.close_session, token_hash=token_hash(token)))
            except UnwritableError as error:
                _log.warning("a session could not be closed", reason=str(error))

    async def sessions_of(self, person_id: int) -> list[OwnSession]:
        """List where a person is signed in."""
        job = partial(stored_sessions.own_sessions, person_id=person_id, rules=self.rules.sessions, now=self.now())
        return await self._database.read(job)

    async def sign_out_of(self, person_id: int, session_id: int) -> None:
        """Sign a person out in one place. Raises NotFoundError."""
        job = partial(stored_sessions.close_own_session, person_id=person_id, session_id=session_id)
        if not await self._write(job):
            raise NotFoundError(sentence("You have no session with the ID %(session_id)s.", session_id=session_id))

    async def sign_out_everywhere(self, person_id: int) -> None:
        """Sign a person out everywhere, here too."""
        await self._write(partial(stored_sessions.close_sessions, person_id=person_id))

    async def finish(self) -> None:
        """Wait for what is still being sent or noted."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- the steps ------------------------------------------------------------------------------------------------

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _note_seen(self, session_id: int, now: int) -> None:
        """Note that a session is in use. Whoever reads waits only a moment for a writer, and does not fail with it."""
        if session_id not in self._being_noted:
            task = self._begin(self._noted_seen(session_id, now))
            await asyncio.wait({task}, timeout=SEEN_PATIENCE)

    async def _noted_seen(self, session_id: int, now: int) -> None:
        self._being_noted.add(session_id)
        try:
            with contextlib.suppress(UnavailableError):
                await self._write(partial(stored_sessions.see_session, session_id=session_id, now=now))
        finally:
            self._being_noted.discard(session_id)

    async def _count(self, rules: dict[str, Slowdown], pattern: str) -> None:
        """Count a try under each key. Raises TooManyRequestsError; nothing is counted then."""
        now = self.now()
        job = partial(stored_people.longest_wait, keys=list(rules), now=now)
        wait = await self._database.read(job) or await self._write(
            partial(stored_people.count_tries, rules=rules, now=now)
        )
        if wait:
            raise TooManyRequestsError(sentence(pattern, wait=wait), wait)

    async def _ticket_of(self, token: str, kind: TicketKind) -> Ticket | None:
        """Look at a link without using it."""
        hashed, now = token_hash(token), self.now()
        return await self._database.read(lambda reader: stored_tickets.find_ticket(reader, hashed, kind, now))

    def _new_session(self, connection: Writer, person_id: int, visit: Visit) -> str:
        """Open a session by a token nobody has seen before; the one that was brought works no more."""
        if visit.token:
            stored_sessions.close_session(connection, token_hash(visit.token))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        agent = visit.agent[:LONGEST_AGENT] if visit.agent else None
        new = NewSession(person_id, token_hash(token), agent)
        stored_sessions.open_session(connection, new, self.rules.sessions, self.now())
        return token
