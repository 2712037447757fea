"""Tickets: links that work once, who has issued them, and with whose rights they end."""

from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.domain.people import Permission, Role, permits

INVITATION_SECONDS: Final = 14 * 86_400
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
    it was `mailed_to`: an address, or with the kind "refusal" the key of a mailbox.
    """

    kind: TicketKind
    person_id: int | None
    role: Role | None
    expires: int
    issuer_id: int | None = None
    mailed_to: str | None = None


class Invitation(msgspec.Struct, frozen=True):
    """An invitation that nobody has used yet, without its token. Times are seconds since 1970."""

    id: int
    role: Role
    issuer: str | None
    created: int
    expires: int


ISSUERS: Final = frozenset(role for role in Role if permits(role, Permission.MANAGE_PEOPLE))
"""The roles whose tickets work. Who loses such a role, or the account, takes every open ticket along."""
