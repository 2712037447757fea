"""The whole application: in-process with the sample, and as a real server with the starter dictionary."""

from collections.abc import Iterator

import pytest

from tests.support.application import Ask, application
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.server import RunningServer, starter_server


@pytest.fixture(scope="session")
def api(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Send requests to the application with the sample."""
    home = tmp_path_factory.mktemp("home")
    with opened(sqlite_databases, with_sample) as database, application(database, home) as ask:
        yield ask


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run one server with the starter dictionary for the tests of this process."""
    with starter_server(tmp_path_factory.mktemp("server")) as server:
        yield server
