"""The report of an import names what it does not keep: values that no record holds, and names that mean nothing."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import run_command

pytestmark = pytest.mark.thorough

LONG = "A remark that is much longer than a line of a terminal, so that its end is cut off in the report of the import."


@pytest.fixture
def entries(tmp_path: Path) -> Path:
    """Write entries of Wiktextract with more than records hold."""
    file = tmp_path / "entries.jsonl"
    keys: list[dict[str, Any]] = [{"anagrams": ["ona", "ono"], "literal_meaning": LONG}, {"anagrams": ["on\na"]}]
    some: list[dict[str, Any]] = [
        {
            "word": f"zzword{number}",
            "lang_code": "en",
            "pos": "zzpart",
            "senses": [{"glosses": ["A rare thing."]}],
            **more,
        }
        for number, more in enumerate(keys)
    ]
    file.write_text("".join(json.dumps(entry) + "\n" for entry in (*some, {"word": "x"})), "utf-8")
    return file


def test_each_field_is_named_with_its_count_and_an_example(home: Path, entries: Path) -> None:
    ended = run_command(home, "import", "wiktextract", str(entries), "--dry-run")

    shown = f"{LONG[:79]}…"
    assert "Not kept: anagrams, 3 values, such as 'ona' (entries.jsonl:1).\n" in ended.stdout
    assert f"Not kept: literal_meaning, 1 value: '{shown}' (entries.jsonl:1).\n" in ended.stdout
    assert "Unknown pos 'zzpart', 2 times: left out." in ended.stdout
    assert ended.stdout.splitlines()[-1] == "2 ideas and 2 words would be imported; 1 rejected; 6 values not kept."


def test_a_file_that_is_kept_completely_has_no_such_lines(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "entries.jsonl"
    file.write_text(
        '{"word":"zzwhole","lang_code":"en","pos":"noun","senses":[{"glosses":["A rare thing."]}]}\n', "utf-8"
    )
    ended = run_command(home, "import", "wiktextract", str(file), "--dry-run")

    assert "Not kept" not in ended.stdout
    assert ended.stdout.splitlines()[-1] == "1 idea and 1 word would be imported; 0 rejected."


def test_a_file_of_errors_lists_every_value(home: Path, tmp_path: Path, entries: Path) -> None:
    errors = tmp_path / "errors.txt"
    arguments = ("import", "wiktextract", str(entries), "--errors", str(errors))

    for options in (("--dry-run",), ("--review", "--dry-run"), ()):
        errors.unlink(missing_ok=True)
        ended = run_command(home, *arguments, *options)
        check_file_of_errors(errors, ended.stdout, ended.stderr)


def check_file_of_errors(errors: Path, output: str, messages: str) -> None:
    left_out = "There is no part of speech 'zzpart': it is left out."
    lines = {line.partition(" Use a value")[0] for line in errors.read_text("utf-8").splitlines()}
    assert lines == {
        f"entries.jsonl:1: {left_out}",
        "entries.jsonl:1: The value 'ona' of anagrams is not kept.",
        "entries.jsonl:1: The value 'ono' of anagrams is not kept.",
        f"entries.jsonl:1: The value '{LONG}' of literal_meaning is not kept.",
        f"entries.jsonl:2: {left_out}",
        "entries.jsonl:2: The value 'on a' of anagrams is not kept.",
        "entries.jsonl:3: The entry has no word, or no language code.",
    }
    assert f"{errors} lists every value that is not kept." in messages
    assert output.splitlines()[-1].endswith("1 rejected; 6 values not kept.")


def test_unknown_names_beyond_the_first_are_counted(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "entries.jsonl"
    topics = [f"zztopic{number:02}" for number in range(23)]
    senses = [{"glosses": ["A rare thing."], "topics": topics}]
    file.write_text(json.dumps({"word": "zz", "lang_code": "en", "pos": "noun", "senses": senses}) + "\n", "utf-8")

    ended = run_command(home, "import", "wiktextract", str(file), "--dry-run")

    assert "Unknown context 'zztopic19', 1 time" in ended.stdout
    assert "zztopic20" not in ended.stdout
    assert "... and 3 more unknown names, 3 times: left out. --report FILE lists them.\n" in ended.stdout
    assert ended.stdout.endswith("; 0 rejected; 23 values not kept.\n")


def test_a_report_for_a_spreadsheet_names_each_value_by_row_and_column_with_what_would_be_right(
    home: Path, tmp_path: Path
) -> None:
    file, report = tmp_path / "words.csv", tmp_path / "report.csv"
    file.write_text("word:en,pos,context\nice,noun,\nsoon,advverb,\n=fog,noun,Xyzzy\n", "utf-8")
    arguments = ("--source", "s", "--licence", "CC0-1.0", "--dry-run", "--report", str(report))

    run_command(home, "import", "csv", str(file), *arguments)

    assert list(csv.reader(report.read_text("utf-8").splitlines())) == [
        ["file", "row", "column", "what", "remedy"],
        [
            "words.csv",
            "3",
            "pos",
            "There is no part of speech 'advverb': it is left out.",
            "Did you mean Adverb? Use a value of the list, or map it with --map 'pos:advverb=…'.",
        ],
        [
            "words.csv",
            "4",
            "context",
            "There is no context 'Xyzzy': it is left out.",
            "Use a value of the list, or map it with --map 'context:Xyzzy=…'.",
        ],
    ]


def test_a_second_import_reports_replaced_kept_and_removed_records_and_how_to_restore_them(
    home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "words.csv"
    mine = ("--source", "zzown", "--licence", "CC0-1.0")
    rows = [f"{number},zzword{number},zzgloss{number}" for number in range(20)]
    for newer in (rows, [rows[0].replace("zzgloss", "zzother"), *rows[1:17]]):
        file.write_text("\n".join(["key,word:en,word:as", *newer]) + "\n", "utf-8")
        ended = run_command(home, "import", "csv", str(file), *mine)
    refused = run_command(home, "import", "csv", str(file), *mine, "--mirror")
    removed = run_command(home, "import", "csv", str(file), *mine, "--mirror", "--yes")
    command = removed.stdout.partition("restore the replaced and removed records: abhidhan ")[2].splitlines()[0]
    back = run_command(home, *command.split())

    assert "3 of 20 records of these sources are not in the file, and stay." in ended.stdout
    assert (refused.returncode, "Nothing was removed, because it would be more than a tenth" in refused.stdout) == (
        1,
        True,
    )
    assert removed.stdout.count("records removed") == 1
    assert back.stdout == "3 records restored; 0 changed again since then.\n"
