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


def test_readers_find_forms_and_alternative_spellings(
    sample: Database, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name, open_export in OPENERS.items():
        with subtests.test(name):
            export(sample, name, tmp_path / "export.zip")
            look = open_export(tmp_path / "export.zip")

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


def test_stored_forms_of_other_languages_are_found(sample: Database, tmp_path: Path) -> None:
    export(sample, "stardict", tmp_path / "export.zip")

    assert any("<b>go</b>" in article for article in open_stardict(tmp_path / "export.zip")("went"))


SPELLINGS: list[tuple[str, list[str]]] = [
    ("পানী", []),
    ("অসমীয়া", ["অসমী\u09dfা"]),
    ("ल़ड़का", ["ल़\u095cका"]),
    ("ক’ৰ", ["ক'ৰ", "ক‘ৰ"]),
    ("বৰ'", ["বৰ’", "বৰ‘"]),
    ("হ’য়", ["হ’\u09df", "হ'য়", "হ'\u09df", "হ‘য়", "হ‘\u09df"]),
]


def test_dotted_letters_and_apostrophes_have_alternative_spellings() -> None:
    for text, others in SPELLINGS:
        assert list_other_spellings(text) == others, text
