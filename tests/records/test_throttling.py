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


def waits(rule: Throttle, count: int) -> list[int]:
    tries, told = AttemptCount(), []
    for _ in range(count):
        tries = count_attempt(rule, tries, NOW)
        told.append(seconds_to_wait(tries, NOW))
    return told


def test_the_first_tries_are_free_and_each_later_one_waits_twice_as_long() -> None:
    assert waits(SIGN_IN_BY_ACCOUNT_AND_ADDRESS, 8) == [0, 0, 0, 0, 2, 4, 8, 16]


def test_nobody_can_lock_an_owner_out_for_long() -> None:
    assert max(waits(SIGN_IN_BY_ACCOUNT, 10_000)) <= 30


def test_after_a_while_all_is_forgotten() -> None:
    rule = SIGN_IN_BY_ACCOUNT_AND_ADDRESS
    tries = AttemptCount(count=50, last=NOW - rule.reset_after_seconds, until=NOW)

    assert count_attempt(rule, tries, NOW) == AttemptCount(1, NOW, NOW)


def test_a_clock_that_was_set_back_keeps_nobody_waiting_until_it_has_caught_up() -> None:
    tries = AttemptCount(count=20, last=NOW + 3600, until=NOW + 3600 + 900)

    assert seconds_to_wait(tries, NOW) == 0
    # A clock that is a little behind that of another machine is not the same.
    assert seconds_to_wait(AttemptCount(20, NOW + 5, NOW + 905), NOW) == 905
