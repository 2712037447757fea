"""Assamese is said as a list of ours and WikiPron's have it, as well as before."""

import os
import tomllib
from pathlib import Path

import pytest

from tools.evaluate import SETS
from tools.evaluate_pronunciation import OWN_LIST, WORDS, Half, Pronunciations, failures, half_of, read_pronunciations

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((SETS / "floors.toml").read_text(encoding="utf-8"))["pronunciation"]
DATA = os.environ.get("ABHIDHAN_SHARED_DATA")


def share_equal(words: Pronunciations) -> float:
    return 1 - len(failures(words)) / len(words)


def test_words_of_our_list_are_said_as_well_as_before() -> None:
    words = read_pronunciations(OWN_LIST)

    assert len(words) >= 100
    assert share_equal(words) >= FLOORS["ours"], failures(words)


@pytest.mark.skipif(not DATA, reason="left out: WikiPron's words (ABHIDHAN_SHARED_DATA names their folder)")
@pytest.mark.parametrize("half", list(Half))
def test_words_of_wikipron_are_said_as_well_as_before(half: Half) -> None:
    words = read_pronunciations(Path(DATA or "") / WORDS)

    assert share_equal({word: said for word, said in words.items() if half_of(word) == half}) >= FLOORS[half]
