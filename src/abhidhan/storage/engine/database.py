"""The database: how it is opened, read and written, on SQLite and on PostgreSQL."""

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import Empty, LifoQueue
from types import TracebackType
from typing import Self, TypeVar

import psycopg
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    bindparam,
    create_engine,
    event,
    make_url,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from abhidhan.disk import refuse_unwritable
from abhidhan.domain.catalogue import Catalogue
from abhidhan.errors import (
    AbhidhanError,
    DamagedDatabaseError,
    DiskFullError,
    SettingError,
    UnavailableError,
    UnwritableError,
)
from abhidhan.storage import schema
from abhidhan.storage.engine.catalogue import read_catalogue
from abhidhan.storage.engine.queries import DriverConnection, Query, Row, Value

T = TypeVar("T")

Writer = Connection
"""A transaction that is open: what a writing job is given, and in `Database.read_transaction` one that only reads."""

BUSY_SECONDS = 10
"""How long a writer waits for another process's transaction before it gives up."""

READER_CACHE_KIB = 16_000
"""SQLite's page cache for the reader that answers most requests; part of a worker's memory, so kept small."""

LONG_READER_CACHE_KIB = 4_000
"""The same for each long reader: with half of it a search for 1,000 of a million words took 150 ms instead of 90."""

WAL_BYTES = 64 * 1024 * 1024

ONLY_READS = "only_reads"
"""The option of a connection's that tells those who would lock what they read that nothing will be written."""

LONG_READERS = 4
"""How many long reads (searches, long lists) one process runs at once; on PostgreSQL, how many reads of any kind."""

RETRY_AFTER_SECONDS = 5

TRIES = 5
"""How often a transaction is begun that PostgreSQL ends for the sake of another one."""

_DELAYS = tuple(0.02 * 2**count for count in range(TRIES - 1))
"""Seconds that are waited, at most, after each try but the last."""

_READ_VERSION = Query(select(schema.state.c.data_version).where(schema.state.c.id == bindparam("id")))


class Reader:
    """A connection that only reads, outside any transaction, with the catalogue that goes with the data."""

    __slots__ = ("_catalogue", "_connection", "_database", "engine")

    def __init__(self, connection: DriverConnection, engine: str, database: "Database") -> None:
        """Wrap a driver's connection; `engine` is `sqlite` or `postgresql`."""
        self._connection = connection
        self._database = database
        self._catalogue: Catalogue | None = None
        self.engine = engine

    def run(self, job: Callable[["Reader"], T]) -> T:
        """Run a job, which sees one catalogue from its beginning to its end."""
        self._catalogue = None
        return job(self)

    def rows(self, query: Query, /, **parameters: Value) -> list[Row]:
        """Run a query and read all its rows."""
        return query.rows(self._connection, self.engine, parameters)

    def row(self, query: Query, /, **parameters: Value) -> Row | None:
        """Run a query and read its first row, if there is one."""
        rows = self.rows(query, **parameters)
        return rows[0] if rows else None

    @property
    def catalogue(self) -> Catalogue:
        """The languages and lists of the data as they now are, read again only after a change."""
        if self._catalogue is None:
            self._catalogue = self._database.catalogue(self)
        return self._catalogue

    def data_version(self) -> int:
        """Read the number that every change of the public data raises."""
        row = self.row(_READ_VERSION, id=1)
        return int(row[0]) if row else 0

    def pragma(self, name: str) -> int:
        """Read a number from SQLite itself."""
        return int(self._connection.execute(f"PRAGMA {name}", ()).fetchall()[0][0])

    def damage(self) -> list[str]:
        """Let SQLite look through its own file; PostgreSQL does so by itself."""
        if self.engine != "sqlite":
            return []
        return [
            str(row[0]) for row in self._connection.execute("PRAGMA integrity_check", ()).fetchall() if row[0] != "ok"
        ]

    def begin(self) -> None:
        """Begin a transaction: from here on, the data are seen as they are now, whatever others write."""
        sql = "BEGIN" if self.engine == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        self._connection.execute(sql, ())
        self.data_version()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Database:
    """One dictionary's database. Reads run inline or in a thread; writes always in a thread, one transaction each."""

    def __init__(self, url: str) -> None:
        """Take the address of the database; nothing is opened until it is used."""
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine_name = "sqlite" if self.is_sqlite else "postgresql"
        self._told_in_words = _ToldInWords(self.url)
        self._is_unwritable = False
        self.engine = _make_engine(self.url)
        self._reading_engine = _make_reading_engine(self.url, self.engine)
        self._threads = ThreadPoolExecutor(LONG_READERS, thread_name_prefix="database")
        # One writes at a time anyway; those who wait for it take no thread from readers.
        self._writing_thread = ThreadPoolExecutor(1, thread_name_prefix="database-writer")
        self._long_readers: LifoQueue[Reader] = LifoQueue()
        self._inline_reader: Reader | None = None
        self._catalogue: tuple[int, Catalogue] | None = None
        self._write_lock = threading.Lock()
        self._version = 0
        self._sqlite_change = -1

    async def read(self, job: Callable[[Reader], T], *, long: bool = False) -> T:
        """Run a reading job: on SQLite at once unless it is long, else in a thread."""
        if self.is_sqlite and not long:
            return self.read_now(job)
        return await self._in_thread(self._read_with_long_reader, job)

    async def read_transaction(self, job: Callable[[Connection], T]) -> T:
        """Run a job that reads what another would change, in a thread, seeing one moment.

        It waits for no writer and holds up none: neither is a row locked, nor could anything be written.
        """
        return await self._in_thread(self._read_in_transaction, job)

    def read_now(self, job: Callable[[Reader], T]) -> T:
        """Run a reading job here and now. Raises DatabaseError or UnavailableError."""
        if not self.is_sqlite:
            return self._read_with_long_reader(job)
        if self._inline_reader is None:
            self._inline_reader = self._open_reader(READER_CACHE_KIB)
        with self._told_in_words:
            return self._inline_reader.run(job)

    async def write(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job in a thread, in one transaction. Not `public`: no public answer changes by it."""
        work = partial(self.write_now, job, public=public)
        return await asyncio.get_running_loop().run_in_executor(self._writing_thread, work)

    def write_now(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job here and now, in one transaction, and raise the data version if it is public.

        Where two transactions wait for each other, PostgreSQL ends one of them: that one is run again. So a job has no
        effect but what it writes.
        """
        try:
            with self._told_in_words:
                result = self._write_until_kept(job, public=public)
        except UnwritableError:
            self._is_unwritable = True
            raise
        self._is_unwritable = False
        return result

    def _write_until_kept(self, job: Callable[[Connection], T], *, public: bool) -> T:
        for delay in _DELAYS:
            try:
                return self._write_once(job, public=public)
            except (DBAPIError, psycopg.Error) as error:
                if not _may_succeed_again(error):
                    raise
            # Not all who met once shall meet again. Nothing secret hangs on it.
            time.sleep(random.uniform(delay / 2, delay))  # noqa: S311
        return self._write_once(job, public=public)

    async def refuse_unwritable(self) -> None:
        """Make sure that a transaction could be written now; nobody waits for it. Raises UnwritableError.

        PostgreSQL is asked only after it has refused to write something: its disk is not this machine's.
        """
        file = sqlite_file(self.url)
        if file is not None:
            await asyncio.to_thread(refuse_unwritable, file)
        elif self._is_unwritable:
            await self.write(_write_the_same, public=False)

    def _write_once(self, job: Callable[[Connection], T], *, public: bool) -> T:
        with self._write_lock, self.engine.begin() as connection:
            result = job(connection)
            if public:
                raise_data_version(connection)
            return result

    def _read_in_transaction(self, job: Callable[[Connection], T]) -> T:
        with self._told_in_words, self._reading_engine.begin() as connection:
            return job(connection)

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Give a reader of its own that sees the data as they are at one moment."""
        with self._told_in_words:
            reader = self._open_reader(LONG_READER_CACHE_KIB, sorts_on_disk=True)
            try:
                reader.begin()
                yield reader
            finally:
                reader.close()

    @contextmanager
    def long_write(self) -> Iterator[Connection]:
        """Give a connection to a job that begins and ends several transactions itself, with `connection.begin()`."""
        with self._told_in_words, self.engine.connect() as connection:
            yield connection

    async def version(self) -> int:
        """Return the data version: the same number means that no public answer has changed."""
        if self.is_sqlite:
            return self.version_now()
        return await self._in_thread(self._read_with_long_reader, Reader.data_version)

    def version_now(self) -> int:
        """Return the data version here and now. On SQLite it is read anew only after some process has written."""
        return self.read_now(self._version_of)

    def catalogue(self, reader: Reader) -> Catalogue:
        """Give the catalogue of the data as they are now."""
        version = self._version_of(reader)
        kept = self._catalogue
        if kept is None or kept[0] != version:
            kept = (version, read_catalogue(reader.rows))
            self._catalogue = kept
        return kept[1]

    def close(self) -> None:
        """Finish what runs and close every connection."""
        self._threads.shutdown(wait=True)
        self._writing_thread.shutdown(wait=True)
        if self._inline_reader is not None:
            self._inline_reader.close()
            self._inline_reader = None
        while True:
            try:
                self._long_readers.get_nowait().close()
            except Empty:
                break
        self._reading_engine.dispose()
        self.engine.dispose()

    def __enter__(self) -> Self:
        """Use the database in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _version_of(self, reader: Reader) -> int:
        if not self.is_sqlite or reader is not self._inline_reader:
            return reader.data_version()
        change = reader.pragma("data_version")
        if change != self._sqlite_change:
            self._version = reader.data_version()
            self._sqlite_change = change
        return self._version

    async def _in_thread(self, work: Callable[[Callable[..., T]], T], job: Callable[..., T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, job)

    def _read_with_long_reader(self, job: Callable[[Reader], T]) -> T:
        with self._told_in_words, self._borrowed_reader() as reader:
            return reader.run(job)

    @contextmanager
    def _borrowed_reader(self) -> Iterator[Reader]:
        try:
            reader = self._long_readers.get_nowait()
        except Empty:
            reader = self._open_reader(LONG_READER_CACHE_KIB)
        try:
            yield reader
        except (psycopg.OperationalError, sqlite3.OperationalError):
            # The connection may be lost (a server restarted): the next read opens a fresh one.
            reader.close()
            raise
        except BaseException:
            self._long_readers.put(reader)
            raise
        self._long_readers.put(reader)

    def _open_reader(self, cache_kib: int, *, sorts_on_disk: bool = False) -> Reader:
        with self._told_in_words:
            if self.is_sqlite:
                connection: DriverConnection = _open_sqlite_reader(self.url, cache_kib)
                if not sorts_on_disk:
                    # What an answer sorts is small, and must not fail where there is no room for temporary files.
                    connection.execute("PRAGMA temp_store = MEMORY", ())
            else:
                connection = _open_postgresql_reader(self.url)
        return Reader(connection, self._engine_name, self)


def parse_url(url: str) -> URL:
    """Read a database's address: `sqlite:///folder/file` or `postgresql://user@host/name`. Raises SettingError."""
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except Exception as error:
        raise SettingError(
            "ABHIDHAN_DATABASE is not a database address: write sqlite:////path/to/file or "
            "postgresql://user:password@host/name."
        ) from error
    if backend in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    if backend == "sqlite" and parsed.database not in {None, "", ":memory:"}:
        return parsed.set(drivername="sqlite")
    raise SettingError(
        f"ABHIDHAN_DATABASE names {backend}, which is not supported: write sqlite:////path/to/file or "
        "postgresql://user:password@host/name."
    )


def raise_data_version(connection: Connection) -> None:
    """Tell every worker, by one number, that answers made before this transaction may be out of date."""
    connection.execute(
        update(schema.state).where(schema.state.c.id == 1).values(data_version=schema.state.c.data_version + 1)
    )


def _write_the_same(connection: Connection) -> None:
    """Write what is there already, to find out whether anything can be written."""
    connection.execute(update(schema.state).where(schema.state.c.id == 1).values(id=1))


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for another engine."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _make_engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=2, max_overflow=LONG_READERS, pool_pre_ping=True)
    engine = create_engine(
        url, poolclass=QueuePool, pool_size=1, max_overflow=1, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _prepare_sqlite_writer)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _make_reading_engine(url: URL, engine: Engine) -> Engine:
    if url.get_backend_name() != "sqlite":
        reading = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        return engine.execution_options(**reading, **{ONLY_READS: True})
    reader = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=LONG_READERS - 1,
        connect_args={"check_same_thread": False},
        execution_options={ONLY_READS: True},
    )
    event.listen(reader, "connect", _prepare_sqlite_reader)
    event.listen(reader, "begin", _begin_reading)
    return reader


def only_reads(connection: Connection) -> bool:
    """Return whether a transaction is one of those in which nothing is written."""
    return bool(connection.get_execution_options().get(ONLY_READS))


def _prepare_sqlite_reader(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute(f"PRAGMA cache_size = -{LONG_READER_CACHE_KIB}")
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _prepare_sqlite_writer(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Without isolation_level=None the driver begins transactions itself, and BEGIN IMMEDIATE comes too late:
    # two processes that read and then write lose each other's updates without a word.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    # After a large import the file beside the database would stay as large as all that was written.
    cursor.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _open_sqlite_reader(url: URL, cache_kib: int) -> sqlite3.Connection:
    connection = sqlite3.connect(
        str(url.database),
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_SECONDS,
        cached_statements=512,
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA cache_size = -{cache_kib}")
    return connection


def _open_postgresql_reader(url: URL) -> DriverConnection:
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(address, autocommit=True, options="-c default_transaction_read_only=on")


class _ToldInWords:
    """Turns the failures of drivers that an operator can mend into sentences; bugs stay bugs.

    A class, since every read passes through it: a generator would take 0.7 µs more.
    """

    __slots__ = ("_url",)

    def __init__(self, url: URL) -> None:
        """Take the address of the database, which the sentences name."""
        self._url = url

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the sentence that stands for the error."""
        if error is not None and (told := _in_words(error, self._url)) is not None:
            raise told from error


def _may_succeed_again(error: DBAPIError | psycopg.Error) -> bool:
    """Return whether PostgreSQL has ended a transaction only because another one was in its way."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(cause, psycopg.errors.DeadlockDetected | psycopg.errors.SerializationFailure)


UNWRITABLE_ON_SQLITE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
}
UNWRITABLE_ON_POSTGRESQL = (
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.IoError,
)


def _in_words(error: BaseException, url: URL) -> AbhidhanError | None:
    cause = error.orig if isinstance(error, DBAPIError) else error
    unwritable = _unwritable(cause, url)
    if unwritable is not None:
        return unwritable
    if isinstance(error, DBAPIError) and isinstance(error.orig, sqlite3.OperationalError | psycopg.OperationalError):
        return UnavailableError("The database is busy or cannot be written.", RETRY_AFTER_SECONDS)
    if isinstance(error, sqlite3.OperationalError | psycopg.OperationalError):
        return UnavailableError("The database is busy or cannot be reached.", RETRY_AFTER_SECONDS)
    if isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.DataError
    ):
        return DamagedDatabaseError("The database is damaged: restore a backup.")
    return None


def _unwritable(cause: BaseException | None, url: URL) -> UnwritableError | None:
    """Distinguish a full disk, and what must not be written, from all else that may go wrong."""
    if isinstance(cause, psycopg.errors.DiskFull):
        return _disk_full(url.render_as_string())
    if isinstance(cause, UNWRITABLE_ON_POSTGRESQL):
        return UnwritableError(f"{url.render_as_string()} cannot be written: {cause.diag.message_primary}.")
    # The first eight bits are the kind of an error, the others say where it happened.
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF if isinstance(cause, sqlite3.OperationalError) else 0
    if code == sqlite3.SQLITE_FULL:
        return _disk_full(url.database)
    if code in UNWRITABLE_ON_SQLITE:
        return _why_unwritable(Path(str(url.database)), cause)
    return None


def _disk_full(name: str | None) -> DiskFullError:
    return DiskFullError(f"{name}: the disk is full, and nothing was saved. Make room, and try again.")


def _why_unwritable(file: Path, cause: object) -> UnwritableError:
    """Ask the operating system, which knows more than SQLite: of a quota that is used up it says "disk I/O error"."""
    try:
        refuse_unwritable(file)
    except UnwritableError as error:
        return error
    return UnwritableError(f"{file} cannot be opened or written: {cause}.")
