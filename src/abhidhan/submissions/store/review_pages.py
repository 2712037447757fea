"""Queues: pages of what people have submitted, by its status and by who sent it."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Integer, Table, Text, bindparam, func, literal_column, select

from abhidhan.platform.database.compiled_queries import Query, Value
from abhidhan.platform.database.reader import Reader
from abhidhan.records.paging import Page
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import Status

RowType = TypeVar("RowType")


class Queue(Generic[RowType]):
    """A table with a status and a person, read page by page; each question goes by an index."""

    def __init__(
        self,
        table: Table,
        fields: Sequence[str],
        make: Callable[[Iterable[Any]], RowType],
        *always: ColumnElement[bool],
    ) -> None:
        """Take the table, the columns to be read, what makes a row of their values, and what holds of every row."""
        self._table = table
        self._fields = fields
        self._make = make
        self._always = always
        self._statements = cache(self._make_statements)

    def page(  # noqa: PLR0913, PLR0917 (each narrows the page)
        self,
        reader: Reader,
        status: Status | None,
        person_id: int | None,
        limit: int,
        offset: int,
        kinds: frozenset[Kind] = frozenset(),
    ) -> Page[RowType]:
        """List one page of a status (None: of any), a person (None: of anybody), kinds (none: of all), and count them.

        Those that wait come in the order of their arrival, others the newest first.
        """
        page, count = self._statements(
            of_status=status is not None,
            of_person=person_id is not None,
            oldest_first=status is Status.PENDING,
            kinds=kinds,
        )
        wanted: dict[str, Value] = {"status": str(status), "person_id": person_id}
        rows = reader.rows(page, **wanted, limit=limit, offset=offset)
        total = reader.row(count, **wanted)
        return Page([self._make(row) for row in rows], int(total[0]) if total else 0)

    def _make_statements(
        self, *, of_status: bool, of_person: bool, oldest_first: bool, kinds: frozenset[Kind]
    ) -> tuple[Query, Query]:
        """Make the statements of one page and of the whole number, for what is asked."""
        columns = self._table.c
        wanted: list[ColumnElement[bool]] = [*self._always]
        if of_status:
            wanted.append(columns.status == bindparam("status", type_=Text))
        if of_person:
            wanted.append(columns.person_id == bindparam("person_id", type_=Integer))
        if kinds:
            wanted.append(columns.kind.in_([literal_column(f"'{kind}'", Text) for kind in sorted(kinds)]))
        page = (
            select(*(columns[name] for name in self._fields))
            .where(*wanted)
            .order_by(columns.id if oldest_first else columns.id.desc())
            .limit(bindparam("limit", type_=Integer))
            .offset(bindparam("offset", type_=Integer))
        )
        return Query(page), Query(select(func.count()).select_from(self._table).where(*wanted))
