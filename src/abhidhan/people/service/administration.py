"""Account management for administrators: create and disable accounts, set roles, issue one-time links."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from abhidhan.people.model.one_time_links import (
    INVITATION_DAYS,
    ISSUER_ROLES,
    RESET_SECONDS,
    Invitation,
    Ticket,
    TicketKind,
    check_invitation,
)
from abhidhan.people.service.account_context import AccountContext, log_event
from abhidhan.people.store import people as stored_people
from abhidhan.people.store import sessions as stored_sessions
from abhidhan.people.store import sessions as stored_tokens
from abhidhan.people.store import tickets as stored_tickets
from abhidhan.people.store import two_factor as stored_two_factor
from abhidhan.people.store.people import Credentials, NewPerson
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, Problem, quoted, sentence
from abhidhan.records.ids import MAX_ID
from abhidhan.records.paging import Page
from abhidhan.records.people import Person, Role, check_new_password, clean_email, clean_username

RESET_PAGE: Final = "/account/reset"


class NewAccount(msgspec.Struct, frozen=True):
    """Details of an account to create; `invitation` is the token of an invitation."""

    username: str
    password: str
    email: str | None = None
    invitation: str | None = None


class Administration:
    """Service for administrators."""

    def __init__(self, context: AccountContext) -> None:
        """Use the database, the passwords and the clock of the context."""
        self._context = context

    async def create_account(self, new: NewAccount, role: Role) -> Person:
        """Create an account with a password. Raises InputError, ConflictError for a taken name."""
        # In a thread: estimating the strength of a password takes milliseconds, which would block other requests.
        username, password, email = await asyncio.to_thread(clean_account, new)
        new_person = NewPerson(username, role, email, await self._context.passwords.hash(password))
        person = await self._context.write(partial(stored_people.add_person, new=new_person, now=self._context.now()))
        log_event("account created", person, role=role)
        return person

    async def create_account_with_link(
        self, username: str, email: str | None, role: Role, issuer: Person | None = None
    ) -> tuple[Person, str]:
        """Create an account without a password; return it with the link by which its owner sets one.

        Raises InputError, ConflictError for a taken name.
        """
        new = NewPerson(clean_username(username), role, clean_email(email), None)
        person = await self._context.write(partial(stored_people.add_person, new=new, now=self._context.now()))
        log_event("account created", person, by=issuer, role=role)
        return person, await self.create_reset_link(person, issuer)

    async def list_people(self, limit: int, offset: int = 0, prefix: str = "") -> Page[Person]:
        """Return one page of the users whose names start with `prefix`, sorted by name."""
        job = partial(stored_people.list_people, prefix=prefix, limit=limit, offset=offset)
        return await self._context.database.read(job)

    async def find(self, person_id: int) -> Person:
        """Return a user by ID. Raises NotFoundError."""
        credentials = await self._context.database.read(partial(stored_people.find_by_id, person_id=person_id))
        return _require_person(credentials, f"There is no person with the ID {person_id}.")

    async def find_by_name(self, username: str) -> Person:
        """Return a user by name. Raises NotFoundError."""
        credentials = await self._context.database.read(partial(stored_people.find_by_name, username=username))
        return _require_person(credentials, f"There is no person with the name {quoted(username)}.")

    async def set_role(self, person: Person, role: Role, by: Person | None = None) -> Person:
        """Change a user's role. Raises ConflictError for the last administrator."""
        await self._context.write(partial(_set_role, person=person, role=role))
        log_event("role changed", person, by=by, before=person.role, after=role)
        return msgspec.structs.replace(person, role=role)

    async def disable(self, person: Person, by: Person | None = None) -> Person:
        """Disable an account and close its sessions. Raises ConflictError for the last administrator."""
        now = self._context.now()
        await self._context.write(partial(_disable, person=person, now=now))
        log_event("account disabled", person, by=by)
        return msgspec.structs.replace(person, disabled=now)

    async def enable(self, person: Person, by: Person | None = None) -> Person:
        """Enable a disabled account."""
        await self._context.write(partial(stored_people.set_disabled, person_id=person.id, moment=None))
        log_event("account enabled", person, by=by)
        return msgspec.structs.replace(person, disabled=None)

    async def set_password(self, person: Person, password: str) -> None:
        """Set a user's password, and close all sessions. Raises InputError."""
        clean = await asyncio.to_thread(check_new_password, password, person.username)
        hashed = await self._context.passwords.hash(clean)
        await self._context.write(partial(replace_password, person_id=person.id, hashed=hashed))
        log_event("password changed", person)

    async def create_reset_link(
        self, person: Person, issuer: Person | None = None, mailed_to: str | None = None
    ) -> str:
        """Create a link that sets a new password: valid once, for an hour, and while its issuer may issue it.

        Using a link that was mailed to an address (`mailed_to`), and shown nowhere else, also confirms that address.
        """
        issuer_id = issuer.id if issuer else None
        ticket = Ticket(TicketKind.RESET, person.id, None, self._context.now() + RESET_SECONDS, issuer_id, mailed_to)
        return f"{self._context.rules.base_url}{RESET_PAGE}?token={await self._context.add_ticket(ticket)}"

    async def create_invitation(
        self,
        role: Role = Role.CONTRIBUTOR,
        issuer: Person | None = None,
        *,
        people: int = 1,
        days: int = INVITATION_DAYS,
    ) -> str:
        """Create an invitation for a role, a number of accounts and a number of days; return its token.

        It is valid only while its issuer may issue it; `issuer` is None in commands. Raises InputError.
        """
        check_invitation(people, days)
        expires = self._context.now() + days * 86_400
        ticket = Ticket(TicketKind.INVITATION, None, role, expires, issuer.id if issuer else None, uses=people)
        token = await self._context.add_ticket(ticket)
        log_event("invitation created", by=issuer, role=role, people=people)
        return token

    async def list_invitations(self) -> list[Invitation]:
        """List the valid invitations, newest first."""
        return await self._context.database.read(partial(stored_tickets.list_invitations, now=self._context.now()))

    async def revoke_invitation(self, invitation_id: int, by: Person | None = None) -> None:
        """Revoke an invitation. Raises NotFoundError."""
        job = partial(stored_tickets.revoke_invitation, invitation_id=invitation_id)
        if not 0 < invitation_id <= MAX_ID or not await self._context.write(job):
            raise NotFoundError(
                sentence("There is no open invitation with the ID %(invitation_id)s.", invitation_id=invitation_id)
            )
        log_event("invitation revoked", by=by, invitation_id=invitation_id)

    async def has_two_factor(self, person: Person) -> bool:
        """Return whether a user has two-factor sign-in turned on."""
        return await self._context.database.read(partial(stored_two_factor.has_two_factor, person_id=person.id))

    async def reset_two_factor(self, person: Person, by: Person | None = None) -> None:
        """Turn off two-factor sign-in of a user who has lost the app; close all sessions and revoke all tokens.

        Raises ConflictError for the administrator's own account, and if there is nothing to reset.
        """
        if by is not None and by.id == person.id:
            raise ConflictError(
                sentence("Turn off your own two-factor sign-in on your account page, with your password and a code.")
            )
        if not await self._context.write(partial(_remove_two_factor, person_id=person.id)):
            raise ConflictError(
                sentence("Two-factor sign-in is not turned on for %(username)s.", username=person.username)
            )
        log_event("two-factor sign-in reset", person, by=by)


def clean_account(new: NewAccount) -> tuple[str, str, str | None]:
    """Validate and clean the name, password and e-mail address. Raises one InputError with all problems."""
    problems: list[Problem] = []

    def collect(clean: Callable[[], str | None]) -> str | None:
        try:
            return clean()
        except InputError as error:
            problems.extend(error.problems)
            return None

    username = collect(lambda: clean_username(new.username))
    password = collect(lambda: check_new_password(new.password, new.username))
    email = collect(lambda: clean_email(new.email))
    if problems:
        raise InputError(*problems)
    return username or "", password or "", email


def _require_person(credentials: Credentials | None, message: str) -> Person:
    if credentials is None:
        raise NotFoundError(message)
    return credentials.person


def require_other_administrator(connection: WriteConnection, person: Person) -> None:
    """Raise ConflictError if the user is the only administrator."""
    if person.role is Role.ADMINISTRATOR and not stored_people.count_other_administrators(connection, person.id):
        raise ConflictError(
            sentence(
                "%(username)s is the only administrator. Make someone else an administrator first.",
                username=person.username,
            )
        )


def _set_role(connection: WriteConnection, person: Person, role: Role) -> None:
    if role is not Role.ADMINISTRATOR:
        require_other_administrator(connection, person)
    if role not in ISSUER_ROLES:
        stored_tickets.delete_issued_tickets(connection, person.id)
    stored_people.set_role(connection, person.id, role)


def _disable(connection: WriteConnection, person: Person, now: int) -> None:
    require_other_administrator(connection, person)
    stored_people.set_disabled(connection, person.id, now)
    stored_tickets.delete_issued_tickets(connection, person.id)
    stored_tickets.delete_user_tickets(connection, person.id)
    stored_sessions.close_sessions(connection, person.id)


def _remove_two_factor(connection: WriteConnection, person_id: int) -> bool:
    was_enabled = stored_two_factor.disable(connection, person_id)
    if was_enabled:
        stored_tokens.revoke_tokens(connection, person_id)
        stored_tickets.delete_user_tickets(connection, person_id)
        stored_sessions.close_sessions(connection, person_id)
    return was_enabled


def replace_password(connection: WriteConnection, person_id: int, hashed: str) -> None:
    """Store a new password hash; close all sessions, and revoke the user's one-time links and API tokens."""
    stored_tokens.revoke_tokens(connection, person_id)
    stored_people.set_password(connection, person_id, hashed)
    stored_tickets.delete_user_tickets(connection, person_id)
    stored_sessions.close_sessions(connection, person_id)
