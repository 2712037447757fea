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

NEVER_ASKED = CacheKey("/never", b"")


def an_answer(size: int) -> EdgeResponse:
    return EdgeResponse(200, [(b"etag", b'"0123456789"'), (b"content-length", b"100")], bytes(size))


def test_the_least_recently_used_answers_make_room() -> None:
    cache = ResponseCache(max_bytes=4 * (2200 + 1200))
    assert cache.get(NEVER_ASKED, 1) is None
    for query in (b"a", b"b", b"c"):
        cache.put(CacheKey("/", query), an_answer(1000), 1)
        cache.get(CacheKey("/", b"a"), 1)
    cache.put(CacheKey("/", b"d"), an_answer(4000), 1)

    assert cache.get(CacheKey("/", b"a"), 1) is not None
    assert cache.get(CacheKey("/", b"b"), 1) is None


def test_a_full_cache_keeps_only_what_is_asked_again() -> None:
    cache = ResponseCache(max_bytes=4 * (2200 + 1200))
    assert cache.get(NEVER_ASKED, 1) is None
    for query in (b"a", b"b", b"c", b"d", b"e"):
        cache.put(CacheKey("/", query), an_answer(1000), 1)
    others = [CacheKey("/", b"%d" % number) for number in range(100)]

    for key in others:
        cache.put(key, an_answer(1000), 1)
    # Some may have the bit of another, but never many.
    assert sum(cache.get(key, 1) is not None for key in others) < len(cache)
    assert cache.get(CacheKey("/", b"e"), 1) is not None

    for key in others:
        cache.put(key, an_answer(1000), 1)
    assert all(cache.get(key, 1) is not None for key in others[-len(cache) :])

    assert cache.get(NEVER_ASKED, 2) is None
    cache.put(CacheKey("/", b"new"), an_answer(1000), 2)
    assert cache.get(CacheKey("/", b"new"), 2) is not None


def test_of_many_questions_that_were_never_asked_few_seem_so() -> None:
    asked = Doorkeeper()
    again = sum(asked.admits(CacheKey("/", b"%d" % number)) for number in range(4 * MAX_DOORKEEPER_KEYS))

    assert again < 4 * MAX_DOORKEEPER_KEYS / 8
    assert asked.admits(CacheKey("/", b"%d" % (4 * MAX_DOORKEEPER_KEYS - 1)))


def test_too_large_an_answer_and_one_of_another_version_are_not_kept() -> None:
    cache = ResponseCache()
    assert cache.get(NEVER_ASKED, 2) is None
    cache.put(CacheKey("/", b""), an_answer(MAX_BODY_BYTES + 1), 2)
    cache.put(CacheKey("/", b""), an_answer(10), 1)

    assert len(cache) == cache.size_bytes == 0


def _short(number: int) -> tuple[bytes, int, str]:
    return b"w=%d" % number, 100, ""


def _long(number: int) -> tuple[bytes, int, str]:
    return b"w=%d" % number + b"a" * 200, 8000, ""


def _one_page_in_many_languages(number: int) -> tuple[bytes, int, str]:
    return b"", 3000, "en dark " + ".".join(f"language{number}-{place}" for place in range(10))


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", [_short, _long, _one_page_in_many_languages])
def test_a_full_cache_takes_no_more_memory_than_it_says(kind: Callable[[int], tuple[bytes, int, str]]) -> None:
    tracemalloc.start()
    cache, cleaner = ResponseCache(), QueryCleaner()
    assert cache.get(NEVER_ASKED, 1) is None
    for number in range(20_000):
        query, size, variant = kind(number)
        raw = query + b"&x=%d" % number
        cleaner.clean("/api/dic.php", raw, None)
        answer = an_answer(size)
        answer.headers = [(name, bytes(value) + b"%d" % number) for name, value in [*answer.headers] * 6]
        answer.not_modified_headers = answer.headers[4:]
        cache.put(CacheKey("/api/dic.php" + str(number % 7), query, variant=variant), answer, 1)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert used < MAX_CACHE_BYTES
