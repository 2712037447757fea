"""What the measures of quality share."""

from collections.abc import Iterator

import pytest

from abhidhan.platform.database.database import Database
from tools.evaluate import whole_starter


@pytest.fixture(scope="session")
def whole_dictionary() -> Iterator[Database]:
    """Return all of the starter dictionary, which takes ten seconds to load: tests only read it."""
    with whole_starter() as database:
        yield database
