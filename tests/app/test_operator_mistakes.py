"""Mistakes of operators: each stops the start with one sentence, which names the setting as it was given."""

import gc
import logging
import os
import socket
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import structlog

from abhidhan.app import cli, server
from tests.support.databases import create_from_sample
from tests.support.ports import free_port

SECRET: Final = "hunter2"  # noqa: S105  # what no error may hold
MISTAKES: Final = tomllib.loads(Path(__file__).with_name("operator_mistakes.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data folder with a small dictionary, and a file that is not a dictionary."""
    home = tmp_path_factory.mktemp("operator") / "home"
    create_from_sample(home)
    home.with_name("note.txt").write_text("Neither a folder nor a database, however long it is. " * 5)
    return home


@contextmanager
def restored_process() -> Iterator[None]:
    """Restore what a start changes in its process."""
    root, umask, threshold = logging.getLogger(), os.umask(0o022), gc.get_threshold()
    handlers, level = root.handlers[:], root.level
    os.umask(umask)
    try:
        yield
    finally:
        os.umask(umask)
        gc.set_threshold(*threshold)
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()


@pytest.fixture
def used_port() -> Iterator[str]:
    """Listen on a port that the server wants."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield str(listener.getsockname()[1])


def refuse_workers(*_: object, **__: object) -> None:
    """Stand in for the workers, which no mistake may reach."""
    pytest.fail("the server has started")


def fill_in(text: str, places: dict[str, str]) -> str:
    """Replace the names of places, such as <HOME>, in a text of the table."""
    for place, value in places.items():
        text = text.replace(f"<{place}>", value)
    return text


def make_mistake(mistake: dict[str, Any], places: dict[str, str], patch: pytest.MonkeyPatch) -> None:
    """Set the variables, the settings file and the command line of a mistake, and no other settings."""
    in_file = mistake.get("file", "")
    for variable in [each for each in os.environ if each.startswith("ABHIDHAN_")]:
        patch.delenv(variable)
    settings = {"HOME": "<HOME>", "PORT": str(free_port())} | mistake.get("set", {})
    for variable, value in settings.items():
        if variable.lower() not in in_file:
            name = variable if variable.startswith("ABI") else f"ABHIDHAN_{variable}"
            patch.setenv(name, fill_in(value, places))
    Path(places["HOME"], "abhidhan.toml").write_text(f"{fill_in(in_file, places)}\n", encoding="utf-8")
    command = [fill_in(argument, places) for argument in mistake.get("run", ["serve"])]
    patch.setattr(sys, "argv", ["abhidhan", *command])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the socket of a start that has failed
def test_each_mistake_in_the_settings_stops_the_start_with_one_sentence(
    home: Path, used_port: str, capfd: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    places = {"HOME": str(home), "NOTE": str(home.with_name("note.txt")), "USED": used_port}

    assert len(MISTAKES) >= 94
    for name, mistake in MISTAKES.items():
        with subtests.test(name), pytest.MonkeyPatch.context() as patch, restored_process():
            patch.setenv("NO_COLOR", "1")
            patch.setattr(server, "Supervisor", refuse_workers)
            make_mistake(mistake, places, patch)

            with pytest.raises(SystemExit) as exit_info:
                cli.main()

            output = capfd.readouterr()
            assert output.err.replace("\n", " ").strip() == f"abhidhan: {fill_in(mistake['message'], places)}"
            assert SECRET not in output.err
            assert output.out == ""
            assert exit_info.value.code == cli.EXIT_ERROR
