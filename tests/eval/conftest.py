"""Fixtures for the quality measurements."""

from collections.abc import Iterator

import pytest

from abhidhan.platform.database.database import Database
from tools.evaluate import open_whole_starter


@pytest.fixture(scope="session")
def whole_dictionary() -> Iterator[Database]:
    """Open the whole starter dictionary, which takes ten seconds to load; tests must not change it."""
    with open_whole_starter() as database:
        yield database
