"""Names under which readers of StarDict, DSL and Yomitan find words: forms, and other ways to type them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from abhidhan.exchange.service.exporting import export
from abhidhan.formats.writers.reader_names import list_other_spellings
from abhidhan.platform.database.database import Database
from tests.support.databases import SqliteDatabases, load_sample
from tests.support.exported_dictionaries import FindArticles, open_dsl, open_stardict, open_yomitan

OPENERS: dict[str, Callable[[Path], FindArticles]] = {
    "stardict": open_stardict,
    "dsl": partial(open_dsl, language="as"),
    "yomitan": open_yomitan,
}


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


@pytest.mark.parametrize("name", OPENERS)
def test_readers_find_forms_and_words_however_they_are_typed(sample: Database, tmp_path: Path, name: str) -> None:
    export(sample, name, tmp_path / "export.zip")
    look = OPENERS[name](tmp_path / "export.zip")

    for typed, headword in {
        "পানীৰ": "পানী",
        "পানীখিনিত": "পানী",
        "খালোঁ": "খা",
        "খা\u09df": "খা",
        "অসমী\u09dfা": "অসমীয়া",
        "ক'লা": "ক’লা",
        "ক‘লা": "ক’লা",
    }.items():
        assert any(headword in article for article in look(typed)), typed
    assert look("পানীপানী") == []


def test_forms_of_other_languages_are_found_as_they_are_stored(sample: Database, tmp_path: Path) -> None:
    export(sample, "stardict", tmp_path / "export.zip")

    assert any("<b>go</b>" in article for article in open_stardict(tmp_path / "export.zip")("went"))


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("পানী", []),
        ("অসমীয়া", ["অসমী\u09dfা"]),
        ("ल़ड़का", ["ल़\u095cका"]),
        ("ক’ৰ", ["ক'ৰ", "ক‘ৰ"]),
        ("বৰ'", ["বৰ’", "বৰ‘"]),
        ("হ’য়", ["হ’\u09df", "হ'য়", "হ'\u09df", "হ‘য়", "হ‘\u09df"]),
    ],
)
def test_letters_with_a_dot_and_apostrophes_are_typed_in_other_ways_too(text: str, others: list[str]) -> None:
    assert list_other_spellings(text) == others
