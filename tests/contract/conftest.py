"""The whole application: in-process with the sample, and as a real server with the starter dictionary."""

from collections.abc import Iterator

import pytest

from tests.support.application import Ask, open_application
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.server import RunningServer, starter_server


@pytest.fixture(scope="session")
def api(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Send requests to the application with the sample."""
    home = tmp_path_factory.mktemp("home")
    with open_database(sqlite_databases, load_sample) as database, open_application(database, home) as ask:
        yield ask


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run one server with the starter dictionary for the tests of this process."""
    with starter_server(tmp_path_factory.mktemp("server")) as server:
        yield server
