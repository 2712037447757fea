"""A whole copy, from one moment of the source to the end of the target's mark; and what was written meanwhile."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from abhidhan.platform.database.bulk_connections import set_for_bulk
from abhidhan.platform.database.connections import shown_address
from abhidhan.platform.database.copying import copy_mark, sequences
from abhidhan.platform.database.copying.copy_rows import OnRows, fill
from abhidhan.platform.database.copying.tables import COPIED, DERIVED, Sum, add_up, all_of, count_of
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import Fence
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.database.sqlite_backup import make_single


class WrittenSince(NamedTuple):
    """A table of the source that is no more as it was copied, and how many rows it has more (or fewer)."""

    table: str
    more: int


class Copied(NamedTuple):
    """What was copied: the sums of all tables, and whether a copy that was stopped went on."""

    sums: dict[str, Sum]
    went_on: bool


class Hearing(NamedTuple):
    """Who hears how far a copy is: first how many rows there are to write and to read back, then each page of them."""

    total: Callable[[int], None] = lambda _rows: None
    on_rows: OnRows = lambda _table, _rows: None


def copy_all(source: Database, copy: Database, *, name: str, finishes: bool, hearing: Hearing) -> Copied:
    """Copy everything that `source`, known by its `name`, holds at this moment into an empty database.

    One that does not finish keeps its mark, for a second run that brings what has changed. Raises DatabaseError,
    ConflictError.
    """
    mark = copy_mark.mark_of(name)
    went_on = copy_mark.begin(copy, mark)
    with copy_mark.alone(copy) as fence:
        # Another copy may have ended meanwhile.
        copy_mark.begin(copy, mark)
        with source.snapshot() as reader:
            sums, last = _fill_from(reader, copy, hearing, fence)
        if finishes:
            with copy.long_write(made=False, at_end=fence.make_sure) as connection, connection.begin():
                sequences.go_on(connection, last)
                copy_mark.finish(connection)
            copy_mark.tidy(copy)
    return Copied(sums, went_on)


def copy_into_file(source: Database, file: Path) -> None:
    """Copy everything that `source` holds at this moment into an SQLite file, which is empty or absent."""
    with Database(f"sqlite:///{file}") as copy:
        copy_all(source, copy, name=shown_address(source.url), finishes=True, hearing=Hearing())
    make_single(file)


def _fill_from(reader: Reader, copy: Database, hearing: Hearing, fence: Fence) -> tuple[dict[str, Sum], dict[str, int]]:
    """Fill all tables, each in a transaction of its own; return what they add up to, and the last IDs given."""
    hearing.total(2 * count_rows(reader))
    last = sequences.given(reader)
    with copy.long_write(made=False, at_end=fence.make_sure) as connection, set_for_bulk(connection):
        return fill(reader, connection, connection.begin, hearing.on_rows), last


def count_rows(reader: Reader) -> int:
    """Count the rows of all tables."""
    return sum(reader.rows(count_of(table))[0][0] for table in COPIED)


def written_since(source: Database, sums: dict[str, Sum]) -> tuple[WrittenSince, ...]:
    """List the tables of the source that no more add up to what was copied."""
    with source.snapshot() as reader:
        now = {table.name: add_up(reader.stream(all_of(table))) for table in COPIED if table not in DERIVED}
    return tuple(WrittenSince(name, one.rows - sums[name].rows) for name, one in now.items() if one != sums[name])
