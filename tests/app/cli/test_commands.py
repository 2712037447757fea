import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from rich.cells import cell_len

from abhidhan.app.cli import common
from abhidhan.people.model import one_time_links
from abhidhan.records import ids
from tests.support.server import run_command

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep one data folder for the commands of this file."""
    return tmp_path_factory.mktemp("home")


def test_help_lists_the_commands() -> None:
    output = run_command(Path(), "--help").stdout

    for command in ("serve", "init", "stats", "look"):
        assert f" {command} " in output


HEAVY = {
    "abhidhan.dictionary.service",
    "abhidhan.records.settings",
    "asyncio",
    "msgspec",
    "pydantic",
    "rich",
    "sqlalchemy",
}
"""Modules that take most of a second to import, with those that they import."""

INSTALLED = Path(sys.executable).with_name("abhidhan")


def test_the_command_starts_by_its_name_and_as_a_module() -> None:
    for command in ([str(INSTALLED)], [sys.executable, "-m", "abhidhan"]):
        output = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own

        assert output.startswith(f"abhidhan {version('abhidhan')}")


def test_help_and_version_import_no_heavy_modules() -> None:
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules)); from abhidhan.app.cli import main; main()"
    for option in ("--help", "--version"):
        command = [sys.executable, "-c", code, option]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own

        assert {*output.split()} & HEAVY == set()


def test_limits_in_commands_equal_those_of_the_domain() -> None:
    assert common.MAX_ID == ids.MAX_ID
    assert common.INVITATION_DAYS == one_time_links.INVITATION_DAYS


def test_init_makes_the_dictionary_and_a_second_init_keeps_it(home: Path) -> None:
    first = run_command(home, "init")
    second = run_command(home, "init")

    assert first.returncode == second.returncode == 0
    assert "dictionary.sqlite3: 7," in first.stdout
    assert first.stdout == second.stdout


def test_init_makes_an_empty_dictionary_but_does_not_empty_an_existing_one(home: Path, tmp_path: Path) -> None:
    begun = run_command(tmp_path, "init", "--empty")
    later = run_command(tmp_path, "init")
    run_command(home, "init")
    refused = run_command(home, "init", "--empty")

    assert "0 ideas, 0 words" in begun.stdout
    assert begun.stdout == later.stdout
    assert (refused.returncode, "already" in refused.stderr) == (2, True)


def test_stats_count_words_by_language(home: Path) -> None:
    output = run_command(home, "stats").stdout

    assert "Proverbs and idioms" in output
    assert "অসমীয়া" in output


def test_look_prints_a_word_with_its_meanings(home: Path) -> None:
    output = run_command(home, "look", "পানী").stdout

    assert "পানী (Assamese)  Roman: pa.ni" in output
    assert "English: water" in output


def test_look_has_no_empty_brackets_where_no_part_of_speech_is_known(home: Path) -> None:
    pairs = home / "en_as.tsv"
    pairs.write_text("zorbonaut\tজৰ্বন\n", "utf-8")
    run_command(home, "import", "pairs", str(pairs), "--source", "bare", "--licence", "CC0-1.0")

    lines = [line.strip() for line in run_command(home, "look", "zorbonaut").stdout.splitlines()]
    assert lines == ["zorbonaut (English)", "1.", "Assamese: জৰ্বন", ""]


def test_look_begins_with_the_kind_of_match(home: Path) -> None:
    assert run_command(home, "look", "xobdo").stdout.startswith("xobdo (sounds similar)\nশব্দ (Assamese)")


def test_no_line_is_wider_than_the_terminal(home: Path) -> None:
    for command in (["serve", "--help"], ["look", "পানী", "fish"]):
        lines = run_command(home, *command, COLUMNS="80").stdout.splitlines()

        assert lines
        assert max(cell_len(line) for line in lines) <= 80


def test_look_names_the_parts_of_a_compound(home: Path) -> None:
    output = run_command(home, "look", "ভাত-পানী").stdout

    assert output.startswith("ভাত-পানী (a compound of these words)\nভাত (Assamese)")
    assert "\nপানী (Assamese)" in output


def test_look_offers_near_spellings_and_fails(home: Path) -> None:
    ended = run_command(home, "look", "elepjant")

    assert ended.returncode == 1
    assert "Did you mean: elephant" in ended.stdout


def test_look_names_a_wrong_language(home: Path) -> None:
    ended = run_command(home, "look", "পানী", "--language", "klingon")

    assert ended.returncode == 2
    assert "--language" in ended.stderr
