from itertools import accumulate

from abhidhan.domain.respawning import LONGEST_PAUSE, ends_in_a_row, pause_before_next


def test_the_first_end_is_mended_at_once_and_every_further_one_more_slowly() -> None:
    assert [pause_before_next(ends) for ends in range(1, 9)] == [0, 0.25, 0.5, 1, 2, 4, 8, 8]


def test_the_pause_never_grows_beyond_some_seconds() -> None:
    assert pause_before_next(10**9) == LONGEST_PAUSE


def test_a_worker_that_lived_for_a_while_begins_a_new_row() -> None:
    lives = [500.0, 1.0, 2.0, 59.9, 60.0, 0.0]

    assert list(accumulate(lives, ends_in_a_row, initial=7))[1:] == [1, 2, 3, 4, 1, 2]
