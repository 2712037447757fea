from typing import Final

from abhidhan.records.throttling import (
    SIGN_IN_BY_ACCOUNT,
    SIGN_IN_BY_ACCOUNT_AND_ADDRESS,
    AttemptCount,
    Throttle,
    count_attempt,
    seconds_to_wait,
)

NOW: Final = 1_790_000_000


def list_waits(rule: Throttle, count: int) -> list[int]:
    attempts, waits = AttemptCount(), []
    for _ in range(count):
        attempts = count_attempt(rule, attempts, NOW)
        waits.append(seconds_to_wait(attempts, NOW))
    return waits


def test_the_first_attempts_are_free_and_each_later_one_waits_twice_as_long() -> None:
    assert list_waits(SIGN_IN_BY_ACCOUNT_AND_ADDRESS, 8) == [0, 0, 0, 0, 2, 4, 8, 16]


def test_attackers_cannot_lock_an_owner_out_for_long() -> None:
    assert max(list_waits(SIGN_IN_BY_ACCOUNT, 10_000)) <= 30


def test_attempts_are_forgotten_after_the_reset_time() -> None:
    rule = SIGN_IN_BY_ACCOUNT_AND_ADDRESS
    attempts = AttemptCount(count=50, last=NOW - rule.reset_after_seconds, until=NOW)

    assert count_attempt(rule, attempts, NOW) == AttemptCount(1, NOW, NOW)


def test_a_clock_that_was_set_back_does_not_prolong_the_wait() -> None:
    attempts = AttemptCount(count=20, last=NOW + 3600, until=NOW + 3600 + 900)

    assert seconds_to_wait(attempts, NOW) == 0
    # A clock that is a little behind that of another machine is not the same.
    assert seconds_to_wait(AttemptCount(20, NOW + 5, NOW + 905), NOW) == 905
