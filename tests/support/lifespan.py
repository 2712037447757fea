"""Start and stop an ASGI application, as a server does."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar.types import ASGIApp


@contextmanager
def living(application: ASGIApp, runner: asyncio.Runner) -> Iterator[None]:
    """Run the lifespan of an application during a test."""
    loop = runner.get_loop()
    asked: asyncio.Queue[Any] = asyncio.Queue()
    told: asyncio.Queue[Any] = asyncio.Queue()
    scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}

    async def step(message: str) -> None:
        await asked.put({"type": f"lifespan.{message}"})
        answer = await told.get()
        assert answer["type"] == f"lifespan.{message}.complete", answer

    async def live() -> None:
        await application(scope, asked.get, told.put)

    life = loop.create_task(live())
    runner.run(step("startup"))
    try:
        yield
    finally:
        runner.run(step("shutdown"))
        loop.run_until_complete(life)
