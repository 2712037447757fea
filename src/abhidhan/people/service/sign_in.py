"""Signing up, signing in with a password and a code, and changing the password."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.one_time_links import SECOND_STEP_SECONDS, Ticket, TicketKind
from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.people.service.account_context import AccountContext, log_event, token_hash
from abhidhan.people.service.administration import NewAccount, clean_account, new_password
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
    clean_password,
    username_key,
)
from abhidhan.records.throttling import ClientInfo, Throttle, throttle_key

WRONG: Final = sentence("The name or the password is wrong.")
CODE_NEEDED: Final = sentence("You also need a code from your app, or a recovery code.")
WRONG_CODE: Final = sentence("The code is wrong or expired, or has already been used.")
TOO_LATE: Final = sentence("That took too long. Please sign in again.")
SUCCEEDED, FAILED, SLOWED = (SIGN_INS.labels(result) for result in ("succeeded", "failed", "slowed"))

NO_INVITATION: Final = sentence("`%(parameter)s` has already been used or has expired.", parameter="invitation")


class SignInAttempt(msgspec.Struct, frozen=True):
    """A sign-in with a verified password: the client, whether its address is known, and the typed code, if any.

    `new_hash` is a new hash of the password if the stored one is outdated. `step_token` is the token of the second
    step, if the password was verified in an earlier request.
    """

    person: Person
    visit: ClientInfo
    here_before: bool
    code: str = ""
    fresh: str | None = None
    step: str = ""


@contextmanager
def count_sign_in(code: str) -> Iterator[None]:
    """Count the outcome of a sign-in in the metrics; a correct password without the required code is not counted."""
    try:
        yield
    except TooManyRequestsError:
        SLOWED.inc()
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

    async def sign_in(self, username: str, password: str, visit: ClientInfo, code: str = "") -> str:
        """Check a name, its password and, if the account requires it, a code; return the token of a new session.

        Raises SignInRequiredError, CodeRequiredError (only if the password is correct), ForbiddenError for a
        disabled account, TooManyRequestsError.
        """
        with count_sign_in(code):
            return await self._sign_in(username, password, visit, code)

    async def second_step(self, step: str, code: str, visit: ClientInfo) -> str:
        """Check the two-factor code after a correct password; return the token of a new session.

        Raises CodeRequiredError for a wrong code, SignInRequiredError if `step_token` has expired,
        TooManyRequestsError.
        """
        with count_sign_in(code):
            return await self._second_step(step, code, visit)

    # --- the user's own account -----------------------------------------------------------------------------------

    async def sign_up(self, new: NewAccount, visit: ClientInfo) -> Person:
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
        await self._count_sign_up(new.invitation, visit)
        hashed = await self._context.passwords.hash(password, QueueTicket(TrustLevel.STRANGER, visit.address))
        person = NewPerson(username, Role.CONTRIBUTOR, email, hashed)
        made = await self._context.write(partial(self._create_account, new=person, invitation=new.invitation))
        log_event("account created", made, address=visit.address, role=made.role)
        return made

    async def change_password(self, signed_in: AuthenticatedUser, old: str, new: str, visit: ClientInfo) -> str:
        """Change the user's own password, close all sessions, and return the token of a new one.

        Raises InputError, ForbiddenError if the old password is wrong, TooManyRequestsError.
        """
        person = signed_in.person
        password = await asyncio.to_thread(check_new_password, new, person.username, "new_password")
        await self.check_own_password(person, old, visit)
        hashed = await self._context.passwords.hash(password)
        token = await self._context.write(partial(self._store_password, person=person, hashed=hashed, visit=visit))
        log_event("password changed", person, address=visit.address)
        return token

    async def check_own_password(self, person: Person, password: str, visit: ClientInfo) -> None:
        """Check the password of a signed-in user. Raises ForbiddenError, TooManyRequestsError."""
        # Counted per account, from any address: an attempt requires a session, so strangers cannot lock the owner out.
        rules = {throttle_key("own password", str(person.id)): throttling.SIGN_IN_FROM_ONE_ADDRESS}
        await self._context.count_try(rules, "Too many wrong passwords. Try again in %(wait)s s.")
        credentials = await self._context.database.read(partial(stored_people.find_by_id, person_id=person.id))
        turn = QueueTicket(TrustLevel.KNOWN, visit.address)
        verdict = await self._context.passwords.verify(
            credentials.password_hash if credentials else None, clean_password(password), turn
        )
        if not verdict.matches:
            log_event("wrong own password", person, address=visit.address)
            raise ForbiddenError(sentence("The password is wrong."))
        await self._context.write(partial(stored_people.delete_tries, keys=list(rules)))

    async def has_been_here(self, person_id: int, visit: ClientInfo) -> bool:
        """Return whether a user has signed in from the client's address before."""
        hashed = throttle_key("known", str(person_id), visit.address)
        return await self._context.database.read(
            partial(stored_people.knows_address, person_id=person_id, address_hash=hashed)
        )

    # --- helpers --------------------------------------------------------------------------------------------------

    async def _sign_in(self, username: str, password: str, visit: ClientInfo, code: str) -> str:
        credentials = await self._context.database.read(partial(stored_people.find_by_name, username=username))
        here_before = await self.has_been_here(credentials.person.id if credentials else 0, visit)
        await self._context.count_try(
            _sign_in_rules(username, visit, here_before=here_before),
            "Too many attempts to sign in. Try again in %(wait)s s.",
        )
        turn = QueueTicket(TrustLevel.KNOWN if here_before else TrustLevel.SIGNING_IN, visit.address)
        verdict = await self._context.passwords.verify(
            credentials.password_hash if credentials else None, clean_password(password), turn
        )
        if credentials is None or not verdict.matches:
            reason = "unknown name" if credentials is None else "wrong password"
            log_event("sign-in failed", credentials and credentials.person, address=visit.address, reason=reason)
            raise SignInRequiredError(WRONG)
        if credentials.person.disabled is not None:
            log_event("sign-in failed", credentials.person, address=visit.address, reason="disabled account")
            raise ForbiddenError(sentence("This account has been disabled; ask an administrator."))
        fresh = await self._context.passwords.hash(clean_password(password), turn) if verdict.outdated else None
        return await self._complete_sign_in(SignInAttempt(credentials.person, visit, here_before, code, fresh))

    async def _count_sign_up(self, invitation: str | None, visit: ClientInfo) -> None:
        """Count sign-ups without an invitation or with an invalid one, which may be abuse.

        Sign-ups with a valid invitation are never throttled: a whole class may share one address.
        Raises InputError for an invalid invitation, TooManyRequestsError.
        """
        if invitation and await self._context.find_ticket(invitation, TicketKind.INVITATION) is not None:
            return
        rules = {throttle_key("sign up", visit.address): throttling.SIGN_UP}
        if not invitation:
            rules[throttle_key("sign up")] = throttling.SIGN_UP_ANYWHERE
        await self._context.count_try(rules, "Too many new accounts. Try again in %(wait)s s.")
        if invitation:
            raise InputError.of("invitation", NO_INVITATION)

    async def _second_step(self, step: str, code: str, visit: ClientInfo) -> str:
        ticket = await self._context.find_ticket(step, TicketKind.SECOND_STEP)
        credentials = await self._context.database.read(
            partial(stored_people.find_by_id, person_id=(ticket and ticket.person_id) or 0)
        )
        if credentials is None or credentials.person.disabled is not None:
            raise SignInRequiredError(TOO_LATE)
        here_before = await self.has_been_here(credentials.person.id, visit)
        return await self._complete_sign_in(SignInAttempt(credentials.person, visit, here_before, code, step=step))

    async def _complete_sign_in(self, attempt: SignInAttempt) -> str:
        """Open a session if no code is required or it is correct; return its token. Raises CodeRequiredError."""
        if attempt.code:
            await self._context.count_try(code_rules(attempt), "Too many codes were tried. Try again in %(wait)s s.")
        try:
            opened = await self._context.write(partial(self._open_session, attempt=attempt))
        except CodeRequiredError:
            log_event("sign-in failed", attempt.person, address=attempt.visit.address, reason="wrong code")
            raise
        if opened is None:
            step = await self._context.add_ticket(
                Ticket(TicketKind.SECOND_STEP, attempt.person.id, None, self._context.now() + SECOND_STEP_SECONDS)
            )
            raise CodeRequiredError(CODE_NEEDED, step)
        log_event("signed in", attempt.person, address=attempt.visit.address)
        return opened

    def _open_session(self, connection: WriteConnection, attempt: SignInAttempt) -> str | None:
        """Open a session, and reset the counts of failed attempts. Returns None if a code is required first."""
        person, visit, now = attempt.person, attempt.visit, self._context.now()
        if attempt.step and not stored_tickets.use_ticket(
            connection, token_hash(attempt.step), TicketKind.SECOND_STEP, now
        ):
            raise SignInRequiredError(TOO_LATE)
        if self._context.rules.two_factor is not TwoFactorRule.OFF and stored_two_factor.is_on(connection, person.id):
            if not attempt.code:
                return None
            if not stored_two_factor.accept_code(connection, person.id, attempt.code, now):
                raise CodeRequiredError(WRONG_CODE, attempt.step)
        rules = _sign_in_rules(person.username, visit, here_before=attempt.here_before) | code_rules(attempt)
        stored_people.delete_tries(connection, [key for key in rules if not key.startswith("from:")])
        stored_people.forgive_try(connection, throttle_key("from", visit.address))
        stored_people.store_address(connection, person.id, throttle_key("known", str(person.id), visit.address), now)
        if attempt.fresh:
            stored_people.set_password(connection, person.id, attempt.fresh)
        return self._sessions.open(connection, person.id, visit)

    def _create_account(self, connection: WriteConnection, new: NewPerson, invitation: str | None) -> Person:
        now = self._context.now()
        if invitation:
            ticket = stored_tickets.use_ticket(connection, token_hash(invitation), TicketKind.INVITATION, now)
            if ticket is None:
                raise InputError.of("invitation", NO_INVITATION)
            new = new._replace(role=ticket.role or new.role)
        return stored_people.add_person(connection, new, now)

    def _store_password(self, connection: WriteConnection, person: Person, hashed: str, visit: ClientInfo) -> str:
        new_password(connection, person.id, hashed)
        return self._sessions.open(connection, person.id, visit)


def _sign_in_rules(username: str, visit: ClientInfo, *, here_before: bool) -> dict[str, Throttle]:
    """Build the rate limits of a sign-in. The limit per account does not apply at addresses known for the user."""
    name = username_key(username)
    rules = {
        throttle_key("account from", name, visit.address): throttling.SIGN_IN_FROM_ONE_ADDRESS,
        throttle_key("from", visit.address): throttling.SIGN_IN_BY_ADDRESS,
    }
    return rules if here_before else rules | {throttle_key("account", name): throttling.SIGN_IN_BY_ACCOUNT}


def code_rules(attempt: SignInAttempt) -> dict[str, Throttle]:
    """Build the rate limits of codes. The limit per account does not apply at addresses known for the user."""
    person_id = str(attempt.person.id)
    rules = {throttle_key("code from", person_id, attempt.visit.address): throttling.CODE_FROM_ONE_ADDRESS}
    return rules if attempt.here_before else rules | {throttle_key("code", person_id): throttling.CODE_BY_ACCOUNT}
