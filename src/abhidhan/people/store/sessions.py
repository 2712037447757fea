"""Who is signed in: a browser by its session, a program by a personal token, each found by the hash of a secret."""

from typing import Final, NamedTuple

from sqlalchemy import BigInteger, Connection, Integer, Text, bindparam, delete, func, insert, select, update

from abhidhan.people.store.people import PERSON_COLUMNS, person_of
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.api_tokens import (
    DAY,
    MOST_TOKENS,
    NewToken,
    SignedInByToken,
    Token,
    TokenPerson,
    scopes_as_text,
    scopes_from_text,
)
from abhidhan.records.people import OwnSession, Person, SessionRules, SignedIn
from abhidhan.schema import person, personal_token, session, two_factor

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


_TOKEN_COLUMNS = (
    personal_token.c.id,
    personal_token.c.name,
    personal_token.c.scopes,
    personal_token.c.created,
    personal_token.c.expires,
    personal_token.c.used,
)

_FIND_HOLDER = Query(
    select(
        *PERSON_COLUMNS,
        personal_token.c.id,
        personal_token.c.scopes,
        personal_token.c.created,
        personal_token.c.used,
        two_factor.c.confirmed,
    )
    .select_from(
        personal_token.join(person, person.c.id == personal_token.c.person_id).outerjoin(
            two_factor, two_factor.c.person_id == person.c.id
        )
    )
    .where(
        personal_token.c.token_hash == bindparam("token_hash", type_=Text),
        personal_token.c.expires > bindparam("now", type_=BigInteger),
        person.c.disabled.is_(None),
    )
)

_OWN_TOKENS = Query(
    select(*_TOKEN_COLUMNS)
    .where(
        personal_token.c.person_id == bindparam("person_id", type_=Integer),
        personal_token.c.expires > bindparam("now", type_=BigInteger),
    )
    .order_by(personal_token.c.id.desc())
)


def find_holder(reader: Reader, token_hash: str, now: int) -> SignedInByToken | None:
    """Find for whom a program acts by a token; None where the token does not count, or not any more."""
    row = reader.row(_FIND_HOLDER, token_hash=token_hash, now=now)
    if row is None:
        return None
    token_id, scopes, created, used, confirmed = row[6:]
    holder = _limited(person_of(row), scopes)
    return SignedInByToken(holder, 0, created, confirmed is not None, token_id=token_id, used=used)


def _limited(owner: Person, scopes: str) -> TokenPerson:
    return TokenPerson(
        owner.id,
        owner.username,
        owner.role,
        owner.email,
        owner.created,
        owner.disabled,
        scopes_from_text(scopes),
    )


def own_tokens(reader: Reader, person_id: int, now: int) -> list[Token]:
    """List the tokens of a person that have not expired, the newest first."""
    return [
        Token(row[0], row[1], tuple(sorted(scopes_from_text(row[2]))), *row[3:])
        for row in reader.rows(_OWN_TOKENS, person_id=person_id, now=now)
    ]


def add_token(connection: Connection, person_id: int, token_hash: str, new: NewToken, now: int) -> Token | None:
    """Keep a token. None where the person has as many as anybody may; expired ones, of anybody, are thrown away."""
    forget_expired(connection, now)
    own = select(func.count()).select_from(personal_token).where(personal_token.c.person_id == person_id)
    if connection.execute(own).scalar_one() >= MOST_TOKENS:
        return None
    expires = now + new.days * DAY
    values = {"name": new.name, "scopes": scopes_as_text(new.scopes), "created": now, "expires": expires}
    chosen = insert(personal_token).values(person_id=person_id, token_hash=token_hash, **values)
    token_id = connection.execute(chosen.returning(personal_token.c.id)).scalar_one()
    return Token(int(token_id), new.name, tuple(sorted(new.scopes)), now, expires, None)


def note_used(connection: Connection, token_id: int, day: int) -> None:
    """Note on which day a token was used last."""
    connection.execute(update(personal_token).where(personal_token.c.id == token_id).values(used=day))


def revoke_token(connection: Connection, person_id: int, token_id: int) -> bool:
    """Let a token count no more, and tell whether there was such a token of that person."""
    chosen = delete(personal_token).where(personal_token.c.person_id == person_id, personal_token.c.id == token_id)
    return connection.execute(chosen).rowcount > 0


def revoke_tokens(connection: Connection, person_id: int) -> None:
    """Let no token of a person count any more."""
    connection.execute(delete(personal_token).where(personal_token.c.person_id == person_id))


def forget_expired(connection: Connection, now: int) -> int:
    """Throw the tokens away that have expired; return how many."""
    return connection.execute(delete(personal_token).where(personal_token.c.expires <= now)).rowcount
