from typing import Final, TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.contributions.model import rebase
from abhidhan.records.history import IdeaState, State, WordState

WORD = WordState(language_id=2, text="পানী", created=0, roman="pa.ni", origin="সং.")
IDEA = IdeaState(pos_id=1, gender_id=None, glyph=None, created=0, definitions=((1, "one"), (1, "two"), (2, "তিনি")))


S = TypeVar("S", bound=State)


def with_(state: S, **changes: object) -> S:
    return msgspec.structs.replace(state, **changes)


def test_changes_of_others_are_kept() -> None:
    found = rebase(WORD, with_(WORD, origin="সংস্কৃত"), with_(WORD, roman="pani"))

    assert found.after == with_(WORD, origin="সংস্কৃত", roman="pani")
    assert found.conflicts == ()


def test_a_field_changed_by_both_is_a_conflict() -> None:
    found = rebase(WORD, with_(WORD, origin="a"), with_(WORD, origin="b"))

    assert found.after == with_(WORD, origin="a")
    assert found.conflicts == ("origin",)


def test_equal_changes_are_no_conflict() -> None:
    same = with_(WORD, origin="a")

    assert rebase(WORD, same, same) == (same, ())


DEFINITION_CASES: Final[tuple[tuple[tuple[object, ...], tuple[object, ...], tuple[object, ...], bool], ...]] = (
    (((1, "ONE"), (1, "two"), (2, "তিনি")), IDEA.definitions, ((1, "ONE"), (1, "two"), (2, "তিনি")), False),
    (
        ((1, "ONE"), (1, "two"), (2, "তিনি")),
        (*IDEA.definitions, (3, "new")),
        ((1, "ONE"), (1, "two"), (2, "তিনি"), (3, "new")),
        False,
    ),
    (((1, "one"), (2, "তিনি")), (*IDEA.definitions, (3, "new")), ((1, "one"), (2, "তিনি"), (3, "new")), False),
    ((*IDEA.definitions, (1, "four")), ((1, "one"),), ((1, "one"), (1, "four")), False),
    (
        ((1, "ONE"), (1, "two"), (2, "তিনি")),
        ((1, "uno"), (1, "two"), (2, "তিনি")),
        ((1, "uno"), (1, "two"), (2, "তিনি"), (1, "ONE")),
        True,
    ),
)


def test_each_definition_is_changed_in_its_place(subtests: pytest.Subtests) -> None:
    for wanted, now, after, clash in DEFINITION_CASES:
        with subtests.test(str(wanted)):
            found = rebase(IDEA, with_(IDEA, definitions=wanted), with_(IDEA, definitions=now))

            assert found.after.definitions == after
            assert bool(found.conflicts) is clash


PARTS = st.lists(st.tuples(st.integers(1, 3), st.sampled_from("abcd")), unique=True, max_size=5).map(tuple)


@given(PARTS, PARTS)
def test_a_correction_without_concurrent_changes_is_applied_as_proposed(
    was: tuple[tuple[int, str], ...], wanted: tuple[tuple[int, str], ...]
) -> None:
    before = with_(IDEA, definitions=was)

    found = rebase(before, with_(IDEA, definitions=wanted), before)

    assert set(found.after.definitions) == set(wanted)
    assert found.conflicts == ()


@given(PARTS, PARTS)
def test_a_proposal_without_a_change_changes_nothing(
    was: tuple[tuple[int, str], ...], now: tuple[tuple[int, str], ...]
) -> None:
    before, current = with_(IDEA, definitions=was), with_(IDEA, definitions=now)

    assert rebase(before, before, current) == (current, ())
