"""`docs/adding-a-language.md` is followed to the letter: the program has a language more, and no Python was touched."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any, Final

import pytest

from assamese.search_keys import key_rules_version
from tests.support.walks import ROOT, apply_step

pytestmark = pytest.mark.thorough
"""Programs are run on a copy of the packages."""

DOCUMENT: Final = (ROOT / "docs/adding-a-language.md").read_text(encoding="utf-8")
PACKAGES: Final = ("src/abhidhan", "packages/assamese/src/assamese")
ASKED: Final = {
    "mjw": ("laphan", "kolom-pen", "alatum", "la", "kolomxyz"),
    "mni-Mtei": ("ꯃꯤꯁꯤꯡꯒꯤ", "ꯌꯨꯝꯗ", "ꯌꯨꯃ", "ꯌꯨꯝ", "ꯏꯁꯤꯡ"),
}

PROGRAM: Final = """
import json, sys
from pathlib import Path
import abhidhan
from abhidhan.records.import_records import LocatedRecord
from assamese.collation import alphabet_letters, sort_key
from assamese.inflection import propose_stems
from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES
from assamese.search_keys import key_rules_version
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database

url, asked = sys.argv[1], json.loads(sys.argv[2])
source = SourceRecord(code="s", name="S", licence="CC0-1.0")
words = {"mjw": ("la", "kolom", "ala"), "mni-Mtei": ("ꯃꯤ", "ꯌꯨꯝ", "ꯏꯁꯤꯡ")}
ideas = [
    IdeaRecord("s", word, "Common Noun", words=(WordRecord(code, word),)) for code in words for word in words[code]
]
prepare_database(url, Path())
with Database(url) as database:
    records = [LocatedRecord("s", 1, record) for record in (source, *ideas)]
    assert not import_records(database, [*read_catalogue_records(), *records], now=1_790_000_000).errors

    def find(reader, text, code):
        language = next(each for each in reader.catalogue.languages if each.code == code)
        (item,) = look_up(reader, text, language.id)
        return [item.match.value, *(word.word for word in item.entries)]

    found = {
        text: database.read_now(lambda reader: find(reader, text, code)) for code in asked for text in asked[code]
    }

def leads(form, word, code):
    return loose_key(word, code) in [stem.key for stem in propose_stems(form, code)]

def broken(code):
    examples = LANGUAGE_RULES[code].examples
    yield from (pair for pair in examples.same if len({loose_key(each, code) for each in pair}) > 1)
    yield from (pair for pair in examples.different if len({loose_key(each, code) for each in pair}) == 1)
    yield from (pair for pair in examples.forms if not leads(*pair, code))
    yield from (pair for pair in examples.not_forms if leads(*pair, code))
    yield from [examples.order] * (sorted(examples.order, key=lambda word: sort_key(word, code)) != [*examples.order])

print(json.dumps({
    "package": abhidhan.__file__,
    "found": found,
    "broken": [each for code in asked for each in broken(code)],
    "rules": key_rules_version(),
    "letters": alphabet_letters("mni-Mtei", "Mtei"),
}))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Add Karbi and Meitei as the page says to a copy of the packages."""
    tree = tmp_path_factory.mktemp("language")
    for package in PACKAGES:
        copytree(ROOT / package, tree / package, copy_function=os.symlink)
    apply_step(DOCUMENT, tree)
    return tree


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages of a tree."""
    return subprocess.run(  # noqa: S603  # the programs of this file
        [sys.executable, *arguments],
        env={
            **os.environ,
            "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree / 'packages/assamese/src'}",
            "PYTHONUTF8": "1",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def answer(tree: Path) -> dict[str, Any]:
    """Look up words of the new languages in the copy."""
    ended = run(tree, "-c", PROGRAM, f"sqlite:///{tree / 'words.sqlite'}", json.dumps(ASKED))
    assert ended.returncode == 0, ended.stderr
    answer: dict[str, Any] = json.loads(ended.stdout)
    assert Path(answer["package"]).is_relative_to(tree)
    return answer


def test_words_of_the_new_languages_are_found_by_letters_and_endings(answer: dict[str, Any]) -> None:
    results = answer["found"]

    assert {text: results[text] for text in ASKED["mjw"][:-1]} == {
        "laphan": ["inflected", "la"],
        "kolom-pen": ["inflected", "kolom"],
        "alatum": ["inflected", "ala"],
        "la": ["exact", "la"],
    }
    assert {text: results[text] for text in ASKED["mni-Mtei"]} == {
        "ꯃꯤꯁꯤꯡꯒꯤ": ["inflected", "ꯃꯤ"],
        "ꯌꯨꯝꯗ": ["inflected", "ꯌꯨꯝ"],
        "ꯌꯨꯃ": ["loose", "ꯌꯨꯝ"],
        "ꯌꯨꯝ": ["exact", "ꯌꯨꯝ"],
        "ꯏꯁꯤꯡ": ["exact", "ꯏꯁꯤꯡ"],
    }
    assert results["kolomxyz"][0] != "inflected"


def test_the_new_files_set_the_alphabet_and_the_version_of_the_keys_and_their_examples_hold(
    answer: dict[str, Any],
) -> None:
    assert answer["letters"][:3] == ["ꯀ", "ꯁ", "ꯂ"]
    assert len(answer["letters"]) == 27
    assert answer["rules"] != key_rules_version()
    assert answer["broken"] == []


def test_an_error_in_a_new_file_is_reported_with_its_line(tree: Path) -> None:
    file = tree / "packages/assamese/src/assamese/tables/languages/xx.toml"
    file.write_text('# Source: none.\n[[forms.endings]]\nany = "phan"\n', encoding="utf-8")
    try:
        ended = run(tree, "-c", "import assamese.language_rules")
    finally:
        file.unlink()

    assert ended.stderr.splitlines()[-1].startswith("ValueError: tables/languages/xx.toml, line 3: Expected `array`")
