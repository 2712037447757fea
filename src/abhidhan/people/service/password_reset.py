"""Password reset: request a link by e-mail, and set a new password with it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

import structlog

from abhidhan.people.model.mail_templates import break_links
from abhidhan.people.model.mails import build_reset_rules
from abhidhan.people.model.one_time_links import TicketKind
from abhidhan.people.service.account_context import AccountContext, hash_token, log_event
from abhidhan.people.service.administration import Administration, replace_password
from abhidhan.people.service.mails import generate_secret
from abhidhan.people.store import mail_addresses as stored_addresses
from abhidhan.people.store import people as stored_people
from abhidhan.people.store import tickets as stored_tickets
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.runtime.passwords import QueueTicket, TrustLevel
from abhidhan.platform.runtime.smtp import Mailer
from abhidhan.records import throttling
from abhidhan.records.errors import ForbiddenError, InputError, UnavailableError, sentence
from abhidhan.records.people import Person, check_new_password, username_key
from abhidhan.records.throttling import ClientInfo, throttle_key

INVALID_LINK: Final = sentence(
    "`%(parameter)s` has already been used or has expired. Request a new link.", parameter="token"
)

RESET_SUBJECT: Final = "Abhidhan: set a new password"
RESET_TEXT: Final = """\
Someone, probably you, asked for a new password. You can set it within an hour: open the link below the name of your
account.

{links}

If this was not you, ignore this e-mail: your password stays the same.
"""

_log = structlog.get_logger("abhidhan.accounts")


class PasswordResets:
    """Service for users who have forgotten their password."""

    def __init__(self, context: AccountContext, administration: Administration, mailer: Mailer | None) -> None:
        """`mailer` is None if the server sends no e-mail."""
        self._context = context
        self._administration = administration
        self._mailer = mailer

    async def request_link(self, name: str, client: ClientInfo) -> None:
        """Send a reset link to the users with a name or e-mail address, without revealing whether there are any.

        Raises ForbiddenError if this server sends no mail, TooManyRequestsError.
        """
        mailer = self._mailer
        if mailer is None:
            raise ForbiddenError(sentence("This server sends no e-mail: ask an administrator to reset your password."))
        rules = {
            throttle_key("reset", username_key(name)): throttling.RESET_REQUEST,
            throttle_key("reset from", client.address): throttling.RESET_REQUEST,
        }
        await self._context.count_try(rules, "Too many reset links have been requested. Try again in %(wait)s s.")
        self._context.start_task(self._send_links(mailer, name))

    async def set_password(self, token: str, new: str, client: ClientInfo) -> None:
        """Set a new password with the token of a reset link, which is valid once.

        Raises InputError, TooManyRequestsError.
        """
        # The link is checked before anything expensive, so that guessed links cost next to nothing.
        password = await asyncio.to_thread(check_new_password, new, "")
        rules = {throttle_key("reset by", client.address): throttling.PASSWORD_RESET_BY_ADDRESS}
        await self._context.count_try(rules, "Too many links have been tried. Try again in %(wait)s s.")
        ticket = await self._context.find_ticket(token, TicketKind.RESET)
        if ticket is None or ticket.person_id is None:
            raise InputError.of("token", INVALID_LINK)
        owner = await self._administration.find(ticket.person_id)
        await asyncio.to_thread(check_new_password, new, owner.username)
        rules = {throttle_key("link", token): throttling.RESET_BY_LINK}
        await self._context.count_try(rules, "Too many links have been tried. Try again in %(wait)s s.")
        hashed = await self._context.passwords.hash(password, QueueTicket(TrustLevel.STRANGER, client.address))
        person_id = await self._context.write(partial(self._store_password, token=token, hashed=hashed))
        log_event("password changed", address=client.address, person_id=person_id)

    # --- helpers --------------------------------------------------------------------------------------------------

    def _store_password(self, connection: WriteConnection, token: str, hashed: str) -> int:
        ticket = stored_tickets.use_ticket(connection, hash_token(token), TicketKind.RESET, self._context.now())
        if ticket is None or ticket.person_id is None:
            raise InputError.of("token", INVALID_LINK)
        replace_password(connection, ticket.person_id, hashed)
        if ticket.mailed_to:
            stored_addresses.confirm(
                connection, ticket.person_id, ticket.mailed_to, generate_secret(), self._context.now()
            )
        return ticket.person_id

    async def _send_links(self, mailer: Mailer, name: str) -> None:
        by_name = await self._context.database.read(partial(stored_people.find_by_name, username=name))
        people = [by_name.person] if by_name else []
        if "@" in name and not people:
            people = await self._context.database.read(partial(stored_people.find_by_email, email=name.strip()))
        await self._mail_links(mailer, [person for person in people if person.email and person.disabled is None])

    async def _mail_links(self, mailer: Mailer, people: Sequence[Person]) -> None:
        """Send one e-mail to each address, with the reset links of all its accounts."""
        for email, owners in _group_by_email(people).items():
            rules = build_reset_rules(email)
            if await self._context.write(partial(stored_people.count_attempts, rules=rules, now=self._context.now())):
                _log.warning("reset links were not sent: this mailbox got several already")
                continue
            # An account may have been created with someone else's address; its name must not become a link in the mail.
            links = []
            for owner in owners:
                link = await self._administration.create_reset_link(owner, mailed_to=owner.email)
                links.append(f"{break_links(owner.username)}\n{link}")
            try:
                await mailer.send(email, RESET_SUBJECT, RESET_TEXT.format(links="\n\n".join(links)))
            except UnavailableError as error:
                _log.warning("a reset link could not be sent", reason=str(error))


def _group_by_email(people: Sequence[Person]) -> dict[str, list[Person]]:
    """Group users by e-mail address, case-insensitively, in the spelling of the first."""
    groups: dict[str, list[Person]] = {}
    spellings: dict[str, str] = {}
    for person in people:
        email = person.email or ""
        groups.setdefault(spellings.setdefault(email.lower(), email), []).append(person)
    return groups
