import tracemalloc
from collections.abc import Callable

import pytest

from abhidhan.platform.http.answer_cache import (
    MAX_BODY_BYTES,
    MAX_CACHE_BYTES,
    MAX_DOORKEEPER_KEYS,
    CacheKey,
    Doorkeeper,
    ResponseCache,
)
from abhidhan.platform.http.query import QueryCleaner
from abhidhan.platform.http.response import EdgeResponse

NEVER_REQUESTED = CacheKey("/never", b"")


def make_answer(size: int) -> EdgeResponse:
    return EdgeResponse(200, [(b"etag", b'"0123456789"'), (b"content-length", b"100")], bytes(size))


def test_the_least_recently_used_answers_are_removed_first() -> None:
    cache = ResponseCache(max_bytes=4 * (2200 + 1200))
    assert cache.get(NEVER_REQUESTED, 1) is None
    for query in (b"a", b"b", b"c"):
        cache.put(CacheKey("/", query), make_answer(1000), 1)
        cache.get(CacheKey("/", b"a"), 1)
    cache.put(CacheKey("/", b"d"), make_answer(4000), 1)

    assert cache.get(CacheKey("/", b"a"), 1) is not None
    assert cache.get(CacheKey("/", b"b"), 1) is None


def test_a_full_cache_admits_only_answers_that_are_requested_again() -> None:
    cache = ResponseCache(max_bytes=4 * (2200 + 1200))
    assert cache.get(NEVER_REQUESTED, 1) is None
    for query in (b"a", b"b", b"c", b"d", b"e"):
        cache.put(CacheKey("/", query), make_answer(1000), 1)
    others = [CacheKey("/", b"%d" % number) for number in range(100)]

    for key in others:
        cache.put(key, make_answer(1000), 1)
    # Some may have the bit of another, but never many.
    assert sum(cache.get(key, 1) is not None for key in others) < len(cache)
    assert cache.get(CacheKey("/", b"e"), 1) is not None

    for key in others:
        cache.put(key, make_answer(1000), 1)
    assert all(cache.get(key, 1) is not None for key in others[-len(cache) :])

    assert cache.get(NEVER_REQUESTED, 2) is None
    cache.put(CacheKey("/", b"new"), make_answer(1000), 2)
    assert cache.get(CacheKey("/", b"new"), 2) is not None


def test_few_new_requests_are_mistaken_for_repeated_ones() -> None:
    doorkeeper = Doorkeeper()
    again = sum(doorkeeper.admits(CacheKey("/", b"%d" % number)) for number in range(4 * MAX_DOORKEEPER_KEYS))

    assert again < 4 * MAX_DOORKEEPER_KEYS / 8
    assert doorkeeper.admits(CacheKey("/", b"%d" % (4 * MAX_DOORKEEPER_KEYS - 1)))


def test_an_answer_that_is_too_large_or_of_an_old_version_is_not_cached() -> None:
    cache = ResponseCache()
    assert cache.get(NEVER_REQUESTED, 2) is None
    cache.put(CacheKey("/", b""), make_answer(MAX_BODY_BYTES + 1), 2)
    cache.put(CacheKey("/", b""), make_answer(10), 1)

    assert len(cache) == cache.size_bytes == 0


def _short(number: int) -> tuple[bytes, int, str]:
    return b"w=%d" % number, 100, ""


def _long(number: int) -> tuple[bytes, int, str]:
    return b"w=%d" % number + b"a" * 200, 8000, ""


def _one_page_in_many_languages(number: int) -> tuple[bytes, int, str]:
    return b"", 3000, "en dark " + ".".join(f"language{number}-{place}" for place in range(10))


@pytest.mark.no_cover
@pytest.mark.thorough
def test_a_full_cache_takes_no_more_memory_than_it_reports(subtests: pytest.Subtests) -> None:
    for make_request in (_short, _long, _one_page_in_many_languages):
        with subtests.test(make_request.__name__):
            assert measure_full_cache(make_request) < MAX_CACHE_BYTES


def measure_full_cache(make_request: Callable[[int], tuple[bytes, int, str]]) -> int:
    """Return the bytes of memory that a cache takes after 20,000 requests."""
    tracemalloc.start()
    cache, cleaner = ResponseCache(), QueryCleaner()
    assert cache.get(NEVER_REQUESTED, 1) is None
    for number in range(20_000):
        query, size, variant = make_request(number)
        raw = query + b"&x=%d" % number
        cleaner.clean("/api/dic.php", raw, None)
        answer = make_answer(size)
        answer.headers = [(name, bytes(value) + b"%d" % number) for name, value in [*answer.headers] * 6]
        answer.not_modified_headers = answer.headers[4:]
        cache.put(CacheKey("/api/dic.php" + str(number % 7), query, variant=variant), answer, 1)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used
