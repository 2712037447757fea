"""The data version as a worker caches it on SQLite: no commit may be missed."""

import multiprocessing
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import text

from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database, WriteConnection
from tests.support.databases import SqliteDatabases, leave_empty

EDITS = 200


def touch(_writer: WriteConnection) -> None:
    """Change nothing but the data version, where a write is public."""


def write(url: str, connection: Connection) -> None:
    """Write in a process of its own for each request, and confirm the commit."""
    with Database(url) as database:
        while connection.recv() == "write":
            database.write_now(touch)
            connection.send(None)


@pytest.fixture
def watching(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open a database as a worker does."""
    with Database(sqlite_databases.copy(leave_empty)) as database:
        database.watch_commits()
        yield database


def file_of(database: Database) -> Path:
    """Return the file of an SQLite database."""
    file = sqlite_file(database.url)
    assert file is not None
    return file


@pytest.mark.thorough
def test_every_acknowledged_commit_of_another_process_is_seen(watching: Database) -> None:
    here, there = multiprocessing.Pipe()
    url = watching.url.render_as_string(hide_password=False)
    writer = multiprocessing.get_context("spawn").Process(target=write, args=(url, there))
    writer.start()
    seen = []
    for _ in range(EDITS):
        here.send("write")
        here.recv()
        seen.append(watching.version_now())
    here.send("end")
    writer.join()

    assert seen == list(range(2, EDITS + 2))


def test_every_commit_of_this_process_is_seen_even_in_a_restarted_log(watching: Database) -> None:
    with closing(sqlite3.connect(file_of(watching))) as other:
        for number in range(2, 22):
            if number % 3 == 0:
                # The same log, as short as before, with other frames in it.
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            watching.write_now(touch)

            assert watching.version_now() == number


def test_sqlite_is_queried_only_after_a_commit(watching: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(writer: WriteConnection) -> None:
        writer.execute(text("UPDATE state SET data_version = 77"))
        raise LookupError

    version = watching.version_now()
    with monkeypatch.context() as patched:
        patched.setattr(watching, "read_now", lambda _job: pytest.fail("SQLite was queried"))
        with pytest.raises(LookupError):
            watching.write_now(give_up)
        assert [watching.version_now() for _ in range(3)] == [version] * 3

    watching.write_now(touch)
    assert watching.version_now() == version + 1


def test_sqlite_is_queried_if_there_is_no_wal_index(sqlite_databases: SqliteDatabases) -> None:
    with Database(sqlite_databases.copy(leave_empty)) as database:
        database.version_now()
        file = file_of(database)
        hidden = file.with_name(f"{file.name}-shm")
        moved = hidden.rename(hidden.with_name(f"{file.name}-moved"))
        database.watch_commits()
        moved.rename(hidden)
        database.write_now(touch)

        assert database.version_now() == 2
