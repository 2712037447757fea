import math

import pytest

from assamese.joint_ngram import END_UNIT, PROBABILITY_STEPS
from tools.transliteration.backoff import estimate, load_packed

SEQUENCES = [(2, 3, 2), (2, 3, 3), (2, 2, 3), (3, 2), (2, 3, 2, 3, 4), (4, 2, 3)]
UNITS = (END_UNIT, 2, 3, 4)


@pytest.mark.parametrize("before", [(), (2,), (2, 3), (4,), (2, 3, 2, 3)])
@pytest.mark.parametrize("least", [{}, {3: 2}])
def test_the_probabilities_after_any_context_add_up_to_one(before: tuple[int, ...], least: dict[int, int]) -> None:
    model = load_packed(estimate(SEQUENCES, 3, least))
    state = model.start_state()
    for unit in before:
        _, state = model.step(state, unit)
    assert sum(math.exp(model.step(state, unit)[0]) for unit in UNITS) == pytest.approx(1, abs=0.06)


def test_a_sequence_that_was_seen_is_likelier_than_one_that_was_not() -> None:
    model = load_packed(estimate(SEQUENCES, 3, {}))
    assert model.score((2, 3, 2)) > model.score((4, 4, 4))


def test_a_unit_never_met_is_possible_but_most_unlikely() -> None:
    model = load_packed(estimate(SEQUENCES, 3, {}))
    assert model.step(model.start_state(), 9)[0] < -200 / PROBABILITY_STEPS


def test_the_same_walk_leads_to_the_same_state() -> None:
    model = load_packed(estimate(SEQUENCES, 3, {}))
    assert model.step(model.start_state(), 2) == model.step(model.start_state(), 2)


def test_pruned_models_are_smaller() -> None:
    whole, pruned = (estimate(SEQUENCES, 3, least) for least in ({}, {3: 2}))
    assert len(pruned.probabilities[2]) < len(whole.probabilities[2])
