"""Accounts: signing up, in and out, one's sessions, passwords and the links that reset them."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import structlog

from abhidhan.domain import slowdown
from abhidhan.domain.mail_texts import without_links
from abhidhan.domain.people import (
    OwnSession,
    Person,
    Role,
    SignedIn,
    SignUp,
    check_new_password,
    clean_password,
    username_key,
)
from abhidhan.domain.slowdown import Slowdown
from abhidhan.domain.tickets import SECOND_STEP_SECONDS, Ticket, TicketKind
from abhidhan.domain.two_factor import TwoFactorRule, must_have
from abhidhan.domain.visits import Visit, try_key
from abhidhan.errors import (
    CodeRequiredError,
    ForbiddenError,
    InputError,
    NotFoundError,
    SignInRequiredError,
    TooManyRequestsError,
    UnavailableError,
    sentence,
)
from abhidhan.mail import Mailer
from abhidhan.passwords import Passwords, Standing, Turn
from abhidhan.services.accounts.mail_addresses import new_secret
from abhidhan.services.accounts.people import (
    TOKEN_BYTES,
    AccountRules,
    NewAccount,
    People,
    cleaned,
    new_password,
    token_hash,
)
from abhidhan.storage import mail_addresses as stored_addresses
from abhidhan.storage import people as stored_people
from abhidhan.storage import sessions as stored_sessions
from abhidhan.storage import tickets as stored_tickets
from abhidhan.storage import two_factor as stored_two_factor
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.people import NewPerson
from abhidhan.storage.sessions import NewSession

T = TypeVar("T")

SEEN_EVERY: Final = 300
"""Seconds after which it is noted again that a session is in use: each time is a write."""

SEEN_PATIENCE: Final = 0.25
"""Seconds that a request waits for that write, which goes on without it."""

LONGEST_AGENT: Final = 200
WRONG: Final = sentence("The name or the password is wrong.")
SIGN_IN_FIRST: Final = "Sign in first, at /api/session."
CODE_NEEDED: Final = sentence("You also need a code from your app, or a recovery code.")
WRONG_CODE: Final = sentence("The code is wrong, has expired, or has already been used.")
TOO_LATE: Final = sentence("That took too long. Sign in again.")
NO_INVITATION: Final = sentence("`%(parameter)s` has already been used or has expired.", parameter="invitation")
NO_LINK: Final = sentence(
    "`%(parameter)s` has already been used or has expired: ask for a new link.", parameter="token"
)

_log = structlog.get_logger("abhidhan.accounts")


class Trying(msgspec.Struct, frozen=True):
    """Somebody whose password was right: from where, whether from a known place, and the code, if one was typed.

    `step` is the token of the second step, where the password was checked in the one before.
    """

    person: Person
    visit: Visit
    here_before: bool
    code: str = ""
    fresh: str | None = None
    step: str = ""


class Accounts(People):
    """All that people do with their own accounts, and what administrators do with those of others."""

    def __init__(  # each is one independent part, named where it is given
        self,
        database: Database,
        passwords: Passwords,
        *,
        rules: AccountRules = AccountRules(),  # noqa: B008  # frozen
        mailer: Mailer | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put the parts together. `clock` tells the seconds since 1970."""
        super().__init__(database, passwords, rules=rules, clock=clock)
        self._mailer = mailer
        self._tasks: set[asyncio.Task[None]] = set()
        self._being_noted: set[int] = set()

    # --- sessions -------------------------------------------------------------------------------------------------

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

    async def sign_in(self, username: str, password: str, visit: Visit, code: str = "") -> str:
        """Check a name, its password, and a code where the account asks for one; open a session: gives its token.

        Raises SignInRequiredError, CodeRequiredError (only to whoever knows the password), ForbiddenError for a
        disabled account, TooManyRequestsError.
        """
        known = await self._database.read(partial(stored_people.find_by_name, username=username))
        here_before = await self._has_been_here(known.person.id if known else 0, visit)
        await self._count(
            _sign_in_rules(username, visit, here_before=here_before),
            "Too many attempts to sign in. Try again in %(wait)s s.",
        )
        turn = Turn(Standing.KNOWN if here_before else Standing.SIGNING_IN, visit.address)
        verdict = await self._passwords.verify(known.password_hash if known else None, clean_password(password), turn)
        if known is None or not verdict.fits:
            raise SignInRequiredError(WRONG)
        if known.person.disabled is not None:
            raise ForbiddenError(sentence("This account has been disabled; ask an administrator."))
        fresh = await self._passwords.hash(clean_password(password), turn) if verdict.outdated else None
        return await self._let_in(Trying(known.person, visit, here_before, code, fresh))

    async def second_step(self, step: str, code: str, visit: Visit) -> str:
        """Open a session for whoever has given name and password just before, by a code: gives its token.

        Raises CodeRequiredError for a wrong code, SignInRequiredError when it is too late, TooManyRequestsError.
        """
        kind, now = TicketKind.SECOND_STEP, self.now()
        ticket = await self._database.read(
            lambda reader: stored_tickets.find_ticket(reader, token_hash(step), kind, now)
        )
        known = await self._database.read(
            partial(stored_people.find_by_id, person_id=(ticket and ticket.person_id) or 0)
        )
        if known is None or known.person.disabled is not None:
            raise SignInRequiredError(TOO_LATE)
        here_before = await self._has_been_here(known.person.id, visit)
        return await self._let_in(Trying(known.person, visit, here_before, code, step=step))

    async def sign_out(self, token: str | None) -> None:
        """Close the session of a token; without one nothing has to be done."""
        if token:
            await self._write(partial(stored_sessions.close_session, token_hash=token_hash(token)))

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

    # --- one's own account ----------------------------------------------------------------------------------------

    async def sign_up(self, new: NewAccount, visit: Visit) -> Person:
        """Make an account, if the operator lets people do so.

        Raises InputError with all that is wrong, ForbiddenError, ConflictError for a taken name, TooManyRequestsError.
        """
        if self.rules.sign_up is SignUp.CLOSED:
            raise ForbiddenError(
                sentence("Accounts are created by the administrators of this dictionary; ask one of them.")
            )
        if self.rules.sign_up is SignUp.INVITATION and not new.invitation:
            raise ForbiddenError(
                sentence("You need an invitation to create an account; ask an editor or administrator for one.")
            )
        username, password, email = cleaned(new)
        rules = {try_key("sign up", visit.address): slowdown.SIGN_UP}
        if not new.invitation:
            rules[try_key("sign up")] = slowdown.SIGN_UP_ANYWHERE
        await self._count(rules, "Too many accounts have been made recently. Try again in %(wait)s s.")
        if new.invitation and await self._ticket_of(new.invitation, TicketKind.INVITATION) is None:
            raise InputError.of("invitation", NO_INVITATION)
        hashed = await self._passwords.hash(password, Turn(Standing.STRANGER, visit.address))
        person = NewPerson(username, Role.CONTRIBUTOR, email, hashed)
        return await self._write(partial(self._signed_up, new=person, invitation=new.invitation))

    async def change_password(self, signed_in: SignedIn, old: str, new: str, visit: Visit) -> str:
        """Change one's own password: signs out everywhere else, and gives the token of a new session here.

        Raises InputError, ForbiddenError when the old one is wrong, TooManyRequestsError.
        """
        person = signed_in.person
        password = check_new_password(new, person.username, "new_password")
        await self._check_own_password(person, old, visit)
        hashed = await self._passwords.hash(password)
        return await self._write(partial(self._changed, person=person, hashed=hashed, visit=visit))

    async def check_own_password(self, person: Person, password: str, visit: Visit) -> None:
        """Make sure that somebody who is signed in knows the password. Raises ForbiddenError, TooManyRequestsError."""
        await self._check_own_password(person, password, visit)

    async def request_reset(self, name: str, visit: Visit) -> None:
        """Send a reset link to whoever has this name or e-mail address. Nobody is told whether there is such a person.

        Raises ForbiddenError when this server sends no mail, TooManyRequestsError.
        """
        mailer = self._mailer
        if mailer is None:
            raise ForbiddenError(sentence("This server sends no e-mail: ask an administrator to reset your password."))
        rules = {
            try_key("reset", username_key(name)): slowdown.RESET_REQUEST,
            try_key("reset from", visit.address): slowdown.RESET_REQUEST,
        }
        await self._count(rules, "Too many reset links were asked for. Try again in %(wait)s s.")
        self._begin(self._send_links(mailer, name))

    async def reset_password(self, token: str, new: str, visit: Visit) -> None:
        """Set a new password by the token of a reset link: it works once. Raises InputError, TooManyRequestsError.

        The link is looked at before anything that costs work, so that links made up at random cost next to none.
        """
        password = check_new_password(new, "")
        rules = {try_key("reset by", visit.address): slowdown.RESET}
        await self._count(rules, "Too many links were tried. Try again in %(wait)s s.")
        if await self._ticket_of(token, TicketKind.RESET) is None:
            raise InputError.of("token", NO_LINK)
        rules = {try_key("link", token): slowdown.RESET_BY_LINK}
        await self._count(rules, "Too many links were tried. Try again in %(wait)s s.")
        hashed = await self._passwords.hash(password, Turn(Standing.STRANGER, visit.address))
        await self._write(partial(self._reset, token=token, hashed=hashed))

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

    async def _has_been_here(self, person_id: int, visit: Visit) -> bool:
        """Return whether a person has signed in from there before."""
        hashed = try_key("known", str(person_id), visit.address)
        return await self._database.read(partial(stored_people.knows_address, person_id=person_id, address_hash=hashed))

    async def _ticket_of(self, token: str, kind: TicketKind) -> Ticket | None:
        """Look at a link without using it."""
        hashed, now = token_hash(token), self.now()
        return await self._database.read(lambda reader: stored_tickets.find_ticket(reader, hashed, kind, now))

    async def _let_in(self, trying: Trying) -> str:
        """Open a session, if a code is not needed or is right: gives its token. Raises CodeRequiredError."""
        if trying.code:
            await self._count(code_rules(trying), "Too many codes were tried. Try again in %(wait)s s.")
        opened = await self._write(partial(self._opened, trying=trying))
        if opened is None:
            step = await self._ticket(
                Ticket(TicketKind.SECOND_STEP, trying.person.id, None, self.now() + SECOND_STEP_SECONDS)
            )
            raise CodeRequiredError(CODE_NEEDED, step)
        return opened

    def _opened(self, connection: Writer, trying: Trying) -> str | None:
        """Open a session, and forget what was tried before. None when a code is needed first."""
        person, visit, now = trying.person, trying.visit, self.now()
        if trying.step and not stored_tickets.use_ticket(
            connection, token_hash(trying.step), TicketKind.SECOND_STEP, now
        ):
            raise SignInRequiredError(TOO_LATE)
        if self.rules.two_factor is not TwoFactorRule.OFF and stored_two_factor.is_on(connection, person.id):
            if not trying.code:
                return None
            if not stored_two_factor.accept_code(connection, person.id, trying.code, now):
                raise CodeRequiredError(WRONG_CODE, trying.step)
        rules = _sign_in_rules(person.username, visit, here_before=trying.here_before) | code_rules(trying)
        stored_people.forget_tries(connection, [key for key in rules if not key.startswith("from:")])
        stored_people.forgive_try(connection, try_key("from", visit.address))
        stored_people.remember_address(connection, person.id, try_key("known", str(person.id), visit.address), now)
        if trying.fresh:
            stored_people.set_password(connection, person.id, trying.fresh)
        return self._new_session(connection, person.id, visit)

    def _new_session(self, connection: Writer, person_id: int, visit: Visit) -> str:
        """Open a session by a token nobody has seen before; the one that was brought works no more."""
        if visit.token:
            stored_sessions.close_session(connection, token_hash(visit.token))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        agent = visit.agent[:LONGEST_AGENT] if visit.agent else None
        new = NewSession(person_id, token_hash(token), agent)
        stored_sessions.open_session(connection, new, self.rules.sessions, self.now())
        return token

    def _signed_up(self, connection: Writer, new: NewPerson, invitation: str | None) -> Person:
        now = self.now()
        if invitation:
            ticket = stored_tickets.use_ticket(connection, token_hash(invitation), TicketKind.INVITATION, now)
            if ticket is None:
                raise InputError.of("invitation", NO_INVITATION)
            new = new._replace(role=ticket.role or new.role)
        return stored_people.add_person(connection, new, now)

    async def _check_own_password(self, person: Person, password: str, visit: Visit) -> None:
        rules = {try_key("own password", str(person.id), visit.address): slowdown.SIGN_IN_FROM_ONE_ADDRESS}
        await self._count(rules, "Too many wrong passwords. Try again in %(wait)s s.")
        known = await self._database.read(partial(stored_people.find_by_id, person_id=person.id))
        turn = Turn(Standing.KNOWN, visit.address)
        verdict = await self._passwords.verify(known.password_hash if known else None, clean_password(password), turn)
        if not verdict.fits:
            raise ForbiddenError(sentence("The password is wrong."))
        await self._write(partial(stored_people.forget_tries, keys=list(rules)))

    def _changed(self, connection: Writer, person: Person, hashed: str, visit: Visit) -> str:
        new_password(connection, person.id, hashed)
        return self._new_session(connection, person.id, visit)

    def _reset(self, connection: Writer, token: str, hashed: str) -> None:
        ticket = stored_tickets.use_ticket(connection, token_hash(token), TicketKind.RESET, self.now())
        if ticket is None or ticket.person_id is None:
            raise InputError.of("token", NO_LINK)
        new_password(connection, ticket.person_id, hashed)
        if ticket.mailed_to:
            stored_addresses.confirm(connection, ticket.person_id, ticket.mailed_to, new_secret(), self.now())

    async def _send_links(self, mailer: Mailer, name: str) -> None:
        by_name = await self._database.read(partial(stored_people.find_by_name, username=name))
        found = [by_name.person] if by_name else []
        if "@" in name and not found:
            found = await self._database.read(partial(stored_people.find_by_email, email=name.strip()))
        for person in found:
            if person.email is None or person.disabled is not None:
                continue
            link = await self.reset_link(person, mailed_to=person.email)
            # Whoever made the account chose its name, and maybe somebody else's address.
            text = RESET_TEXT.format(name=without_links(person.username), link=link)
            try:
                await mailer.send(person.email, RESET_SUBJECT, text)
            except UnavailableError as error:
                _log.warning("a reset link could not be sent", reason=str(error))


def _sign_in_rules(username: str, visit: Visit, *, here_before: bool) -> dict[str, Slowdown]:
    """Choose what a try to sign in counts against. From where the owner has come before, others do not matter."""
    name = username_key(username)
    rules = {
        try_key("account from", name, visit.address): slowdown.SIGN_IN_FROM_ONE_ADDRESS,
        try_key("from", visit.address): slowdown.SIGN_IN_BY_ADDRESS,
    }
    return rules if here_before else rules | {try_key("account", name): slowdown.SIGN_IN_BY_ACCOUNT}


def code_rules(trying: Trying) -> dict[str, Slowdown]:
    """Choose what a code counts against, in the same way."""
    person_id = str(trying.person.id)
    rules = {try_key("code from", person_id, trying.visit.address): slowdown.CODE_FROM_ONE_ADDRESS}
    return rules if trying.here_before else rules | {try_key("code", person_id): slowdown.CODE_BY_ACCOUNT}


RESET_SUBJECT: Final = "Abhidhan: set a new password"
RESET_TEXT: Final = """\
Somebody, probably you, has asked for a new password for the account {name}.

Set it here, within an hour:
{link}

If it was not you, do nothing: your password stays as it is.
"""
