import tracemalloc
from collections.abc import Callable

import pytest

from abhidhan.platform.http.answer_cache import CACHE_LIMIT, MAX_BODY_BYTES, MAX_NOTED, AnswerCache, Doorkeeper
from abhidhan.platform.http.query import QueryCleaner
from abhidhan.platform.http.response import Response

NEVER_ASKED = ("/never", b"", False, False)


def an_answer(size: int) -> Response:
    return Response(200, [(b"etag", b'"0123456789"'), (b"content-length", b"100")], bytes(size))


def test_the_least_recently_used_answers_make_room() -> None:
    cache = AnswerCache(limit=4 * (2200 + 1200))
    assert cache.get(NEVER_ASKED, 1) is None
    for query in (b"a", b"b", b"c"):
        cache.put(("/", query, False, False), an_answer(1000), 1)
        cache.get(("/", b"a", False, False), 1)
    cache.put(("/", b"d", False, False), an_answer(4000), 1)

    assert cache.get(("/", b"a", False, False), 1) is not None
    assert cache.get(("/", b"b", False, False), 1) is None


def test_a_full_cache_keeps_only_what_is_asked_again() -> None:
    cache = AnswerCache(limit=4 * (2200 + 1200))
    assert cache.get(NEVER_ASKED, 1) is None
    for query in (b"a", b"b", b"c", b"d", b"e"):
        cache.put(("/", query, False, False), an_answer(1000), 1)
    others = [("/", b"%d" % number, False, False) for number in range(100)]

    for key in others:
        cache.put(key, an_answer(1000), 1)
    # Some may have the bit of another, but never many.
    assert sum(cache.get(key, 1) is not None for key in others) < len(cache)
    assert cache.get(("/", b"e", False, False), 1) is not None

    for key in others:
        cache.put(key, an_answer(1000), 1)
    assert all(cache.get(key, 1) is not None for key in others[-len(cache) :])

    assert cache.get(NEVER_ASKED, 2) is None
    cache.put(("/", b"new", False, False), an_answer(1000), 2)
    assert cache.get(("/", b"new", False, False), 2) is not None


def test_of_many_questions_that_were_never_asked_few_seem_so() -> None:
    asked = Doorkeeper()
    again = sum(asked.admits(("/", b"%d" % number, False, False)) for number in range(4 * MAX_NOTED))

    assert again < 4 * MAX_NOTED / 8
    assert asked.admits(("/", b"%d" % (4 * MAX_NOTED - 1), False, False))


def test_too_large_an_answer_and_one_of_another_version_are_not_kept() -> None:
    cache = AnswerCache()
    assert cache.get(NEVER_ASKED, 2) is None
    cache.put(("/", b"", False, False), an_answer(MAX_BODY_BYTES + 1), 2)
    cache.put(("/", b"", False, False), an_answer(10), 1)

    assert len(cache) == cache.size == 0


def _short(number: int) -> tuple[bytes, int]:
    return b"w=%d" % number, 100


def _long(number: int) -> tuple[bytes, int]:
    return b"w=%d" % number + b"a" * 200, 8000


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", [_short, _long])
def test_a_full_cache_takes_no_more_memory_than_it_says(kind: Callable[[int], tuple[bytes, int]]) -> None:
    tracemalloc.start()
    cache, cleaner = AnswerCache(), QueryCleaner()
    assert cache.get(NEVER_ASKED, 1) is None
    for number in range(20_000):
        query, size = kind(number)
        raw = query + b"&x=%d" % number
        cleaner.clean("/api/dic.php", raw, None)
        answer = an_answer(size)
        answer.headers = [(name, bytes(value) + b"%d" % number) for name, value in [*answer.headers] * 6]
        answer.unchanged = answer.headers[4:]
        cache.put(("/api/dic.php" + str(number % 7), query, False, False), answer, 1)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert used < CACHE_LIMIT
