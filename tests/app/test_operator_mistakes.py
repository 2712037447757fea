"""Mistakes of operators: each stops the start with one sentence, which names the setting as it was given."""

import gc
import logging
import os
import socket
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

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


@pytest.fixture
def process() -> Iterator[None]:
    """Restore what a start changes in its process."""
    root, umask, threshold = logging.getLogger(), os.umask(0o022), gc.get_threshold()
    handlers, level = root.handlers[:], root.level
    os.umask(umask)
    yield
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


@pytest.mark.usefixtures("process")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the socket of a start that has failed
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_stops_the_start_with_one_sentence(
    name: str, home: Path, used_port: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    mistake, in_file = MISTAKES[name], MISTAKES[name].get("file", "")
    places = {"HOME": str(home), "NOTE": str(home.with_name("note.txt")), "USED": used_port}

    def filled(text: str) -> str:
        for place, value in places.items():
            text = text.replace(f"<{place}>", value)
        return text

    for variable in [each for each in os.environ if each.startswith("ABHIDHAN_")]:
        monkeypatch.delenv(variable)
    given = {"HOME": "<HOME>", "PORT": str(free_port())} | mistake.get("set", {})
    for variable, value in given.items():
        if variable.lower() in in_file:
            continue
        monkeypatch.setenv(variable if variable.startswith("ABI") else f"ABHIDHAN_{variable}", filled(value))
    (home / "abhidhan.toml").write_text(f"{filled(in_file)}\n", encoding="utf-8")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "argv", ["abhidhan", *map(filled, mistake.get("run", ["serve"]))])
    monkeypatch.setattr(server, "Supervisor", refuse_workers)

    with pytest.raises(SystemExit) as ended:
        cli.main()

    shown = capfd.readouterr()
    assert shown.err.replace("\n", " ").strip() == f"abhidhan: {filled(mistake['message'])}"
    assert SECRET not in shown.err
    assert shown.out == ""
    assert ended.value.code == cli.EXIT_ERROR


def test_the_table_is_long_enough() -> None:
    assert len(MISTAKES) >= 37
