"""Analyses of running words: as many are right as before, with all of the starter's words and without a third."""

import tomllib

import pytest

from assamese.analysis import MemoryLexicon
from tools.evaluate import SETS
from tools.evaluate_analysis import measure, starter_words, without_a_third

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((SETS / "floors.toml").read_text(encoding="utf-8"))["analysis"]


@pytest.mark.parametrize("lexicon", ["whole", "without_a_third"])
def test_as_many_running_words_are_analysed_rightly_as_before(lexicon: str) -> None:
    words = starter_words() if lexicon == "whole" else without_a_third(starter_words())

    shares = measure(MemoryLexicon(words), "held-out")._asdict()

    assert {name: shares[name] >= floor for name, floor in FLOORS[lexicon].items()} == dict.fromkeys(shares, True)
