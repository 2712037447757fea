import gc
import os
import pwd
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from abhidhan.app import cli
from abhidhan.app.cli.common import EXIT_INTERRUPTED, interruptible
from tests.support.server import DICTIONARY_FILE, copy_starter, run_command


class InterruptedAtItsEnd:
    """Something whose finalizer is where Ctrl+C arrives: Python drops what is raised there."""

    def __del__(self) -> None:
        """Press Ctrl+C."""
        signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def interrupts_are_enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not report errors that Python drops in finalizers."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _unraisable: None)


def go_on_for_a_minute() -> None:
    """Work like a command that is interrupted at its beginning."""
    with interruptible("Stopped."):
        InterruptedAtItsEnd()
        gc.collect()
        for _ in range(600):
            time.sleep(0.1)
        pytest.fail("It was not stopped.")


def test_ctrl_c_within_a_finalizer_stops_a_command() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(typer.Exit) as ended:
            go_on_for_a_minute()
    finally:
        signal.signal(signal.SIGINT, before)

    assert ended.value.exit_code == EXIT_INTERRUPTED


def test_other_errors_in_finalizers_are_reported_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: reported.append(unraisable.exc_type))

    class Faulty:
        def __del__(self) -> None:
            raise ValueError

    with interruptible("Stopped."):
        Faulty()
        gc.collect()

    assert reported == [ValueError]


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
        copy_starter(home)
        yield home


def give(home: Path, user: int) -> None:
    for place in (home, home / DICTIONARY_FILE):
        os.chown(place, user, user)


@pytest.mark.thorough
def test_root_is_refused_with_the_command_to_run_instead(home: Path) -> None:
    give(home, ACCOUNT)

    refused = run_command(home, "look", "two words")

    instead = f"setpriv --reuid={ACCOUNT} --regid={ACCOUNT} --clear-groups abhidhan look 'two words'"
    assert refused.returncode == 2
    assert refused.stderr == f"abhidhan: The data folder {home} belongs to user ID {ACCOUNT}. Run: {instead}\n"
    assert {place.name for place in home.iterdir()} == {DICTIONARY_FILE}


@pytest.mark.thorough
def test_the_command_to_run_names_the_owner_of_the_database(home: Path) -> None:
    give(home, NOBODY.pw_uid)
    places = {"ABHIDHAN_DATABASE": f"sqlite:///{home / DICTIONARY_FILE}", "ABHIDHAN_HOME": f"{home}/none"}

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


@pytest.mark.thorough
def test_root_may_use_its_own_data(home: Path) -> None:
    assert run_command(home, "look", "ঘৰ").returncode == 0


def test_no_command_reads_the_settings_without_this_check() -> None:
    past = {file.name for file in COMMANDS.glob("*.py") if "load_settings(" in file.read_text("utf-8")}

    # `abhidhan settings` only shows them.
    assert past == {"common.py", "settings.py"}
