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


def test_a_dry_run_shows_what_the_columns_are_taken_for_and_a_mapping_to_copy(home: Path, tmp_path: Path) -> None:
    table = tmp_path / "words.csv"
    table.write_text("No,English,Our word,as_roman\n7,jackfruit,কঁঠাল,kothal\n", "utf-8")
    arguments = ("import", "csv", str(table), "--source", "mine2", "--licence", "CC0-1.0")
    dry = run_command(home, *arguments, "--dry-run")
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(
        dry.stdout[dry.stdout.index("[columns]") :].split("\n\n")[0].replace("word:en", "ignore"), "utf-8"
    )
    mapped = run_command(home, *arguments, "--mapping", str(mapping), "--dry-run", "--language", "as")

    assert "passed over" not in dry.stdout
    assert '"English" = "word:en"\n"Our word" = "word"\n"as_roman" = "roman:as"\n' in dry.stdout
    assert "--mapping mapping.toml" in dry.stdout
    assert mapped.stdout.count("ignore") >= 1
    assert "1 ideas and 0 words would be imported; 0 rejected." in mapped.stdout


def test_a_dry_run_tells_new_ones_changed_ones_the_same_and_new_languages(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.csv"
    rows = ["key,language,word,ipa", "1,as,দ্বীপপুঞ্জ,", "2,en,archipelago,", "3,en,isle,aɪl", "4,gd,eilean,", "5,zz9,x,"]
    file.write_text("\n".join(rows[:4]) + "\n", "utf-8")
    arguments = ("import", "csv", str(file), "--source", "isles", "--licence", "CC0-1.0")
    run_command(home, *arguments)
    file.write_text("\n".join([rows[0], "1,as,দ্বীপপুঞ্জ,dip", *rows[2:]]) + "\n", "utf-8")

    dry = run_command(home, *arguments, "--dry-run")

    assert "1 records would bring something new, 2 were the same." in dry.stdout
    assert "New language: gd Scottish Gaelic" in dry.stdout
    assert "Unknown language 'zz9', 1 times: left out. Map it with --map 'language:zz9=…'." in dry.stdout
    assert "some.csv:6: There is no language 'zz9'" in dry.stderr
    assert "1 ideas and 1 words would be imported; 1 rejected." in dry.stdout


def test_records_wait_for_review_and_come_only_once(home: Path, pairs: Path) -> None:
    arguments = ("import", "pairs", str(pairs), "--source", "review", "--licence", "CC0-1.0", "--review")
    dry = run_command(home, *arguments, "--dry-run")
    first = run_command(home, *arguments)
    second = run_command(home, *arguments)

    assert "1 records would wait for review now; 1 rejected." in dry.stdout
    assert "1 records wait for review now; 1 rejected." in first.stdout
    assert "0 records wait for review now; 1 were sent before; 1 rejected." in second.stdout


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
