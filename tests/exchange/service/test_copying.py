import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from psycopg import sql
from sqlalchemy import delete, func, insert, select, text

from abhidhan import schema
from abhidhan.exchange.service.copying import FileCopyCounts, copy_dictionary, copy_files
from abhidhan.migrations import REVISIONS
from abhidhan.platform.database.copying.copy import ChangedTable, CopyProgress
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import NEWEST_REVISION, UnfinishedCopyError, prepare_database
from abhidhan.platform.sandbox.object_store import PHOTO_STORE, create_key, open_file_store
from abhidhan.records.errors import DatabaseError
from tests.support.databases import Databases, PostgresqlDatabases, SqliteDatabases
from tests.support.full_tables import assert_equal, fill_all_tables, read_rows
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.postgresql import PostgresqlServer

PERSON = {"username": "new", "role": "contributor", "created": 1}
ROOT = Path(__file__).parents[3]
MIDWAY = "sense"
"""A table before and behind which there are others."""


@pytest.fixture
def source(sqlite_databases: SqliteDatabases) -> Iterator[str]:
    """Return the address of a dictionary with something in every table."""
    url = sqlite_databases.copy(fill_all_tables)
    yield url
    sqlite_databases.remove(url)


@pytest.fixture
def target(databases: Databases) -> Iterator[str]:
    """Return the address of an empty database, once of each engine."""
    url = databases.absent()
    yield url
    databases.remove(url)


@contextmanager
def create_plain_database(server: PostgresqlServer) -> Iterator[str]:
    """Make a database of a role that may do nothing but have it, as providers give them."""
    with server.create_plain_role() as role:
        name = server.create()
        server.run(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(name), sql.Identifier(role)))
        try:
            yield server.url(name).replace("//postgres:", f"//{role}:")
        finally:
            server.drop(name)


def add_person(url: str, name: str) -> int:
    with Database(url) as database, database.engine.begin() as connection:
        made = insert(schema.person).values(PERSON | {"username_key": name}).returning(schema.person.c.id)
        return int(connection.execute(made).scalar_one())


@pytest.mark.thorough
def test_every_table_is_copied_to_postgresql_and_back(
    source: str, postgresql: PostgresqlServer, sqlite_databases: SqliteDatabases
) -> None:
    back = sqlite_databases.absent()
    with create_plain_database(postgresql) as there:
        copied = copy_dictionary(source, there)
        assert (copied.was_resumed, copied.changed) == (False, ())
        assert_equal(source, there)

        assert copy_dictionary(there, back).checksums == copied.checksums
        assert_equal(source, back)
    sqlite_databases.remove(back)


def test_no_id_is_reused(source: str, target: str) -> None:
    gone = add_person(source, "gone")
    with Database(source) as database, database.engine.begin() as connection:
        connection.execute(delete(schema.person).where(schema.person.c.id == gone))

    copy_dictionary(source, target)

    assert add_person(target, "first") == gone + 1
    with Database(target) as database, database.engine.begin() as connection:
        there = connection.execute(select(func.max(schema.definition.c.id))).scalar_one()
        made = insert(schema.definition).values(idea_id=1, language_id=1, text="x").returning(schema.definition.c.id)
        assert connection.execute(made).scalar_one() == there + 1


def copy_until_killed(source: str, target: str) -> None:
    def die(table: str, _rows: int) -> None:
        if table == MIDWAY:
            os.kill(os.getpid(), signal.SIGKILL)

    copy_dictionary(source, target, progress=CopyProgress(on_rows=die))


@pytest.mark.thorough
def test_a_killed_copy_serves_nothing_and_is_resumed(source: str, target: str, tmp_path: Path) -> None:
    killed = subprocess.run(  # noqa: S603 (this very file)
        [sys.executable, __file__, source, target], check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(UnfinishedCopyError, match="run the same `abhidhan copy` again"):
        prepare_database(target, tmp_path)

    steps: Counter[str] = Counter()
    copied = copy_dictionary(source, target, progress=CopyProgress(on_rows=lambda table, _rows: steps.update([table])))

    # What was there is told once; what was not is written, and then read back.
    assert (copied.was_resumed, steps["word"], steps[MIDWAY]) == (True, 1, 2)
    assert_equal(source, target)
    assert prepare_database(target, tmp_path) == "current"


def test_rows_written_during_the_copy_are_reported_as_changed(source: str, target: str) -> None:
    def write(table: str, _rows: int) -> None:
        if table == MIDWAY and not added:
            added.append(add_person(source, "meanwhile"))

    added: list[int] = []
    copied = copy_dictionary(source, target, progress=CopyProgress(on_rows=write))

    assert copied.changed == (ChangedTable("person", 1),)
    with Database(target) as database:
        assert added[0] not in {row[0] for row in read_rows(database, schema.person)}


def test_an_unfinished_copy_serves_nothing_until_updated(source: str, target: str, tmp_path: Path) -> None:
    copy_dictionary(source, target, finish=False)
    with pytest.raises(UnfinishedCopyError):
        prepare_database(target, tmp_path)
    add_person(source, "since")
    with Database(source) as database, database.engine.begin() as connection:
        connection.execute(schema.missing_word.update().values(text="changed"))

    assert copy_dictionary(source, target).changed == ()
    assert_equal(source, target)
    assert prepare_database(target, tmp_path) == "current"


def test_a_target_with_other_data_is_rejected(source: str, target: str, sqlite_databases: SqliteDatabases) -> None:
    other = sqlite_databases.copy(fill_all_tables)
    copy_dictionary(other, target, finish=False)
    with pytest.raises(DatabaseError, match="unfinished copy of another"):
        copy_dictionary(source, target)
    copy_dictionary(other, target)
    with pytest.raises(DatabaseError, match="already contains a dictionary"):
        copy_dictionary(source, target)
    with pytest.raises(DatabaseError, match="into itself"):
        copy_dictionary(source, source)
    assert_equal(other, target)
    sqlite_databases.remove(other)


def test_only_a_dictionary_of_this_version_is_copied(source: str, sqlite_databases: SqliteDatabases) -> None:
    target = sqlite_databases.absent()
    with pytest.raises(DatabaseError, match="There is no dictionary in"):
        copy_dictionary(sqlite_databases.absent(), target)
    with Database(source) as database, database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :before"), {"before": REVISIONS[-2]})

    with pytest.raises(DatabaseError, match="by an older version"):
        copy_dictionary(source, target)
    assert REVISIONS[-2] != NEWEST_REVISION
    assert not Path(target.removeprefix("sqlite:///")).exists()


@pytest.mark.thorough
def test_data_that_postgresql_rejects_are_reported_with_their_table(
    source: str, postgresql_databases: PostgresqlDatabases
) -> None:
    with Database(source) as database, database.engine.begin() as connection:
        connection.execute(schema.missing_word.update().values(text="no\0thing"))

    with pytest.raises(DatabaseError, match="missing_word contains data that PostgreSQL does not accept"):
        copy_dictionary(source, postgresql_databases.absent())


def test_uploaded_files_are_copied_into_an_object_store_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{create_key()}{suffix}": suffix.encode() * 300_000 for suffix in (".jpg", "-thumb.jpg", ".png")}
    for name, content in files.items():
        tmp_path.joinpath(name).parent.mkdir(exist_ok=True)
        tmp_path.joinpath(name).write_bytes(content)
    tmp_path.joinpath("notes.txt").write_text("not ours")
    with running_s3() as address:
        for name, value in (ACCESS_VARIABLES | {"AWS_ENDPOINT_URL": address}).items():
            monkeypatch.setenv(name, value)
        here = open_file_store(str(tmp_path), tmp_path, PHOTO_STORE)
        store = open_file_store("s3://dictionary/photos", tmp_path, PHOTO_STORE)

        assert copy_files(here, store) == FileCopyCounts(3, 0)
        assert copy_files(here, store) == FileCopyCounts(0, 3)
        assert {name: store.read_now(name) for name in files} == files
        assert store.read_now("notes.txt") is None


if __name__ == "__main__":
    copy_until_killed(*sys.argv[1:])
