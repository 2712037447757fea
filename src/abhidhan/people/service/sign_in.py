"""Signing up, signing in with a password and a code, and changing the password."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.one_time_links import SECOND_STEP_SECONDS, Ticket, TicketKind
from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.people.service.account_context import AccountContext, hash_token, log_event
from abhidhan.people.service.administration import NewAccount, clean_account, replace_password
from abhidhan.people.service.sessions import Sessions
from abhidhan.people.store import people as stored_people
from abhidhan.people.store import tickets as stored_tickets
from abhidhan.people.store import two_factor as stored_two_factor
from abhidhan.people.store.people import NewPerson
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.runtime.metrics import SIGN_INS
from abhidhan.platform.runtime.passwords import QueueTicket, TrustLevel
from abhidhan.records import throttling
from abhidhan.records.errors import (
    CodeRequiredError,
    ForbiddenError,
    InputError,
    SignInRequiredError,
    TooManyRequestsError,
    sentence,
)
from abhidhan.records.people import (
    AuthenticatedUser,
    Person,
    Role,
    SignUp,
    check_new_password,
    normalize_password,
    username_key,
)
from abhidhan.records.throttling import ClientInfo, Throttle, throttle_key

WRONG_CREDENTIALS: Final = sentence("The name or the password is wrong.")
CODE_REQUIRED: Final = sentence("You also need a code from your app, or a recovery code.")
WRONG_CODE: Final = sentence("The code is wrong or expired, or has already been used.")
STEP_EXPIRED: Final = sentence("That took too long. Please sign in again.")
SUCCEEDED, FAILED, THROTTLED = (SIGN_INS.labels(result) for result in ("succeeded", "failed", "slowed"))

INVALID_INVITATION: Final = sentence("`%(parameter)s` has already been used or has expired.", parameter="invitation")


class SignInAttempt(msgspec.Struct, frozen=True):
    """A sign-in with a verified password: the client, whether its address is known, and the typed code, if any.

    `new_hash` is a new hash of the password if the stored one is outdated. `step_token` is the token of the second
    step, if the password was verified in an earlier request.
    """

    person: Person
    client: ClientInfo
    is_known_address: bool
    code: str = ""
    new_hash: str | None = None
    step_token: str = ""


@contextmanager
def count_sign_in(code: str) -> Iterator[None]:
    """Count the outcome of a sign-in in the metrics; a correct password without the required code is not counted."""
    try:
        yield
    except TooManyRequestsError:
        THROTTLED.inc()
        raise
    except CodeRequiredError:
        if code:
            FAILED.inc()
        raise
    except (SignInRequiredError, ForbiddenError):
        FAILED.inc()
        raise
    SUCCEEDED.inc()


class Authentication:
    """Service for authentication by password and code, and for sign-up with or without an invitation."""

    def __init__(self, context: AccountContext, sessions: Sessions) -> None:
        """`sessions` opens the sessions."""
        self._context = context
        self._sessions = sessions

    # --- signing in ---------------------------------------------------------------------------------------------------

    async def sign_in(self, username: str, password: str, client: ClientInfo, code: str = "") -> str:
        """Check a name, its password and, if the account requires it, a code; return the token of a new session.

        Raises SignInRequiredError, CodeRequiredError (only if the password is correct), ForbiddenError for a
        disabled account, TooManyRequestsError.
        """
        with count_sign_in(code):
            return await self._sign_in(username, password, client, code)

    async def finish_sign_in(self, step_token: str, code: str, client: ClientInfo) -> str:
        """Check the two-factor code after a correct password; return the token of a new session.

        Raises CodeRequiredError for a wrong code, SignInRequiredError if `step_token` has expired,
        TooManyRequestsError.
        """
        with count_sign_in(code):
            return await self._finish_sign_in(step_token, code, client)

    # --- the user's own account -----------------------------------------------------------------------------------

    async def sign_up(self, new: NewAccount, client: ClientInfo) -> Person:
        """Create an account, if the operator allows it.

        Raises InputError with all problems, ForbiddenError, ConflictError for a taken name, TooManyRequestsError.
        """
        if self._context.rules.sign_up is SignUp.CLOSED:
            raise ForbiddenError(
                sentence("Accounts are created by the administrators of this dictionary; ask one of them.")
            )
        if self._context.rules.sign_up is SignUp.INVITATION and not new.invitation:
            raise ForbiddenError(
                sentence("You need an invitation to create an account; ask an editor or administrator for one.")
            )
        username, password, email = await asyncio.to_thread(clean_account, new)
        await self._count_sign_up(new.invitation, client)
        hashed = await self._context.passwords.hash(password, QueueTicket(TrustLevel.STRANGER, client.address))
        person = NewPerson(username, Role.CONTRIBUTOR, email, hashed)
        account = await self._context.write(partial(self._create_account, new=person, invitation=new.invitation))
        log_event("account created", account, address=client.address, role=account.role)
        return account

    async def change_password(self, signed_in: AuthenticatedUser, old: str, new: str, client: ClientInfo) -> str:
        """Change the user's own password, close all sessions, and return the token of a new one.

        Raises InputError, ForbiddenError if the old password is wrong, TooManyRequestsError.
        """
        person = signed_in.person
        password = await asyncio.to_thread(check_new_password, new, person.username, "new_password")
        await self.check_own_password(person, old, client)
        hashed = await self._context.passwords.hash(password)
        token = await self._context.write(partial(self._store_password, person=person, hashed=hashed, client=client))
        log_event("password changed", person, address=client.address)
        return token

    async def check_own_password(self, person: Person, password: str, client: ClientInfo) -> None:
        """Check the password of a signed-in user. Raises ForbiddenError, TooManyRequestsError."""
        # Counted per account, from any address: an attempt requires a session, so strangers cannot lock the owner out.
        rules = {throttle_key("own password", str(person.id)): throttling.SIGN_IN_BY_ACCOUNT_AND_ADDRESS}
        await self._context.count_try(rules, "Too many wrong passwords. Try again in %(wait)s s.")
        credentials = await self._context.database.read(partial(stored_people.find_by_id, person_id=person.id))
        queue_ticket = QueueTicket(TrustLevel.KNOWN, client.address)
        verdict = await self._context.passwords.verify(
            credentials.password_hash if credentials else None, normalize_password(password), queue_ticket
        )
        if not verdict.is_correct:
            log_event("wrong own password", person, address=client.address)
            raise ForbiddenError(sentence("The password is wrong."))
        await self._context.write(partial(stored_people.delete_attempts, keys=list(rules)))

    async def is_known_address(self, person_id: int, client: ClientInfo) -> bool:
        """Return whether a user has signed in from the client's address before."""
        hashed = throttle_key("known", str(person_id), client.address)
        return await self._context.database.read(
            partial(stored_people.is_known_address, person_id=person_id, address_hash=hashed)
        )

    # --- helpers --------------------------------------------------------------------------------------------------

    async def _sign_in(self, username: str, password: str, client: ClientInfo, code: str) -> str:
        credentials = await self._context.database.read(partial(stored_people.find_by_name, username=username))
        is_known_address = await self.is_known_address(credentials.person.id if credentials else 0, client)
        await self._context.count_try(
            _build_sign_in_rules(username, client, is_known_address=is_known_address),
            "Too many attempts to sign in. Try again in %(wait)s s.",
        )
        queue_ticket = QueueTicket(TrustLevel.KNOWN if is_known_address else TrustLevel.SIGNING_IN, client.address)
        verdict = await self._context.passwords.verify(
            credentials.password_hash if credentials else None, normalize_password(password), queue_ticket
        )
        if credentials is None or not verdict.is_correct:
            reason = "unknown name" if credentials is None else "wrong password"
            log_event("sign-in failed", credentials and credentials.person, address=client.address, reason=reason)
            raise SignInRequiredError(WRONG_CREDENTIALS)
        if credentials.person.disabled is not None:
            log_event("sign-in failed", credentials.person, address=client.address, reason="disabled account")
            raise ForbiddenError(sentence("This account has been disabled; ask an administrator."))
        new_hash = (
            await self._context.passwords.hash(normalize_password(password), queue_ticket)
            if verdict.is_outdated
            else None
        )
        return await self._complete_sign_in(SignInAttempt(credentials.person, client, is_known_address, code, new_hash))

    async def _count_sign_up(self, invitation: str | None, client: ClientInfo) -> None:
        """Count sign-ups without an invitation or with an invalid one, which may be abuse.

        Sign-ups with a valid invitation are never throttled: a whole class may share one address.
        Raises InputError for an invalid invitation, TooManyRequestsError.
        """
        if invitation and await self._context.find_ticket(invitation, TicketKind.INVITATION) is not None:
            return
        rules = {throttle_key("sign up", client.address): throttling.SIGN_UP_BY_ADDRESS}
        if not invitation:
            rules[throttle_key("sign up")] = throttling.SIGN_UP_ANYWHERE
        await self._context.count_try(rules, "Too many new accounts. Try again in %(wait)s s.")
        if invitation:
            raise InputError.of("invitation", INVALID_INVITATION)

    async def _finish_sign_in(self, step_token: str, code: str, client: ClientInfo) -> str:
        ticket = await self._context.find_ticket(step_token, TicketKind.SECOND_STEP)
        credentials = await self._context.database.read(
            partial(stored_people.find_by_id, person_id=(ticket and ticket.person_id) or 0)
        )
        if credentials is None or credentials.person.disabled is not None:
            raise SignInRequiredError(STEP_EXPIRED)
        is_known_address = await self.is_known_address(credentials.person.id, client)
        return await self._complete_sign_in(
            SignInAttempt(credentials.person, client, is_known_address, code, step_token=step_token)
        )

    async def _complete_sign_in(self, attempt: SignInAttempt) -> str:
        """Open a session if no code is required or it is correct; return its token. Raises CodeRequiredError."""
        if attempt.code:
            await self._context.count_try(
                build_code_rules(attempt), "Too many codes were tried. Try again in %(wait)s s."
            )
        try:
            session_token = await self._context.write(partial(self._open_session, attempt=attempt))
        except CodeRequiredError:
            log_event("sign-in failed", attempt.person, address=attempt.client.address, reason="wrong code")
            raise
        if session_token is None:
            step_token = await self._context.add_ticket(
                Ticket(TicketKind.SECOND_STEP, attempt.person.id, None, self._context.now() + SECOND_STEP_SECONDS)
            )
            raise CodeRequiredError(CODE_REQUIRED, step_token)
        log_event("signed in", attempt.person, address=attempt.client.address)
        return session_token

    def _open_session(self, connection: WriteConnection, attempt: SignInAttempt) -> str | None:
        """Open a session, and reset the counts of failed attempts. Returns None if a code is required first."""
        person, client, now = attempt.person, attempt.client, self._context.now()
        if attempt.step_token and not stored_tickets.use_ticket(
            connection, hash_token(attempt.step_token), TicketKind.SECOND_STEP, now
        ):
            raise SignInRequiredError(STEP_EXPIRED)
        if self._context.rules.two_factor is not TwoFactorRule.OFF and stored_two_factor.is_enabled(
            connection, person.id
        ):
            if not attempt.code:
                return None
            if not stored_two_factor.accept_code(connection, person.id, attempt.code, now):
                raise CodeRequiredError(WRONG_CODE, attempt.step_token)
        rules = _build_sign_in_rules(
            person.username, client, is_known_address=attempt.is_known_address
        ) | build_code_rules(attempt)
        stored_people.delete_attempts(connection, [key for key in rules if not key.startswith("from:")])
        stored_people.subtract_attempt(connection, throttle_key("from", client.address))
        stored_people.store_address(connection, person.id, throttle_key("known", str(person.id), client.address), now)
        if attempt.new_hash:
            stored_people.set_password(connection, person.id, attempt.new_hash)
        return self._sessions.open_session(connection, person.id, client)

    def _create_account(self, connection: WriteConnection, new: NewPerson, invitation: str | None) -> Person:
        now = self._context.now()
        if invitation:
            ticket = stored_tickets.use_ticket(connection, hash_token(invitation), TicketKind.INVITATION, now)
            if ticket is None:
                raise InputError.of("invitation", INVALID_INVITATION)
            new = new._replace(role=ticket.role or new.role)
        return stored_people.add_person(connection, new, now)

    def _store_password(self, connection: WriteConnection, person: Person, hashed: str, client: ClientInfo) -> str:
        replace_password(connection, person.id, hashed)
        return self._sessions.open_session(connection, person.id, client)


def _build_sign_in_rules(username: str, client: ClientInfo, *, is_known_address: bool) -> dict[str, Throttle]:
    """Build the rate limits of a sign-in. The limit per account does not apply at addresses known for the user."""
    name = username_key(username)
    rules = {
        throttle_key("account from", name, client.address): throttling.SIGN_IN_BY_ACCOUNT_AND_ADDRESS,
        throttle_key("from", client.address): throttling.SIGN_IN_BY_ADDRESS,
    }
    return rules if is_known_address else rules | {throttle_key("account", name): throttling.SIGN_IN_BY_ACCOUNT}


def build_code_rules(attempt: SignInAttempt) -> dict[str, Throttle]:
    """Build the rate limits of codes. The limit per account does not apply at addresses known for the user."""
    person_id = str(attempt.person.id)
    rules = {throttle_key("code from", person_id, attempt.client.address): throttling.CODE_FROM_ONE_ADDRESS}
    return rules if attempt.is_known_address else rules | {throttle_key("code", person_id): throttling.CODE_BY_ACCOUNT}
