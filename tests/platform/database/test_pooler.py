"""PostgreSQL through PgBouncer in transaction mode: nothing is left in a session, and what needs one refuses."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import IntegrityError

from abhidhan.app.database import open_dictionary, open_for_serving
from abhidhan.exchange.service import maintenance
from abhidhan.exchange.service.backup import FileLocations, back_up, restore
from abhidhan.exchange.service.copying import copy_dictionary
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database import import_lock
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.platform.database.migrate import read_revision
from abhidhan.records.errors import ConflictError, DatabaseError, UnavailableError
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds.catalogue import SourceRecord
from abhidhan.records.settings import Settings
from abhidhan.schema import lease, sense, source
from tests.support.databases import PostgresqlDatabases, SqliteDatabases, leave_empty, load_sample
from tests.support.pooler import PooledDatabases, Pooler
from tests.support.sample import NOW, sample_records

pytestmark = pytest.mark.thorough

MANY = 40
_COMPILING = """
SELECT setting || CASE source WHEN 'session' THEN ', set in this session' ELSE '' END
FROM pg_settings WHERE name = 'jit'
"""


@pytest.fixture
def direct(postgresql_databases: PostgresqlDatabases) -> Iterator[str]:
    """Make a database with the sample, and tell its own address."""
    url = postgresql_databases.copy(load_sample)
    yield url
    postgresql_databases.remove(url)


@pytest.fixture
def pooled(direct: str, pooler: Pooler) -> str:
    """Return the address of the same behind the pooler."""
    return pooler.url(direct.partition("?")[0].rpartition("/")[2])


@pytest.fixture
def postgres(postgresql_databases: PostgresqlDatabases) -> Iterator[Database]:
    """Open an empty database."""
    url = postgresql_databases.copy(leave_empty)
    with Database(url) as database:
        yield database
    postgresql_databases.remove(url)


def test_clients_with_exchanged_connections_read_and_write_correctly(pooled: str) -> None:
    async def scene() -> None:
        with Database(pooled) as one, Database(pooled) as other:
            first = await one.version()
            for _ in range(MANY):
                written = [client.write(lambda _: None) for client in (one, other)]
                asked = [client.version() for client in (one, other)]
                read = [client.read(lambda reader: len(reader.catalogue.languages)) for client in (one, other)]
                results = await asyncio.gather(*written, *asked, *read)
                assert results[4] == results[5]
                assert results[4]
            assert await one.version() == await other.version() == first + 2 * MANY

    asyncio.run(scene())


def test_jit_compilation_is_off_on_own_connections(direct: str, pooled: str) -> None:
    async def scene(url: str) -> set[str]:
        with Database(url) as one:
            short = await one.read(lambda reader: reader.row(CompiledQuery(text(_COMPILING))))  # type: ignore[arg-type]
            asked = one.read_transaction(lambda connection: connection.execute(text(_COMPILING)).scalar_one())
            return {str(short[0]) if short else "", await asked}

    assert asyncio.run(scene(direct)) == {"off, set in this session"}
    assert "off, set in this session" not in asyncio.run(scene(pooled))


def test_a_reader_is_read_only_and_the_next_user_of_the_connection_can_write(pooled: str) -> None:
    async def scene() -> None:
        with Database(pooled) as one:
            for _ in range(4):
                asked = one.read_transaction(lambda connection: connection.execute(_READ_ONLY).scalar())
                assert await asked == "on"
                await one.write(lambda connection: connection.execute(update(source).values(name="Renamed")))

    asyncio.run(scene())


_READ_ONLY = text("SHOW transaction_read_only")


def test_foreign_keys_stay_enabled_for_others_during_an_import(direct: str, pooled: str) -> None:
    with Database(direct) as database, Database(pooled) as other:
        tried = 0

        def write_nonsense(_: object) -> None:
            nonlocal tried
            with pytest.raises(IntegrityError):
                other.write_now(lambda connection: connection.execute(_NONSENSE))
            tried += 1

        loaded = import_records(
            database, sample_records(), now=NOW, words_per_transaction=1, on_progress=write_nonsense
        )

        assert not loaded.errors
        assert tried > 1
        # Nor is it off for whoever gets the connection of the import next.
        with database.engine.connect() as connection:
            assert connection.execute(text("SHOW session_replication_role")).scalar() == "origin"


_NONSENSE = insert(sense).values(word_id=10**9, idea_id=10**9)


def test_bulk_writes_are_rejected_through_a_pooler(
    sqlite_databases: SqliteDatabases, pooled_databases: PooledDatabases, pooled: str, tmp_path: Path
) -> None:
    archive, places = tmp_path / "backup.tar.gz", FileLocations(tmp_path / "photos")
    dictionary, empty = sqlite_databases.copy(load_sample), pooled_databases.absent()
    back_up(dictionary, places, archive, now=NOW, program="test")
    with Database(pooled) as database:
        before = database.version_now()
        for refused in (
            lambda: import_records(database, sample_records(), now=NOW),
            lambda: maintenance.reindex(database),
            lambda: copy_dictionary(dictionary, empty),
            lambda: restore(archive, pooled, places, tmp_path, overwrite=True),
        ):
            with pytest.raises(DatabaseError, match="ABHIDHAN_DATABASE_DIRECT"):
                refused()

        assert database.version_now() == before
    assert read_revision(empty) is None


def test_commands_and_a_start_take_the_direct_address(direct: str, tmp_path: Path) -> None:
    nowhere = "postgresql://postgres@127.0.0.1:1/nothing"

    with open_dictionary(Settings(home=tmp_path, database=nowhere, database_direct=direct)) as database:
        assert database.read_now(lambda reader: len(reader.catalogue.languages))


@pytest.mark.parametrize("most", [2, 3, 5])
def test_a_worker_has_no_more_connections_than_it_is_allowed(direct: str, tmp_path: Path, most: int) -> None:
    settings = Settings(home=tmp_path, database=direct, database_connections=most)

    async def scene() -> int:
        with open_for_serving(settings) as database:
            for _ in range(3):
                await asyncio.gather(
                    *[database.version() for _ in range(MANY)],
                    *[database.read(lambda reader: reader.read_data_version()) for _ in range(MANY)],
                    *[
                        database.read_transaction(lambda connection: connection.execute(_READ_ONLY))
                        for _ in range(MANY)
                    ],
                    *[database.write(lambda _: None) for _ in range(3)],
                )
            with psycopg.connect(direct) as watching:
                row = watching.execute(_OTHERS).fetchone()
                return int(row[0]) if row else 0

    assert 1 < asyncio.run(scene()) <= most


def test_a_client_without_a_free_connection_gets_a_busy_error(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres.engine.pool, "_timeout", 0.01)
    with (
        postgres.engine.connect(),
        postgres.engine.connect(),
        pytest.raises(UnavailableError, match="busy"),
    ):
        postgres.read_now(lambda reader: reader.read_data_version())


_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


def test_an_import_whose_lease_was_taken_over_stores_nothing(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_lock, "LEASE_SECONDS", 60)

    def records() -> Iterator[LocatedRecord]:
        with postgres.engine.begin() as connection:
            connection.execute(update(lease).values(owner="another-machine/7/7/0"))
        yield LocatedRecord("test", 1, SourceRecord("late", "Late", "CC0-1.0"))

    with pytest.raises(ConflictError, match="another one has taken over"):
        import_records(postgres, records(), now=NOW)

    with postgres.engine.begin() as connection:
        assert connection.execute(select(source.c.code).where(source.c.code == "late")).all() == []
    with pytest.raises(ConflictError, match="Another import"), hold_import_lock(postgres, wait=False):
        raise AssertionError
