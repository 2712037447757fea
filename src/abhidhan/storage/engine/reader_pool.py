"""Readers of long jobs: each is lent to one job at a time, and kept for the next."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, LifoQueue

import psycopg

from abhidhan.storage.engine.reader import Reader


class ReaderPool:
    """Readers that were opened and that nobody uses now."""

    def __init__(self, open_reader: Callable[[], Reader]) -> None:
        """Take what opens another reader."""
        self._open = open_reader
        self._idle: LifoQueue[Reader] = LifoQueue()

    @contextmanager
    def borrowed(self) -> Iterator[Reader]:
        """Lend a reader, opened if there is none."""
        try:
            reader = self._idle.get_nowait()
        except Empty:
            reader = self._open()
        try:
            yield reader
        except (psycopg.OperationalError, sqlite3.OperationalError):
            # The connection may be lost (a server restarted), and then all are: the next reads open fresh ones.
            reader.close()
            self.close()
            raise
        except BaseException:
            self._idle.put(reader)
            raise
        self._idle.put(reader)

    def close(self) -> None:
        """Close the readers that nobody uses."""
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                break
