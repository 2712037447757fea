from pathlib import Path

import pytest

from tests.support.server import run_command


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep one data folder for the commands of this file."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Write a file of pairs, one of them broken."""
    file = tmp_path / "en_as.tsv"
    file.write_text("zebra crossing\tজেব্ৰা ক্ৰছিং\nbroken\n", "utf-8")
    return file


def test_an_import_tells_what_it_did_and_a_second_one_does_nothing(home: Path, pairs: Path) -> None:
    arguments = ("import", "pairs", str(pairs), "--source", "mine", "--licence", "CC0-1.0")
    dry = run_command(home, *arguments, "--dry-run")
    first = run_command(home, *arguments)
    second = run_command(home, *arguments, "--strict")

    assert "would be imported; 1 rejected." in dry.stdout
    assert "1 ideas and 2 words imported; 1 rejected." in first.stdout
    assert "en_as.tsv:2: The line is not two texts with a tab between." in first.stderr
    assert "Nothing new; 1 rejected." in second.stdout
    assert (first.returncode, second.returncode) == (0, 1)


def test_a_source_must_be_named_with_its_licence(home: Path, pairs: Path) -> None:
    ended = run_command(home, "import", "pairs", str(pairs), "--source", "unheard-of")

    assert ended.returncode == 2
    assert "--licence" in ended.stderr


def test_an_export_says_its_checksum_and_licences(home: Path, tmp_path: Path) -> None:
    ended = run_command(home, "export", "csv", "-o", str(tmp_path / "a.csv"), "--language", "as")

    assert ended.returncode == 0, ended.stderr
    assert "SHA-256" in ended.stdout
    assert (tmp_path / "a.csv").stat().st_size > 1000


def test_a_backup_is_restored_only_when_asked_twice(home: Path, tmp_path: Path) -> None:
    archive = str(tmp_path / "b.tar.gz")
    assert "verified" in run_command(home, "backup", archive).stdout

    assert run_command(home, "restore", archive).returncode == 2
    assert "Restored 1 files" in run_command(home, "restore", archive, "--force").stdout


def test_check_and_reindex_find_nothing_to_do(home: Path) -> None:
    assert run_command(home, "check").returncode == 0
    assert "0 records had other keys." in run_command(home, "reindex").stdout
