"""A data folder for tests of commands."""

from pathlib import Path

import pytest

from tests.support.server import bring_starter


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep one data folder with the starter dictionary for the commands of one file."""
    home = tmp_path_factory.mktemp("home")
    bring_starter(home)
    return home
