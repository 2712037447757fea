"""Leases: locks for work that one process on any machine may do at a time, which expire if not renewed.

A lease is a row that expires by the database's own clock. Unlike a session's advisory lock, it works through a
connection pooler, where a session lock would pass to the next client of the connection.
"""

import contextlib
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from sqlalchemy import BigInteger, ColumnElement, Connection, bindparam, delete, literal_column, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import AbhidhanError, ConflictError
from abhidhan.schema import lease as table

_MACHINE: Final = Path("/proc/sys/kernel/random/boot_id")
_NUMBERS_OF_PROCESSES: Final = Path("/proc/self/ns/pid")
"""The PID namespace: process IDs are unique only within a container."""

_STARTED: Final = 19
"""Index of the start time among the fields that follow the process name in `/proc/PID/stat`."""


def new_owner() -> str:
    """Return a new, unique owner ID, which identifies this process and one lease."""
    number = os.getpid()
    return f"{_machine()}/{number}/{_start_of(number)}/{secrets.token_hex(8)}"


def is_gone(owner: str) -> bool:
    """Return whether the owner is a process of this machine that has ended; False for other machines."""
    machine, number, start, _ = (*owner.split("/"), "", "", "")[:4]
    if not machine or not start or machine != _machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # Its process ID may have been reused.
    return _start_of(int(number)) not in {start, ""}


def _machine() -> str:
    """Identify the boot of this machine and the container; an empty string where the system does not provide it."""
    try:
        return f"{_MACHINE.read_text().strip()}.{_NUMBERS_OF_PROCESSES.stat().st_ino}"
    except OSError:
        return ""


def _start_of(number: int) -> str:
    try:
        told = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return ""
    # The process name is in parentheses and may contain any character.
    return told.rpartition(")")[2].split()[_STARTED]


RENEWALS: Final = 3
"""Number of renewals within the duration of a lease."""

NOW: Final = {
    "sqlite": literal_column("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", BigInteger),
    "postgresql": literal_column("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)", BigInteger),
}
"""Milliseconds since 1970 by the database's clock, by engine: the clocks of two machines may differ."""


class Fence(Protocol):
    """A check that keeps a process from publishing after it has lost its lease."""

    def make_sure(self, connection: Connection) -> None:
        """Ensure, as the last step of a transaction, that the lock is held until its end. Raises ConflictError."""
        ...


class Lease(NamedTuple):
    """An acquired lease: its name, its owner ID, and its duration in milliseconds."""

    name: str
    owner: str
    lasts: int


def acquire(database: Database, name: str, *, seconds: float) -> Lease | None:
    """Acquire a lease for the given duration; None if another process holds it."""
    wanted = Lease(name, new_owner(), round(seconds * 1000))
    with _transaction(database) as connection:
        return wanted if _take(connection, wanted) else None


def renew(database: Database, held: Lease) -> bool:
    """Extend a lease by its full duration from now; return whether it was still held."""
    with _transaction(database) as connection:
        return _prolong(connection, held)


def release(database: Database, held: Lease) -> None:
    """Release a lease before it expires."""
    with _transaction(database) as connection:
        connection.execute(delete(table).where(*_is_own(held)))


def make_sure(connection: Connection, held: Lease) -> None:
    """Ensure, as the last step of a transaction, that no other process acquires the lease before its end.

    An expired lease passes as long as no other process has acquired it. Raises ConflictError.
    """
    own = select(table.c.owner).where(*_is_own(held)).with_for_update(read=True)
    if connection.execute(own).first() is None:
        raise ConflictError(
            f"This process did not respond for more than {held.lasts / 1000:g} seconds, and another one has taken "
            f"over ({held.name}). Nothing more was written."
        )


class Held:
    """A lease that a thread renews until it is released."""

    def __init__(self, database: Database, taken: Lease) -> None:
        """Start the thread that renews the acquired lease."""
        self.lease = taken
        self.is_lost = False
        self._database = database
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._renew, name=f"lease-{taken.name}", daemon=True)
        self._thread.start()

    def make_sure(self, connection: Connection) -> None:
        """Ensure, as the last step of a transaction, that the lease is held until its end. Raises ConflictError."""
        make_sure(connection, self.lease)

    def end(self) -> None:
        """Stop renewing and release the lease; if the database cannot be reached, it expires."""
        self._ended.set()
        self._thread.join()
        with contextlib.suppress(AbhidhanError):
            release(self._database, self.lease)

    def _renew(self) -> None:
        while not self.is_lost and not self._ended.wait(self.lease.lasts / 1000 / RENEWALS):
            # An unreachable or busy database may be back before another process can acquire the lease.
            with contextlib.suppress(AbhidhanError):
                self.is_lost = not renew(self._database, self.lease)


@contextmanager
def holding(database: Database, name: str, *, seconds: float) -> Iterator[Held | None]:
    """Hold a lease for the duration of the block, renewed by a thread; None if another process holds it.

    Every transaction that publishes results under the lease must end with `make_sure`.
    """
    taken = acquire(database, name, seconds=seconds)
    if taken is None:
        yield None
        return
    held = Held(database, taken)
    try:
        yield held
    finally:
        held.end()


def is_held(reader: Reader, name: str) -> bool:
    """Return whether a running process holds the lease."""
    holder = reader.row(_HOLDER, name=name)
    return holder is not None and not is_gone(str(holder[0]))


_NAMED: Final = select(table.c.owner).where(table.c.name == bindparam("name"))
_HOLDER: Final = Query(
    _NAMED.where(table.c.expires > NOW["sqlite"]), postgresql=_NAMED.where(table.c.expires > NOW["postgresql"])
)


@contextmanager
def _transaction(database: Database) -> Iterator[Connection]:
    """Start a transaction even where other writes are refused, such as in an unfinished copy."""
    with database.long_write(made=False) as connection, connection.begin():
        yield connection


def _take(connection: Connection, wanted: Lease) -> bool:
    engine, now, lasts = connection.dialect.name, NOW[connection.dialect.name], bindparam("lasts", type_=BigInteger)
    holder = connection.execute(select(table.c.owner).where(table.c.name == wanted.name)).scalar()
    row = (sqlite.insert if engine == "sqlite" else postgresql.insert)(table).values(
        name=wanted.name, owner=wanted.owner, expires=now + lasts
    )
    # An expiry beyond any possible duration dates from before the clock was set back.
    is_free = or_(table.c.expires <= now, table.c.expires > now + lasts + lasts)
    if holder is not None and is_gone(holder):
        is_free = or_(is_free, table.c.owner == holder)
    taken = row.on_conflict_do_update(
        index_elements=[table.c.name],
        set_={"owner": row.excluded.owner, "expires": row.excluded.expires},
        where=is_free,
    ).returning(table.c.owner)
    return connection.execute(taken, {"lasts": wanted.lasts}).first() is not None


def _prolong(connection: Connection, held: Lease) -> bool:
    ends = NOW[connection.dialect.name] + held.lasts
    prolonged = update(table).where(*_is_own(held)).values(expires=ends).returning(table.c.owner)
    return connection.execute(prolonged).first() is not None


def _is_own(held: Lease) -> tuple[ColumnElement[bool], ...]:
    return (table.c.name == held.name, table.c.owner == held.owner)
