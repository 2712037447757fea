from pathlib import Path

import pytest

from tests.support.databases import SqliteDatabases, load_sample
from tests.support.server import run_command

pytestmark = pytest.mark.thorough


def test_a_dictionary_moves_into_another_database(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    source = sqlite_databases.copy(load_sample)
    new = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    at_source = {"ABHIDHAN_DATABASE": source}

    opened = run_command(tmp_path, "copy", "--to", new, "--open", **at_source)
    assert (opened.returncode, "The copy is open." in opened.stdout) == (0, True)
    refused = run_command(tmp_path, "stats", ABHIDHAN_DATABASE=new)
    assert (refused.returncode, "contains an unfinished copy" in refused.stderr) == (2, True)

    done = run_command(tmp_path, "copy", "--to", new, "--photos-to", str(tmp_path / "photos-there"), **at_source)
    assert done.returncode == 0, done.stderr
    assert "An unfinished copy was continued." in done.stdout
    assert "Photos: 0 files copied" in done.stdout
    assert f"The recordings stay in {tmp_path / 'recordings'}" in done.stdout
    assert (
        run_command(tmp_path, "stats", ABHIDHAN_DATABASE=new).stdout
        == run_command(tmp_path, "stats", **at_source).stdout
    )


def test_a_target_that_is_no_database_address_is_refused(tmp_path: Path) -> None:
    refused = run_command(tmp_path, "copy", "--to", "mysql://a/b")

    assert (refused.returncode, "--to must be sqlite:" in refused.stderr) == (2, True)
    assert not any(tmp_path.iterdir())
