"""Two servers over one database are upgraded one after the other: the older one goes on reading, and writes nothing.

The newer version is told by what it does to the database: a step that adds, in the transaction and under the lock of
every upgrade (`platform/database/migrate.py`).
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Connection, text

from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import NEWEST_REVISION, prepare_database
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK_KEY
from abhidhan.records.errors import UnwritableError
from abhidhan.records.people import Role
from tests.support.contributions import Site, opened_site
from tests.support.databases import PostgresqlDatabases, load_sample, open_database
from tests.support.edits import TIMEOUT_SECONDS, wait_until_blocked
from tests.support.sample import NOW, sample_records

WORD: Final = "/api/dic.php?w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80"
READ: Final = (WORD, "/api/search?q=pani", "/api/languages", "/api/words/1", "/api/session")

STEP: Final = (
    "ALTER TABLE word ADD COLUMN novelty INTEGER DEFAULT 0 NOT NULL",
    "CREATE TABLE novelty (id INTEGER NOT NULL PRIMARY KEY)",
    "UPDATE alembic_version SET version_num = '9001'",
)
TOLD: Final = "A newer version of Abhidhan has upgraded the database: this server can still read it"
OF_UPGRADES: Final = "locktype = 'advisory'"
"""The locks by which upgrades wait for each other."""


def take_step(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({POSTGRESQL_LOCK_KEY})"))
    for statement in STEP:
        connection.execute(text(statement))


def upgrade(database: Database) -> None:
    """Do as a newer version does when it starts."""
    with database.engine.begin() as connection:
        take_step(connection)


@pytest.fixture
def site(dictionary: Database, tmp_path: Path) -> Iterator[Site]:
    """Open a site of the older version, on which an editor is signed in."""
    with opened_site(dictionary, tmp_path) as site:
        site.add("editor", Role.EDITOR)
        yield site


def test_an_older_server_can_still_read_an_upgraded_database(site: Site) -> None:
    before = [site.ask("GET", path, by="editor") for path in READ]
    upgrade(site.database)
    after = [site.ask("GET", path, by="editor") for path in READ]

    assert [answer.status for answer in before] == [200] * len(READ)
    assert [(answer.status, answer.body) for answer in after] == [(answer.status, answer.body) for answer in before]


def test_an_older_server_refuses_to_write_to_an_upgraded_database(site: Site) -> None:
    changed = {"version": 0, "changes": {"origin": "unknown"}}
    upgrade(site.database)

    edited = site.ask("PATCH", "/api/editing/words/1", by="editor", json=changed)
    signed_in = site.sign_in("editor")

    assert (edited.status, signed_in.status) == (503, 503)
    assert "cannot save data" in edited.json["detail"]
    with pytest.raises(UnwritableError, match=TOLD):
        site.run(site.database.ensure_writable())
    with pytest.raises(UnwritableError, match=TOLD):
        import_records(site.database, sample_records(), now=NOW)


def test_a_database_of_the_newest_revision_is_writable(site: Site) -> None:
    site.run(site.database.ensure_writable())

    with site.database.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == NEWEST_REVISION


@pytest.fixture
def on_postgresql(postgresql_databases: PostgresqlDatabases) -> Iterator[Database]:
    """Open a database for two servers."""
    with open_database(postgresql_databases, load_sample) as database:
        yield database


@pytest.mark.thorough
def test_a_write_that_waits_for_an_upgrade_is_refused_afterwards(on_postgresql: Database) -> None:
    written: list[object] = []
    with on_postgresql.engine.begin() as upgrading:
        take_step(upgrading)
        writer = in_thread(lambda: on_postgresql.write_now(lambda _: written.append("something")))
        wait_until_blocked(on_postgresql.engine, OF_UPGRADES)

    with pytest.raises(UnwritableError, match=TOLD):
        writer()
    assert written == []


@pytest.mark.thorough
def test_an_upgrade_waits_for_a_write_that_has_begun(on_postgresql: Database, tmp_path: Path) -> None:
    url = on_postgresql.url.render_as_string(hide_password=False)
    done: list[str] = []

    def write(_: Connection) -> None:
        upgrades.append(in_thread(lambda: done.append(prepare_database(url, tmp_path))))
        wait_until_blocked(on_postgresql.engine, OF_UPGRADES)
        assert done == []

    upgrades: list[Callable[[], None]] = []
    on_postgresql.write_now(write)
    upgrades[0]()

    assert done == ["current"]


def in_thread(work: Callable[[], object]) -> Callable[[], None]:
    """Begin something, and return what waits for its end, and raises what it raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001  # it is raised again where it is waited for
            raised.append(error)

    def end() -> None:
        thread.join(TIMEOUT_SECONDS)
        assert not thread.is_alive()
        for error in raised:
            raise error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return end
