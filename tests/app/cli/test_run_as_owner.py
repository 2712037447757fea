"""Commands that root runs over the data of another account, as an operator does beside the service."""

import os
import pwd
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.app import cli
from tests.support.server import DICTIONARY, bring_starter, run_command

ACCOUNT = 54_321
"""An account without a name."""

NOBODY = pwd.getpwnam("nobody")

COMMANDS = Path(cli.__file__).parent


@pytest.fixture
def home() -> Iterator[Path]:
    """Make a data folder of root's into which other accounts can look."""
    if os.geteuid() != 0:
        pytest.skip("only root runs commands over the data of other accounts")
    # Not in a folder of pytest's own, into which its owner alone may look.
    with tempfile.TemporaryDirectory(prefix="abhidhan-") as folder:
        Path(folder).chmod(0o755)
        home = Path(folder, "home")
        bring_starter(home)
        yield home


def give(home: Path, user: int) -> None:
    for place in (home, home / DICTIONARY):
        os.chown(place, user, user)


def test_root_is_refused_with_the_line_to_run_instead(home: Path) -> None:
    give(home, ACCOUNT)

    refused = run_command(home, "look", "two words")

    instead = f"setpriv --reuid={ACCOUNT} --regid={ACCOUNT} --clear-groups abhidhan look 'two words'"
    assert refused.returncode == 2
    assert refused.stderr == f"abhidhan: The data folder {home} belongs to user ID {ACCOUNT}. Run: {instead}\n"
    assert {place.name for place in home.iterdir()} == {DICTIONARY}


def test_the_line_names_the_account_that_owns_the_folder_of_the_database(home: Path) -> None:
    give(home, NOBODY.pw_uid)
    places = {"ABHIDHAN_DATABASE": f"sqlite:///{home / DICTIONARY}", "ABHIDHAN_HOME": f"{home}/none"}

    refused = subprocess.run(
        [sys.executable, "-m", "abhidhan", "stats"],
        env=os.environ | places,
        capture_output=True,
        text=True,
        check=False,
    )

    message, _, line = refused.stderr.partition(" Run: ")
    assert message == f"abhidhan: The folder of the database {home} belongs to nobody."
    assert shlex.split(line) == ["runuser", "-u", "nobody", "--", sys.executable, "-m", "abhidhan", "stats"]


def test_root_works_over_its_own_data(home: Path) -> None:
    assert run_command(home, "look", "ঘৰ").returncode == 0


def test_no_command_reads_the_settings_past_that() -> None:
    past = [file.name for file in COMMANDS.glob("*.py") if "read_settings" in file.read_text("utf-8")]

    assert past == ["run_as_owner.py"]
