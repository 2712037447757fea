"""The checker of histories finds what it is for, and nothing in a history that keeps all promises."""

from dataclasses import replace

import pytest

from tests.support.cluster.checking import Allowed, Evidence, Pauses, violations
from tests.support.cluster.history import Action, Answer, Operation, Outcome, Window, outcome_of

LAG = 1.0
WRITES = frozenset({Action.SET, Action.ADD})
AWAY = Window("primary", 10.0, 20.0)
ALLOWED = Allowed(refused={"primary": WRITES}, broken={"node": WRITES})

PROBLEM = b'{"type": "/api/docs#problem-unavailable", "title": "A", "status": 503, "detail": "B."}'
TYPE = "application/problem+json"


def wrote(number: int, began: float, outcome: Outcome = Outcome.DONE, action: Action = Action.SET) -> Operation:
    return Operation("writer", action, "word", number, began, began + 0.1, outcome)


def read(number: int, began: float, *, kept: bool = False, own: bool = False) -> Operation:
    return Operation("reader", Action.READ, "word", number, began, began + 0.1, kept=kept, own=own)


HELD = Evidence(
    operations=(
        read(0, 0.5),
        wrote(1, 1.0),
        read(0, 1.9),
        read(1, 2.3),
        wrote(2, 3.0, Outcome.BROKEN),
        read(2, 3.05),
        read(1, 3.5),
        wrote(2, 4.0),
        wrote(3, 12.0, Outcome.REFUSED),
        read(2, 12.5),
        wrote(3, 21.0),
        read(3, 22.2, own=True),
    ),
    windows=(Window("node", 2.9, 3.2), AWAY),
    registers={"word": 3},
    lag=LAG,
    allowed=ALLOWED,
)
ADDED = Evidence(
    operations=tuple(wrote(number, number, action=Action.ADD) for number in (1, 2, 3)), collections={"word": [3, 1, 2]}
)


def found(evidence: Evidence, *more: Operation) -> list[str]:
    """List what is found by its kind."""
    with_more = replace(evidence, operations=(*evidence.operations, *more))
    return [each.partition(":")[0] for each in violations(with_more)]


def test_a_history_that_keeps_all_promises_has_no_violations() -> None:
    assert found(HELD) == found(ADDED) == found(Evidence(())) == []


def test_an_acknowledged_write_that_is_not_there_is_lost() -> None:
    assert found(replace(HELD, registers={"word": 2})) == ["lost"]
    assert found(replace(HELD, registers={})) == ["lost"]
    assert found(replace(ADDED, collections={"word": [1, 3]})) == ["lost"]


def test_a_write_that_nobody_was_told_of_may_be_there_or_not() -> None:
    maybe = wrote(4, 23.0, Outcome.BROKEN)
    later = replace(HELD, windows=(*HELD.windows, Window("node", 22.0, 24.0)))

    assert [found(replace(later, registers={"word": number}), maybe) for number in (3, 4)] == [[], []]


def test_what_nobody_wrote_is_invented() -> None:
    assert found(replace(HELD, registers={"word": 4})) == ["invented"]
    assert found(replace(ADDED, collections={"word": [1, 2, 3, 4]})) == ["invented"]
    assert found(HELD, read(4, 23.0)) == ["invented"]
    assert found(HELD, read(3, 11.0)) == ["invented"]


def test_what_is_there_twice_though_it_was_sent_once_is_told() -> None:
    assert found(replace(ADDED, collections={"word": [1, 2, 2, 3]})) == ["doubled"]


def test_a_read_may_be_as_old_as_the_lag_allowed_and_no_older() -> None:
    acknowledged = 21.1
    assert found(HELD, read(2, acknowledged + LAG - 0.01)) == []
    assert found(HELD, read(2, acknowledged + LAG + 0.01)) == ["stale"]


def test_how_long_a_read_takes_does_not_make_it_stale() -> None:
    assert found(HELD, replace(read(2, 22.0), ended=60.0)) == []


def test_a_pause_of_the_machine_is_nobody_s_lag() -> None:
    late = read(2, 25.0)
    assert found(HELD, late) == ["stale"]
    assert found(replace(HELD, pauses=Pauses([(21.5, 24.9)])), late) == []
    assert found(replace(HELD, pauses=Pauses([(1.0, 21.0), (30.0, 40.0)])), late) == ["stale"]


def test_whoever_has_written_sees_it_at_once() -> None:
    assert found(HELD, read(2, 21.2)) == []
    assert found(HELD, read(2, 21.2, own=True)) == ["stale"]


def test_a_cache_may_keep_an_answer_longer_but_not_invent_one() -> None:
    assert found(HELD, read(1, 30.0, kept=True)) == []
    assert found(HELD, read(9, 30.0, kept=True)) == ["invented"]


def test_a_wrong_answer_is_told_whatever_happens_meanwhile() -> None:
    assert found(HELD, replace(read(2, 12.0), outcome=Outcome.WRONG)) == ["wrong"]


@pytest.mark.parametrize(
    ("operation", "is_excused"),
    [
        (wrote(4, 19.95, Outcome.REFUSED), True),
        (wrote(4, 9.95, Outcome.REFUSED), True),
        (wrote(4, 20.1, Outcome.REFUSED), False),
        (wrote(4, 12.0, Outcome.BROKEN), False),
        (wrote(4, 3.0, Outcome.BROKEN), True),
        (replace(read(2, 12.0), outcome=Outcome.REFUSED), False),
        (replace(read(2, 3.0), outcome=Outcome.BROKEN), False),
    ],
)
def test_an_error_is_excused_by_its_kind_and_time(operation: Operation, is_excused: bool) -> None:  # noqa: FBT001
    assert found(HELD, operation) == ([] if is_excused else ["error"])


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(200, {}, b"{}"), Outcome.DONE),
        (Answer(201, {}, b"{}"), Outcome.DONE),
        (Answer(503, {"retry-after": "5", "content-type": TYPE}, PROBLEM), Outcome.REFUSED),
        (Answer(507, {"retry-after": "60", "content-type": TYPE}, PROBLEM), Outcome.REFUSED),
        (Answer(503, {"retry-after": "5", "content-type": "text/html; charset=utf-8"}, b"<h1>"), Outcome.REFUSED),
        (Answer(503, {"content-type": TYPE}, PROBLEM), Outcome.BROKEN),
        (Answer(503, {"retry-after": "5", "content-type": TYPE}, b'{"detail": "B."}'), Outcome.BROKEN),
        (Answer(503, {"retry-after": "5", "content-type": "text/plain"}, b"no"), Outcome.BROKEN),
        (Answer(502, {"content-type": "text/html"}, b"<h1>502</h1>"), Outcome.BROKEN),
        (Answer(0, {}, b"ReadError"), Outcome.BROKEN),
        (Answer(500, {"content-type": TYPE}, PROBLEM), Outcome.WRONG),
        (Answer(404, {"content-type": TYPE}, PROBLEM), Outcome.WRONG),
        (Answer(401, {"content-type": TYPE}, PROBLEM), Outcome.WRONG),
    ],
)
def test_answers_are_judged_by_what_the_api_promises(answer: Answer, outcome: Outcome) -> None:
    assert outcome_of(answer)[0] is outcome
