"""Where what is read is run: at once, on the event loop, or in a thread; who asks need not know."""

from collections.abc import Callable
from typing import Concatenate, Final, ParamSpec, TypeVar

from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[Concatenate[Reader, P], T]
"""Something that reads, and what it takes beside the reader."""

LONG_LIST: Final = 10
"""Lists longer than this are read in a thread: a word takes a tenth of a millisecond, and no other request waits."""


class Jobs:
    """Runs what reads a database."""

    def __init__(self, database: Database) -> None:
        """Read from a database."""
        self._database = database

    async def _at_once(self, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read something short: on SQLite on the event loop."""
        return await self._database.read(lambda reader: job(reader, *args, **rest))

    async def _promptly(self, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read by a few short statements: on the event loop on either engine."""
        return await self._database.read_promptly(lambda reader: job(reader, *args, **rest))

    async def _aside(self, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read something long in a thread."""
        return await self._database.read(lambda reader: job(reader, *args, **rest), long=True)

    async def _list(self, limit: int, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read a list of at most `limit` words."""
        return await self._database.read(lambda reader: job(reader, *args, **rest), long=limit > LONG_LIST)
