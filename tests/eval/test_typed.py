"""Words typed in Roman letters, and names: `tlipi.php` writes as many right as before."""

import tomllib

import pytest

from abhidhan.platform.database.database import Database
from tools.evaluate import EVAL_FOLDER, summarize_outcomes
from tools.evaluate_everyday import evaluate_typed

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["typed"]


def test_as_many_typed_words_are_written_right_as_before(whole_dictionary: Database) -> None:
    found = whole_dictionary.read_now(lambda reader: dict(evaluate_typed(reader, "held-out")))
    first = {kind: summarize_outcomes(outcomes)[-1].first for kind, outcomes in found.items()}

    assert first.keys() == FLOORS.keys()
    assert {kind: share for kind, share in first.items() if share < FLOORS[kind]} == {}
