from pathlib import Path

import pytest

from abhidhan.exchange.service.backup import read_marker_time
from abhidhan.exchange.store.backup_time import read_backup_time
from abhidhan.platform.database.database import Database
from abhidhan.schema import definition_word
from tests.support.databases import create_from_sample
from tests.support.server import run_command

pytestmark = pytest.mark.thorough


def test_a_backup_replaces_a_dictionary_only_with_force(home: Path, tmp_path: Path) -> None:
    archive = str(tmp_path / "b.tar.gz")
    assert "verified" in run_command(home, "backup", archive).stdout
    with Database(f"sqlite:///{home / 'dictionary.sqlite3'}") as database:
        assert database.read_now(read_backup_time) == read_marker_time(home / "backups")

    over = run_command(home, "backup", str(home / "dictionary.sqlite3"))
    assert (over.returncode, "is the dictionary itself" in over.stderr) == (2, True)
    assert run_command(home, "restore", archive).returncode == 2
    assert "Restored 1 file:" in run_command(home, "restore", archive, "--force").stdout


def test_check_and_reindex_find_nothing_to_do(home: Path) -> None:
    assert run_command(home, "check").returncode == 0
    assert "0 records have new keys." in run_command(home, "reindex").stdout


def test_check_mends_derived_data(tmp_path: Path) -> None:
    home = tmp_path
    create_from_sample(home)
    with Database(f"sqlite:///{home / 'dictionary.sqlite3'}") as database:
        database.write_now(lambda connection: connection.execute(definition_word.delete()))

    assert "E205" in run_command(home, "check").stdout
    mended = run_command(home, "check", "--mend")
    assert (mended.returncode, " was rebuilt." in mended.stdout) == (0, True)
    assert run_command(home, "check").returncode == 0


def test_check_reports_files_that_others_may_read_and_mends_them(tmp_path: Path) -> None:
    create_from_sample(tmp_path)
    run_command(tmp_path, "backup")
    places = [tmp_path / "dictionary.sqlite3", tmp_path / "backups", next((tmp_path / "backups").glob("*.tar.gz"))]
    assert "W601" not in run_command(tmp_path, "check").stdout
    for place in places:
        place.chmod(place.stat().st_mode | 0o044)

    checked = run_command(tmp_path, "check")
    assert checked.returncode == 0
    assert all(
        f"file:{place}: W601 other accounts of this machine can read the file" in checked.stdout for place in places
    )
    assert "W601: " in run_command(tmp_path, "check", "--mend").stdout
    assert "W601" not in run_command(tmp_path, "check").stdout
