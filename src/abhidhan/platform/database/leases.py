"""Leases: locks that one process of all machines can hold at a time, and that expire if they are not renewed.

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

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import AbhidhanError, ConflictError
from abhidhan.schema import lease as table

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_PID_NAMESPACE: Final = Path("/proc/self/ns/pid")
"""The PID namespace: process IDs are unique only within a container."""

_START_TIME_FIELD: Final = 19
"""Index of the start time among the fields that follow the process name in `/proc/PID/stat`."""


def create_owner_id() -> str:
    """Return a new, unique owner ID, which identifies this process and one lease."""
    pid = os.getpid()
    return f"{_identify_machine()}/{pid}/{_read_start_time(pid)}/{secrets.token_hex(8)}"


def has_owner_ended(owner: str) -> bool:
    """Return whether the owner of a lease was a process of this machine that has ended; False for other machines."""
    machine, pid, start, _ = (*owner.split("/"), "", "", "")[:4]
    if not machine or not start or machine != _identify_machine() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # Its process ID may have been reused.
    return _read_start_time(int(pid)) not in {start, ""}


def _identify_machine() -> str:
    """Return an ID of this machine's boot and container; an empty string where the system has none."""
    try:
        return f"{_BOOT_ID.read_text().strip()}.{_PID_NAMESPACE.stat().st_ino}"
    except OSError:
        return ""


def _read_start_time(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    # The process name is in parentheses and may contain any character.
    return stat.rpartition(")")[2].split()[_START_TIME_FIELD]


RENEWALS_PER_LEASE: Final = 3
"""Number of renewals within the duration of a lease."""

NOW_MILLISECONDS: Final = {
    "sqlite": literal_column("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", BigInteger),
    "postgresql": literal_column("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)", BigInteger),
}
"""Milliseconds since 1970 by the database's clock, by engine: the clocks of two machines may differ."""


class FencingToken(Protocol):
    """Object with which a process checks, before it commits, that it still holds its lock."""

    def ensure_held(self, connection: Connection) -> None:
        """Ensure, as a transaction's last step, that the lock is held until it commits. Raises ConflictError."""
        ...


class Lease(NamedTuple):
    """An acquired lease: its name, its owner ID, and its duration in milliseconds."""

    name: str
    owner: str
    duration_ms: int


def acquire(database: Database, name: str, *, seconds: float) -> Lease | None:
    """Acquire a lease for `seconds`; return None if another process holds it."""
    lease = Lease(name, create_owner_id(), round(seconds * 1000))
    with _begin_transaction(database) as connection:
        return lease if _acquire(connection, lease) else None


def renew(database: Database, lease: Lease) -> bool:
    """Extend a lease by its full duration from now; return whether it was still held."""
    with _begin_transaction(database) as connection:
        return _extend(connection, lease)


def release(database: Database, lease: Lease) -> None:
    """Release a lease before it expires."""
    with _begin_transaction(database) as connection:
        connection.execute(delete(table).where(*_own_lease_conditions(lease)))


def ensure_held(connection: Connection, lease: Lease) -> None:
    """Ensure, as a transaction's last step, that no other process acquires the lease before it commits.

    An expired lease passes as long as no other process has acquired it. Raises ConflictError.
    """
    owner_row = select(table.c.owner).where(*_own_lease_conditions(lease)).with_for_update(read=True)
    if connection.execute(owner_row).first() is None:
        raise ConflictError(
            f"This process did not respond for more than {lease.duration_ms / 1000:g} seconds, and another one has "
            f"taken over ({lease.name}). Nothing more was written."
        )


class RenewedLease:
    """A lease that a thread renews until it is released."""

    def __init__(self, database: Database, lease: Lease) -> None:
        """Start the thread that renews the acquired lease."""
        self.lease = lease
        self.is_lost = False
        self._database = database
        self._stop_event = threading.Event()
        self._thread = threading.Thread(target=self._renew_repeatedly, name=f"lease-{lease.name}", daemon=True)
        self._thread.start()

    def ensure_held(self, connection: Connection) -> None:
        """Ensure, as a transaction's last step, that the lease is held until it commits. Raises ConflictError."""
        ensure_held(connection, self.lease)

    def stop(self) -> None:
        """Stop renewing and release the lease; if the database cannot be reached, it expires."""
        self._stop_event.set()
        self._thread.join()
        with contextlib.suppress(AbhidhanError):
            release(self._database, self.lease)

    def _renew_repeatedly(self) -> None:
        while not self.is_lost and not self._stop_event.wait(self.lease.duration_ms / 1000 / RENEWALS_PER_LEASE):
            # An unreachable or busy database may be back before another process can acquire the lease.
            with contextlib.suppress(AbhidhanError):
                self.is_lost = not renew(self._database, self.lease)


@contextmanager
def hold_lease(database: Database, name: str, *, seconds: float) -> Iterator[RenewedLease | None]:
    """Hold a lease for the duration of the block, renewed by a thread; None if another process holds it.

    Every transaction that publishes results under the lease must end with `ensure_held`.
    """
    lease = acquire(database, name, seconds=seconds)
    if lease is None:
        yield None
        return
    renewed = RenewedLease(database, lease)
    try:
        yield renewed
    finally:
        renewed.stop()


def is_held(connection: ReadConnection, name: str) -> bool:
    """Return whether a running process holds the lease."""
    holder = connection.row(_SELECT_HOLDER, name=name)
    return holder is not None and not has_owner_ended(str(holder[0]))


_SELECT_OWNER: Final = select(table.c.owner).where(table.c.name == bindparam("name"))
_SELECT_HOLDER: Final = CompiledQuery(
    _SELECT_OWNER.where(table.c.expires > NOW_MILLISECONDS["sqlite"]),
    postgresql=_SELECT_OWNER.where(table.c.expires > NOW_MILLISECONDS["postgresql"]),
)


@contextmanager
def _begin_transaction(database: Database) -> Iterator[Connection]:
    """Start a transaction even where other writes are refused, such as in an unfinished copy."""
    with database.long_write(check_writable=False) as connection, connection.begin():
        yield connection


def _acquire(connection: Connection, lease: Lease) -> bool:
    engine, now, duration = (
        connection.dialect.name,
        NOW_MILLISECONDS[connection.dialect.name],
        bindparam("lasts", type_=BigInteger),
    )
    holder = connection.execute(select(table.c.owner).where(table.c.name == lease.name)).scalar()
    row = (sqlite.insert if engine == "sqlite" else postgresql.insert)(table).values(
        name=lease.name, owner=lease.owner, expires=now + duration
    )
    # An expiry beyond any possible duration dates from before the clock was set back.
    is_free = or_(table.c.expires <= now, table.c.expires > now + duration + duration)
    if holder is not None and has_owner_ended(holder):
        is_free = or_(is_free, table.c.owner == holder)
    statement = row.on_conflict_do_update(
        index_elements=[table.c.name],
        set_={"owner": row.excluded.owner, "expires": row.excluded.expires},
        where=is_free,
    ).returning(table.c.owner)
    return connection.execute(statement, {"lasts": lease.duration_ms}).first() is not None


def _extend(connection: Connection, lease: Lease) -> bool:
    ends = NOW_MILLISECONDS[connection.dialect.name] + lease.duration_ms
    statement = update(table).where(*_own_lease_conditions(lease)).values(expires=ends).returning(table.c.owner)
    return connection.execute(statement).first() is not None


def _own_lease_conditions(lease: Lease) -> tuple[ColumnElement[bool], ...]:
    return (table.c.name == lease.name, table.c.owner == lease.owner)
