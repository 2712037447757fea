"""Personal API tokens: created, listed and revoked by their owners, and used by programs."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.people.model.two_factor import must_have
from abhidhan.people.service.account_context import TOKEN_BYTES, log_event, token_hash
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.sessions import SEEN_PATIENCE
from abhidhan.people.store import sessions as stored
from abhidhan.platform.database.database import Database
from abhidhan.records.api_tokens import MOST_TOKENS, PREFIX, NewToken, SignedInByToken, Token, cleaned, day_of
from abhidhan.records.errors import ConflictError, NotFoundError, TokenRefusedError, UnavailableError, sentence
from abhidhan.records.ids import GREATEST_ID
from abhidhan.records.people import SignedIn
from abhidhan.records.throttling import Visit

REFUSED: Final = sentence(
    "This token is not valid: it is mistyped, has expired or was revoked. You can create a new one on your account "
    "page."
)


class MadeToken(NamedTuple):
    """A new token and its text, which is shown only once."""

    token: Token
    text: str


class Tokens:
    """Service for personal API tokens, of which only hashes are stored."""

    def __init__(self, database: Database, accounts: Accounts, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._accounts = accounts
        self._clock = clock
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def make(self, signed_in: SignedIn, new: NewToken, password: str, visit: Visit) -> MadeToken:
        """Create a token for a program.

        Raises InputError, ForbiddenError for a wrong password or a scope that the role does not allow, ConflictError
        if the user has too many tokens, TooManyRequestsError.
        """
        person = signed_in.person
        clean = cleaned(new, person)
        await self._accounts.authentication.check_own_password(person, password, visit)
        text = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        job = partial(stored.add_token, person_id=person.id, token_hash=token_hash(text), new=clean, now=self._now())
        made = await self._database.write(job, public=False)
        if made is None:
            raise ConflictError(
                sentence("You have %(count)s tokens; revoke one that you no longer need.", count=MOST_TOKENS)
            )
        log_event("token created", person, address=visit.address, token_id=made.id)
        return MadeToken(made, text)

    async def list_for(self, person_id: int) -> list[Token]:
        """List a user's tokens that have not expired, newest first."""
        return await self._database.read(partial(stored.own_tokens, person_id=person_id, now=self._now()))

    async def revoke(self, person_id: int, token_id: int) -> None:
        """Revoke one of a user's tokens. Raises NotFoundError."""
        job = partial(stored.revoke_token, person_id=person_id, token_id=token_id)
        if token_id > GREATEST_ID or not await self._database.write(job, public=False):
            raise NotFoundError(sentence("You have no token with the ID %(token_id)s.", token_id=token_id))
        log_event("token revoked", person_id=person_id, token_id=token_id)

    async def holder_of(self, text: str) -> SignedInByToken | None:
        """Return the user for whom a program acts; None if its token is not valid."""
        if not text.startswith(PREFIX):
            return None
        hashed, now = token_hash(text), self._now()
        return await self._database.read(lambda reader: stored.find_holder(reader, hashed, now))

    async def use(self, text: str) -> SignedInByToken:
        """Return the user for whom a program acts, and record the day of use. Raises TokenRefusedError."""
        found = await self.holder_of(text)
        if found is None:
            raise TokenRefusedError(REFUSED)
        today = day_of(self._now())
        if found.used is None or found.used < today:
            await self._note_used(found.token_id, today)
        must = must_have(self._accounts.context.rules.two_factor, found.person.role) and not found.two_factor
        return msgspec.structs.replace(found, must_set_up=True) if must else found

    async def finish(self) -> None:
        """Wait for pending writes."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _note_used(self, token_id: int, day: int) -> None:
        """Record the day of use; the request waits only SEEN_PATIENCE for the write and ignores its failure."""
        if token_id not in self._tasks:
            task = self._tasks[token_id] = asyncio.create_task(self._noted_used(token_id, day))
            await asyncio.wait({task}, timeout=SEEN_PATIENCE)

    async def _noted_used(self, token_id: int, day: int) -> None:
        try:
            with contextlib.suppress(UnavailableError):
                await self._database.write(partial(stored.note_used, token_id=token_id, day=day), public=False)
        finally:
            del self._tasks[token_id]

    def _now(self) -> int:
        return int(self._clock())
