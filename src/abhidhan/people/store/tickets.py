"""Rows of tickets: one-time links, valid only while their issuer has the permission to issue them."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Connection,
    Text,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)

from abhidhan.people.model.one_time_links import ISSUER_ROLES, Invitation, Ticket, TicketKind
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.people import Role
from abhidhan.schema import person, ticket

_ISSUER: Final = person.alias("issuer")
_IS_ISSUER_ALLOWED: Final = or_(
    ticket.c.issuer_id.is_(None),
    exists().where(
        _ISSUER.c.id == ticket.c.issuer_id,
        or_(*(_ISSUER.c.role == str(role) for role in sorted(ISSUER_ROLES))),
        _ISSUER.c.disabled.is_(None),
    ),
)
"""SQL condition: the ticket's issuer may still issue such tickets."""

_COLUMN_NAMES: Final = ("kind", "person_id", "role", "expires", "issuer_id", "mailed_to", "uses")
_COLUMNS: Final = tuple(ticket.c[name] for name in _COLUMN_NAMES)
_FIND: Final = CompiledQuery(
    select(*_COLUMNS).where(
        ticket.c.token_hash == bindparam("token_hash", type_=Text),
        ticket.c.kind == bindparam("kind", type_=Text),
        ticket.c.expires > bindparam("now", type_=BigInteger),
        _IS_ISSUER_ALLOWED,
    )
)
_INVITATIONS: Final = CompiledQuery(
    select(ticket.c.id, ticket.c.role, person.c.username, ticket.c.created, ticket.c.expires, ticket.c.uses)
    .select_from(ticket.outerjoin(person, person.c.id == ticket.c.issuer_id))
    .where(
        ticket.c.kind == str(TicketKind.INVITATION),
        ticket.c.expires > bindparam("now", type_=BigInteger),
        _IS_ISSUER_ALLOWED,
    )
    .order_by(ticket.c.id.desc())
)


def add_ticket(connection: Connection, token_hash: str, new_ticket: Ticket, now: int) -> None:
    """Store a ticket. Deletes older tickets of the same user and kind, and all expired tickets."""
    connection.execute(delete(ticket).where(ticket.c.expires <= now))
    if new_ticket.person_id is not None:
        outdated = (ticket.c.person_id == new_ticket.person_id) & (ticket.c.kind == str(new_ticket.kind))
        connection.execute(delete(ticket).where(outdated))
    connection.execute(
        insert(ticket).values(
            token_hash=token_hash,
            kind=str(new_ticket.kind),
            person_id=new_ticket.person_id,
            role=str(new_ticket.role) if new_ticket.role else None,
            issuer_id=new_ticket.issuer_id,
            created=now,
            expires=new_ticket.expires,
            mailed_to=new_ticket.mailed_to,
            uses=new_ticket.uses,
        )
    )


def find_ticket(connection: ReadConnection, token_hash: str, kind: TicketKind, now: int) -> Ticket | None:
    """Return a ticket without using it; None if it is unknown or expired, or its issuer may no longer issue it."""
    row = connection.row(_FIND, token_hash=token_hash, kind=str(kind), now=now)
    return _build_ticket(row) if row else None


def use_ticket(connection: Connection, token_hash: str, kind: TicketKind, now: int) -> Ticket | None:
    """Use a ticket once and return it, deleting it after its last use; None if it is invalid (see `find_ticket`)."""
    condition = (
        (ticket.c.token_hash == token_hash)
        & (ticket.c.kind == str(kind))
        & (ticket.c.expires > now)
        & _IS_ISSUER_ALLOWED
    )
    decrement = update(ticket).where(condition, ticket.c.uses > 1).values(uses=ticket.c.uses - 1)
    row = connection.execute(decrement.returning(*_COLUMNS)).one_or_none()
    if row is None:
        row = connection.execute(delete(ticket).where(condition).returning(*_COLUMNS)).one_or_none()
    return _build_ticket(tuple(row)) if row else None


def list_invitations(connection: ReadConnection, now: int) -> list[Invitation]:
    """List the valid invitations, newest first."""
    return [Invitation(row[0], Role(row[1]), *row[2:]) for row in connection.rows(_INVITATIONS, now=now)]


def revoke_invitation(connection: Connection, invitation_id: int) -> bool:
    """Delete an invitation; return whether there was one."""
    chosen = delete(ticket).where(ticket.c.id == invitation_id, ticket.c.kind == str(TicketKind.INVITATION))
    return connection.execute(chosen).rowcount > 0


def delete_user_tickets(connection: Connection, person_id: int) -> None:
    """Delete the tickets with which a user can set a password or sign in."""
    connection.execute(delete(ticket).where(ticket.c.person_id == person_id))


def delete_issued_tickets(connection: Connection, issuer_id: int) -> None:
    """Delete the tickets that a user has issued."""
    connection.execute(delete(ticket).where(ticket.c.issuer_id == issuer_id))


def _build_ticket(row: Row) -> Ticket:
    kind, person_id, role, *rest = row
    return Ticket(TicketKind(kind), person_id, Role(role) if role else None, *rest)
