"""Sessions: who is signed in, by the hash of a token that only the person's own browser has."""

from typing import Final, NamedTuple

from sqlalchemy import BigInteger, Connection, Integer, Text, bindparam, delete, insert, select, update

from abhidhan.people.store.people import PERSON_COLUMNS, person_of
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.people import OwnSession, SessionRules, SignedIn
from abhidhan.schema import person, session, two_factor

MOST_SESSIONS: Final = 50
"""How many sessions one person may have at once; the one not used for longest makes room."""

_FIND = Query(
    select(*PERSON_COLUMNS, session.c.id, session.c.seen, two_factor.c.confirmed)
    .select_from(
        session.join(person, person.c.id == session.c.person_id).outerjoin(
            two_factor, two_factor.c.person_id == person.c.id
        )
    )
    .where(
        session.c.token_hash == bindparam("token_hash", type_=Text),
        session.c.expires > bindparam("now", type_=BigInteger),
        session.c.seen > bindparam("idle_since", type_=BigInteger),
        person.c.disabled.is_(None),
    )
)

_OWN = Query(
    select(session.c.id, session.c.created, session.c.seen, session.c.agent)
    .where(
        session.c.person_id == bindparam("person_id", type_=Integer),
        session.c.expires > bindparam("now", type_=BigInteger),
        session.c.seen > bindparam("idle_since", type_=BigInteger),
    )
    .order_by(session.c.seen.desc(), session.c.id.desc())
)


def find_session(reader: Reader, token_hash: str, rules: SessionRules, now: int) -> SignedIn | None:
    """Find who is signed in by a token; None when nobody is, or not any more."""
    row = reader.row(_FIND, token_hash=token_hash, now=now, idle_since=now - rules.idle)
    return SignedIn(person_of(row), row[6], row[7], row[8] is not None) if row else None


def own_sessions(reader: Reader, person_id: int, rules: SessionRules, now: int) -> list[OwnSession]:
    """List where a person is signed in, the one used last first."""
    rows = reader.rows(_OWN, person_id=person_id, now=now, idle_since=now - rules.idle)
    return [OwnSession(*row) for row in rows]


class NewSession(NamedTuple):
    """A session to be opened: whose, by which token, in which program (as it names itself)."""

    person_id: int
    token_hash: str
    agent: str | None


def open_session(connection: Connection, new: NewSession, rules: SessionRules, now: int) -> None:
    """Sign a person in by a token. Sessions that are over, of anybody, are thrown away."""
    connection.execute(delete(session).where((session.c.expires <= now) | (session.c.seen <= now - rules.idle)))
    kept = (
        select(session.c.id)
        .where(session.c.person_id == new.person_id)
        .order_by(session.c.seen.desc(), session.c.id.desc())
        .limit(MOST_SESSIONS - 1)
    )
    newest = connection.execute(kept).scalars().all()
    connection.execute(delete(session).where(session.c.person_id == new.person_id, session.c.id.not_in(newest)))
    connection.execute(insert(session).values(**new._asdict(), created=now, seen=now, expires=now + rules.longest))


def see_session(connection: Connection, session_id: int, now: int) -> None:
    """Note that a session is in use."""
    connection.execute(update(session).where(session.c.id == session_id).values(seen=now))


def close_session(connection: Connection, token_hash: str) -> None:
    """Sign out whoever is signed in by a token."""
    connection.execute(delete(session).where(session.c.token_hash == token_hash))


def close_own_session(connection: Connection, person_id: int, session_id: int) -> bool:
    """Sign a person out in one place, and tell whether there was such a session of that person."""
    chosen = delete(session).where(session.c.person_id == person_id, session.c.id == session_id)
    return connection.execute(chosen).rowcount > 0


def close_sessions(connection: Connection, person_id: int, but: int | None = None) -> None:
    """Sign a person out everywhere, but for one session."""
    chosen = delete(session).where(session.c.person_id == person_id)
    connection.execute(chosen if but is None else chosen.where(session.c.id != but))
