import pytest
from msgspec import structs

from abhidhan.encyclopedia.model.wiki_rate_limit import (
    MAX_PAUSE_MILLISECONDS,
    MIN_PAUSE_MILLISECONDS,
    RequestPolicy,
    WikiState,
    is_unavailable,
    milliseconds_to_wait,
    record_failure,
    record_success,
    start_turn,
)

NOW = 1_790_000_000_000
IDLE = WikiState(address="https://example.org/api.php")
MANNERS = RequestPolicy(interval_milliseconds=100, is_interval_shared=False, max_turn_milliseconds=10_000)


def test_a_turn_ends_with_the_answer_or_by_itself() -> None:
    held = start_turn(IDLE, NOW, MANNERS)

    assert milliseconds_to_wait(IDLE, NOW, MANNERS) == 0
    assert milliseconds_to_wait(held, NOW + 200, MANNERS) == 9_800
    assert milliseconds_to_wait(held, NOW + 10_000, MANNERS) == 0
    assert (
        milliseconds_to_wait(record_success(held, NOW + 200, MANNERS), NOW + 200, MANNERS)
        == MANNERS.interval_milliseconds
    )


def test_a_clock_that_was_put_back_does_not_stop_everything() -> None:
    assert milliseconds_to_wait(structs.replace(IDLE, free_at=NOW + 9_000_000), NOW, MANNERS) == 0


@pytest.mark.parametrize(
    ("failures", "rest"),
    [
        (1, MANNERS.interval_milliseconds),
        (2, MANNERS.interval_milliseconds),
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

    assert milliseconds_to_wait(wiki, NOW, MANNERS) == rest
    assert is_unavailable(wiki, NOW, MANNERS) == (failures > 2)
    assert record_success(wiki, NOW, MANNERS).failures == 0


def test_a_wish_for_rest_is_granted_at_once() -> None:
    assert milliseconds_to_wait(record_failure(IDLE, NOW, 17_000, MANNERS), NOW, MANNERS) == 17_000


def test_nobody_waits_for_a_wiki_that_another_process_finds_slow_or_failing() -> None:
    held = start_turn(IDLE, NOW, MANNERS)

    assert not is_unavailable(held, NOW + MANNERS.slow_after_milliseconds, MANNERS)
    assert is_unavailable(held, NOW + MANNERS.slow_after_milliseconds + 1, MANNERS)
    assert is_unavailable(structs.replace(held, failures=1), NOW, MANNERS)
