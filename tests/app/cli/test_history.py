import re
import sqlite3
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from abhidhan.app.cli import history
from abhidhan.editing.service.editing import Editing
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import AbhidhanError, InputError
from abhidhan.records.history import RecordRef
from abhidhan.records.submission_payloads import WordChanges
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.databases import create_from_sample
from tests.support.server import run_command

BECAUSE = "By order of a court."

program = typer.Typer()
history.register(program)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_from_sample(tmp_path)
    monkeypatch.setenv("ABHIDHAN_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


def say(*arguments: str, status: int = 0) -> str:
    """Run a command; give what it says, or raise its error."""
    result = CliRunner().invoke(program, ["history", *arguments])
    if isinstance(result.exception, AbhidhanError):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.output


def give_origin(home: Path, *origins: str) -> None:
    with Database(f"sqlite:///{home / 'dictionary.sqlite3'}") as database:
        editing, name = Editing(database), RecordRef("word", "1")
        for origin in origins:
            version = run(editing.read(EDITOR, name)).version
            run(editing.change(EDITOR, name, version, WordChanges(origin=origin)))


def test_entries_with_a_text_are_hidden_listed_and_unhidden(tmp_path: Path) -> None:
    give_origin(tmp_path, "never again", "mended")

    assert say("hide", "--holding", "never again", "--reason", BECAUSE) == "2 entries hidden: 2, 3\n"
    assert re.fullmatch(rf"2  20\d\d-\d\d-\d\d  {BECAUSE}\n3  .*\n", say("list"))
    assert say("hide", "--holding", "never again", "--reason", BECAUSE).startswith("Nothing was hidden")
    assert say("unhide", "1", "2", "3") == "2 entries shown again.\n"
    assert say("list") == "No history entry is hidden.\n"
    assert say("hide", "2", "--reason", BECAUSE) == "1 entry hidden: 2\n"


def test_hiding_a_text_that_is_still_in_the_dictionary_is_an_error_that_names_the_record(tmp_path: Path) -> None:
    give_origin(tmp_path, "never again")

    said = say("hide", "--holding", "never again", "--reason", BECAUSE, status=1)

    assert "1 entry hidden: 2\n" in said
    assert "The dictionary still contains this text (word:1). Delete it there, then run this command again." in said


def test_either_entries_or_a_text_must_be_given() -> None:
    for arguments in ((), ("1", "--holding", "text")):
        with pytest.raises(InputError, match="Give either the IDs of entries, or a text with --holding"):
            say("hide", *arguments, "--reason", BECAUSE)


@pytest.mark.thorough
def test_the_whole_program_has_the_command(tmp_path: Path) -> None:
    nothing = run_command(tmp_path, "history", "hide", "--holding", "x y z", "--reason", BECAUSE)
    refused = run_command(tmp_path, "history", "hide", "7", "--reason", BECAUSE)

    assert (nothing.returncode, nothing.stdout) == (0, "Nothing was hidden: no visible entry contains the text.\n")
    assert (refused.returncode, "There is no entry in the history with the ID 7." in refused.stderr) == (2, True)
    with sqlite3.connect(tmp_path / "dictionary.sqlite3") as kept:
        assert kept.execute("SELECT count(*) FROM hidden_entry").fetchone() == (0,)
