"""Rows of two-factor sign-in: app secrets, the last time step used, and hashes of recovery codes."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, delete, func, insert, select, update

from abhidhan.people.model.two_factor import (
    MAX_SET_UP_SECONDS,
    TwoFactorSecret,
    clean_code,
    find_equal_hash,
    find_time_step,
    hash_recovery_code,
    is_app_code,
)
from abhidhan.platform.database.compiled_queries import CompiledQuery, dialect_insert
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import recovery_code, two_factor

_CODES_LEFT: Final = CompiledQuery(
    select(func.count())
    .select_from(recovery_code)
    .where(recovery_code.c.person_id == bindparam("person_id", type_=Integer))
)

_ENABLED: Final = CompiledQuery(
    select(two_factor.c.person_id).where(
        two_factor.c.person_id == bindparam("person_id", type_=Integer), two_factor.c.confirmed.is_not(None)
    )
)


def has_two_factor(connection: ReadConnection, person_id: int) -> bool:
    """Return whether a user has two-factor sign-in turned on."""
    return connection.row(_ENABLED, person_id=person_id) is not None


def is_enabled(connection: Connection, person_id: int) -> bool:
    """Return whether a user has two-factor sign-in turned on, within a write transaction."""
    statement = select(two_factor.c.person_id).where(
        two_factor.c.person_id == person_id, two_factor.c.confirmed.is_not(None)
    )
    return connection.execute(statement).one_or_none() is not None


def count_recovery_codes(connection: ReadConnection, person_id: int) -> int:
    """Count the unused recovery codes of a user."""
    row = connection.row(_CODES_LEFT, person_id=person_id)
    return int(row[0]) if row else 0


def store_secret(connection: Connection, person_id: int, secret: TwoFactorSecret, now: int) -> bool:
    """Store an unconfirmed secret; if the user already has a confirmed one, change nothing and return False."""
    values = {"secret": str(secret), "begun": now, "last_step": 0}
    insertion = dialect_insert(connection, two_factor).values(person_id=person_id, **values)
    is_unconfirmed = two_factor.c.confirmed.is_(None)
    upsert = insertion.on_conflict_do_update(index_elements=[two_factor.c.person_id], set_=values, where=is_unconfirmed)
    return connection.execute(upsert.returning(two_factor.c.person_id)).one_or_none() is not None


def confirm(connection: Connection, person_id: int, code: str, now: int) -> bool:
    """Turn two-factor sign-in on if the unconfirmed secret has produced the code; return whether it has."""
    is_unconfirmed = (
        (two_factor.c.person_id == person_id)
        & two_factor.c.confirmed.is_(None)
        & (two_factor.c.begun > now - MAX_SET_UP_SECONDS)
    )
    secret = connection.execute(select(two_factor.c.secret).where(is_unconfirmed)).scalar_one_or_none()
    step = None if secret is None else find_time_step(TwoFactorSecret(secret), clean_code(code), now)
    if step is None:
        return False
    chosen = update(two_factor).where(is_unconfirmed, two_factor.c.secret == secret)
    return connection.execute(chosen.values(confirmed=now, last_step=step)).rowcount > 0


def accept_code(connection: Connection, person_id: int, code: str, now: int) -> bool:
    """Use a code of the app or a recovery code; return whether it is valid. Each code is accepted only once."""
    cleaned = clean_code(code)
    return (_accept_step if is_app_code(cleaned) else _accept_recovery)(connection, person_id, cleaned, now)


def _accept_step(connection: Connection, person_id: int, code: str, now: int) -> bool:
    is_enabled_row = (two_factor.c.person_id == person_id) & two_factor.c.confirmed.is_not(None)
    secret = connection.execute(select(two_factor.c.secret).where(is_enabled_row)).scalar_one_or_none()
    step = None if secret is None else find_time_step(TwoFactorSecret(secret), code, now)
    if step is None:
        return False
    # A concurrent request finds the row changed: PostgreSQL waits for the first one, and SQLite has one writer.
    chosen = update(two_factor).where(is_enabled_row, two_factor.c.secret == secret, two_factor.c.last_step < step)
    return connection.execute(chosen.values(last_step=step)).rowcount > 0


def _accept_recovery(connection: Connection, person_id: int, code: str, _: int) -> bool:
    condition = recovery_code.c.person_id == person_id
    hashes = connection.execute(select(recovery_code.c.code_hash).where(condition)).scalars().all()
    used_hash = find_equal_hash(hash_recovery_code(person_id, code), hashes)
    if used_hash is None:
        return False
    return (
        connection.execute(delete(recovery_code).where(condition, recovery_code.c.code_hash == used_hash)).rowcount > 0
    )


def save_recovery_codes(connection: Connection, person_id: int, codes: Iterable[str]) -> None:
    """Replace the recovery codes; only hashes are stored."""
    connection.execute(delete(recovery_code).where(recovery_code.c.person_id == person_id))
    rows = [{"person_id": person_id, "code_hash": hash_recovery_code(person_id, code)} for code in codes]
    connection.execute(insert(recovery_code), rows)


def disable(connection: Connection, person_id: int) -> bool:
    """Turn two-factor sign-in off for a user; return whether it was on."""
    connection.execute(delete(recovery_code).where(recovery_code.c.person_id == person_id))
    deletion = delete(two_factor).where(two_factor.c.person_id == person_id).returning(two_factor.c.confirmed)
    return any(row[0] is not None for row in connection.execute(deletion))
