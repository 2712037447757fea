import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

from abhidhan import schema
from abhidhan.dictionary.service import statistics
from abhidhan.exchange.service.exporting import export
from abhidhan.exchange.service.importing import ImportRequest, import_files, import_records
from abhidhan.exchange.service.maintenance import check
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import PrepareResult, prepare_database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    FormsRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from tests.support.databases import Databases, load_sample, open_database
from tests.support.sample import NOW

pytestmark = pytest.mark.thorough

ROUNDS = 5
MOST_SECONDS = 0.4


@pytest.fixture
def url(databases: Databases) -> Iterator[str]:
    """Return the address of a fresh copy of the sample."""
    url = databases.copy(load_sample)
    yield url
    databases.remove(url)


def record(key: str) -> LocatedRecord:
    """Make an idea with a word, whose tables and indexes are many."""
    words = (WordRecord("en", f"word {key}"), WordRecord("as", "পানী"))
    return LocatedRecord("kill", 1, IdeaRecord("sample", key, "Adverb", words))


def write_forever(url: str, start: int) -> None:
    """Store one idea after another, each in a transaction of its own, and say so each time."""
    with Database(url) as database:
        number = start
        while True:
            import_records(database, [record(f"kill-{number}")], now=NOW)
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()
            number += 1


def kill_a_writer(url: str, start: int, seconds: float) -> list[int]:
    """Let a process write for a while, kill it as the system would, and tell what it said was written."""
    code = f"from {__name__} import write_forever; write_forever({url!r}, {start})"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as process:
        assert process.stdout is not None
        output = process.stdout.readline()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        output += process.stdout.read()
    # A line that was cut short was not said.
    return [int(line) for line in output.decode().split("\n")[:-1]]


def stored(database: Database) -> set[str]:
    """Read the keys of the ideas that were written."""
    with database.engine.begin() as connection:
        keys = connection.execute(select(schema.idea.c.external_key)).scalars()
        return {key for key in keys if key.startswith("kill-")}


def test_a_killed_writer_loses_nothing_that_it_reported_as_written(url: str, tmp_path: Path) -> None:
    moments = random.Random(5)  # noqa: S311 - no secret
    reported: set[str] = set()
    for round_number in range(ROUNDS):
        start = round_number * 1_000_000
        reported |= {f"kill-{number}" for number in kill_a_writer(url, start, moments.uniform(0, MOST_SECONDS))}

        assert prepare_database(url, tmp_path) == PrepareResult.CURRENT
        with Database(url) as database:
            assert reported <= stored(database)
            check_consistency(database)
    assert len(reported) >= ROUNDS


IDEAS = 800
ENGLISH_WORDS = 500
"""Fewer than ideas: some words have two."""

WORDS_AT_ONCE = 80
"""So that a file takes ten transactions."""


def write_file(file: Path) -> None:
    """Write a file of ideas that are related to each other, with definitions, forms, proverbs and flashcards."""
    records: list[Record] = [SourceRecord("kill", "Kill", "CC0-1.0")]
    for number in range(IDEAS):
        word = WordRecord("as", f"শব্দ {number}", forms=(f"শব্দে {number}",))
        words = (WordRecord("en", f"word {number % ENGLISH_WORDS}"), word)
        other = RelationRecord("Related", f"kill:{(number * 7 + 1) % IDEAS}")
        meaning = DefinitionRecord("en", f"What is numbered {number}.")
        records.append(
            IdeaRecord("kill", str(number), "Adverb", words, definitions=(meaning,), relations=(other,) * (number != 3))
        )
    records.append(FormsRecord("as", "শব্দ 7", (("শব্দলৈ", "N;ALL"),)))
    records.append(PhraseRecord("kill", "p", "as", "এটা যোজনা", "Other"))
    cards = (CardRecord("word 1", "শব্দ 1", idea="kill:1"), CardRecord("word 2", "শব্দ 2", idea=f"kill:{IDEAS - 1}"))
    records.append(CardSetRecord("kill", "c", "Cards", "en", "as", cards=cards))
    file.write_bytes(b"".join(map(encode_line, records)))


def import_file(url: str, file: str) -> None:
    """Import the file, and say so after each transaction."""

    def report(_: object) -> None:
        sys.stdout.write("stored\n")
        sys.stdout.flush()

    with Database(url) as database:
        import_files(
            database,
            ImportRequest("jsonl", (Path(file),), words_per_transaction=WORDS_AT_ONCE),
            now=NOW,
            on_progress=report,
        )


def kill_an_import(url: str, file: Path, transactions: int) -> None:
    """Let a process import the file, and kill it after some transactions."""
    code = f"from {__name__} import import_file; import_file({url!r}, {str(file)!r})"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as process:
        assert process.stdout is not None
        for _ in range(transactions):
            assert process.stdout.readline() == b"stored\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("kills", [(1,), pytest.param((2, 3), marks=pytest.mark.nightly)], ids=["once", "twice"])
def test_a_killed_import_has_the_same_result_when_run_again(
    url: str, databases: Databases, tmp_path: Path, kills: tuple[int, ...]
) -> None:
    file = tmp_path / "kill.jsonl"
    write_file(file)
    for transactions in kills:
        kill_an_import(url, file, transactions)
        with Database(url) as database:
            counted = database.read_now(statistics.count_records)
            assert 0 < counted.words < IDEAS + ENGLISH_WORDS
            check_consistency(database)

    import_file(url, str(file))

    with Database(url) as database, open_database(databases, load_sample) as other:
        import_files(other, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None)
        resumed = export(database, "jsonl", tmp_path / "resumed.jsonl")
        assert resumed.sha256 == export(other, "jsonl", tmp_path / "whole.jsonl").sha256
        assert [finding for finding in check(database) if finding.code.startswith("E")] == []


def check_consistency(database: Database) -> None:
    """Look for anything half-written: each idea has its senses, each counter its words."""
    counted = text("SELECT count(*) FROM word WHERE language_id = language.id")
    with database.engine.begin() as connection:
        if database.is_sqlite:
            assert connection.execute(text("PRAGMA integrity_check")).scalars().all() == ["ok"]
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
        wrong = text(f"SELECT id FROM language WHERE words <> ({counted})")  # noqa: S608 - constant
        assert connection.execute(wrong).all() == []
        lonely = text(
            "SELECT external_key FROM idea WHERE external_key LIKE 'kill-%' "
            "AND (SELECT count(*) FROM sense WHERE idea_id = idea.id) <> 2"
        )
        assert connection.execute(lonely).all() == []
