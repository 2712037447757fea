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

from abhidhan.people.model.one_time_links import ISSUERS, Invitation, Ticket, TicketKind
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.people import Role
from abhidhan.schema import person, ticket

_ISSUER: Final = person.alias("issuer")
_HOLDS: Final = or_(
    ticket.c.issuer_id.is_(None),
    exists().where(
        _ISSUER.c.id == ticket.c.issuer_id,
        or_(*(_ISSUER.c.role == str(role) for role in sorted(ISSUERS))),
        _ISSUER.c.disabled.is_(None),
    ),
)
"""SQL condition: the ticket's issuer may still issue such tickets."""

_NAMES: Final = ("kind", "person_id", "role", "expires", "issuer_id", "mailed_to", "uses")
_COLUMNS: Final = tuple(ticket.c[name] for name in _NAMES)
_FIND: Final = CompiledQuery(
    select(*_COLUMNS).where(
        ticket.c.token_hash == bindparam("token_hash", type_=Text),
        ticket.c.kind == bindparam("kind", type_=Text),
        ticket.c.expires > bindparam("now", type_=BigInteger),
        _HOLDS,
    )
)
_INVITATIONS: Final = CompiledQuery(
    select(ticket.c.id, ticket.c.role, person.c.username, ticket.c.created, ticket.c.expires, ticket.c.uses)
    .select_from(ticket.outerjoin(person, person.c.id == ticket.c.issuer_id))
    .where(
        ticket.c.kind == str(TicketKind.INVITATION),
        ticket.c.expires > bindparam("now", type_=BigInteger),
        _HOLDS,
    )
    .order_by(ticket.c.id.desc())
)


def add_ticket(connection: Connection, token_hash: str, made: Ticket, now: int) -> None:
    """Store a ticket. Deletes older tickets of the same user and kind, and all expired tickets."""
    connection.execute(delete(ticket).where(ticket.c.expires <= now))
    if made.person_id is not None:
        outdated = (ticket.c.person_id == made.person_id) & (ticket.c.kind == str(made.kind))
        connection.execute(delete(ticket).where(outdated))
    connection.execute(
        insert(ticket).values(
            token_hash=token_hash,
            kind=str(made.kind),
            person_id=made.person_id,
            role=str(made.role) if made.role else None,
            issuer_id=made.issuer_id,
            created=now,
            expires=made.expires,
            mailed_to=made.mailed_to,
            uses=made.uses,
        )
    )


def find_ticket(reader: ReadConnection, token_hash: str, kind: TicketKind, now: int) -> Ticket | None:
    """Return a ticket without using it; None if it is unknown or expired, or its issuer may no longer issue it."""
    row = reader.row(_FIND, token_hash=token_hash, kind=str(kind), now=now)
    return _ticket(row) if row else None


def use_ticket(connection: Connection, token_hash: str, kind: TicketKind, now: int) -> Ticket | None:
    """Use a ticket once and return it, deleting it after its last use; None if it is invalid (see `find_ticket`)."""
    it = (ticket.c.token_hash == token_hash) & (ticket.c.kind == str(kind)) & (ticket.c.expires > now) & _HOLDS
    once_less = update(ticket).where(it, ticket.c.uses > 1).values(uses=ticket.c.uses - 1)
    row = connection.execute(once_less.returning(*_COLUMNS)).one_or_none()
    if row is None:
        row = connection.execute(delete(ticket).where(it).returning(*_COLUMNS)).one_or_none()
    return _ticket(tuple(row)) if row else None


def list_invitations(reader: ReadConnection, now: int) -> list[Invitation]:
    """List the valid invitations, newest first."""
    return [Invitation(row[0], Role(row[1]), *row[2:]) for row in reader.rows(_INVITATIONS, now=now)]


def revoke_invitation(connection: Connection, invitation_id: int) -> bool:
    """Delete an invitation; return whether there was one."""
    chosen = delete(ticket).where(ticket.c.id == invitation_id, ticket.c.kind == str(TicketKind.INVITATION))
    return connection.execute(chosen).rowcount > 0


def end_tickets_of(connection: Connection, person_id: int) -> None:
    """Delete the tickets with which a user can set a password or sign in."""
    connection.execute(delete(ticket).where(ticket.c.person_id == person_id))


def end_tickets_by(connection: Connection, issuer_id: int) -> None:
    """Delete the tickets that a user has issued."""
    connection.execute(delete(ticket).where(ticket.c.issuer_id == issuer_id))


def _ticket(row: Row) -> Ticket:
    kind, person_id, role, *rest = row
    return Ticket(TicketKind(kind), person_id, Role(role) if role else None, *rest)
