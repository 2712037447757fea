import json
from pathlib import Path

import pytest

from tests.support.databases import create_from_sample
from tests.support.server import run_command

pytestmark = pytest.mark.thorough


def test_an_export_prints_its_checksum_and_licences(home: Path, tmp_path: Path) -> None:
    ended = run_command(home, "export", "csv", "-o", str(tmp_path / "a.csv"), "--language", "as")

    assert ended.returncode == 0, ended.stderr
    assert "SHA-256" in ended.stdout
    assert (tmp_path / "a.csv").stat().st_size > 1000


def test_an_export_is_written_to_a_folder_or_the_output_but_never_over_the_dictionary(tmp_path: Path) -> None:
    home = tmp_path / "home"
    create_from_sample(home)
    into_folder = run_command(home, "export", "jsonl", "-o", str(tmp_path))
    out = run_command(home, "export", "jsonl", "-o", "-")
    over = run_command(home, "export", "jsonl", "-o", str(home / "dictionary.sqlite3"))

    assert into_folder.returncode == 0
    assert (tmp_path / "abhidhan.jsonl").read_text("utf-8") == out.stdout
    assert "SHA-256" in out.stderr
    assert (over.returncode, "is the dictionary itself" in over.stderr) == (2, True)
    assert run_command(home, "check").returncode == 0


def test_an_export_includes_words_of_another_language_with_the_same_meaning(home: Path) -> None:
    out = run_command(home, "export", "jsonl", "-o", "-", "--language", "as", "--beside", "en")
    ideas = [one for one in map(json.loads, out.stdout.splitlines()) if one["record"] == "idea"]

    languages = [{word["language"] for word in idea["words"]} for idea in ideas]
    assert all("as" in of_idea for of_idea in languages)
    assert {"as", "en"} == set().union(*languages)


def test_flashcards_are_only_exported_as_a_whole(home: Path, tmp_path: Path) -> None:
    refused = run_command(home, "export", "anki", "-o", str(tmp_path), "--language", "as")

    assert (refused.returncode, "anki exports all flashcards" in refused.stderr) == (2, True)


def test_the_languages_of_a_setting_have_their_own_files(tmp_path: Path) -> None:
    create_from_sample(tmp_path)
    made = run_command(tmp_path, "downloads", "make", ABHIDHAN_DOWNLOADS_LANGUAGES="as, zza")

    names = {line.rpartition("  ")[2] for line in made.stdout.splitlines()}
    assert {"abhidhan.csv", "abhidhan-as.csv", "abhidhan-as.jsonl.gz", "abhidhan-as-stardict.zip"} <= names
    assert "There are no words in zza, so it gets no files of its own." in made.stderr
