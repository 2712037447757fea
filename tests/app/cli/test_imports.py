import json
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert

from abhidhan.app.cli.import_report import format_mapping_file
from abhidhan.exchange.store.imports import find_interrupted
from abhidhan.formats.tables.columns import Column, ColumnGuess
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.schema import history
from tests.support.databases import create_from_sample
from tests.support.server import command_environment, copy_starter, run_command

pytestmark = pytest.mark.thorough

PATIENCE = 180
MINE = ("--source", "mine", "--licence", "CC0-1.0")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Write a file of pairs, one of them broken."""
    file = tmp_path / "en_as.tsv"
    file.write_text("zebra crossing\tজেব্ৰা ক্ৰছিং\nbroken\n", "utf-8")
    return file


def test_an_import_reports_its_counts_and_a_second_one_adds_nothing(home: Path, pairs: Path) -> None:
    arguments = ("import", "pairs", str(pairs), "--source", "told", "--licence", "CC0-1.0")
    dry = run_command(home, *arguments, "--dry-run")
    first = run_command(home, *arguments)
    second = run_command(home, *arguments)

    assert "would be imported; 1 rejected." in dry.stdout
    assert "1 idea and 2 words imported; 1 rejected." in first.stdout
    assert "en_as.tsv:2: The line is not two texts separated by a tab." in first.stderr
    assert "Nothing new; 1 rejected." in second.stdout
    assert (first.returncode, second.returncode) == (0, 0)


def test_frequencies_are_imported_for_existing_words(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "counted.tsv"
    file.write_text("# running words: 2000000\nword\tcount\tsource\nপানী\t25\tours\nনাইকিয়া শব্দ\t1\tours\n", "utf-8")
    arguments = ("import", "frequencies", str(file), "--language", "as")
    first = run_command(home, *arguments)
    second = run_command(home, *arguments)

    assert "counted.tsv:4: There is no word 'নাইকিয়া শব্দ' for this frequency." in first.stderr
    assert "records filled" in first.stdout
    assert "Nothing new; 1 rejected." in second.stdout
    assert (first.returncode, second.returncode) == (0, 0)


def test_a_strict_import_stores_everything_or_nothing(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "en_as.tsv"
    arguments = ("import", "pairs", str(file), "--source", "strict", "--licence", "CC0-1.0", "--strict")
    file.write_text("zebra finch\tএবিধ চৰাই\nbroken\n", "utf-8")
    tried = run_command(home, *arguments, "--dry-run")
    refused = run_command(home, *arguments)
    file.write_text("zebra finch\tএবিধ চৰাই\n", "utf-8")
    taken = run_command(home, *arguments)

    assert (tried.returncode, tried.stdout.splitlines()[-1]) == (1, "With --strict, nothing would be imported.")
    assert refused.returncode == 1
    assert "Nothing was imported, because 1 would be rejected: fix them, or leave out --strict." in refused.stdout
    assert "en_as.tsv:2: The line is not two texts separated by a tab." in refused.stderr
    assert (taken.returncode, taken.stdout.splitlines()[-1]) == (0, "1 idea and 2 words imported; 0 rejected.")


def test_a_dry_run_prints_the_meaning_of_each_column_as_a_mapping_to_copy(home: Path, tmp_path: Path) -> None:
    table = tmp_path / "words.csv"
    table.write_text("No,English,Our word,as_roman\n7,jackfruit,কঁঠাল,kothal\n", "utf-8")
    arguments = ("import", "csv", str(table), "--source", "mine2", "--licence", "CC0-1.0")
    dry = run_command(home, *arguments, "--dry-run")
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(
        dry.stdout[dry.stdout.index("[columns]") :].split("\n\n")[0].replace("word:en", "ignore"), "utf-8"
    )
    mapped = run_command(home, *arguments, "--mapping", str(mapping), "--dry-run", "--language", "as")

    assert "ignored" not in dry.stdout
    assert '"English" = "word:en"\n"Our word" = "word"\n"as_roman" = "roman:as"\n' in dry.stdout
    assert "--mapping mapping.toml" in dry.stdout
    assert mapped.stdout.count("ignore") >= 1
    assert "1 idea and 0 words would be imported; 0 rejected." in mapped.stdout


def test_the_mapping_of_a_table_with_equal_headings_is_valid_toml() -> None:
    columns: list[tuple[str, Column | None]] = [
        ("en", Column("word", "en")),
        ("as", Column("word", "as")),
        ("as", Column("word", "as")),
    ]
    mapping = format_mapping_file(ColumnGuess("words.csv", columns, ["dog", "কুকুৰ", "শ্বান"]))

    assert tomllib.loads(mapping) == {"columns": {"en": "word:en", "as": "word:as"}}


def test_a_dry_run_counts_new_and_unchanged_records_and_names_new_languages(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.csv"
    rows = ["key,language,word,ipa", "1,as,দ্বীপপুঞ্জ,", "2,en,archipelago,", "3,en,isle,aɪl", "4,gd,eilean,", "5,zz9,x,"]
    file.write_text("\n".join(rows[:4]) + "\n", "utf-8")
    arguments = ("import", "csv", str(file), "--source", "isles", "--licence", "CC0-1.0")
    run_command(home, *arguments)
    file.write_text("\n".join([rows[0], "1,as,দ্বীপপুঞ্জ,dip", *rows[2:]]) + "\n", "utf-8")

    dry = run_command(home, *arguments, "--dry-run")

    assert "1 record would add something new, 2 were the same." in dry.stdout
    assert "New language: gd Scottish Gaelic" in dry.stdout
    assert "Unknown language 'zz9', 1 time: left out. Map it with --map 'language:zz9=…'." in dry.stdout
    assert "some.csv:6: There is no language 'zz9'" in dry.stderr
    assert "1 idea and 1 word would be imported; 1 rejected." in dry.stdout


def test_records_are_submitted_for_review_only_once(home: Path, pairs: Path) -> None:
    arguments = ("import", "pairs", str(pairs), "--source", "review", "--licence", "CC0-1.0", "--review")
    dry = run_command(home, *arguments, "--dry-run")
    first = run_command(home, *arguments)
    second = run_command(home, *arguments)

    assert "1 record would wait for review now; 1 rejected." in dry.stdout
    assert "1 record waits for review now; 1 rejected." in first.stdout
    assert "0 records wait for review now; 1 was sent before; 1 rejected." in second.stdout


def test_a_source_must_be_named_with_its_licence(home: Path, pairs: Path) -> None:
    ended = run_command(home, "import", "pairs", str(pairs), "--source", "unheard-of")

    assert ended.returncode == 2
    assert "--licence" in ended.stderr


def test_rejected_lines_are_written_to_a_file_and_the_first_twenty_printed(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "en_as.tsv"
    file.write_text("broken\n" * 1_500 + "heron\tবগলী\n", "utf-8")
    rejected = tmp_path / "rejected.txt"

    ended = run_command(home, "import", "pairs", str(file), *MINE, "--report", str(rejected))
    without = run_command(home, "import", "pairs", str(file), *MINE)

    lines = rejected.read_text("utf-8").splitlines()
    said = "The line is not two texts separated by a tab."
    assert lines == [f"en_as.tsv:{number}: {said}" for number in range(1, 1_501)]
    assert ended.stderr.splitlines() == [*lines[:20], f"{rejected} lists 1,500 rejected records."]
    assert "... and 1,480 more. --report FILE writes all of them to a file." in without.stderr


def test_a_file_for_errors_that_cannot_be_written_stops_the_import_before_anything_is_stored(
    tmp_path: Path, pairs: Path
) -> None:
    before = pairs.read_bytes()
    home = tmp_path / "home"
    create_from_sample(home)

    for errors, reason in (
        ("no-folder/rejected.txt", "cannot be written: No such file or directory."),
        ("en_as.tsv", "is one of the files to import"),
        ("home/dictionary.sqlite3", "is the dictionary itself"),
    ):
        refused = run_command(home, "import", "pairs", str(pairs), *MINE, "--errors", str(tmp_path / errors))
        assert (refused.returncode, reason in refused.stderr) == (2, True), refused.stderr
    assert pairs.read_bytes() == before
    assert '"code":"mine"' not in run_command(home, "export", "jsonl", "-o", "-").stdout


MISTYPED = (
    (("import", "josnl", "x"), "There is no format 'josnl'. Did you mean jsonl?"),
    (("import", "xlsx", "x"), "Did you mean csv?"),
    (("import", "recordngs", "x"), "Did you mean recordings?"),
    (("import", "csv", "https://example.org/words.csv"), "not fetched over the network"),
    (("import", "csv", "nowhere.csv"), "There is no file nowhere.csv."),
    (("export", "excel"), "Did you mean xlsx?"),
    (("export", "recording"), "Did you mean recordings?"),
    (("export", "mp4"), "There is no format 'mp4'. There are jsonl,"),
    (("export", "csv", "--pos", "Comon Noun"), "Did you mean Common Noun?"),
    (("export", "csv", "--language", "Asamese"), "Did you mean Assamese?"),
    (("export", "csv", "--beside", "en"), "--beside needs --language"),
    (("export", "csv", "-o", "no-folder/words.csv"), "there is no folder no-folder."),
)
"""Commands with a mistake, and what their error says about it."""


def test_a_mistyped_argument_is_answered_with_what_may_be_meant(home: Path, subtests: pytest.Subtests) -> None:
    for arguments, hint in MISTYPED:
        with subtests.test(hint):
            refused = run_command(home, *arguments)
            assert refused.returncode == 2
            assert hint in refused.stderr


def test_an_empty_file_is_refused_and_stores_no_source(home: Path, tmp_path: Path) -> None:
    (tmp_path / "en_as.tsv").touch()

    ended = run_command(home, "import", "pairs", str(tmp_path), "--source", "empty", "--licence", "CC0-1.0")

    assert ended.returncode == 2
    assert f"{tmp_path} contains nothing that can be imported as pairs." in ended.stderr
    assert '"code":"empty"' not in run_command(home, "export", "jsonl", "-o", "-").stdout


@contextmanager
def interrupts_enabled() -> Iterator[None]:
    """Let commands that are started meanwhile react to Ctrl+C, which a shell lets its background processes ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupted_import_says_how_to_finish_it(tmp_path: Path) -> None:
    home, table = tmp_path / "home", tmp_path / "many.csv"
    table.write_text("key,as\n" + "".join(f"{number},শব্দ {number}\n" for number in range(200_000)), "utf-8")
    copy_starter(home)
    arguments = ("import", "csv", str(table), *MINE, "--batch", "500")
    with (
        interrupts_enabled(),
        subprocess.Popen(  # noqa: S603  # our own command
            [sys.executable, "-m", "abhidhan", *arguments],
            env=command_environment(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        wait_until_begun(home)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert errors.decode().strip() == (
        "abhidhan: Stopped. The records imported so far stay; run the same import again to finish it."
    )
    checked = run_command(home, "check")
    assert (checked.returncode, "W501" in checked.stdout) == (0, True)


def test_an_import_reports_that_it_finishes_an_interrupted_one(tmp_path: Path, pairs: Path) -> None:
    home = tmp_path / "home"
    create_from_sample(home)
    run_command(home, "import", "pairs", str(pairs), *MINE)
    counts = json.dumps({"counts": {"word": 1}, "rejected": 0, "sources": ["mine"], "unfinished": True})
    begun = {"at": 1_790_000_000, "action_id": 22, "record": "import", "record_id": 0, "after": counts}
    with Database(f"sqlite:///{home}/dictionary.sqlite3") as database, database.engine.begin() as connection:
        connection.execute(insert(history).values(begun))

    before = run_command(home, "check")
    again = run_command(home, "import", "pairs", str(pairs), *MINE)

    assert "2026-09-21, sources mine" in before.stdout
    assert "The import of mine interrupted on 2026-09-21 is finished now." in again.stdout
    assert "W501" not in run_command(home, "check").stdout


def wait_until_begun(home: Path) -> None:
    """Wait until an import has ended its first transaction."""
    give_up = time.monotonic() + PATIENCE
    with Database(f"sqlite:///{home}/dictionary.sqlite3") as database:
        while not database.read_now(find_interrupted):
            assert time.monotonic() < give_up
            time.sleep(0.05)


def test_a_second_import_is_refused_while_one_runs_and_other_commands_work(home: Path, pairs: Path) -> None:
    with (
        Database(f"sqlite:///{home}/dictionary.sqlite3") as database,
        hold_import_lock(database, wait=False),
        database.engine.begin(),
    ):
        counted = run_command(home, "stats")
        second = run_command(home, "import", "pairs", str(pairs), *MINE)

    assert counted.returncode == 0
    assert second.returncode == 2
    assert "Another import into this database is running" in second.stderr


def test_brackets_in_an_error_are_printed_unchanged(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "[b]words.csv"
    file.write_text("column one\n1\n", "utf-8")
    refused = run_command(home, "import", "csv", str(file), *MINE)

    assert refused.returncode == 2
    assert "[b]words.csv: no column of the first row contains words" in refused.stderr
    assert '[columns] "English" = "word:en"' in refused.stderr
