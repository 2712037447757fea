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

from abhidhan.background import going_on

ENOUGH_FILES: Final = 65_536
"""Limit of open files that a worker asks the system for; each connection is one."""

OTHER_FILES: Final = 256
"""Open files reserved for all but connections: databases, photos, pipes."""

POLL_SECONDS: Final = 0.1


def raise_open_files() -> None:
    """Ask the system for as many open files as it allows, up to what is enough."""
    files, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH_FILES if maximum == resource.RLIM_INFINITY else min(ENOUGH_FILES, maximum)
    if files != resource.RLIM_INFINITY and files < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, maximum))


def allowed_connections(wanted: int) -> int:
    """Return how many connections this process may keep: as many as wanted, or as its open files allow."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if files == resource.RLIM_INFINITY else min(wanted, max(files - OTHER_FILES, files // 2))


@asynccontextmanager
async def ending_unread_answers(_app: Litestar, *, seconds: float) -> AsyncIterator[None]:
    """Let the system end connections whose clients read nothing for so many seconds (a Litestar lifespan)."""
    async with going_on(_limit_unread(round(seconds * 1000))):
        yield


async def _limit_unread(milliseconds: int) -> None:
    """Set the option of the socket that listens: connections have it from there."""
    # Granian listens only after the last lifespan has begun.
    option: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)  # macOS lacks it
    while option and not _set_on_listeners(option, milliseconds):  # noqa: ASYNC110 (no event tells)
        await asyncio.sleep(POLL_SECONDS)


def _set_on_listeners(option: int, value: int) -> bool:
    """Set a TCP option of all sockets of this process that listen; return whether there are any."""
    found = False
    for file in Path("/dev/fd").iterdir():
        # Other files, and those closed meanwhile by another thread, are no such sockets.
        with suppress(OSError), socket.fromfd(int(file.name), socket.AF_INET, socket.SOCK_STREAM) as own:
            if own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                own.setsockopt(socket.IPPROTO_TCP, option, value)
                found = True
    return found
