"""`docs/adding-a-language.md` is followed to the letter: the program has a language more, and no Python was touched."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any, Final

import pytest

from abhidhan.app.documentation.page import code_blocks
from assamese.search_keys import key_rules

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src/abhidhan"
ENGINE: Final = ROOT / "packages/assamese/src/assamese"
BLOCKS: Final = dict(code_blocks((ROOT / "docs/adding-a-language.md").read_text(encoding="utf-8")))

PROGRAM: Final = """
import json, sys
from pathlib import Path
import abhidhan
from abhidhan.records.import_records import Placed
from assamese.search_keys import key_rules
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from assamese.keys import loose_key
from assamese.inflection import stems
from assamese.language_rules import LANGUAGE_RULES
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.bundled_data import catalogue_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare

url, texts = sys.argv[1], sys.argv[2:]
source = SourceRecord(code="s", name="S", licence="CC0-1.0")
words = ("घर", "नदी", "मी", "तऱ्हा", "पा")
ideas = [IdeaRecord("s", word, "Common Noun", words=(WordRecord("mr", word),)) for word in words]
prepare(url, Path())
with Database(url) as database:
    records = [*catalogue_records(), Placed("s", 1, source), *(Placed("s", 1, idea) for idea in ideas)]
    assert not import_records(database, records, now=1_790_000_000).faults
    found = {}
    for text in texts:
        (item,) = database.read_now(lambda reader: look_up(reader, text, 1001))
        found[text] = [item.match.value, *(word.word for word in item.entries)]
examples = LANGUAGE_RULES["mr"].examples

def leads(form, word):
    return loose_key(word, "mr") in [stem.key for stem in stems(form, "mr")]

print(json.dumps({
    "package": abhidhan.__file__,
    "found": found,
    "rules": key_rules(),
    "same": [loose_key(one, "mr") == loose_key(other, "mr") for one, other in examples.same],
    "different": [loose_key(one, "mr") == loose_key(other, "mr") for one, other in examples.different],
    "forms": [leads(*each) for each in examples.forms],
    "not_forms": [leads(*each) for each in examples.not_forms],
}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Add Marathi as the page says to a copy of the package, and ask that copy."""
    folder = tmp_path_factory.mktemp("language")
    copy = folder / "abhidhan"
    copytree(PACKAGE, copy, copy_function=os.symlink)
    engine = folder / "assamese"
    copytree(ENGINE, engine, copy_function=os.symlink)
    languages = copy / "data/languages.jsonl"
    rows = languages.read_text(encoding="utf-8")
    languages.unlink()
    languages.write_text(rows + BLOCKS["json"].strip() + "\n", encoding="utf-8")
    (engine / "tables/languages/mr.toml").write_text(BLOCKS["toml"], encoding="utf-8")
    asked = ("घराला", "घरात", "घर", "माझा", "तर्\u200dहा", "घरमा")
    ended = subprocess.run(  # noqa: S603  # the program above
        [sys.executable, "-c", PROGRAM, f"sqlite:///{folder / 'words.sqlite'}", *asked],
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    answer: dict[str, Any] = json.loads(ended.stdout)
    assert Path(answer["package"]).is_relative_to(folder)
    return answer


def test_words_of_the_new_language_are_found_by_its_letters_and_its_endings(told: dict[str, Any]) -> None:
    assert told["found"] == {
        "घर": ["exact", "घर"],
        "घराला": ["inflected", "घर"],
        "घरात": ["inflected", "घर"],
        "माझा": ["inflected", "मी"],
        "तर्\u200dहा": ["loose", "तऱ्हा"],
        "घरमा": told["found"]["घरमा"],
    }
    assert told["found"]["घरमा"][0] != "inflected"


def test_the_examples_of_its_file_hold(told: dict[str, Any]) -> None:
    assert all(told["same"])
    assert not any(told["different"])
    assert all(told["forms"])
    assert not any(told["not_forms"])


def test_operators_are_told_that_the_keys_have_changed(told: dict[str, Any]) -> None:
    assert told["rules"] != key_rules()
