"""Which tables are copied (all of them), in what order they are read, and what is added up of them to compare."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Table, Text, collate, func, select

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import Query, Row

PASSING: Final = frozenset({schema.lease, schema.shared_limit})
"""Tables of what servers and commands tell each other while they run, which nothing else hangs on."""

COPIED: Final = tuple(table for table in schema.metadata.sorted_tables if table not in PASSING)
"""Every other table, those first that others name: also what is derived, which to copy is quicker than to make anew,
people with their sessions, and how often somebody has tried in vain."""

DERIVED: Final = frozenset(
    {
        schema.completion,
        schema.definition_word,
        schema.gram_count,
        schema.history_record,
        schema.idea_cache,
        schema.near_key,
        schema.photo_band,
        schema.phrase_gram,
        schema.phrase_word,
        schema.readable_word,
        schema.recording_band,
        schema.sound_filter,
        schema.sound_frame,
        schema.word_form,
        schema.word_pos,
    }
)
"""Tables that never change alone: what they are derived from tells whether anything was written."""


class Sum(NamedTuple):
    """What a table adds up to: how many rows it has, and the SHA-256 of all that they hold."""

    rows: int
    digest: str


class Adding:
    """A sum that is made while rows pass."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rows = 0
        self._digest = hashlib.sha256()

    def take(self, rows: list[Row]) -> None:
        """Add a page of rows, in the order of the table's key."""
        self._rows += len(rows)
        self._digest.update(msgspec.msgpack.encode(rows))

    @property
    def sum(self) -> Sum:
        """The sum so far."""
        return Sum(self._rows, self._digest.hexdigest())


def add_up(pages: Iterable[list[Row]], on_rows: Callable[[int], None] = lambda _: None) -> Sum:
    """Add up pages of rows; `on_rows` is told how many each page has."""
    adding = Adding()
    for page in pages:
        adding.take(page)
        on_rows(len(page))
    return adding.sum


def adding_up(pages: Iterable[list[Row]], adding: Adding) -> Iterator[list[Row]]:
    """Pass pages of rows on, and add them up."""
    for page in pages:
        adding.take(page)
        yield page


@cache
def all_of(table: Table) -> Query:
    """Make the query for all rows of a table by its key, in the order of bytes: the same on both engines."""
    rows = select(*table.columns)
    by_bytes = [collate(column, "C") if isinstance(column.type, Text) else column for column in table.primary_key]
    return Query(rows.order_by(*table.primary_key), postgresql=rows.order_by(*by_bytes))


@cache
def count_of(table: Table) -> Query:
    """Make the query for the number of rows of a table."""
    return Query(select(func.count()).select_from(table))
