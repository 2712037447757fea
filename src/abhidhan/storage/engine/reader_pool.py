"""Readers that stay open between jobs: each runs one job at a time."""

import sqlite3
from collections.abc import Callable
from queue import Empty, LifoQueue
from typing import TypeVar

import psycopg

from abhidhan.storage.engine.reader import Reader

T = TypeVar("T")


class ReaderPool:
    """Readers that were opened and are idle now."""

    def __init__(self, open_reader: Callable[[], Reader]) -> None:
        """Take what opens another reader."""
        self._open = open_reader
        self._idle: LifoQueue[Reader] = LifoQueue()

    def run(self, job: Callable[[Reader], T]) -> T:
        """Run a job with an idle reader, or a new one.

        Where an idle reader has lost its connection since, the job runs once more with a new one.
        """
        try:
            reader = self._idle.get_nowait()
        except Empty:
            return self._run_with(self._open(), job)
        try:
            return self._run_with(reader, job)
        except psycopg.OperationalError:
            return self._run_with(self._open(), job)

    def close(self) -> None:
        """Close the idle readers."""
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                break

    def _run_with(self, reader: Reader, job: Callable[[Reader], T]) -> T:
        try:
            result = job(reader)
        except (psycopg.OperationalError, sqlite3.OperationalError):
            # The connection may be lost (a server restarted), and then all are.
            reader.close()
            self.close()
            raise
        except BaseException:
            self._idle.put(reader)
            raise
        self._idle.put(reader)
        return result
