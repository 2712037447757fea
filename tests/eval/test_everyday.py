"""Everyday input: as much of it is understood as before, of the part that no rule was fitted to."""

import tomllib

import pytest

from abhidhan.platform.database.database import Database
from tools.evaluate import EVAL_FOLDER
from tools.evaluate_everyday import (
    NONSENSE_COUNT,
    evaluate,
    find_answered_nonsense,
    find_misread_controls,
    find_misread_sentences,
    read_rows,
)

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))
PART = "held-out"


def test_everyday_words_and_phrases_are_understood_as_well_as_before(whole_dictionary: Database) -> None:
    outcomes = whole_dictionary.read_now(lambda reader: evaluate(reader, PART))
    first = {kind: sum(each.is_first for each in some) / len(some) for kind, some in outcomes.items()}

    assert first.keys() == FLOORS["everyday"].keys()
    assert {kind: share for kind, share in first.items() if share < FLOORS["everyday"][kind]} == {}


@pytest.mark.nightly
def test_no_more_unknown_text_is_answered_than_before(whole_dictionary: Database) -> None:
    ceilings = FLOORS["claims"]
    apart = whole_dictionary.read_now(lambda reader: find_misread_controls(reader, PART))
    sayings = whole_dictionary.read_now(lambda reader: find_misread_sentences(reader, PART))

    assert len(apart) <= ceilings["compounds"] * len(read_rows("controls", PART))
    assert len(sayings) <= ceilings["proverbs"] * len(read_rows("ordinary_sentences", PART))
    assert len(whole_dictionary.read_now(find_answered_nonsense)) <= ceilings["nonsense"] * 2 * NONSENSE_COUNT
