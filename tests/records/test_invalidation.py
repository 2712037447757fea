"""A change of a record invalidates the answers that show it."""

from abhidhan.records.history import (
    CardState,
    Change,
    IdeaState,
    ListItemState,
    PhotoState,
    PhraseState,
    RecordRef,
    RecordState,
    RelationState,
    SenseState,
    WordState,
)
from abhidhan.records.invalidation import AffectedRecords, collect_affected_records

AFFECTED: tuple[tuple[str, RecordState, AffectedRecords], ...] = (
    ("idea:88", IdeaState(None, None, None, 0), AffectedRecords(ideas=frozenset({88}))),
    ("word:12", WordState(2, "পানী", 0), AffectedRecords(words=frozenset({12}))),
    ("sense:5", SenseState(12, 88, 1, 0), AffectedRecords(ideas=frozenset({88}))),
    ("relation:88-2-90", RelationState(88, 2, 90), AffectedRecords(ideas=frozenset({88, 90}))),
    ("photo:3", PhotoState(88, "approved", "R. Das"), AffectedRecords(ideas=frozenset({88}))),
    ("photo:4", PhotoState(88, "pending_review", "R. Das"), AffectedRecords()),
    ("list_item:CTX-4", ListItemState("CTX", 4, "Water", 1), AffectedRecords(list_values=frozenset({("CTX", 4)}))),
    ("phrase:4", PhraseState(2, "নগৈ গড়গাঁৱৰ বতৰা কয়", 0), AffectedRecords()),
    ("card:4", CardState(1, 1, "পানী", "water"), AffectedRecords()),
)


def test_a_created_changed_or_deleted_record_invalidates_the_answers_that_show_it() -> None:
    for name, state, affected in AFFECTED:
        for before, after in ((None, state), (state, state), (state, None)):
            assert collect_affected_records([Change(RecordRef.parse(name), before, after)]) == affected, name


def test_a_moved_meaning_invalidates_its_old_and_its_new_idea() -> None:
    moved = Change(RecordRef("sense", "5"), SenseState(12, 88, 1, 0), SenseState(12, 90, 1, 0))

    assert collect_affected_records([moved]).ideas == {88, 90}
