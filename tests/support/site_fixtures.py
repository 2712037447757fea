"""The whole application over the sample dictionary, asked in-process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.application import Ask, application
from tests.support.contributing import Site, opened_site
from tests.support.databases import Databases, SqliteDatabases, opened, with_sample


@pytest.fixture(scope="session")
def api(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask the application: a path and its parameters, and what `ask` takes beside them."""
    home = tmp_path_factory.mktemp("home")
    with opened(sqlite_databases, with_sample) as database, application(database, home) as ask:
        yield ask


@pytest.fixture
def site(databases: Databases, tmp_path: Path) -> Iterator[Site]:
    """Open a site where people contribute, over the sample, once on each engine."""
    with opened(databases, with_sample) as database, opened_site(database, tmp_path / "home") as site:
        yield site


@pytest.fixture
def open_site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[Site]:
    """Open a site where anybody may make an account."""
    with (
        opened(sqlite_databases, with_sample) as database,
        opened_site(database, tmp_path / "home", sign_up="open") as site,
    ):
        yield site
