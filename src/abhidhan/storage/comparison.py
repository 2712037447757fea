"""A place on the disk for the records of a file and of the dictionary by their names, so that memory does not grow."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

from abhidhan.disk import unfinished

_TABLE = """
CREATE TABLE record (name TEXT PRIMARY KEY, place TEXT, given BLOB, before BLOB)
WITHOUT ROWID
"""
_BEFORE = "INSERT INTO record (name, before) VALUES (?, ?) ON CONFLICT DO UPDATE SET before = excluded.before"
_GIVEN = """
INSERT INTO record (name, place, given) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET place = excluded.place, given = excluded.given
"""
_SIDES = "SELECT place, given, before FROM record WHERE name = ?"


class Sides(NamedTuple):
    """A record in the file, and where it stands there; and as the dictionary had it before. None: not there."""

    place: str | None
    given: bytes | None
    before: bytes | None


class Comparison:
    """The records of a file and of the dictionary before it was imported, by their names."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Begin with none."""
        self._connection = connection
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(_TABLE)

    def note_before(self, name: str, record: bytes) -> None:
        """Note a record of the dictionary."""
        self._connection.execute(_BEFORE, (name, record))

    def note_given(self, name: str, place: str, record: bytes) -> None:
        """Note a record of the file; of two that have one name, the last."""
        self._connection.execute(_GIVEN, (name, place, record))

    def sides_of(self, name: str) -> Sides:
        """Return what was noted of a name."""
        found = self._connection.execute(_SIDES, (name,)).fetchone()
        return Sides(*found) if found else Sides(None, None, None)


@contextmanager
def comparison() -> Iterator[Comparison]:
    """Open a place for records, which goes at the end."""
    with (
        unfinished(Path(gettempdir())) as folder,
        closing(sqlite3.connect(folder / "comparison.sqlite3")) as connection,
    ):
        yield Comparison(connection)
