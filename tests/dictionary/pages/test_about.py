from pathlib import Path

from sqlalchemy import update

from abhidhan import schema
from abhidhan.platform.database.database import Database
from tests.support.application import open_application
from tests.support.databases import SqliteDatabases, load_sample, open_database


def load_script_as_address(database: Database) -> None:
    """Load the sample, with an address that an older version took."""
    load_sample(database)
    with database.engine.begin() as connection:
        connection.execute(update(schema.source).values(url="javascript:alert(1)"))


def test_only_web_addresses_of_sources_are_linked(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with (
        open_database(sqlite_databases, load_script_as_address) as database,
        open_application(database, tmp_path / "home") as ask,
    ):
        page = ask("/about").body.decode()

    assert "Sources and licences" in page
    assert "javascript:" not in page
