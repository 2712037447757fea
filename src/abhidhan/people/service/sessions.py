"""Sessions of signed-in users: authentication by token, listing, and signing out."""

import asyncio
import contextlib
import secrets
from functools import partial
from typing import Final

import msgspec
import structlog

from abhidhan.people.model.two_factor import is_two_factor_required
from abhidhan.people.service.account_context import TOKEN_BYTES, AccountContext, hash_token
from abhidhan.people.store import sessions as stored_sessions
from abhidhan.people.store.sessions import NewSession
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records.errors import NotFoundError, UnavailableError, UnwritableError, sentence
from abhidhan.records.people import AuthenticatedUser, SessionInfo
from abhidhan.records.throttling import ClientInfo

SEEN_INTERVAL_SECONDS: Final = 300
"""Minimum number of seconds between two updates of a session's time of last use."""

SEEN_TIMEOUT_SECONDS: Final = 0.25
"""Maximum number of seconds for which a request waits for this update; it then continues in the background."""

MAX_AGENT_LENGTH: Final = 200

_log = structlog.get_logger("abhidhan.accounts")


class Sessions:
    """Service for users' sessions."""

    def __init__(self, context: AccountContext) -> None:
        """Use the database and the rules of the context."""
        self._context = context
        self._updating_ids: set[int] = set()

    async def authenticate(self, token: str | None) -> AuthenticatedUser | None:
        """Return the user and session of a token; None if it is not valid."""
        if not token:
            return None
        now, sessions = self._context.now(), self._context.rules.sessions
        hashed = hash_token(token)
        signed_in = await self._context.database.read(
            lambda reader: stored_sessions.find_session(reader, hashed, sessions, now)
        )
        if signed_in is None:
            return None
        if now - signed_in.seen >= SEEN_INTERVAL_SECONDS:
            await self._record_seen(signed_in.session_id, now)
        must_set_up = (
            is_two_factor_required(self._context.rules.two_factor, signed_in.person.role) and not signed_in.two_factor
        )
        return msgspec.structs.replace(signed_in, must_set_up=True) if must_set_up else signed_in

    async def sign_out(self, token: str | None) -> None:
        """Close the session of a token, if there is one."""
        if token:
            try:
                await self._context.write(partial(stored_sessions.close_session, token_hash=hash_token(token)))
            except UnwritableError as error:
                # On a full disk, for example, the session remains until it expires. The response deletes the cookie in
                # any case, which protects the user on a shared computer.
                _log.warning("a session could not be closed", reason=str(error))

    async def list_sessions(self, person_id: int) -> list[SessionInfo]:
        """List the sessions of a user."""
        job = partial(
            stored_sessions.list_sessions,
            person_id=person_id,
            rules=self._context.rules.sessions,
            now=self._context.now(),
        )
        return await self._context.database.read(job)

    async def close_session(self, person_id: int, session_id: int) -> None:
        """Close one of a user's sessions. Raises NotFoundError."""
        job = partial(stored_sessions.close_user_session, person_id=person_id, session_id=session_id)
        if not await self._context.write(job):
            raise NotFoundError(sentence("You have no session with the ID %(session_id)s.", session_id=session_id))

    async def sign_out_everywhere(self, person_id: int) -> None:
        """Close all sessions of a user, including the current one."""
        await self._context.write(partial(stored_sessions.close_sessions, person_id=person_id))

    def open_session(self, connection: WriteConnection, person_id: int, client: ClientInfo) -> str:
        """Open a session and return its new token. The session of the request, if any, is closed."""
        if client.token:
            stored_sessions.close_session(connection, hash_token(client.token))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        agent = client.agent[:MAX_AGENT_LENGTH] if client.agent else None
        new = NewSession(person_id, hash_token(token), agent)
        stored_sessions.open_session(connection, new, self._context.rules.sessions, self._context.now())
        return token

    # --- helpers --------------------------------------------------------------------------------------------------

    async def _record_seen(self, session_id: int, now: int) -> None:
        """Update the time of last use of a session; wait at most `SEEN_TIMEOUT_SECONDS`, and ignore failures."""
        if session_id not in self._updating_ids:
            task = self._context.start_task(self._write_seen(session_id, now))
            await asyncio.wait({task}, timeout=SEEN_TIMEOUT_SECONDS)

    async def _write_seen(self, session_id: int, now: int) -> None:
        self._updating_ids.add(session_id)
        try:
            with contextlib.suppress(UnavailableError):
                await self._context.write(partial(stored_sessions.update_seen, session_id=session_id, now=now))
        finally:
            self._updating_ids.discard(session_id)
