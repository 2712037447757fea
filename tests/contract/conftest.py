"""A real server with the starter dictionary."""

from collections.abc import Iterator

import pytest

from tests.support.server import RunningServer, starter_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run one server with the starter dictionary for the tests of this process."""
    with starter_server(tmp_path_factory.mktemp("server")) as server:
        yield server
