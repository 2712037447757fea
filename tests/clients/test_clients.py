"""Programs made for XOBDO work with only the host changed: what they print is the dictionary."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from abhidhan.exchange.service.bundled_data import read_starter_records
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, Record, SourceRecord, WordRecord
from assamese.normalization import nfc
from tests.support.server import RunningServer, run_command, running_server

pytestmark = pytest.mark.thorough

PROGRAMS = Path(__file__).parent
ASSAMESE_WORDS = 2_000
WORDS = 300
COLLECTED = {"Karbi": "mjw", "Kok-Borok": "trp", "Ao": "njo"}
SYLLABLES = ("a", "chi", "en", "ik", "kho", "lu", "me", "nang", "o", "pir", "ro", "s'o", "thé", "u", "vo", "we")


def assamese_words() -> list[str]:
    """List headwords of the packaged dictionary."""
    words = (
        nfc(word.text)
        for placed in read_starter_records()
        if isinstance(placed, LocatedRecord) and isinstance(placed.record, IdeaRecord)
        for word in placed.record.words
        if word.language == "as"
    )
    return list(islice(dict.fromkeys(words), ASSAMESE_WORDS))


def words_of(code: str) -> list[str]:
    """Invent words of one to three syllables; 60 more begin with `kho`, more than an answer holds."""
    chance = random.Random(code)  # noqa: S311  # the same words every time
    words: dict[str, None] = {}
    while len(words) < 60:
        words[f"kho{''.join(chance.choices(SYLLABLES, k=2))}"] = None
    while len(words) < WORDS:
        words["".join(chance.choices(SYLLABLES, k=chance.randint(1, 3)))] = None
    return [*words]


def records() -> Iterator[Record]:
    yield SourceRecord("own", "Our own records", "CC0-1.0", None, "The tests")
    for text in assamese_words():
        yield IdeaRecord("own", f"as-{text}", "Common Noun", (WordRecord("as", text),))
    for code in COLLECTED.values():
        for number, text in enumerate(words_of(code)):
            meaning = DefinitionRecord("en", f"Meaning {number}")
            yield IdeaRecord(
                "own", f"{code}-{text}", "Material Noun", (WordRecord(code, text),), definitions=(meaning,)
            )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    home = tmp_path_factory.mktemp("home")
    file = home / "words.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(record) + b"\n" for record in records()))
    assert run_command(home, "init", "--empty").returncode == 0
    imported = run_command(home, "import", "jsonl", str(file))
    assert imported.returncode == 0, imported.stderr
    with running_server(home) as server:
        yield server


@pytest.fixture(params=["/api", "/2025-web/api"])
def base(server: RunningServer, request: pytest.FixtureRequest) -> str:
    return f"http://127.0.0.1:{server.port}{request.param}"


def output_of(program: str, *arguments: str) -> list[str]:
    """Run a program to its end, and list the lines that it prints."""
    command = [sys.executable, str(PROGRAMS / program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")  # noqa: S603  # ours
    return done.stdout.splitlines()


def test_paging_through_the_alphabet_finds_every_word_once(base: str) -> None:
    assert sorted(output_of("list_alphabet.py", base, "2")) == sorted(assamese_words())


def test_three_languages_are_collected_whole_by_their_numbers(base: str) -> None:
    found: list[Any] = [json.loads(line) for line in output_of("collect_languages.py", base)]

    expected = [
        [name, text, "N.mat", "Material Noun", [f"Material Noun: Meaning {number}"]]
        for name, code in COLLECTED.items()
        for number, text in enumerate(words_of(code))
    ]
    assert sorted(found) == sorted(expected)
