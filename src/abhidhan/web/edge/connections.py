"""The connections of a worker: those whose clients read nothing are closed, and idle ones before there are too many.

The HTTP server closes connections on which no request comes, but waits for ever for a client that does not read its
answer, and accepts nobody while it has as many as it may. Here each connection is seen as the system sees it: who is
at the other end, and when anything last went over it. Only Linux tells this; elsewhere there is nothing to do.
"""

import asyncio
import contextlib
import os
import resource
import socket
import struct
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from litestar import Litestar

from abhidhan.web.edge.limits import TRUST_NOBODY, TrustedProxies, limited_as

EVERY: Final = 0.5
IN_A_CROWD: Final = 0.05
"""Seconds between two counts of the connections; and while there are nearly as many as allowed."""

NEARLY_FULL: Final = 0.75
ROOMY: Final = 0.5
"""Above the first share of the places quiet connections are closed, down to the second."""

QUIET: Final = 0.5
"""Seconds without a byte after which a connection is quiet enough to be closed for others."""

ENOUGH_FILES: Final = 65_536
"""Limit of open files that a worker asks the system for; each connection is one."""

OTHER_FILES: Final = 256
"""Open files reserved for all but connections: databases, photos, pipes."""

OPEN_FILES: Final = Path("/proc/self/fd")
TCP_INFO: Final = struct.Struct("=24x I 16x I 4x I 88x I")
"""Of Linux's `tcp_info`: packets not acknowledged, milliseconds since data were sent and received, bytes not sent."""

AT_ONCE: Final = struct.pack("ii", 1, 0)
"""The option SO_LINGER that throws away what was not sent."""


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


class Connection(NamedTuple):
    """One connection as the system sees it: file, client, seconds without a byte, whether an answer waits in it."""

    file: int
    client: str
    quiet: float
    stuck: bool


class ConnectionGuard:
    """Close the connections that hold others up, at intervals."""

    def __init__(self, port: int, *, limit: int, patience: float, proxies: TrustedProxies = TRUST_NOBODY) -> None:
        """Guard at most `limit` connections to a port; after `patience` seconds, end answers that nobody reads."""
        self._port = port
        self._limit = limit
        self._patience = patience
        self._proxies = proxies

    @contextlib.asynccontextmanager
    async def running(self, _app: Litestar) -> AsyncIterator[None]:
        """Make rounds while the application runs (a Litestar lifespan)."""
        rounds = asyncio.create_task(self._make_rounds())
        try:
            yield
        finally:
            rounds.cancel()

    async def _make_rounds(self) -> None:
        """Look at all connections now and then, and at once when there are many: a thousand take 15 ms of a thread."""
        due = 0.0
        while OPEN_FILES.is_dir():
            many = await asyncio.to_thread(self._are_many)
            if many or time.monotonic() >= due:
                due = time.monotonic() + self._patience / 3
                await asyncio.to_thread(self.make_round)
            await asyncio.sleep(IN_A_CROWD if many else EVERY)

    def _are_many(self) -> bool:
        with os.scandir(OPEN_FILES) as files:
            return sum(1 for _ in files) > self._limit * NEARLY_FULL

    def make_round(self) -> None:
        """Close the connections that should not stay."""
        connections = list(connections_to(self._port))
        for connection in connections:
            if connection.stuck and connection.quiet > self._patience:
                _close(connection, self._port, at_once=True)
        for connection in self._too_many(connections):
            _close(connection, self._port, at_once=False)

    def _too_many(self, connections: list[Connection]) -> list[Connection]:
        """Choose which to close for others: quiet ones, first those of the client with most; proxies are nobody's."""
        if len(connections) <= self._limit * NEARLY_FULL:
            return []
        too_many = len(connections) - int(self._limit * ROOMY)
        return quietest((each for each in connections if not self._proxies.trusts(each.client)), too_many)


def quietest(connections: Iterable[Connection], count: int) -> list[Connection]:
    """Choose so many quiet connections at most, from clients that have most of them, the longest quiet first."""
    quiet = [each for each in connections if each.quiet > QUIET]
    held = Counter(limited_as(each.client) for each in quiet)
    return sorted(quiet, key=lambda each: (-held[limited_as(each.client)], -each.quiet))[:count]


def connections_to(port: int) -> Iterator[Connection]:
    """List the connections of this process to a port."""
    for file in [int(each.name) for each in OPEN_FILES.iterdir()]:
        with _held(file, port) as connection:
            if connection is not None:
                client = connection.getpeername()[0]
                unread, sent, received, unsent = TCP_INFO.unpack(
                    connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO.size)
                )
                yield Connection(file, client, min(sent, received) / 1000, stuck=bool(unread or unsent))


def _close(connection: Connection, port: int, *, at_once: bool) -> None:
    """End a connection, if its file still is one with the same client; the HTTP server then lets go of it."""
    with _held(connection.file, port) as held:
        if held is not None and held.getpeername()[0] == connection.client:
            if at_once:
                held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            held.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def _held(file: int, port: int) -> Iterator[socket.socket | None]:
    """Hold a connection by a file of our own, so that nobody closes it meanwhile; None when it is none to the port."""
    with contextlib.ExitStack() as stack:
        # Files come and go while they are looked at.
        stack.enter_context(contextlib.suppress(OSError))
        yield _connection(file, port, stack)


def _connection(file: int, port: int, stack: contextlib.ExitStack) -> socket.socket | None:
    try:
        if not (OPEN_FILES / str(file)).readlink().name.startswith("socket:"):
            return None
        held = stack.enter_context(socket.socket(fileno=os.dup(file)))
        is_one = held.family in {socket.AF_INET, socket.AF_INET6} and held.type == socket.SOCK_STREAM
        return held if is_one and held.getsockname()[1] == port and held.getpeername() else None
    except OSError:
        return None
