"""Data folder for tests of commands."""

from pathlib import Path

import pytest

from tests.support.server import copy_starter


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with the starter dictionary, shared by the commands of one file."""
    home = tmp_path_factory.mktemp("home")
    copy_starter(home)
    return home
