"""Commands that root runs over the data of another account, as an operator does beside the service."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.cli import lazily
from abhidhan.storage.engine.database import Database
from abhidhan.storage.migrate import migrate
from abhidhan.storage.migrations import REVISIONS
from tests.support.server import DICTIONARY, bring_starter, run_command

ACCOUNT = 54_321
"""An account that has neither a name nor anything else."""

SOURCE = '{"record": "source", "code": "mine", "name": "Mine", "licence": "CC0-1.0"}\n'

CLI = Path(lazily.__file__).parent

COMMANDS = (("backup",), ("people", "list"), ("look", "ঘৰ"))
"""Such as make files that no other of them makes."""


@pytest.fixture(scope="module")
def theirs() -> Iterator[Path]:
    """Keep a data folder that belongs to another account; only root can make one."""
    if os.geteuid() != 0:
        pytest.skip("only root runs commands over the data of other accounts")
    # Not in a folder of pytest's own, into which its owner alone may look.
    with tempfile.TemporaryDirectory(prefix="abhidhan-") as folder:
        Path(folder).chmod(0o755)
        home = Path(folder, "home")
        bring_starter(home)
        for place in (home, home / DICTIONARY):
            os.chown(place, ACCOUNT, ACCOUNT)
        yield home


def owners(home: Path) -> dict[str, tuple[int, int]]:
    places = [home, *home.rglob("*")]
    return {str(place.relative_to(home)): (place.stat().st_uid, place.stat().st_gid) for place in places}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_what_root_leaves_in_a_data_folder_belongs_to_its_owner(theirs: Path, command: tuple[str, ...]) -> None:
    done = run_command(theirs, *command)

    assert done.returncode == 0, done.stderr
    assert {*owners(theirs).values()} == {(ACCOUNT, ACCOUNT)}


def test_an_upgrade_by_root_leaves_nothing_of_roots(theirs: Path) -> None:
    older = theirs.with_name("older")
    older.mkdir()
    with Database(f"sqlite:///{older / DICTIONARY}") as database, database.engine.begin() as connection:
        migrate(connection, REVISIONS[-2])
    for place in (older, older / DICTIONARY):
        os.chown(place, ACCOUNT, ACCOUNT)

    done = run_command(older, "stats")

    assert done.returncode == 0, done.stderr
    assert list(older.glob(f"backups/*-{REVISIONS[-2]}-*"))
    assert {*owners(older).values()} == {(ACCOUNT, ACCOUNT)}


def test_root_may_import_what_only_root_may_read(theirs: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    mine.write_text(SOURCE, "utf-8")
    mine.chmod(0o600)

    done = run_command(theirs, "import", "jsonl", str(mine))

    assert done.returncode == 0, done.stderr
    assert {*owners(theirs).values()} == {(ACCOUNT, ACCOUNT)}


def test_what_the_owner_may_not_write_is_refused_and_told(theirs: Path, tmp_path: Path) -> None:
    refused = run_command(theirs, "backup", str(tmp_path / "b.tar.gz"))

    assert refused.returncode == 2
    assert f"works as the account that owns {theirs} (user ID {ACCOUNT})" in refused.stderr
    assert not any(tmp_path.iterdir())


def test_no_command_reads_the_settings_past_that() -> None:
    past = [file.name for file in CLI.glob("*.py") if "read_settings" in file.read_text("utf-8")]

    assert past == ["ownership.py"]
