"""Accounts, and counts of recent attempts for rate limits."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Integer, Text, and_, bindparam, case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.people.model.mails import MailTopic
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    Row,
    dialect_insert,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import ConflictError, quoted, sentence
from abhidhan.records.paging import Page
from abhidhan.records.people import Person, Role, username_key
from abhidhan.records.throttling import AttemptCount, Throttle, count_attempt, seconds_to_wait
from abhidhan.schema import known_address, mail_choice, person, tries

PERSON_COLUMNS = (person.c.id, person.c.username, person.c.role, person.c.email, person.c.created, person.c.disabled)

ATTEMPT_RETENTION_SECONDS = 2 * 86_400
"""Seconds after which counts of attempts are deleted; longer than the period of any rate limit."""


FORMER_ROLE = "former"
"""Role of deleted accounts, of which only the name for contributions remains. They cannot sign in."""


class Credentials(NamedTuple):
    """A user, and the hash of the password; None if no password has been set."""

    person: Person
    password_hash: str | None


class NewPerson(NamedTuple):
    """An account to create. Without a password hash, its owner cannot sign in yet."""

    username: str
    role: Role
    email: str | None
    password_hash: str | None


def build_person(row: Row) -> Person:
    """Build a user from the values of PERSON_COLUMNS."""
    return Person(row[0], row[1], Role(row[2]), row[3], row[4], row[5])


_BY_NAME = CompiledQuery(
    select(*PERSON_COLUMNS, person.c.password_hash).where(
        person.c.username_key == bindparam("key", type_=Text), person.c.role != FORMER_ROLE
    )
)
_BY_ID = CompiledQuery(
    select(*PERSON_COLUMNS, person.c.password_hash).where(
        person.c.id == bindparam("id", type_=Integer), person.c.role != FORMER_ROLE
    )
)
_CONFIRMATION_JOIN = and_(mail_choice.c.person_id == person.c.id, mail_choice.c.topic == str(MailTopic.CONFIRMATION))
_BY_EMAIL = CompiledQuery(
    select(*PERSON_COLUMNS)
    .select_from(person.outerjoin(mail_choice, _CONFIRMATION_JOIN))
    .where(func.lower(person.c.email) == bindparam("email", type_=Text), person.c.disabled.is_(None))
    .order_by(case((mail_choice.c.confirmed == person.c.email, 0), else_=1), person.c.id)
    .limit(5)
)
_NAME_RANGE = (
    person.c.username_key >= bindparam("beginning", type_=Text),
    person.c.username_key < bindparam("end", type_=Text),
    person.c.role != FORMER_ROLE,
)
_PAGE = CompiledQuery(
    select(*PERSON_COLUMNS)
    .where(*_NAME_RANGE)
    .order_by(person.c.username_key)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)
_COUNT = CompiledQuery(select(func.count()).select_from(person).where(*_NAME_RANGE))
_COUNT_OF_ROLE = CompiledQuery(
    select(func.count())
    .select_from(person)
    .where(person.c.role == bindparam("role", type_=Text), person.c.disabled.is_(None))
)
_select_names = per_list_size(
    lambda size: select(person.c.id, person.c.username).where(in_list(person.c.id, "id", size))
)


def find_by_name(connection: ReadConnection, username: str) -> Credentials | None:
    """Return a user by name, case-insensitively."""
    row = connection.row(_BY_NAME, key=username_key(username))
    return Credentials(build_person(row), row[6]) if row else None


def find_by_id(connection: ReadConnection, person_id: int) -> Credentials | None:
    """Return a user by ID."""
    row = connection.row(_BY_ID, id=person_id)
    return Credentials(build_person(row), row[6]) if row else None


def find_by_email(connection: ReadConnection, email: str) -> list[Person]:
    """Return at most five enabled users with this e-mail address, those who have confirmed it first.

    The order ensures that the owner's account is among the five even if a stranger creates many with this address.
    """
    return [build_person(row) for row in connection.rows(_BY_EMAIL, email=email.lower())]


def list_people(connection: ReadConnection, prefix: str, limit: int, offset: int) -> Page[Person]:
    """Return one page of the users whose names start with `prefix` (empty: all), sorted by name, and the total."""
    key = username_key(prefix)
    key_range = {"beginning": key, "end": key + MAX_CODE_POINT}
    rows = connection.rows(_PAGE, **key_range, limit=limit, offset=offset)
    total = connection.row(_COUNT, **key_range)
    return Page([build_person(row) for row in rows], int(total[0]) if total else 0)


def count_by_role(connection: ReadConnection, role: Role) -> int:
    """Count the enabled users with a role."""
    row = connection.row(_COUNT_OF_ROLE, role=str(role))
    return int(row[0]) if row else 0


def load_names(connection: ReadConnection, person_ids: Sequence[int]) -> dict[int, str]:
    """Return the names of users by ID, without IDs that do not exist."""
    ids = list(dict.fromkeys(person_ids))
    if not ids:
        return {}
    return {row[0]: row[1] for row in connection.rows(_select_names(len(ids)), **list_params("id", ids))}


def add_person(connection: Connection, new: NewPerson, now: int) -> Person:
    """Create an account. Raises ConflictError if the name is taken."""
    values = new._asdict() | {"username_key": username_key(new.username), "role": str(new.role), "created": now}
    try:
        with connection.begin_nested():
            person_id = connection.execute(insert(person).values(values).returning(person.c.id)).scalar_one()
    except IntegrityError:
        raise ConflictError(
            sentence("The name %(username)s is already taken; choose another.", username=quoted(new.username))
        ) from None
    return Person(person_id, new.username, new.role, new.email, now, None)


def set_password(connection: Connection, person_id: int, password_hash: str) -> None:
    """Store the hash of a new password."""
    connection.execute(update(person).where(person.c.id == person_id).values(password_hash=password_hash))


def set_role(connection: Connection, person_id: int, role: Role) -> None:
    """Store a user's new role."""
    connection.execute(update(person).where(person.c.id == person_id).values(role=str(role)))


def set_disabled(connection: Connection, person_id: int, moment: int | None) -> None:
    """Store the time at which an account was disabled; None enables it again."""
    connection.execute(update(person).where(person.c.id == person_id).values(disabled=moment))


def count_other_administrators(connection: Connection, person_id: int) -> int:
    """Count the other enabled administrators."""
    statement = (
        select(func.count())
        .select_from(person)
        .where(person.c.role == str(Role.ADMINISTRATOR), person.c.disabled.is_(None), person.c.id != person_id)
    )
    return int(connection.execute(statement).scalar_one())


# --- attempts -----------------------------------------------------------------------------------------------------

_TRIES = per_list_size(
    lambda size: select(tries.c.key, tries.c.count, tries.c.last, tries.c.until).where(
        in_list(tries.c.key, "key", size)
    )
)


def longest_wait_seconds(connection: ReadConnection, keys: Sequence[str], now: int) -> int:
    """Return the seconds until the next attempt under these keys is allowed; 0 if it is allowed now."""
    rows = connection.rows(_TRIES(len(keys)), **list_params("key", keys))
    return max((seconds_to_wait(AttemptCount(row[1], row[2], row[3]), now) for row in rows), default=0)


def count_attempts(connection: Connection, rules: Mapping[str, Throttle], now: int) -> int:
    """Count an attempt under each key and return 0; if any key is throttled, count nothing and return the delay.

    The delay is in seconds. Attempts are counted before their outcome is known, so that concurrent ones cannot exceed
    the limit.
    """
    connection.execute(delete(tries).where(tries.c.last < now - ATTEMPT_RETENTION_SECONDS))
    rows = [{"key": key, "count": 0, "last": now, "until": 0} for key in sorted(rules)]
    connection.execute(dialect_insert(connection, tries).values(rows).on_conflict_do_nothing())
    current_counts = select(tries.c.key, tries.c.count, tries.c.last, tries.c.until).where(tries.c.key.in_(rules))
    counts = connection.execute(current_counts).all()
    wait = max(seconds_to_wait(AttemptCount(row[1], row[2], row[3]), now) for row in counts)
    if wait:
        return wait
    for key, *values in counts:
        new_count = count_attempt(rules[key], AttemptCount(*values), now)
        changed = {"count": new_count.count, "last": new_count.last, "until": new_count.until}
        connection.execute(update(tries).where(tries.c.key == key).values(changed))
    return 0


def delete_attempts(connection: Connection, keys: Sequence[str]) -> None:
    """Delete the attempts counted under these keys, after a successful one."""
    connection.execute(delete(tries).where(tries.c.key.in_(keys)))


def subtract_attempt(connection: Connection, key: str) -> None:
    """Subtract a successful attempt from a count; failed attempts of others at the same address remain."""
    chosen = update(tries).where(tries.c.key == key, tries.c.count > 0)
    connection.execute(chosen.values(count=tries.c.count - 1, until=0))


_KNOWN_ADDRESS = CompiledQuery(
    select(known_address.c.seen).where(
        known_address.c.person_id == bindparam("person_id", type_=Integer),
        known_address.c.address_hash == bindparam("address_hash", type_=Text),
    )
)


def is_known_address(connection: ReadConnection, person_id: int, address_hash: str) -> bool:
    """Return whether a user has signed in from this address before."""
    return connection.row(_KNOWN_ADDRESS, person_id=person_id, address_hash=address_hash) is not None


MAX_KNOWN_ADDRESSES = 20


def store_address(connection: Connection, person_id: int, address_hash: str, now: int) -> None:
    """Store an address from which a user has signed in; only the newest `MAX_KNOWN_ADDRESSES` remain."""
    condition = known_address.c.person_id == person_id
    connection.execute(delete(known_address).where(condition, known_address.c.address_hash == address_hash))
    connection.execute(insert(known_address).values(person_id=person_id, address_hash=address_hash, seen=now))
    newest = (
        select(known_address.c.address_hash)
        .where(condition)
        .order_by(known_address.c.seen.desc(), known_address.c.address_hash)
        .limit(MAX_KNOWN_ADDRESSES)
    )
    newest_hashes = connection.execute(newest).scalars().all()
    connection.execute(delete(known_address).where(condition, known_address.c.address_hash.not_in(newest_hashes)))
