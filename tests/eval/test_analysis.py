"""Analyses of running words: as many are right as before, with all of the starter's words and without a third."""

import tomllib

import pytest

from assamese.analysis import MemoryLexicon
from tools.evaluate import EVAL_FOLDER
from tools.evaluate_analysis import measure, read_starter_words, sample_two_thirds

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["analysis"]


@pytest.mark.parametrize("lexicon", ["whole", "without_a_third"])
def test_as_many_running_words_are_analysed_rightly_as_before(lexicon: str) -> None:
    words = read_starter_words() if lexicon == "whole" else sample_two_thirds(read_starter_words())

    shares = measure(MemoryLexicon(words), "held-out")._asdict()

    assert {name: shares[name] >= floor for name, floor in FLOORS[lexicon].items()} == dict.fromkeys(shares, True)
