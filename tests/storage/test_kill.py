import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

from abhidhan.domain.incoming import Placed
from abhidhan.domain.records import IdeaRecord, WordRecord
from abhidhan.services.exchange import import_records
from abhidhan.storage import tables
from abhidhan.storage.database import Database
from abhidhan.storage.migrate import Prepared, prepare
from tests.support.databases import Databases, with_sample
from tests.support.sample import NOW

ROUNDS = 5
MOST_SECONDS = 0.4


@pytest.fixture
def url(databases: Databases) -> Iterator[str]:
    """Give the address of a fresh copy of the sample."""
    url = databases.copy(with_sample)
    yield url
    databases.remove(url)


def record(key: str) -> Placed:
    """Make an idea with a word, whose tables and indexes are many."""
    words = (WordRecord("en", f"word {key}"), WordRecord("as", "পানী"))
    return Placed("kill", 1, IdeaRecord("sample", key, "Adverb", words))


def write_for_ever(url: str, start: int) -> None:
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
    code = f"from {__name__} import write_for_ever; write_for_ever({url!r}, {start})"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        said += process.stdout.read()
    # A line that was cut short was not said.
    return [int(line) for line in said.decode().split("\n")[:-1]]


def stored(database: Database) -> set[str]:
    """Read the keys of the ideas that were written."""
    with database.engine.begin() as connection:
        keys = connection.execute(select(tables.idea.c.external_key)).scalars()
        return {key for key in keys if key.startswith("kill-")}


def test_a_killed_writer_loses_nothing_that_it_said_was_written(url: str, tmp_path: Path) -> None:
    moments = random.Random(5)  # noqa: S311 - no secret
    said: set[str] = set()
    for round_number in range(ROUNDS):
        start = round_number * 1_000_000
        said |= {f"kill-{number}" for number in kill_a_writer(url, start, moments.uniform(0, MOST_SECONDS))}

        assert prepare(url, tmp_path) == Prepared.CURRENT
        with Database(url) as database:
            assert said <= stored(database)
            check_that_all_fits(database)
    assert len(said) > ROUNDS


def check_that_all_fits(database: Database) -> None:
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
