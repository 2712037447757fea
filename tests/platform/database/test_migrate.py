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
    """Read a database file and whatever stands beside it under its name."""
    return {beside.name: beside.read_bytes() for beside in sorted(file.parent.glob(f"{file.name}*"))}


def prepare_and_tell(url: str, backups: Path, answers: "multiprocessing.Queue[str]") -> None:
    """Prepare a database in another process."""
    answers.put(prepare_database(url, backups).value)


def test_a_database_is_created_once(url: str, tmp_path: Path) -> None:
    assert prepare_database(url, tmp_path) == PrepareResult.CREATED
    assert prepare_database(url, tmp_path) == PrepareResult.CURRENT
    with Database(url) as database:
        assert database.version_now() == 1


def test_the_folder_of_a_file_is_made(tmp_path: Path) -> None:
    assert prepare_database(f"sqlite:///{tmp_path}/a/b/words.sqlite", tmp_path) == PrepareResult.CREATED
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["words.sqlite"]


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / "words.sqlite").touch()

    assert prepare_database(f"sqlite:///{tmp_path}/words.sqlite", tmp_path) == PrepareResult.CREATED


def test_several_processes_may_prepare_at_once(url: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    processes = [context.Process(target=prepare_and_tell, args=(url, tmp_path, answers)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0] * len(processes)
    assert sorted(answers.get() for _ in processes) == ["created", "current", "current", "current"]


def test_a_current_file_is_not_touched(file: Path, tmp_path: Path) -> None:
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


@pytest.mark.parametrize("spoil", [garbage, no_database, cut_in_half, cut_in_header, broken_schema])
def test_a_damaged_file_is_told_and_not_touched(spoil: object, file: Path, tmp_path: Path) -> None:
    file.write_bytes(spoil(file.read_bytes()))  # type: ignore[operator]
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


def name_step(url: str, step: str) -> None:
    """Let a database say that it has reached a step."""
    with Database(url) as database, database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": step})


@pytest.mark.parametrize(("step", "error", "message"), OTHERS)
def test_a_file_of_another_version_is_refused_and_not_touched(
    step: str, error: type[DatabaseError], message: str, file: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (step,))
    before = snapshot(file)

    with pytest.raises(error, match=message):
        prepare_database(f"sqlite:///{file}", tmp_path)

    assert snapshot(file) == before
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_another_version_is_refused(postgresql_databases: PostgresqlDatabases, tmp_path: Path) -> None:
    url = postgresql_databases.copy(leave_empty)
    for step, error, message in OTHERS:
        name_step(url, step)
        with pytest.raises(error, match=message):
            prepare_database(url, tmp_path)


def test_a_database_of_another_program_is_told_and_not_touched(url: str, tmp_path: Path) -> None:
    with Database(url) as database, database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE word (id integer)"))

    with pytest.raises(DatabaseError, match="is not a database of Abhidhan"):
        prepare_database(url, tmp_path)


@pytest.mark.parametrize("part", ["", "/words.sqlite/deeper.sqlite"])
def test_a_file_that_cannot_be_opened_is_told(part: str, tmp_path: Path) -> None:
    (tmp_path / "words.sqlite").touch()

    with pytest.raises(DatabaseError, match=r"cannot be|is not a file"):
        prepare_database(f"sqlite:///{tmp_path}{part}", tmp_path)


def test_a_server_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be reached"):
        prepare_database(f"postgresql://nobody@/words?host={tmp_path}", tmp_path)


@pytest.fixture
def older(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let a database be one step behind. There is only one step yet: a made-up one stands before it."""
    prepare_database(url, tmp_path)
    name_step(url, "0000")
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


def version_in(url: str) -> int:
    """Read the data version."""
    with Database(url) as database:
        return database.version_now()


def test_an_older_database_is_brought_up_to_date(older: str, tmp_path: Path) -> None:
    assert prepare_database(older, tmp_path) == PrepareResult.UPGRADED
    assert prepare_database(older, tmp_path) == PrepareResult.CURRENT
    assert version_in(older) == 7


def test_an_older_file_is_copied_first(older: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="abhidhan")

    prepare_database(older, tmp_path / "backups")

    if older.startswith("postgresql"):
        assert "without a copy" in caplog.text
        return
    (copy,) = (tmp_path / "backups").iterdir()
    assert str(copy) in caplog.text
    assert version_in(f"sqlite:///{copy}") == 1


def test_a_copy_holds_what_still_stands_beside_the_file(older: str, tmp_path: Path) -> None:
    with Database(older) as database, database.engine.begin() as connection:
        connection.execute(text("UPDATE state SET data_version = 6"))

    prepare_database(older, tmp_path / "backups")

    for copy in tmp_path.glob("backups/*"):
        assert version_in(f"sqlite:///{copy}") == 6


def test_a_step_that_fails_leaves_the_database_as_it_was(
    older: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate_module, "migrate", break_off)
    with pytest.raises(LookupError):
        prepare_database(older, tmp_path)
    assert version_in(older) == 1

    monkeypatch.setattr(migrate_module, "migrate", take_step)
    assert prepare_database(older, tmp_path) == PrepareResult.UPGRADED
