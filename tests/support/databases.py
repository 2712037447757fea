"""Databases for tests: empty or with the sample, for both engines, each a quick copy of a template."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Protocol

from abhidhan.dictionary.store.indexes.registry import INDEXES
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.settings import Settings
from tests.support.postgresql import PostgresqlServer
from tests.support.sample import NOW, sample_records

ENGINES = ("sqlite", "postgresql")

FillDatabase = Callable[[Database], object]


class Databases(Protocol):
    """Creates databases of one engine."""

    def absent(self) -> str:
        """Return the URL of a database that is not initialised."""
        ...

    def copy(self, filling: FillDatabase) -> str:
        """Return the URL of a copy of the database that `filling` creates from an empty one."""
        ...

    def remove(self, url: str) -> None:
        """Remove a database."""
        ...


def leave_empty(_: Database) -> None:
    """Leave the database empty."""


def load_sample(database: Database) -> None:
    """Load the sample, and check that no record is rejected."""
    loaded = import_records(database, sample_records(), now=NOW)
    assert not loaded.errors, loaded.errors


def create_from_sample(home: Path) -> None:
    """Create the dictionary of a data folder from the sample, which is faster than the starter dictionary."""
    settings = Settings(home=home)
    _make(settings.database_url, load_sample, settings.backup_folder)


class SqliteDatabases:
    """SQLite files in a folder."""

    def __init__(self, folder: Path) -> None:
        """Set the folder for the database files, which the tests own."""
        self._folder = folder
        self._count = 0
        self._template = cache(self._make_template)

    def absent(self) -> str:
        """Return the URL of a file that does not exist."""
        return f"sqlite:///{self._new_file()}"

    def copy(self, filling: FillDatabase) -> str:
        """Copy the file of a template."""
        file = self._new_file()
        shutil.copyfile(self._template(filling), file)
        return f"sqlite:///{file}"

    def remove(self, url: str) -> None:
        """Remove the database file and its journal files."""
        file = Path(url.removeprefix("sqlite:///"))
        for beside in file.parent.glob(f"{file.name}*"):
            beside.unlink()

    def _new_file(self) -> Path:
        self._count += 1
        return self._folder / f"{self._count}.sqlite"

    def _make_template(self, filling: FillDatabase) -> Path:
        file = self._new_file()
        _make(f"sqlite:///{file}", filling, self._folder)
        return file


class PostgresqlDatabases:
    """Databases of a PostgreSQL server."""

    def __init__(self, server: PostgresqlServer) -> None:
        """Set the server for the databases, which the tests own."""
        self._server = server
        self._template = cache(self._make_template)

    def absent(self) -> str:
        """Create a database without tables: PostgreSQL databases are created by operators."""
        return self._server.url(self._server.create())

    def copy(self, filling: FillDatabase) -> str:
        """Clone a template."""
        return self._server.url(self._server.create(self._template(filling)))

    def remove(self, url: str) -> None:
        """Drop the database."""
        self._server.drop(url.partition("?")[0].rpartition("/")[2])

    def _make_template(self, filling: FillDatabase) -> str:
        name = self._server.create()
        _make(self._server.url(name), filling, Path())
        return name


@contextmanager
def open_database(databases: Databases, filling: FillDatabase, *, may_be_stale: bool = False) -> Iterator[Database]:
    """Open a new database, and remove it at the end.

    At the end, all derived data must match its sources, unless `may_be_stale` allows the test to change tables
    without the program.
    """
    url = databases.copy(filling)
    try:
        with Database(url) as database:
            yield database
            assert may_be_stale or not database.read_now(find_stale_records)
    finally:
        databases.remove(url)


def find_stale_records(connection: ReadConnection) -> list[str]:
    """Return the records whose indexes are stale, according to the program's own check.

    The check skips the keys of texts: they take as long as all others, and depend on nothing but the text.
    """
    return [f"{index.code} {stale}" for index in INDEXES if index.code != "E201" for stale in index.compare(connection)]


def _make(url: str, filling: FillDatabase, backups: Path) -> None:
    prepare_database(url, backups)
    with Database(url) as database:
        filling(database)
