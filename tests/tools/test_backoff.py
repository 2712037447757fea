import math

import pytest

from assamese.joint_ngram import END_UNIT, PROBABILITY_STEPS
from tools.transliteration.backoff import estimate, load_packed

SEQUENCES = [(2, 3, 2), (2, 3, 3), (2, 2, 3), (3, 2), (2, 3, 2, 3, 4), (4, 2, 3)]
UNITS = (END_UNIT, 2, 3, 4)


def test_the_probabilities_after_any_context_add_up_to_one() -> None:
    thresholds: list[dict[int, int]] = [{}, {3: 2}]
    contexts: list[tuple[int, ...]] = [(), (2,), (2, 3), (4,), (2, 3, 2, 3)]
    for least in thresholds:
        model = load_packed(estimate(SEQUENCES, 3, least))
        for context in contexts:
            state = model.start_state()
            for unit in context:
                _, state = model.step(state, unit)
            assert sum(math.exp(model.step(state, unit)[0]) for unit in UNITS) == pytest.approx(1, abs=0.06), context


def test_a_known_sequence_is_likelier_than_an_unknown_one() -> None:
    model = load_packed(estimate(SEQUENCES, 3, {}))
    assert model.score((2, 3, 2)) > model.score((4, 4, 4))


def test_an_unknown_unit_is_possible_but_very_unlikely() -> None:
    model = load_packed(estimate(SEQUENCES, 3, {}))
    assert model.step(model.start_state(), 9)[0] < -200 / PROBABILITY_STEPS


def test_pruned_models_are_smaller() -> None:
    whole, pruned = (estimate(SEQUENCES, 3, least) for least in ({}, {3: 2}))
    assert len(pruned.probabilities[2]) < len(whole.probabilities[2])
