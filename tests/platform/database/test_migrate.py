import logging
import multiprocessing
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Connection, text

from abhidhan.migrations import REVISIONS
from abhidhan.platform.database import migrate as migrate_module
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import PrepareResult, prepare_database
from abhidhan.records.errors import DamagedDatabaseError, DatabaseError, NewerDatabaseError
from tests.support.databases import Databases, PostgresqlDatabases, SqliteDatabases, leave_empty, load_sample


@pytest.fixture
def url(databases: Databases) -> Iterator[str]:
    """Return the address of a database that nobody has prepared."""
    url = databases.absent()
    yield url
    databases.remove(url)


@pytest.fixture
def file(sqlite_databases: SqliteDatabases) -> Iterator[Path]:
    """Return an SQLite file with the sample."""
    url = sqlite_databases.copy(load_sample)
    yield Path(url.removeprefix("sqlite:///"))
    sqlite_databases.remove(url)


def snapshot(file: Path) -> dict[str, bytes]:
    """Read a database file and the files beside it with its name."""
    return {beside.name: beside.read_bytes() for beside in sorted(file.parent.glob(f"{file.name}*"))}


def prepare_in_process(url: str, backups: Path, answers: "multiprocessing.Queue[str]") -> None:
    """Prepare a database in another process."""
    answers.put(prepare_database(url, backups).value)


def test_a_database_is_created_once(url: str, tmp_path: Path) -> None:
    assert prepare_database(url, tmp_path) == PrepareResult.CREATED
    assert prepare_database(url, tmp_path) == PrepareResult.CURRENT
    with Database(url) as database:
        assert database.version_now() == 1


def test_a_database_is_created_in_a_new_folder_and_in_an_empty_file(tmp_path: Path) -> None:
    assert prepare_database(f"sqlite:///{tmp_path}/a/b/words.sqlite", tmp_path) == PrepareResult.CREATED
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["words.sqlite"]
    (tmp_path / "words.sqlite").touch()
    assert prepare_database(f"sqlite:///{tmp_path}/words.sqlite", tmp_path) == PrepareResult.CREATED


@pytest.mark.thorough
def test_several_processes_may_prepare_a_database_simultaneously(url: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    processes = [context.Process(target=prepare_in_process, args=(url, tmp_path, answers)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0] * len(processes)
    assert sorted(answers.get() for _ in processes) == ["created", "current", "current", "current"]


def test_a_current_file_is_not_changed(file: Path, tmp_path: Path) -> None:
    before = snapshot(file)

    assert prepare_database(f"sqlite:///{file}", tmp_path) == PrepareResult.CURRENT
    assert snapshot(file) == before


def test_a_file_in_use_is_current(file: Path, tmp_path: Path) -> None:
    with Database(f"sqlite:///{file}") as database:
        database.write_now(lambda connection: connection.execute(text("UPDATE source SET name = 'x'")))
        assert Path(f"{file}-wal").stat().st_size > 0

        assert prepare_database(f"sqlite:///{file}", tmp_path) == PrepareResult.CURRENT


def garbage(content: bytes) -> bytes:
    """Replace the whole file."""
    return b"\xa5" * len(content)


def no_database(_: bytes) -> bytes:
    """Put text where a database was expected."""
    return b"Dear reader,\n" * 100


def cut_in_half(content: bytes) -> bytes:
    """Lose the second half, as an interrupted copy does."""
    return content[: len(content) // 2]


def cut_in_header(content: bytes) -> bytes:
    """Lose all but the first bytes."""
    return content[:50]


def broken_schema(content: bytes) -> bytes:
    """Keep the header and spoil the first page."""
    return content[:100] + b"\xa5" * 3996 + content[4096:]


def test_a_damaged_file_is_reported_and_not_changed(file: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    whole = file.read_bytes()
    for spoil in (garbage, no_database, cut_in_half, cut_in_header, broken_schema):
        with subtests.test(spoil.__name__):
            file.write_bytes(spoil(whole))
            before = snapshot(file)

            with pytest.raises(DamagedDatabaseError, match=r"^[^.]*\.sqlite is .*restore a backup[^.]*\.$"):
                prepare_database(f"sqlite:///{file}", tmp_path)

            assert snapshot(file) == before
            assert list(tmp_path.iterdir()) == []


OTHERS: Final[tuple[tuple[str, type[DatabaseError], str], ...]] = (
    ("9999", NewerDatabaseError, "newer version of Abhidhan: install that version"),
    ("0033", DatabaseError, "revision 0033, .* upgrade it with commit 5af1802 first"),
)
"""Steps that this version does not know, and how it refuses them."""


def set_revision(url: str, step: str) -> None:
    """Set the revision that a database records."""
    with Database(url) as database, database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": step})


def test_a_file_of_another_version_is_rejected_and_not_changed(
    file: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for step, error, message in OTHERS:
        with subtests.test(step):
            with closing(sqlite3.connect(file)) as connection, connection:
                connection.execute("UPDATE alembic_version SET version_num = ?", (step,))
            before = snapshot(file)

            with pytest.raises(error, match=message):
                prepare_database(f"sqlite:///{file}", tmp_path)

            assert snapshot(file) == before
            assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_a_server_database_of_another_version_is_rejected(
    postgresql_databases: PostgresqlDatabases, tmp_path: Path
) -> None:
    url = postgresql_databases.copy(leave_empty)
    for step, error, message in OTHERS:
        set_revision(url, step)
        with pytest.raises(error, match=message):
            prepare_database(url, tmp_path)


def test_a_database_of_another_program_is_rejected(url: str, tmp_path: Path) -> None:
    with Database(url) as database, database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE word (id integer)"))

    with pytest.raises(DatabaseError, match="is not a database of Abhidhan"):
        prepare_database(url, tmp_path)


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "words.sqlite").touch()
    for part in ("", "/words.sqlite/deeper.sqlite"):
        with pytest.raises(DatabaseError, match=r"cannot be|is not a file"):
            prepare_database(f"sqlite:///{tmp_path}{part}", tmp_path)


def test_an_unreachable_server_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be reached"):
        prepare_database(f"postgresql://nobody@/words?host={tmp_path}", tmp_path)


@pytest.fixture
def older(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let a database be one step behind. There is only one step yet: a made-up one stands before it."""
    prepare_database(url, tmp_path)
    set_revision(url, "0000")
    monkeypatch.setattr(migrate_module, "REVISIONS", ("0000", *REVISIONS))
    monkeypatch.setattr(migrate_module, "migrate", take_step)
    return url


def take_step(connection: Connection) -> None:
    """Stand for a migration: raise the data version, and note the step."""
    connection.execute(text("UPDATE state SET data_version = 7"))
    connection.execute(text("UPDATE alembic_version SET version_num = :newest"), {"newest": REVISIONS[-1]})


def break_off(connection: Connection) -> None:
    """Stand for a migration that fails halfway."""
    take_step(connection)
    raise LookupError


def read_version(url: str) -> int:
    """Read the data version."""
    with Database(url) as database:
        return database.version_now()


def test_an_older_database_is_upgraded(older: str, tmp_path: Path) -> None:
    assert prepare_database(older, tmp_path) == PrepareResult.UPGRADED
    assert prepare_database(older, tmp_path) == PrepareResult.CURRENT
    assert read_version(older) == 7


def test_an_older_file_is_backed_up_first(older: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="abhidhan")

    prepare_database(older, tmp_path / "backups")

    if older.startswith("postgresql"):
        assert "without a copy" in caplog.text
        return
    (copy,) = (tmp_path / "backups").iterdir()
    assert str(copy) in caplog.text
    assert read_version(f"sqlite:///{copy}") == 1


def test_the_backup_includes_the_write_ahead_log(older: str, tmp_path: Path) -> None:
    with Database(older) as database, database.engine.begin() as connection:
        connection.execute(text("UPDATE state SET data_version = 6"))

    prepare_database(older, tmp_path / "backups")

    versions = [read_version(f"sqlite:///{copy}") for copy in tmp_path.glob("backups/*")]
    assert versions == ([] if older.startswith("postgresql") else [6])


def test_a_failed_migration_leaves_the_database_unchanged(
    older: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate_module, "migrate", break_off)
    with pytest.raises(LookupError):
        prepare_database(older, tmp_path)
    assert read_version(older) == 1

    monkeypatch.setattr(migrate_module, "migrate", take_step)
    assert prepare_database(older, tmp_path) == PrepareResult.UPGRADED
