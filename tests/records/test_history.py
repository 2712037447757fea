import pytest

from abhidhan.records.errors import ConflictError
from abhidhan.records.history import (
    Change,
    IdeaState,
    RecordRef,
    RecordState,
    SenseState,
    WordState,
    build_undo,
    decode_changes,
    encode_changes,
    order_by_dependency,
)

IDEA = RecordRef("idea", "1")
WORD = RecordRef("word", "2")
SENSE = RecordRef("sense", "3")
CHANGES = (
    Change(IDEA, None, IdeaState(3, None, None, 10, definitions=((1, "a test"),), examples=((2, "ক", None),))),
    Change(WORD, WordState(2, "পানি", 10), WordState(2, "পানী", 10)),
    Change(SENSE, None, SenseState(2, 1, 1, 10)),
)


def test_encoded_changes_are_decoded_unchanged() -> None:
    assert decode_changes(*encode_changes(CHANGES)) == CHANGES


def test_an_import_has_nothing_to_undo() -> None:
    assert decode_changes(None, '{"ideas": 5, "words": {"added": 3}}') == ()
    assert decode_changes(None, None) == ()


def test_undoing_inverts_the_changes_in_reverse_order() -> None:
    now: dict[RecordRef, RecordState | None] = {change.ref: change.after for change in CHANGES}

    assert build_undo(CHANGES, now.get) == tuple(change.inverse for change in reversed(CHANGES))


def test_a_change_is_not_undone_if_the_record_has_changed_since() -> None:
    now: dict[RecordRef, RecordState | None] = {change.ref: change.after for change in CHANGES}
    now[WORD] = WordState(2, "পানীয়", 10)

    with pytest.raises(ConflictError, match="The word 2 has been changed"):
        build_undo(CHANGES, now.get)


def test_an_entry_without_changes_cannot_be_undone() -> None:
    with pytest.raises(ConflictError):
        build_undo((), lambda _: None)


def test_links_are_created_after_and_deleted_before_their_records() -> None:
    made = order_by_dependency(reversed(CHANGES))
    gone = order_by_dependency(change.inverse for change in CHANGES)

    assert [change.ref.kind for change in made] == ["idea", "word", "sense"]
    assert [change.ref.kind for change in gone] == ["sense", "word", "idea"]


def test_a_record_reference_is_parsed_to_a_number() -> None:
    for name, number in (("word:1204", 1204), ("relation:88-2-90", 88), ("list_item:POS-3", 3)):
        assert RecordRef.parse(name).number == number
        assert str(RecordRef.parse(name)) == name
