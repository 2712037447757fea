"""Reading PostgreSQL on the event loop: the data version, and jobs of few statements."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from sqlalchemy import URL

from abhidhan.domain.catalogue import Catalogue
from abhidhan.errors import AbhidhanError
from abhidhan.storage.engine.pipeline import Pipeline, connect
from abhidhan.storage.engine.queries import Row, Value
from abhidhan.storage.engine.reader import READ_VERSION, Kept, Reader

T = TypeVar("T")

Statement = tuple[str, tuple[Value, ...]]

MOST_STATEMENTS: Final = 4
"""A job is begun again with each answer; one that asks for more runs in a thread."""


class NotOnLoopError(Exception):
    """A job cannot be finished here: it is to be run in a thread."""


class _UnansweredError(Exception):
    """A job has asked for rows that have not been read yet."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement


class _Rows:
    """Rows that have been read."""

    __slots__ = ("_rows",)

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows

    def fetchall(self) -> list[Row]:
        return self._rows


class _Answered:
    """What stands for a connection while a job runs: it knows the answers to what the job has asked before."""

    def __init__(self) -> None:
        self.answers: dict[Statement, list[Row]] = {}

    def execute(self, sql: str, parameters: Sequence[Value], /) -> _Rows:
        statement = (sql, tuple(parameters))
        if statement not in self.answers:
            raise _UnansweredError(statement)
        return _Rows(self.answers[statement])

    def close(self) -> None:
        """Close nothing."""


class LoopReader:
    """Reads on the event loop. Whatever goes wrong is for the caller to try again in a thread, which tells of it."""

    def __init__(
        self,
        url: URL,
        kept_catalogue: Callable[[], tuple[int, Catalogue] | None],
        kept: Kept,
        *,
        connected: Callable[[], None],
    ) -> None:
        """Take the address, what returns the catalogue read last, with its data version, and what readers keep.

        `connected` is called whenever a connection has been opened.
        """
        self._url = url
        self._kept_catalogue = kept_catalogue
        self._kept = kept
        self._note_connected = connected
        self._pipeline: Pipeline | None = None
        self._connecting: asyncio.Task[Pipeline] | None = None

    async def ask(self, sql: str) -> list[Row]:
        """Read the rows of a statement without parameters. Raises psycopg.Error."""
        pipeline = await self._connected()
        return await pipeline.ask(sql, ())

    async def version(self) -> int:
        """Read the data version by a statement that is sent after this was called. Raises psycopg.Error."""
        pipeline = await self._connected()
        return _version_in(await pipeline.ask(*_CHECK))

    async def read(self, job: Callable[[Reader], T]) -> T:
        """Run a job that has no effect but its answer: from its beginning again with each answer that it asks for.

        Raises NotOnLoopError and psycopg.Error.
        """
        kept = self._kept_catalogue()
        if kept is None:
            raise NotOnLoopError
        version, catalogue = kept
        answered = _Answered()
        reader = Reader(answered, "postgresql", lambda _: catalogue, self._kept)
        for _ in range(MOST_STATEMENTS + 1):
            try:
                result = reader.run(job)
            except _UnansweredError as lacking:
                await self._answer(lacking.statement, answered, version)
            except AbhidhanError:
                await self._make_sure(answered, version)
                raise
            else:
                await self._make_sure(answered, version)
                return result
        raise NotOnLoopError

    async def _answer(self, statement: Statement, answered: _Answered, version: int) -> None:
        """Read what a job asks for, and make sure by the same round trip that its catalogue is not out of date."""
        pipeline = await self._connected()
        # The check comes last: what it confirms is then as it was when the rows were read.
        rows, check = pipeline.ask(*statement), pipeline.ask(*_CHECK)
        answered.answers[statement] = await rows
        if _version_in(await check) != version:
            raise NotOnLoopError

    async def _make_sure(self, answered: _Answered, version: int) -> None:
        """Make sure of the catalogue where a job has come to its end without asking for anything."""
        if not answered.answers and await self.version() != version:
            raise NotOnLoopError

    def close(self) -> None:
        """Close the connection."""
        if self._connecting is not None and not self._connecting.get_loop().is_closed():
            self._connecting.cancel()
        if self._pipeline is not None:
            self._pipeline.close()
        self._connecting = self._pipeline = None

    async def _connected(self) -> Pipeline:
        """Return the connection; one that is lost is opened again, once for all who ask meanwhile."""
        pipeline = self._pipeline
        if pipeline is not None and pipeline.is_usable:
            return pipeline
        loop, connecting = asyncio.get_running_loop(), self._connecting
        if connecting is None or connecting.done() or connecting.get_loop() is not loop:
            if pipeline is not None:
                pipeline.close()
            connecting = self._connecting = loop.create_task(connect(self._url))
        self._pipeline = await asyncio.shield(connecting)
        self._note_connected()
        return self._pipeline


def _version_in(rows: list[Row]) -> int:
    return int(rows[0][0]) if rows else 0


def _check() -> Statement:
    sql, arrange = READ_VERSION.compile("postgresql")
    return sql, arrange({"id": 1})


_CHECK: Final = _check()
