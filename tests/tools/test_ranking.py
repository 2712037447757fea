from tools.transliteration.ranking import TrainingExample, fit_weights


def test_a_view_that_tells_right_from_wrong_gets_weight() -> None:
    choices = [TrainingExample([(0.0, 1.0), (0.5, 0.0)], 0, 1.0), TrainingExample([(0.5, 0.0), (0.0, 1.0)], 1, 1.0)]
    blind, telling = fit_weights(choices, (0.0, 0.0))
    assert telling > 0 > blind


def test_choices_that_count_for_nothing_change_nothing() -> None:
    assert fit_weights([TrainingExample([(1.0,), (0.0,)], 0, 0.0)], (0.3,)) == [0.3]
