"""Assamese is said as a list of ours and WikiPron's have it, as well as before."""

import os
import tomllib
from pathlib import Path

import pytest

from tools.evaluate import EVAL_FOLDER
from tools.evaluate_pronunciation import (
    PROJECT_LIST_FILE,
    WIKIPRON_FILE,
    Half,
    Pronunciations,
    find_failures,
    half_of,
    read_pronunciations,
)

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["pronunciation"]
DATA = os.environ.get("ABHIDHAN_SHARED_DATA")


def share_equal(words: Pronunciations) -> float:
    return 1 - len(find_failures(words)) / len(words)


def test_words_of_our_list_are_said_as_well_as_before() -> None:
    words = read_pronunciations(PROJECT_LIST_FILE)

    assert len(words) >= 100
    assert share_equal(words) >= FLOORS["ours"], find_failures(words)


@pytest.mark.skipif(not DATA, reason="left out: WikiPron's words (ABHIDHAN_SHARED_DATA names their folder)")
@pytest.mark.parametrize("half", list(Half))
def test_words_of_wikipron_are_said_as_well_as_before(half: Half) -> None:
    words = read_pronunciations(Path(DATA or "") / WIKIPRON_FILE)

    assert share_equal({word: said for word, said in words.items() if half_of(word) == half}) >= FLOORS[half]
