import multiprocessing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar, get

from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.rate_limit import Rate, RateLimiter
from abhidhan.records.errors import SettingError
from tests.support.asgi import ask


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        """Start at any time."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


def test_a_rate_is_parsed_and_a_wrong_one_is_rejected() -> None:
    assert [Rate.parse(text) for text in ("60/minute", " 5 / Second ", "9/day")] == [
        Rate(60, 60),
        Rate(5, 1),
        Rate(9, 86400),
    ]
    for text in ("", "60", "0/minute", "-1/minute", "60/week", "1.5/second"):
        with pytest.raises(SettingError, match="60/minute"):
            Rate.parse(text)


def test_a_bucket_empties_and_fills_again(tmp_path: Path) -> None:
    clock = Clock()
    limiter = RateLimiter(Rate(3, 60), tmp_path / "limits", clock=clock)

    assert [limiter.acquire("a").remaining for _ in range(3)] == [2, 1, 0]
    refused = limiter.acquire("a")
    assert (refused.is_allowed, refused.retry_after) == (False, 20)
    assert limiter.acquire("b").is_allowed
    clock.now += 20
    assert [limiter.acquire("a").is_allowed for _ in range(2)] == [True, False]
    clock.now += 3600
    assert [limiter.acquire("a").is_allowed for _ in range(4)] == [True, True, True, False]


def test_several_requests_are_allowed_together_or_not_at_all(tmp_path: Path) -> None:
    clock = Clock()
    limiter = RateLimiter(Rate(10, 60), tmp_path / "limits", clock=clock)

    assert [limiter.acquire("a", 4).remaining for _ in range(2)] == [6, 2]
    refused = limiter.acquire("a", 4)
    assert (refused.is_allowed, refused.remaining, refused.retry_after) == (False, 2, 12)
    assert limiter.acquire("a", 2).remaining == 0
    clock.now += 24
    assert limiter.acquire("a", 4).is_allowed
    assert not limiter.acquire("b", 11).is_allowed


def test_counters_from_before_a_reboot_lock_no_client_out(tmp_path: Path) -> None:
    clock = Clock()
    RateLimiter(Rate(1, 60), tmp_path / "limits", clock=clock).acquire("a")
    clock.now = 5.0

    assert RateLimiter(Rate(1, 60), tmp_path / "limits", clock=clock).acquire("a").is_allowed


def test_the_table_never_grows_and_forgets_the_clients_with_the_fullest_buckets(tmp_path: Path) -> None:
    path = tmp_path / "limits"
    limiter = RateLimiter(Rate(1, 60), path, clock=Clock())
    size = path.stat().st_size
    for number in range(2_000):
        assert limiter.acquire(f"client {number}").is_allowed

    assert path.stat().st_size == size < 1024 * 1024
    assert sum(limiter.acquire(f"client {number}").is_allowed for number in range(2_000)) < 20


def count_allowed(path: Path, times: int, results: Any) -> None:  # noqa: ANN401 (a queue of another process)
    limiter = RateLimiter(Rate(500, 86400), path)
    results.put(sum(limiter.acquire("a").is_allowed for _ in range(times)))


@pytest.mark.thorough
def test_several_workers_share_one_limit(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results: Any = context.Queue()
    workers = [context.Process(target=count_allowed, args=(tmp_path / "limits", 400, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert sum(results.get() for _ in workers) == 500


def make_limited_edge(folder: Path) -> Edge:
    @get(["/api/hello", "/health/live"])
    async def hello() -> Mapping[str, str]:
        return {"hello": "world"}

    async def version() -> int:
        return 1

    app = Litestar([hello], openapi_config=None, logging_config=None, exception_handlers=build_exception_handlers())
    limiter = RateLimiter(Rate(2, 60), folder / "limits", clock=Clock())
    return Edge(app, get_version=version, limiter=limiter)


def test_answers_state_the_remaining_requests_and_when_to_retry(tmp_path: Path) -> None:
    edge = make_limited_edge(tmp_path)
    first, _, third = (ask(edge, "/api/hello") for _ in range(3))

    assert first.headers["ratelimit-policy"] == '"default";q=2;w=60'
    assert first.headers["ratelimit"] == '"default";r=1;t=30'
    assert third.status == third.json["status"] == 429
    assert third.headers["retry-after"] == "30"
    assert third.headers["ratelimit"] == '"default";r=0;t=60'
    assert third.headers["access-control-allow-origin"] == "*"
    assert third.headers["cache-control"] == "no-store"


def test_other_clients_and_health_checks_are_not_limited(tmp_path: Path) -> None:
    edge = make_limited_edge(tmp_path)
    for _ in range(5):
        ask(edge, "/api/hello")

    assert ask(edge, "/api/hello", client=("192.0.2.2", 1)).status == 200
    assert ask(edge, "/health/live").status == 200
