import sqlite3
from pathlib import Path

from tests.support.databases import bring_sample
from tests.support.made import read_editions
from tests.support.server import run_command

BECAUSE = "Removed at the request of the rights holder."
TEXT = "a clear liquid"
SMALL = {"ABHIDHAN_PACKS": "none", "ABHIDHAN_DOWNLOADS_LANGUAGES": "none"}


def test_a_text_goes_from_the_editions_and_from_what_is_offered_once_the_dictionary_has_it_no_more(
    tmp_path: Path,
) -> None:
    bring_sample(tmp_path)
    with sqlite3.connect(tmp_path / "dictionary.sqlite3") as editor:
        editor.execute("UPDATE definition SET text = ? WHERE id = 1", (TEXT,))
    run_command(tmp_path, "downloads", **SMALL)
    (edition,) = read_editions(tmp_path / "downloads")
    remove = ("downloads", "remove", "--holding", TEXT, "--reason", BECAUSE)
    early = run_command(tmp_path, *remove, **SMALL)

    assert f"{edition.name}: 2 files" in early.stdout
    assert f"{len(edition.files) - 2} removed, 2 made again" in early.stdout
    assert (early.returncode, "The dictionary still has this text" in early.stderr) == (1, True)

    with sqlite3.connect(tmp_path / "dictionary.sqlite3") as editor:
        editor.execute("DELETE FROM definition WHERE id = 1")
        editor.execute("UPDATE state SET data_version = data_version + 1")
    after = run_command(tmp_path, *remove, **SMALL)
    listed = run_command(tmp_path, "downloads", "list", **SMALL)

    assert (after.returncode, "made anew, without it" in after.stdout) == (0, True)
    newest, older = read_editions(tmp_path / "downloads")
    assert not newest.removed
    assert BECAUSE in listed.stdout
    assert "    removed: abhidhan.xlsx, " in listed.stdout
    assert "    made again: abhidhan.jsonl.gz, abhidhan.csv\n" in listed.stdout
    assert f"{older.name}: 2 files, {older.size:,} bytes" in listed.stdout
    assert "2 of 12 editions" in listed.stdout


def test_the_setting_says_how_many_editions_the_command_keeps(tmp_path: Path) -> None:
    run_command(tmp_path, "init", "--empty")

    def made(kept: str) -> int:
        run_command(tmp_path, "downloads", ABHIDHAN_DOWNLOADS_KEPT=kept, **SMALL)
        return len(read_editions(tmp_path / "downloads"))

    assert (made("3"), made("0")) == (1, 0)
