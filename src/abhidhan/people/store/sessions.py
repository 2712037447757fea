"""Browser sessions and API tokens, which are looked up by the hash of their token."""

from typing import Final, NamedTuple

from sqlalchemy import BigInteger, Connection, Integer, Text, bindparam, delete, func, insert, select, update

from abhidhan.people.store.people import PERSON_COLUMNS, build_person
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.api_tokens import (
    MAX_TOKENS,
    ApiToken,
    NewToken,
    ScopedPerson,
    TokenUser,
    decode_scopes,
    encode_scopes,
)
from abhidhan.records.people import AuthenticatedUser, Person, SessionInfo, SessionRules
from abhidhan.records.timestamps import DAY_SECONDS
from abhidhan.schema import person, personal_token, session, two_factor

MAX_SESSIONS: Final = 50
"""Maximum number of sessions per user; the least recently used are closed."""

_FIND = CompiledQuery(
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

_SESSIONS_OF_PERSON = CompiledQuery(
    select(session.c.id, session.c.created, session.c.seen, session.c.agent)
    .where(
        session.c.person_id == bindparam("person_id", type_=Integer),
        session.c.expires > bindparam("now", type_=BigInteger),
        session.c.seen > bindparam("idle_since", type_=BigInteger),
    )
    .order_by(session.c.seen.desc(), session.c.id.desc())
)


def find_session(
    connection: ReadConnection, token_hash: str, rules: SessionRules, now: int
) -> AuthenticatedUser | None:
    """Return the user and session of a token; None if there is no such session or it has expired."""
    row = connection.row(_FIND, token_hash=token_hash, now=now, idle_since=now - rules.max_idle_seconds)
    return AuthenticatedUser(build_person(row), row[6], row[7], row[8] is not None) if row else None


def list_sessions(connection: ReadConnection, person_id: int, rules: SessionRules, now: int) -> list[SessionInfo]:
    """List the sessions of a user, most recently used first."""
    rows = connection.rows(_SESSIONS_OF_PERSON, person_id=person_id, now=now, idle_since=now - rules.max_idle_seconds)
    return [SessionInfo(*row) for row in rows]


class NewSession(NamedTuple):
    """A session to open; `agent` is the browser's User-Agent."""

    person_id: int
    token_hash: str
    agent: str | None


def open_session(connection: Connection, new: NewSession, rules: SessionRules, now: int) -> None:
    """Store a new session. Deletes the expired sessions of all users."""
    connection.execute(
        delete(session).where((session.c.expires <= now) | (session.c.seen <= now - rules.max_idle_seconds))
    )
    statement = (
        select(session.c.id)
        .where(session.c.person_id == new.person_id)
        .order_by(session.c.seen.desc(), session.c.id.desc())
        .limit(MAX_SESSIONS - 1)
    )
    newest = connection.execute(statement).scalars().all()
    connection.execute(delete(session).where(session.c.person_id == new.person_id, session.c.id.not_in(newest)))
    connection.execute(
        insert(session).values(**new._asdict(), created=now, seen=now, expires=now + rules.max_age_seconds)
    )


def update_seen(connection: Connection, session_id: int, now: int) -> None:
    """Update the time at which a session was last used."""
    connection.execute(update(session).where(session.c.id == session_id).values(seen=now))


def close_session(connection: Connection, token_hash: str) -> None:
    """Delete the session of a token."""
    connection.execute(delete(session).where(session.c.token_hash == token_hash))


def close_user_session(connection: Connection, person_id: int, session_id: int) -> bool:
    """Delete a session of a user; return whether there was one with this ID."""
    chosen = delete(session).where(session.c.person_id == person_id, session.c.id == session_id)
    return connection.execute(chosen).rowcount > 0


def close_sessions(connection: Connection, person_id: int, except_id: int | None = None) -> None:
    """Delete the sessions of a user, except the one with the ID `except_id`."""
    chosen = delete(session).where(session.c.person_id == person_id)
    connection.execute(chosen if except_id is None else chosen.where(session.c.id != except_id))


_TOKEN_COLUMNS = (
    personal_token.c.id,
    personal_token.c.name,
    personal_token.c.scopes,
    personal_token.c.created,
    personal_token.c.expires,
    personal_token.c.used,
)

_FIND_HOLDER = CompiledQuery(
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

_TOKENS_OF_PERSON = CompiledQuery(
    select(*_TOKEN_COLUMNS)
    .where(
        personal_token.c.person_id == bindparam("person_id", type_=Integer),
        personal_token.c.expires > bindparam("now", type_=BigInteger),
    )
    .order_by(personal_token.c.id.desc())
)


def find_token_user(connection: ReadConnection, token_hash: str, now: int) -> TokenUser | None:
    """Return the user of an API token; None if the token does not exist or has expired."""
    row = connection.row(_FIND_HOLDER, token_hash=token_hash, now=now)
    if row is None:
        return None
    token_id, scopes, created, used, confirmed = row[6:]
    scoped_person = _build_scoped_person(build_person(row), scopes)
    return TokenUser(scoped_person, 0, created, confirmed is not None, token_id=token_id, used=used)


def _build_scoped_person(owner: Person, scopes: str) -> ScopedPerson:
    return ScopedPerson(
        owner.id,
        owner.username,
        owner.role,
        owner.email,
        owner.created,
        owner.disabled,
        decode_scopes(scopes),
    )


def list_tokens(connection: ReadConnection, person_id: int, now: int) -> list[ApiToken]:
    """List the tokens of a user that have not expired, newest first."""
    return [
        ApiToken(row[0], row[1], tuple(sorted(decode_scopes(row[2]))), *row[3:])
        for row in connection.rows(_TOKENS_OF_PERSON, person_id=person_id, now=now)
    ]


def add_token(connection: Connection, person_id: int, token_hash: str, new: NewToken, now: int) -> ApiToken | None:
    """Store and return a token; None if the user has MAX_TOKENS already. Deletes all users' expired tokens first."""
    delete_expired_tokens(connection, now)
    count = select(func.count()).select_from(personal_token).where(personal_token.c.person_id == person_id)
    if connection.execute(count).scalar_one() >= MAX_TOKENS:
        return None
    expires = now + new.days * DAY_SECONDS
    values = {"name": new.name, "scopes": encode_scopes(new.scopes), "created": now, "expires": expires}
    chosen = insert(personal_token).values(person_id=person_id, token_hash=token_hash, **values)
    token_id = connection.execute(chosen.returning(personal_token.c.id)).scalar_one()
    return ApiToken(int(token_id), new.name, tuple(sorted(new.scopes)), now, expires, None)


def update_last_use(connection: Connection, token_id: int, day: int) -> None:
    """Store the day on which a token was last used."""
    connection.execute(update(personal_token).where(personal_token.c.id == token_id).values(used=day))


def revoke_token(connection: Connection, person_id: int, token_id: int) -> bool:
    """Delete a token of a user; return whether there was one with this ID."""
    chosen = delete(personal_token).where(personal_token.c.person_id == person_id, personal_token.c.id == token_id)
    return connection.execute(chosen).rowcount > 0


def revoke_tokens(connection: Connection, person_id: int) -> None:
    """Delete all tokens of a user."""
    connection.execute(delete(personal_token).where(personal_token.c.person_id == person_id))


def delete_expired_tokens(connection: Connection, now: int) -> int:
    """Delete the expired tokens; return their number."""
    return connection.execute(delete(personal_token).where(personal_token.c.expires <= now)).rowcount
