from concurrent.futures import ThreadPoolExecutor

from abhidhan.domain.figures import Count, Figure


def test_what_is_known_beforehand_is_counted_from_0() -> None:
    count = Count("things", [("good",), ("bad",)])
    count.add("bad")
    count.add("new", number=2)

    expected = [Figure("things", ("good",), 0), Figure("things", ("bad",), 1), Figure("things", ("new",), 2)]
    assert count.figures() == expected


def test_nothing_that_several_threads_count_is_lost() -> None:
    count = Count("things")
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: count.add("one"), range(2_000)))

    assert count.figures() == [Figure("things", ("one",), 2_000)]
