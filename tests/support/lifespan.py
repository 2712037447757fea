"""Start and stop an ASGI application, as a server does."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar.types import ASGIApp


@contextmanager
def run_lifespan(application: ASGIApp, runner: asyncio.Runner) -> Iterator[None]:
    """Run the lifespan of an application during a test."""
    loop = runner.get_loop()
    requests: asyncio.Queue[Any] = asyncio.Queue()
    responses: asyncio.Queue[Any] = asyncio.Queue()
    scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}

    async def send_message(message: str) -> None:
        await requests.put({"type": f"lifespan.{message}"})
        answer = await responses.get()
        assert answer["type"] == f"lifespan.{message}.complete", answer

    async def run_application() -> None:
        await application(scope, requests.get, responses.put)

    life = loop.create_task(run_application())
    runner.run(send_message("startup"))
    try:
        yield
    finally:
        runner.run(send_message("shutdown"))
        loop.run_until_complete(life)
