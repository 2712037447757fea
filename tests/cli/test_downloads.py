from pathlib import Path

from abhidhan.services.exchange.downloads import make_downloads
from abhidhan.services.exchange.editions import read_editions
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.sample import NOW
from tests.support.server import run_command

BECAUSE = "Removed at the request of the rights holder."


def test_editions_are_listed_with_their_room_and_lose_what_may_not_be_in_them(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    with opened(sqlite_databases, with_sample) as database:
        make_downloads(database, folder, now=NOW, formats=("csv", "jsonl.gz"), kept=12)
    (edition,) = read_editions(folder)
    listed = run_command(tmp_path, "downloads", "list")
    elsewhere = run_command(tmp_path, "downloads", "remove", "--holding", "no such text", "--reason", BECAUSE)
    unknown = run_command(tmp_path, "downloads", "remove", "2020-01-01", "--reason", BECAUSE)
    removed = run_command(tmp_path, "downloads", "remove", "--holding", "পানী", "--reason", BECAUSE)
    after = run_command(tmp_path, "downloads", "list")

    assert f"{edition.name}: 2 files, {edition.size:,} bytes" in listed.stdout
    assert "1 of 12 editions" in listed.stdout
    assert "Nothing was removed" in elsewhere.stdout
    assert (unknown.returncode, "There is no edition '2020-01-01'" in unknown.stderr) == (2, True)
    assert f"{edition.name}: 0 files, 0 bytes, 2 removed" in removed.stdout
    assert "still offered at /downloads" in removed.stderr
    assert f"removed: abhidhan.csv ({BECAUSE})" in after.stdout


def test_the_setting_says_how_many_editions_the_command_keeps(tmp_path: Path) -> None:
    run_command(tmp_path, "init", "--empty")

    def made(kept: str) -> int:
        settings = {"ABHIDHAN_DOWNLOADS_KEPT": kept, "ABHIDHAN_PACKS": "none", "ABHIDHAN_DOWNLOADS_LANGUAGES": "none"}
        run_command(tmp_path, "downloads", **settings)
        return len(read_editions(tmp_path / "downloads"))

    assert (made("3"), made("0")) == (1, 0)
