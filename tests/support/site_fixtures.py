"""Fixtures of the whole application with the sample dictionary, in-process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.application import Ask, open_application
from tests.support.contributions import Site, opened_site
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database


@pytest.fixture(scope="session")
def api(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Send requests to the application: a path and its parameters, and the other arguments of `ask`."""
    home = tmp_path_factory.mktemp("home")
    with open_database(sqlite_databases, load_sample) as database, open_application(database, home) as ask:
        yield ask


@pytest.fixture
def site(databases: Databases, tmp_path: Path) -> Iterator[Site]:
    """Open a site for contributions with the sample, on each engine in turn."""
    with open_database(databases, load_sample) as database, opened_site(database, tmp_path / "home") as site:
        yield site


@pytest.fixture
def open_site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[Site]:
    """Open a site on which anyone may create an account."""
    with (
        open_database(sqlite_databases, load_sample) as database,
        opened_site(database, tmp_path / "home", sign_up="open") as site,
    ):
        yield site
