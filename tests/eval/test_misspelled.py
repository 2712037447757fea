"""Misspelled words of the whole starter dictionary: as many are found as before."""

import tomllib

import pytest

from abhidhan.platform.database.database import Database
from tools.evaluate import EVAL_FOLDER
from tools.evaluate_misspelled import measure, misspell_headwords

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["misspelled"]


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.nightly)])
def test_as_many_misspelled_words_are_found_as_before(whole_dictionary: Database, step: int) -> None:
    misspellings = whole_dictionary.read_now(lambda reader: misspell_headwords(reader, step))
    shares = whole_dictionary.read_now(lambda reader: measure(reader, misspellings))

    assert shares.first_share >= FLOORS["first"]
    assert shares.found_share >= FLOORS["found"]
