"""Work that goes on in the background while the application runs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Final

LOOK_SECONDS: Final = 1.0
"""Interval in seconds between two looks whether work is allowed."""


@asynccontextmanager
async def going_on(*works: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Do some work beside what is done in the block; at its end all of it is cancelled, and waited for."""
    tasks = [asyncio.create_task(each) for each in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def run_while(is_allowed: Callable[[], bool], running: Callable[[], AbstractAsyncContextManager[None]]) -> None:
    """Run something while it is allowed, and again whenever it is allowed anew, until cancelled."""
    while True:
        if is_allowed():
            async with running():
                while is_allowed():  # noqa: ASYNC110  # a flag, which no event tells of
                    await asyncio.sleep(LOOK_SECONDS)
        await asyncio.sleep(LOOK_SECONDS)
