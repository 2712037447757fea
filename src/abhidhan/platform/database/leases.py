"""Leases: what only one process may do at a time, on any machine, and is free again when its holder says nothing more.

They are rows with an end by the database's own clock. So they hold through a pooler of connections, where a lock of a
session would belong to whoever is given its connection next.
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
"""Containers of one machine count their processes each for itself."""

_STARTED: Final = 19
"""At which place behind the name of a process Linux tells the moment of its start."""


def new_owner() -> str:
    """Name this process, and one of the things that it will hold: no name is ever given twice."""
    number = os.getpid()
    return f"{_machine()}/{number}/{_start_of(number)}/{secrets.token_hex(8)}"


def is_gone(owner: str) -> bool:
    """Say whether an owner was a process of this machine that has ended. Of others nothing is known."""
    machine, number, start, _ = (*owner.split("/"), "", "", "")[:4]
    if not machine or not start or machine != _machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # Another process may have got its number since.
    return _start_of(int(number)) not in {start, ""}


def _machine() -> str:
    """Name the machine since it was last started, and the container; nothing where the system does not tell."""
    try:
        return f"{_MACHINE.read_text().strip()}.{_NUMBERS_OF_PROCESSES.stat().st_ino}"
    except OSError:
        return ""


def _start_of(number: int) -> str:
    try:
        told = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return ""
    # The name stands in brackets, and may hold anything.
    return told.rpartition(")")[2].split()[_STARTED]


RENEWALS: Final = 3
"""How often a lease is renewed in the time for which it is taken."""

NOW: Final = {
    "sqlite": literal_column("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", BigInteger),
    "postgresql": literal_column("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)", BigInteger),
}
"""Milliseconds since 1970 as each engine says them: of two machines, the clocks may differ."""


class Fence(Protocol):
    """What keeps somebody from publishing who holds a lease no more."""

    def make_sure(self, connection: Connection) -> None:
        """Make sure, last in a transaction, that it is still held when the transaction ends. Raises ConflictError."""
        ...


class Lease(NamedTuple):
    """A lease that was taken: its name, this time's owner, and for how many milliseconds it is taken and renewed."""

    name: str
    owner: str
    lasts: int


def acquire(database: Database, name: str, *, seconds: float) -> Lease | None:
    """Take a lease for some seconds; None while another holds it."""
    wanted = Lease(name, new_owner(), round(seconds * 1000))
    with _transaction(database) as connection:
        return wanted if _take(connection, wanted) else None


def renew(database: Database, held: Lease) -> bool:
    """Let a lease end as long from now as it was taken for; say whether it was still held."""
    with _transaction(database) as connection:
        return _prolong(connection, held)


def release(database: Database, held: Lease) -> None:
    """Let others have a lease at once."""
    with _transaction(database) as connection:
        connection.execute(delete(table).where(*_is_own(held)))


def make_sure(connection: Connection, held: Lease) -> None:
    """Make sure, last in a transaction, that nobody else has taken a lease before the transaction ends.

    It need not have been renewed in time: until another takes it, nobody else does what it is for.
    Raises ConflictError.
    """
    own = select(table.c.owner).where(*_is_own(held)).with_for_update(read=True)
    if connection.execute(own).first() is None:
        raise ConflictError(
            f"This process was silent for more than {held.lasts / 1000:g} seconds, and another one has begun the same "
            f"({held.name}): nothing more was written."
        )


class Held:
    """A lease that is renewed by a thread until it is given back."""

    def __init__(self, database: Database, taken: Lease) -> None:
        """Take the lease, and renew it from now on."""
        self.lease = taken
        self.is_lost = False
        self._database = database
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._renew, name=f"lease-{taken.name}", daemon=True)
        self._thread.start()

    def make_sure(self, connection: Connection) -> None:
        """Make sure, last in a transaction, that it is still held when the transaction ends. Raises ConflictError."""
        make_sure(connection, self.lease)

    def end(self) -> None:
        """End it; where the database is away it ends by itself."""
        self._ended.set()
        self._thread.join()
        with contextlib.suppress(AbhidhanError):
            release(self._database, self.lease)

    def _renew(self) -> None:
        while not self.is_lost and not self._ended.wait(self.lease.lasts / 1000 / RENEWALS):
            # A database that is away or busy may be back before anybody else can take the lease.
            with contextlib.suppress(AbhidhanError):
                self.is_lost = not renew(self._database, self.lease)


@contextmanager
def holding(database: Database, name: str, *, seconds: float) -> Iterator[Held | None]:
    """Hold a lease, renewed for as long as this process runs; None while another holds it.

    What is published under it goes by a transaction at whose end stands `make_sure`.
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
    """Say whether somebody holds a lease."""
    holder = reader.row(_HOLDER, name=name)
    return holder is not None and not is_gone(str(holder[0]))


_NAMED: Final = select(table.c.owner).where(table.c.name == bindparam("name"))
_HOLDER: Final = Query(
    _NAMED.where(table.c.expires > NOW["sqlite"]), postgresql=_NAMED.where(table.c.expires > NOW["postgresql"])
)


@contextmanager
def _transaction(database: Database) -> Iterator[Connection]:
    """Begin a transaction also where nothing else may be written, such as in a copy that has not ended."""
    with database.long_write(made=False) as connection, connection.begin():
        yield connection


def _take(connection: Connection, wanted: Lease) -> bool:
    engine, now, lasts = connection.dialect.name, NOW[connection.dialect.name], bindparam("lasts", type_=BigInteger)
    holder = connection.execute(select(table.c.owner).where(table.c.name == wanted.name)).scalar()
    row = (sqlite.insert if engine == "sqlite" else postgresql.insert)(table).values(
        name=wanted.name, owner=wanted.owner, expires=now + lasts
    )
    # One that ends later than anybody takes it for was taken before the clock was set back.
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
