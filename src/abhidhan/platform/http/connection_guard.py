"""The connections of a worker: how many there may be, and the end of those whose clients do not read.

Connections on which no request comes are closed by the HTTP server.
"""

import asyncio
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from litestar import Litestar

from abhidhan.platform.runtime.task_scope import going_on

ENOUGH_FILES: Final = 65_536
"""Limit of open files that a worker asks the system for; each connection is one."""

OTHER_FILES: Final = 256
"""Open files reserved for all but connections: databases, photos, pipes."""

POLL_SECONDS: Final = 0.1


def allowed_connections(wanted: int) -> int:
    """Return how many connections a worker may keep, having asked the system for as many open files as it allows."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    now, most = (ENOUGH_FILES if each == resource.RLIM_INFINITY else each for each in limits)
    files = max(now, min(ENOUGH_FILES, most))
    if files > now:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, limits[1]))
    return min(wanted, max(files - OTHER_FILES, files // 2))


@asynccontextmanager
async def ending_unread_answers(_app: Litestar, *, seconds: float) -> AsyncIterator[None]:
    """Let the system end connections whose clients read nothing for so many seconds (a Litestar lifespan)."""
    async with going_on(_limit_unread(round(seconds * 1000))):
        yield


async def _limit_unread(milliseconds: int) -> None:
    """Set the option of the socket that listens: connections have it from there."""
    option: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)  # macOS lacks it
    with suppress(OSError):  # where a process may not look at its own files
        # Granian listens only after the last lifespan has begun.
        while option and not _set_on_listeners(option, milliseconds):  # noqa: ASYNC110 (no event tells)
            await asyncio.sleep(POLL_SECONDS)


def _set_on_listeners(option: int, value: int) -> bool:
    """Set a TCP option of all sockets of this process that listen; return whether there are any."""
    found = False
    for file in Path("/dev/fd").iterdir():
        # It may be no TCP socket, or be closed meanwhile by another thread.
        with suppress(OSError):
            if file.is_socket():
                with socket.fromfd(int(file.name), socket.AF_INET, socket.SOCK_STREAM) as own:
                    if own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                        own.setsockopt(socket.IPPROTO_TCP, option, value)
                        found = True
    return found
