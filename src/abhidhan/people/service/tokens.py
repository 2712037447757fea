"""Personal API tokens: creation, listing and revocation by their owners, and authentication of programs."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.people.model.two_factor import is_two_factor_required
from abhidhan.people.service.account_context import TOKEN_BYTES, hash_token, log_event
from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.sessions import SEEN_TIMEOUT_SECONDS
from abhidhan.people.store import sessions as stored
from abhidhan.platform.database.database import Database
from abhidhan.records.api_tokens import (
    MAX_TOKENS,
    TOKEN_PREFIX,
    ApiToken,
    NewToken,
    TokenUser,
    clean_token,
    start_of_day,
)
from abhidhan.records.errors import ConflictError, NotFoundError, TokenRefusedError, UnavailableError, sentence
from abhidhan.records.ids import MAX_ID
from abhidhan.records.people import AuthenticatedUser
from abhidhan.records.throttling import ClientInfo

INVALID_TOKEN: Final = sentence(
    "This token is not valid: it is mistyped, has expired or was revoked. You can create a new one on your account "
    "page."
)


class CreatedToken(NamedTuple):
    """A new token, and its secret text, which is shown only once."""

    token: ApiToken
    text: str


class Tokens:
    """Service for personal API tokens, of which only hashes are stored."""

    def __init__(self, database: Database, accounts: Accounts, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._accounts = accounts
        self._clock = clock
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def create(
        self, signed_in: AuthenticatedUser, new: NewToken, password: str, client: ClientInfo
    ) -> CreatedToken:
        """Create a token for a program.

        Raises InputError, ForbiddenError for a wrong password or a scope that the role does not allow, ConflictError
        if the user has too many tokens, TooManyRequestsError.
        """
        person = signed_in.person
        clean = clean_token(new, person)
        await self._accounts.authentication.check_own_password(person, password, client)
        text = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        job = partial(stored.add_token, person_id=person.id, token_hash=hash_token(text), new=clean, now=self._now())
        new_token = await self._database.write(job, public=False)
        if new_token is None:
            raise ConflictError(
                sentence("You have %(count)s tokens; revoke one that you no longer need.", count=MAX_TOKENS)
            )
        log_event("token created", person, address=client.address, token_id=new_token.id)
        return CreatedToken(new_token, text)

    async def list_tokens(self, person_id: int) -> list[ApiToken]:
        """List a user's tokens that have not expired, newest first."""
        return await self._database.read(partial(stored.list_tokens, person_id=person_id, now=self._now()))

    async def revoke(self, person_id: int, token_id: int) -> None:
        """Revoke one of a user's tokens. Raises NotFoundError."""
        job = partial(stored.revoke_token, person_id=person_id, token_id=token_id)
        if token_id > MAX_ID or not await self._database.write(job, public=False):
            raise NotFoundError(sentence("You have no token with the ID %(token_id)s.", token_id=token_id))
        log_event("token revoked", person_id=person_id, token_id=token_id)

    async def find_user(self, text: str) -> TokenUser | None:
        """Return the user of a token, limited to its scopes; None if the token is not valid."""
        if not text.startswith(TOKEN_PREFIX):
            return None
        hashed, now = hash_token(text), self._now()
        return await self._database.read(lambda reader: stored.find_token_user(reader, hashed, now))

    async def authenticate(self, text: str) -> TokenUser:
        """Return the user of a token, and record the day of use. Raises TokenRefusedError."""
        token_user = await self.find_user(text)
        if token_user is None:
            raise TokenRefusedError(INVALID_TOKEN)
        today = start_of_day(self._now())
        if token_user.used is None or token_user.used < today:
            await self._record_use(token_user.token_id, today)
        must_set_up = (
            is_two_factor_required(self._accounts.context.rules.two_factor, token_user.person.role)
            and not token_user.two_factor
        )
        return msgspec.structs.replace(token_user, must_set_up=True) if must_set_up else token_user

    async def finish(self) -> None:
        """Wait for pending writes."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _record_use(self, token_id: int, day: int) -> None:
        """Record the day of use of a token; wait at most `SEEN_TIMEOUT_SECONDS`, and ignore failures."""
        if token_id not in self._tasks:
            task = self._tasks[token_id] = asyncio.create_task(self._write_use(token_id, day))
            await asyncio.wait({task}, timeout=SEEN_TIMEOUT_SECONDS)

    async def _write_use(self, token_id: int, day: int) -> None:
        try:
            with contextlib.suppress(UnavailableError):
                await self._database.write(partial(stored.update_last_use, token_id=token_id, day=day), public=False)
        finally:
            del self._tasks[token_id]

    def _now(self) -> int:
        return int(self._clock())
