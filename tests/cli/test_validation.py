import csv
import json
import os
from pathlib import Path

import pytest

from tests.support.server import run_command

BROKEN = "zebra\tজেব্ৰা\nbroken\n=sum\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Write a file of pairs, two lines of it broken."""
    file = tmp_path / "files" / "en_as.tsv"
    file.parent.mkdir()
    file.write_text(BROKEN, "utf-8")
    return file


def test_files_are_checked_without_any_dictionary_and_the_report_can_be_sent_back(broken: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    table, text, data = (tmp_path / f"report.{ending}" for ending in ("csv", "txt", "json"))
    for report in (table, text, data):
        checked = run_command(nowhere, "validate", str(broken), "--report", str(report))
        assert checked.returncode == 1
        assert "2 faults; 1 idea, 2 words and 0 proverbs could be imported." in checked.stdout

    what = "The line is not two texts separated by a tab."
    assert not nowhere.exists()
    assert [row[:4] for row in csv.reader(table.read_text("utf-8").splitlines())] == [
        ["file", "row", "column", "what"],
        ["en_as.tsv", "2", "", what],
        ["en_as.tsv", "3", "", what],
    ]
    assert text.read_text("utf-8") == f"en_as.tsv:2: {what}\nen_as.tsv:3: {what}\n\n        2  {what}\n"
    told = json.loads(data.read_text("utf-8"))
    assert [row["row"] for row in told["faults"]] == [2, 3]
    assert told["kinds"] == [{"kind": what, "count": 2}]


def test_a_file_with_nothing_wrong_is_told_so(broken: Path, tmp_path: Path) -> None:
    broken.write_text("zebra\tজেব্ৰা\n", "utf-8")
    checked = run_command(tmp_path / "nowhere", "validate", str(broken))

    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[-1] == "0 faults; 1 idea, 2 words and 0 proverbs could be imported."


def test_values_that_mean_nothing_are_told_by_row_and_column_with_what_would_be_right(tmp_path: Path) -> None:
    file, table = tmp_path / "words.csv", tmp_path / "report.csv"
    file.write_text("word:en,pos,context\nice,noun,\nsoon,advverb,\nrun,v,\nfog,noun,Xyzzy\n", "utf-8")

    checked = run_command(tmp_path / "nowhere", "validate", str(file), "--report", str(table))

    assert checked.returncode == 1
    assert checked.stdout.splitlines()[-2].startswith("2 faults; 4 ideas, 4 words")
    assert [row[1:] for row in csv.reader(table.read_text("utf-8").splitlines())][1:] == [
        [
            "3",
            "pos",
            "There is no part of speech 'advverb': it is left out.",
            "Did you mean Adverb? Write a value of the list, or say with --map 'pos:advverb=…' which is meant.",
        ],
        [
            "5",
            "context",
            "There is no context 'Xyzzy': it is left out.",
            "Write a value of the list, or say with --map 'context:Xyzzy=…' which is meant.",
        ],
    ]


def test_what_only_a_dictionary_can_tell_is_checked_against_it(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "asm"
    file.write_text("পানী\tপানীৰ\tN;GEN\nনাইকিয়া শব্দ\tনাইকিয়াৰ\tN;GEN\n", "utf-8")
    arguments = ("validate", str(file), "--format", "unimorph", "--language", "as")
    alone = run_command(home, *arguments)
    against = run_command(home, *arguments, "--with-dictionary")

    assert alone.returncode == 0
    assert "2 records need others to be there: --with-dictionary checks whether they are." in alone.stdout
    assert against.returncode == 1
    assert "asm:2: There is no word 'নাইকিয়া শব্দ' that has these forms." in against.stderr


def test_the_report_is_no_file_that_is_checked_and_has_a_known_form(broken: Path, tmp_path: Path) -> None:
    itself = run_command(tmp_path, "validate", str(broken.parent), "--report", str(broken.parent / "r.csv"))
    unknown = run_command(tmp_path, "validate", str(broken), "--report", str(tmp_path / "r.docx"))

    assert (itself.returncode, unknown.returncode) == (2, 2)
    assert "choose another one for --report" in itself.stderr
    assert "give it a name that ends in .txt, .csv, .json" in unknown.stderr
    assert broken.read_text("utf-8") == BROKEN


def test_a_format_that_nothing_tells_is_asked_for_and_recordings_have_their_own_check(tmp_path: Path) -> None:
    file = tmp_path / "words.dat"
    file.write_text("zebra\n", "utf-8")
    os.mkfifo(tmp_path / "pipe.csv")

    assert "Say it with --format" in run_command(tmp_path, "validate", str(file)).stderr
    assert "--dry-run" in run_command(tmp_path, "validate", str(file), "--format", "recordings").stderr
    assert "a device or a pipe" in run_command(tmp_path, "validate", str(tmp_path / "pipe.csv")).stderr
