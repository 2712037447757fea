"""A person's own data: all that is kept, read piece by piece; and what of it goes when an account is deleted."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Integer, Table, bindparam, or_, select

from abhidhan.domain.history import RecordName
from abhidhan.storage.engine.queries import Query, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import (
    history,
    known_address,
    person,
    personal_token,
    phrase,
    session,
    submission,
    ticket,
    word,
)
from abhidhan.storage.submissions import SubmissionRow

AT_ONCE = 500
"""How many rows are read for a copy, or written anew, at once."""


class SessionRow(NamedTuple):
    """A session without what it is known by."""

    created: int
    seen: int
    expires: int
    agent: str | None


class TicketRow(NamedTuple):
    """A link that waits to be used, without what it is known by."""

    kind: str
    role: str | None
    created: int
    expires: int


class TokenRow(NamedTuple):
    """A personal token without what it is known by."""

    name: str
    scopes: str
    created: int
    expires: int
    used: int | None


class HistoryRow(NamedTuple):
    """An entry of the history, as it is stored."""

    id: int
    at: int
    action_id: int
    before: str | None
    after: str | None


_OWN = bindparam("person_id", type_=Integer)
_AFTER = bindparam("after", type_=Integer)
_SESSIONS = Query(
    select(*(session.c[name] for name in SessionRow._fields)).where(session.c.person_id == _OWN).order_by(session.c.id)
)
_ADDRESSES = Query(
    select(known_address.c.seen).where(known_address.c.person_id == _OWN).order_by(known_address.c.seen.desc())
)
_TOKENS = Query(
    select(*(personal_token.c[name] for name in TokenRow._fields))
    .where(personal_token.c.person_id == _OWN)
    .order_by(personal_token.c.id)
)
_TICKETS = Query(
    select(*(ticket.c[name] for name in TicketRow._fields))
    .where(or_(*(key.parent == _OWN for key in ticket.foreign_keys if key.column is person.c.id)))
    .order_by(ticket.c.created, ticket.c.token_hash)
)


def _page(table: Table, names: Iterable[str]) -> Query:
    columns = [table.c[name] for name in names]
    own = select(*columns).where(table.c.person_id == _OWN, table.c.id > _AFTER)
    return Query(own.order_by(table.c.id).limit(AT_ONCE))


_SUBMISSIONS = _page(submission, SubmissionRow._fields)
_HISTORY = _page(history, HistoryRow._fields)
_WORDS = by_size(lambda size: select(word.c.id, word.c.text).where(in_list(word.c.id, "id", size)))
_PHRASES = by_size(lambda size: select(phrase.c.id, phrase.c.text).where(in_list(phrase.c.id, "id", size)))
_TEXTS = {"word": _WORDS, "phrase": _PHRASES}


def sessions_of(reader: Reader, person_id: int) -> list[SessionRow]:
    """List the sessions of a person."""
    return [SessionRow._make(row) for row in reader.rows(_SESSIONS, person_id=person_id)]


def addresses_of(reader: Reader, person_id: int) -> list[int]:
    """List when each address was last seen from which a person has signed in; the addresses are kept as hashes."""
    return [row[0] for row in reader.rows(_ADDRESSES, person_id=person_id)]


def tickets_of(reader: Reader, person_id: int) -> list[TicketRow]:
    """List the links that wait to be used and belong to a person."""
    return [TicketRow._make(row) for row in reader.rows(_TICKETS, person_id=person_id)]


def tokens_of(reader: Reader, person_id: int) -> list[TokenRow]:
    """List the personal tokens of a person."""
    return [TokenRow._make(row) for row in reader.rows(_TOKENS, person_id=person_id)]


def submissions_of(reader: Reader, person_id: int, after: int) -> list[SubmissionRow]:
    """List a person's submissions above an ID, AT_ONCE at most."""
    return [SubmissionRow._make(row) for row in reader.rows(_SUBMISSIONS, person_id=person_id, after=after)]


def changes_of(reader: Reader, person_id: int, after: int) -> list[HistoryRow]:
    """List what a person has changed, by entries of the history above an ID, AT_ONCE at most."""
    return [HistoryRow._make(row) for row in reader.rows(_HISTORY, person_id=person_id, after=after)]


def texts_of(reader: Reader, names: Iterable[RecordName]) -> dict[RecordName, str]:
    """Read the spelling of words and the text of proverbs, as they are now."""
    found: dict[RecordName, str] = {}
    for kind, query in _TEXTS.items():
        numbers = [name.number for name in names if name.kind == kind]
        if numbers:
            rows = reader.rows(query(len(numbers)), **padded("id", numbers))
            found |= {RecordName(kind, str(row[0])): row[1] for row in rows}
    return found
