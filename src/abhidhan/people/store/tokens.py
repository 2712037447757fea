"""Personal tokens: for whom a program acts, by the hash of a token that only the program has."""

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
from abhidhan.records.people import Person
from abhidhan.schema import person, personal_token, two_factor

_TOKEN_COLUMNS = (
    personal_token.c.id,
    personal_token.c.name,
    personal_token.c.scopes,
    personal_token.c.created,
    personal_token.c.expires,
    personal_token.c.used,
)

_FIND = Query(
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

_OWN = Query(
    select(*_TOKEN_COLUMNS)
    .where(
        personal_token.c.person_id == bindparam("person_id", type_=Integer),
        personal_token.c.expires > bindparam("now", type_=BigInteger),
    )
    .order_by(personal_token.c.id.desc())
)


def find_holder(reader: Reader, token_hash: str, now: int) -> SignedInByToken | None:
    """Find for whom a program acts by a token; None where the token does not count, or not any more."""
    row = reader.row(_FIND, token_hash=token_hash, now=now)
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
        for row in reader.rows(_OWN, person_id=person_id, now=now)
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
