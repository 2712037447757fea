import pytest
from msgspec import structs

from abhidhan.domain.wikis import (
    LONGEST_CLOSURE,
    SHORTEST_CLOSURE,
    Manners,
    Wiki,
    answered,
    begun,
    closed_for,
    failed,
    has_closed,
    has_recovered,
    released,
    wait_for_turn,
)

NOW = 1_790_000_000_000
IDLE = Wiki(address="https://example.org/api.php")
ALONE = Manners(pace=100, over_all=False, longest_turn=10_000)
TOGETHER = Manners(pace=1_000, over_all=True, longest_turn=10_000)


def after_failures(count: int) -> Wiki:
    wiki = IDLE
    for _ in range(count):
        wiki = failed(wiki, NOW, 0)
    return wiki


@pytest.mark.parametrize(
    ("wiki", "milliseconds"),
    [
        (IDLE, 0),
        (structs.replace(IDLE, asked=NOW - 60), 40),
        (structs.replace(IDLE, asked=NOW - 100), 0),
        (structs.replace(IDLE, holder="other", held_until=NOW + 3_000), 3_000),
        (structs.replace(IDLE, holder="other", held_until=NOW - 1), 0),
        (structs.replace(IDLE, holder="me", held_until=NOW + 3_000), 0),
        (structs.replace(IDLE, closed_until=NOW + 500), 500),
    ],
)
def test_one_waits_for_the_turn_the_pace_and_the_wiki(wiki: Wiki, milliseconds: int) -> None:
    assert wait_for_turn(wiki, [], "me", NOW, ALONE) == milliseconds


def test_the_pace_may_be_one_for_all_wikis() -> None:
    other = Wiki(address="https://example.net/api.php", asked=NOW - 400)

    assert wait_for_turn(IDLE, [other], "me", NOW, TOGETHER) == 600
    assert wait_for_turn(IDLE, [other], "me", NOW, ALONE) == 0


def test_a_clock_that_was_put_back_does_not_stop_everything() -> None:
    wiki = structs.replace(IDLE, asked=NOW + 9_000_000, holder="other", held_until=NOW + 9_000_000)

    assert wait_for_turn(wiki, [], "me", NOW, ALONE) == ALONE.longest_turn
    assert wait_for_turn(structs.replace(wiki, holder=""), [], "me", NOW, ALONE) == ALONE.pace


def test_a_turn_is_held_until_it_is_given_back() -> None:
    held = begun(IDLE, "me", NOW, ALONE)

    assert wait_for_turn(held, [], "other", NOW + 200, ALONE) == 9_800
    assert wait_for_turn(answered(held), [], "other", NOW + 200, ALONE) == 0
    assert wait_for_turn(released(held), [], "other", NOW + 200, ALONE) == 0


@pytest.mark.parametrize(
    ("failures", "closed"),
    [
        (1, 0),
        (2, 0),
        (3, SHORTEST_CLOSURE),
        (4, 2 * SHORTEST_CLOSURE),
        (5, 4 * SHORTEST_CLOSURE),
        (500, LONGEST_CLOSURE),
    ],
)
def test_a_wiki_that_fails_again_and_again_is_left_alone_ever_longer(failures: int, closed: int) -> None:
    assert closed_for(after_failures(failures), NOW) == closed


def test_a_wish_is_granted_at_once_but_not_for_ever() -> None:
    assert closed_for(failed(IDLE, NOW, 17_000), NOW) == 17_000
    assert closed_for(failed(IDLE, NOW, 10**12), NOW) == 86_400_000


def test_one_answer_opens_a_wiki_again() -> None:
    closed = after_failures(3)

    opened = answered(closed)

    assert (opened.failures, closed_for(opened, NOW)) == (0, 0)
    assert has_recovered(closed, opened)
    assert has_closed(after_failures(2), closed)
    assert not has_closed(IDLE, after_failures(1))
