import pytest

from tools.evaluate import Outcome, Query, compute_false_alarm_rate, read_queries, summarize_outcomes


def outcome(place: int, kind: str = "roman", answer: str = "পানী") -> Outcome:
    return Outcome(Query("pani", "", ("পানী",), kind), place, answer)


def test_outcomes_are_summarized_by_kind_and_together() -> None:
    first, second, everything = summarize_outcomes([outcome(1), outcome(2), outcome(0, "typo"), outcome(8, "typo")])

    assert (first.label, first.queries, first.first, first.in_five, first.mean_reciprocal_rank) == (
        "roman",
        2,
        0.5,
        1.0,
        0.75,
    )
    assert (second.label, second.missed, second.in_five) == ("typo", 0.5, 0.0)
    assert (everything.label, everything.queries, everything.first) == ("all", 4, 0.25)


def test_an_answer_to_a_negative_is_a_false_alarm() -> None:
    assert compute_false_alarm_rate([outcome(0, answer=""), outcome(0)]) == 0.5
    assert compute_false_alarm_rate([]) == 0.0


def test_the_query_sets_are_large_and_a_third_of_each_is_held_out() -> None:
    for name, least in (("search", 300), ("proverbs", 150)):
        queries = read_queries(name, "all")
        held_out = read_queries(name, "held-out")

        assert len(queries) >= least
        assert len(held_out) == pytest.approx(len(queries) / 3, rel=0.15)
        assert len(held_out) + len(read_queries(name, "tuning")) == len(queries)


def test_a_third_of_the_queries_for_proverbs_expect_none() -> None:
    queries = read_queries("proverbs", "all")

    assert sum(not query.expected for query in queries) >= len(queries) / 3
