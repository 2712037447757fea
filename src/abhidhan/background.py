"""Work that goes on in the background while the application runs."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress


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
