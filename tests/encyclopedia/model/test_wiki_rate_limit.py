import pytest
from msgspec import structs

from abhidhan.encyclopedia.model.wiki_rate_limit import (
    MAX_PAUSE_MILLISECONDS,
    MIN_PAUSE_MILLISECONDS,
    RequestPolicy,
    Wiki,
    acquire_turn,
    is_out_of_reach,
    record_answer,
    record_failure,
    wait_for_turn,
)

NOW = 1_790_000_000_000
IDLE = Wiki(address="https://example.org/api.php")
MANNERS = RequestPolicy(pace=100, over_all=False, max_turn=10_000)


def test_a_turn_ends_with_the_answer_or_by_itself() -> None:
    held = acquire_turn(IDLE, NOW, MANNERS)

    assert wait_for_turn(IDLE, NOW, MANNERS) == 0
    assert wait_for_turn(held, NOW + 200, MANNERS) == 9_800
    assert wait_for_turn(held, NOW + 10_000, MANNERS) == 0
    assert wait_for_turn(record_answer(held, NOW + 200, MANNERS), NOW + 200, MANNERS) == MANNERS.pace


def test_a_clock_that_was_put_back_does_not_stop_everything() -> None:
    assert wait_for_turn(structs.replace(IDLE, free_at=NOW + 9_000_000), NOW, MANNERS) == 0


@pytest.mark.parametrize(
    ("failures", "rest"),
    [
        (1, MANNERS.pace),
        (2, MANNERS.pace),
        (3, MIN_PAUSE_MILLISECONDS),
        (4, 2 * MIN_PAUSE_MILLISECONDS),
        (5, 4 * MIN_PAUSE_MILLISECONDS),
        (500, MAX_PAUSE_MILLISECONDS),
    ],
)
def test_a_wiki_that_fails_again_and_again_is_left_alone_ever_longer(failures: int, rest: int) -> None:
    wiki = IDLE
    for _ in range(failures):
        wiki = record_failure(wiki, NOW, 0, MANNERS)

    assert wait_for_turn(wiki, NOW, MANNERS) == rest
    assert is_out_of_reach(wiki, NOW, MANNERS) == (failures > 2)
    assert record_answer(wiki, NOW, MANNERS).failures == 0


def test_a_wish_for_rest_is_granted_at_once() -> None:
    assert wait_for_turn(record_failure(IDLE, NOW, 17_000, MANNERS), NOW, MANNERS) == 17_000


def test_nobody_waits_for_a_wiki_that_another_process_finds_slow_or_failing() -> None:
    held = acquire_turn(IDLE, NOW, MANNERS)

    assert not is_out_of_reach(held, NOW + MANNERS.patience, MANNERS)
    assert is_out_of_reach(held, NOW + MANNERS.patience + 1, MANNERS)
    assert is_out_of_reach(structs.replace(held, failures=1), NOW, MANNERS)
