from typing import Final

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


PAUSES: Final = (
    (1, MANNERS.interval_milliseconds),
    (2, MANNERS.interval_milliseconds),
    (3, MIN_PAUSE_MILLISECONDS),
    (4, 2 * MIN_PAUSE_MILLISECONDS),
    (5, 4 * MIN_PAUSE_MILLISECONDS),
    (500, MAX_PAUSE_MILLISECONDS),
)


def test_a_wiki_that_keeps_failing_gets_longer_and_longer_pauses() -> None:
    for failures, pause in PAUSES:
        wiki = IDLE
        for _ in range(failures):
            wiki = record_failure(wiki, NOW, 0, MANNERS)

        assert milliseconds_to_wait(wiki, NOW, MANNERS) == pause, failures
        assert is_unavailable(wiki, NOW, MANNERS) == (failures > 2)
        assert record_success(wiki, NOW, MANNERS).failures == 0


def test_a_requested_pause_is_kept_and_a_clock_that_was_set_back_causes_none() -> None:
    assert milliseconds_to_wait(record_failure(IDLE, NOW, 17_000, MANNERS), NOW, MANNERS) == 17_000
    assert milliseconds_to_wait(structs.replace(IDLE, free_at=NOW + 9_000_000), NOW, MANNERS) == 0


def test_a_wiki_that_is_slow_or_failing_for_another_process_is_unavailable() -> None:
    held = start_turn(IDLE, NOW, MANNERS)

    assert not is_unavailable(held, NOW + MANNERS.slow_after_milliseconds, MANNERS)
    assert is_unavailable(held, NOW + MANNERS.slow_after_milliseconds + 1, MANNERS)
    assert is_unavailable(structs.replace(held, failures=1), NOW, MANNERS)
