"""The middleware around a few small handlers, for tests of the middleware."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from litestar import Litestar, get
from litestar.handlers import HTTPRouteHandler

from abhidhan.platform.http.address_tree import RouteTree
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.logging import FinishedRequest
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.telemetry import build_metrics_handler
from tests.support.asgi import ask

FINISHED_REQUEST = FinishedRequest("GET", "/api/dic.php", "/api/dic.php", 200, 0.0004, "192.0.2.1", "id-1", cached=True)
LOCAL_CLIENT = ("127.0.0.1", 1)


def make_edge(*handlers: HTTPRouteHandler, **rest: Any) -> Edge:  # noqa: ANN401 (passed on)
    """Wrap an application of these handlers in the middleware."""

    async def version() -> int:
        return 1

    app = Litestar(handlers, openapi_config=None, logging_config=None, exception_handlers=build_exception_handlers())
    return Edge(app, get_version=version, route_tree=RouteTree(app.routes), **rest)


def make_receive(*pieces: dict[str, Any]) -> Callable[[], Awaitable[dict[str, Any]]]:
    """Return an ASGI `receive` callable that delivers the given messages, then waits forever."""
    left = list(pieces)

    async def receive() -> dict[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    return receive


def make_hello_handler() -> HTTPRouteHandler:
    """Return a handler for /api/hello."""

    @get("/api/hello")
    async def hello() -> dict[str, str]:
        return {"hello": "world"}

    return hello


def read_metrics(folder: Path) -> dict[str, float]:
    """Read `/metrics` with the counters in a folder."""
    answer = ask(make_edge(build_metrics_handler(folder)), "/metrics", client=LOCAL_CLIENT)
    assert answer.status == 200
    lines = (line for line in answer.body.decode().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}
