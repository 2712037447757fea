"""Whoever changes a record touches the answers of ideas."""

import pytest

from abhidhan.records.history import (
    AnyState,
    CardState,
    Change,
    IdeaState,
    ListItemState,
    PhotoState,
    PhraseState,
    RecordName,
    RelationState,
    SenseState,
    WordState,
)
from abhidhan.records.invalidation import Touched, touched_by


@pytest.mark.parametrize(
    ("name", "state", "touched"),
    [
        ("idea:88", IdeaState(None, None, None, 0), Touched(ideas=frozenset({88}))),
        ("word:12", WordState(2, "পানী", 0), Touched(words=frozenset({12}))),
        ("sense:5", SenseState(12, 88, 1, 0), Touched(ideas=frozenset({88}))),
        ("relation:88-2-90", RelationState(88, 2, 90), Touched(ideas=frozenset({88, 90}))),
        ("photo:3", PhotoState(88, "approved", "R. Das"), Touched(ideas=frozenset({88}))),
        ("photo:4", PhotoState(88, "pending_review", "R. Das"), Touched()),
        ("list_item:CTX-4", ListItemState("CTX", 4, "Water", 1), Touched(list_values=frozenset({("CTX", 4)}))),
        ("phrase:4", PhraseState(2, "নগৈ গড়গাঁৱৰ বতৰা কয়", 0), Touched()),
        ("card:4", CardState(1, 1, "পানী", "water"), Touched()),
    ],
)
def test_a_record_touches_what_shows_it_when_it_is_made_changed_or_removed(
    name: str, state: AnyState, touched: Touched
) -> None:
    for before, after in ((None, state), (state, state), (state, None)):
        assert touched_by([Change(RecordName.parse(name), before, after)]) == touched


def test_a_meaning_that_moves_touches_the_idea_it_leaves_and_the_idea_it_comes_to() -> None:
    moved = Change(RecordName("sense", "5"), SenseState(12, 88, 1, 0), SenseState(12, 90, 1, 0))

    assert touched_by([moved]).ideas == {88, 90}
