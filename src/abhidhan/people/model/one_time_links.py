"""Tickets: links that work once, who has issued them, and with whose rights they end."""

from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, Problem, sentence
from abhidhan.records.people import Permission, Role, permits

INVITATION_DAYS: Final = 14
MAX_INVITATION_DAYS: Final = 90
MAX_INVITED: Final = 500
"""People whom one invitation invites at most."""

RESET_SECONDS: Final = 3600
SECOND_STEP_SECONDS: Final = 600
REFUSAL_SECONDS: Final = 730 * 86_400
"""So long an address can still refuse mails by the link in a mail whose account is gone."""


class TicketKind(StrEnum):
    """What a ticket is for."""

    INVITATION = "invitation"
    RESET = "reset"
    SECOND_STEP = "second step"
    REFUSAL = "refusal"


class Ticket(msgspec.Struct, frozen=True):
    """A link that works once: to make an account with a role, to set a new password, to sign in, to refuse mails.

    `issuer_id` is the administrator who made it; None: a command did, or a person asked for it by e-mail, to which
    it was `mailed_to`: an address, or with the kind "refusal" the key of a mailbox. An invitation of a group makes as
    many accounts as it has `uses`.
    """

    kind: TicketKind
    person_id: int | None
    role: Role | None
    expires: int
    issuer_id: int | None = None
    mailed_to: str | None = None
    uses: int = 1


class Invitation(msgspec.Struct, frozen=True):
    """An open invitation, without its token. Times are seconds since 1970; `people` can still use it."""

    id: int
    role: Role
    issuer: str | None
    created: int
    expires: int
    people: int


def check_invitation(people: int, days: int) -> None:
    """Make sure that an invitation is for a possible number of people and days. Raises InputError."""
    problems = [
        Problem(name, sentence("`%(parameter)s` must be a whole number from 1 to %(most)s.", parameter=name, most=most))
        for name, value, most in (("people", people, MAX_INVITED), ("days", days, MAX_INVITATION_DAYS))
        if not 1 <= value <= most
    ]
    if problems:
        raise InputError(*problems)


ISSUERS: Final = frozenset(role for role in Role if permits(role, Permission.MANAGE_PEOPLE))
"""The roles whose tickets work. Who loses such a role, or the account, takes every open ticket along."""
