"""What every index has in common: it is compared with what it is derived from, and renewed a step at a time."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from sqlalchemy import Connection

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.catalogue import read_catalogue
from abhidhan.platform.database.compiled_queries import Query, Row, Value
from abhidhan.records.catalogue import Catalogue

Place = Row
"""How far a renewal has come: behind "" the ID of a record, or the key of a row where rows are gone through by keys."""

START: Final[Place] = ("", 0)


class Stale(NamedTuple):
    """A record with which an index does not agree, such as word:12, and what is wrong about it."""

    record: str
    detail: str


class Step(NamedTuple):
    """What one step of a renewal did: how many records it looked at and changed, and where the next step begins."""

    seen: int
    changed: int
    next: Place | None
    """None at the end."""


class Index(NamedTuple):
    """What is derived, as `abhidhan check` compares it and `abhidhan reindex` renews it."""

    code: str
    """The code of the finding that a record is stale."""
    mends: frozenset[str]
    """The codes of the findings that renewing it mends."""
    compare: Callable[[Tables], Iterator[Stale]]
    steps: tuple[Callable[[Connection, Place], Step], ...]
    """Each is repeated, in transactions of their own, until it has come to its end."""
    is_compared_first: bool = False
    """Whether to compare it takes much less than its steps, which are then taken only where anything is wrong."""


class OpenTransaction:
    """The tables as the open transaction of a writer sees them."""

    def __init__(self, connection: Connection) -> None:
        """Take the connection whose transaction is open."""
        self._bulk = Bulk(connection)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The catalogue that goes with the data, read when it is asked for first."""
        return read_catalogue(self.rows)

    def rows(self, query: Query, /, **parameters: Value) -> list[Row]:
        """Run a query and read all its rows."""
        return self._bulk.rows(query, parameters)
