"""Tickets: one-time links, valid only while their issuer has the permission to issue them."""

from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, Problem, sentence
from abhidhan.records.people import Permission, Role, has_permission

INVITATION_DAYS: Final = 14
MAX_INVITATION_DAYS: Final = 90
MAX_INVITATION_USES: Final = 500
"""Maximum number of accounts per invitation."""

RESET_SECONDS: Final = 3600
SECOND_STEP_SECONDS: Final = 600
REFUSAL_SECONDS: Final = 730 * 86_400
"""Seconds for which a link can still refuse e-mails after the account that caused them was deleted."""


class TicketKind(StrEnum):
    """Purpose of a ticket."""

    INVITATION = "invitation"
    RESET = "reset"
    SECOND_STEP = "second step"
    REFUSAL = "refusal"


class Ticket(msgspec.Struct, frozen=True):
    """A one-time link to create an account with a role, set a new password, finish signing in, or refuse e-mails.

    `issuer_id` is the administrator who issued it; None if a command issued it, or if it was sent by e-mail.
    `mailed_to` is the address to which it was sent or, for the kind "refusal", the key of a mailbox.
    An invitation creates up to `uses` accounts.
    """

    kind: TicketKind
    person_id: int | None
    role: Role | None
    expires: int
    issuer_id: int | None = None
    mailed_to: str | None = None
    uses: int = 1


class Invitation(msgspec.Struct, frozen=True):
    """An open invitation, without its token. Times are seconds since 1970; `people` is the number of uses left."""

    id: int
    role: Role
    issuer: str | None
    created: int
    expires: int
    people: int


def check_invitation(people: int, days: int) -> None:
    """Check the number of people and days of an invitation. Raises InputError."""
    problems = [
        Problem(
            name, sentence("`%(parameter)s` must be a whole number from 1 to %(most)s.", parameter=name, most=limit)
        )
        for name, value, limit in (("people", people, MAX_INVITATION_USES), ("days", days, MAX_INVITATION_DAYS))
        if not 1 <= value <= limit
    ]
    if problems:
        raise InputError(*problems)


ISSUER_ROLES: Final = frozenset(role for role in Role if has_permission(role, Permission.MANAGE_PEOPLE))
"""Roles that may issue tickets. A user who loses such a role or the account loses all unused tickets."""
