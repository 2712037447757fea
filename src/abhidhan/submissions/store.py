"""Queries for submissions, pages of review queues, and the number of pending contributions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Table,
    Text,
    bindparam,
    case,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.exc import IntegrityError

from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    SqlValue,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.paging import Page
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import KEY_MARK_PREFIX, PendingCounts, Status
from abhidhan.schema import photo, recording, submission

RowType = TypeVar("RowType")


class ReviewQueue(Generic[RowType]):
    """A table of contributions, read page by page with filters by status, sender and kind. Each query uses an index."""

    def __init__(
        self,
        table: Table,
        fields: Sequence[str],
        build_row: Callable[[Iterable[Any]], RowType],
        *base_conditions: ColumnElement[bool],
    ) -> None:
        """`build_row` builds a row from the values of `fields`; `base_conditions` apply to every query."""
        self._table = table
        self._fields = fields
        self._build_row = build_row
        self._base_conditions = base_conditions
        self._statements = cache(self._build_statements)

    def load_page(  # noqa: PLR0913, PLR0917 (each narrows the page)
        self,
        connection: ReadConnection,
        status: Status | None,
        person_id: int | None,
        limit: int,
        offset: int,
        kinds: frozenset[Kind] = frozenset(),
    ) -> Page[RowType]:
        """Load a page of rows with a status (None: any), sender (None: any) and kinds (empty: all), and their total.

        Pending rows come oldest first, others newest first.
        """
        page, count = self._statements(
            with_status=status is not None,
            with_person=person_id is not None,
            oldest_first=status is Status.PENDING,
            kinds=kinds,
        )
        filters: dict[str, SqlValue] = {"status": str(status), "person_id": person_id}
        rows = connection.rows(page, **filters, limit=limit, offset=offset)
        total = connection.row(count, **filters)
        return Page([self._build_row(row) for row in rows], int(total[0]) if total else 0)

    def _build_statements(
        self, *, with_status: bool, with_person: bool, oldest_first: bool, kinds: frozenset[Kind]
    ) -> tuple[CompiledQuery, CompiledQuery]:
        """Build the statements of a page and of the total."""
        columns = self._table.c
        conditions: list[ColumnElement[bool]] = [*self._base_conditions]
        if with_status:
            conditions.append(columns.status == bindparam("status", type_=Text))
        if with_person:
            conditions.append(columns.person_id == bindparam("person_id", type_=Integer))
        if kinds:
            conditions.append(columns.kind.in_([literal_column(f"'{kind}'", Text) for kind in sorted(kinds)]))
        page = (
            select(*(columns[name] for name in self._fields))
            .where(*conditions)
            .order_by(columns.id if oldest_first else columns.id.desc())
            .limit(bindparam("limit", type_=Integer))
            .offset(bindparam("offset", type_=Integer))
        )
        return CompiledQuery(page), CompiledQuery(select(func.count()).select_from(self._table).where(*conditions))


PERMANENT_MARK_PREFIX = "file:"
"""Prefix of the marks of submissions from files. They are kept after the decision, so that importing the file again
does not submit the same record twice."""


class SubmissionRow(NamedTuple):
    """A row of the submission table: `payload` is JSON, `result` the record created from it.

    Times are seconds since 1970.
    """

    id: int
    kind: str
    payload: str
    person_id: int | None
    status: str
    reason: str | None
    submitted: int
    decided: int | None
    decided_by: int | None
    result: str | None
    seen: str | None
    licence: str | None
    times: int | None


class NewSubmission(NamedTuple):
    """A submission to store; `once` identifies a repeated request while the submission is pending.

    `licence` is the licence of the contribution; None: that of the file's source.
    """

    kind: str
    payload: str
    person_id: int | None
    once: str
    seen: str | None = None
    licence: str | None = None
    times: int | None = None


_COLUMNS = tuple(submission.c[name] for name in SubmissionRow._fields)


def add_submission(connection: Connection, new: NewSubmission, now: int) -> tuple[int, bool]:
    """Store a pending submission; return its ID, and whether it is new: an identical pending one is not repeated."""
    values = new._asdict() | {"status": str(Status.PENDING), "submitted": now}
    try:
        with connection.begin_nested():
            submission_id = connection.execute(
                insert(submission).values(values).returning(submission.c.id)
            ).scalar_one()
    except IntegrityError:
        existing_id = connection.execute(select(submission.c.id).where(submission.c.once == new.once)).scalar_one()
        return int(existing_id), False
    return int(submission_id), True


def find_by_mark(connection: Connection, mark: str) -> int | None:
    """Return the ID of the submission with a mark, or None."""
    return connection.execute(select(submission.c.id).where(submission.c.once == mark)).scalar_one_or_none()


def read_by_mark(connection: Connection, mark: str) -> SubmissionRow | None:
    """Return the submission with a mark, or None."""
    row = connection.execute(select(*_COLUMNS).where(submission.c.once == mark)).one_or_none()
    return SubmissionRow._make(row) if row else None


def iter_submissions_with_text(connection: Connection, encoded: str) -> Iterator[SubmissionRow]:
    """Yield the submissions whose JSON contains an encoded text. This scans the whole table, for redactions only."""
    contains_text = or_(
        submission.c.payload.contains(encoded, autoescape=True), submission.c.seen.contains(encoded, autoescape=True)
    )
    rows = connection.execute(
        select(*_COLUMNS).where(contains_text).order_by(submission.c.id), execution_options={"yield_per": 100}
    )
    yield from map(SubmissionRow._make, rows)


def increment_repetitions(connection: Connection, submission_id: int) -> None:
    """Increment the number of times that an identical submission was sent."""
    times = func.coalesce(submission.c.times, 1) + 1
    connection.execute(update(submission).where(submission.c.id == submission_id).values(times=times))


def find_existing_marks(connection: Connection, marks: Collection[str]) -> set[str]:
    """Return the given marks that are already used by submissions."""
    return {*connection.execute(select(submission.c.once).where(submission.c.once.in_(marks))).scalars()}


_BY_ID = CompiledQuery(select(*_COLUMNS).where(submission.c.id == bindparam("id", type_=Integer)))


def find_submission(connection: ReadConnection, submission_id: int) -> SubmissionRow | None:
    """Return a submission by ID, or None."""
    row = connection.row(_BY_ID, id=submission_id)
    return SubmissionRow._make(row) if row else None


def read_submission(connection: Connection, submission_id: int) -> SubmissionRow | None:
    """Return, within a write transaction, a submission by ID, or None."""
    statement = select(*_COLUMNS).where(submission.c.id == submission_id)
    row = connection.execute(statement).one_or_none()
    return SubmissionRow._make(row) if row else None


def record_decision(connection: Connection, submission_id: int, reviewer_id: int, now: int) -> None:
    """Store the reviewer and the time of a decision, and allow an identical submission to be sent again.

    The marks of files and of idempotency keys are kept.
    """
    permanent_conditions = (
        submission.c.once.startswith(mark, autoescape=True) for mark in (PERMANENT_MARK_PREFIX, KEY_MARK_PREFIX)
    )
    lasting_mark = case((or_(*permanent_conditions), submission.c.once), else_=None)
    values = {"decided": now, "decided_by": reviewer_id, "once": lasting_mark}
    connection.execute(update(submission).where(submission.c.id == submission_id).values(values))


_QUEUE = ReviewQueue(submission, SubmissionRow._fields, SubmissionRow._make)


def list_submissions(  # noqa: PLR0913, PLR0917 (each narrows the page)
    connection: ReadConnection,
    status: Status | None,
    person_id: int | None,
    limit: int,
    offset: int,
    kinds: frozenset[Kind] = frozenset(),
) -> Page[SubmissionRow]:
    """Return one page of the submissions that match the filters, and their total (`ReviewQueue.load_page`)."""
    return _QUEUE.load_page(connection, status, person_id, limit, offset, kinds)


_PENDING_COUNTS = CompiledQuery(
    select(submission.c.kind, func.count())
    .where(submission.c.status == bindparam("status", type_=Text))
    .group_by(submission.c.kind)
)
_PENDING_PHOTOS = CompiledQuery(
    # A photo that was sent with a word is reviewed together with the word, and not counted.
    select(func.count())
    .select_from(photo)
    .where(photo.c.status == bindparam("status", type_=Text), photo.c.idea_id.is_not(None))
)
_PENDING_RECORDINGS = CompiledQuery(
    select(func.count()).select_from(recording).where(recording.c.status == bindparam("status", type_=Text))
)


def count_all_pending(connection: ReadConnection) -> PendingCounts:
    """Count all pending contributions: submissions by kind, photos and recordings."""
    status = str(Status.PENDING)
    kinds = {str(kind): int(count) for kind, count in connection.rows(_PENDING_COUNTS, status=status)}
    files = (connection.rows(query, status=status)[0][0] for query in (_PENDING_PHOTOS, _PENDING_RECORDINGS))
    return PendingCounts(kinds, *map(int, files))


_SENDERS = per_list_size(
    lambda size: select(submission.c.id, submission.c.person_id).where(in_list(submission.c.id, "id", size))
)


def find_senders(connection: ReadConnection, submission_ids: Sequence[int]) -> dict[int, int]:
    """Return the user IDs of the senders by submission ID, without anonymous and deleted senders."""
    if not submission_ids:
        return {}
    rows = connection.rows(_SENDERS(len(submission_ids)), **list_params("id", submission_ids))
    return {row[0]: row[1] for row in rows if row[1] is not None}


class PendingKind(StrEnum):
    """The kinds of pending contributions."""

    PHOTO = "photo"
    RECORDING = "recording"
    SUBMISSION = "submission"


class EarlierRequest(NamedTuple):
    """The record that an earlier request stored, and the mark of the request."""

    kind: str
    id: int
    mark: str


_TABLES: Final[Mapping[PendingKind, Table]] = {
    PendingKind.PHOTO: photo,
    PendingKind.RECORDING: recording,
    PendingKind.SUBMISSION: submission,
}


def count_pending(connection: Connection, kind: PendingKind, person_id: int) -> int:
    """Count the pending contributions of a user and kind."""
    table = _TABLES[kind]
    statement = select(func.count()).where(table.c.person_id == person_id, table.c.status == str(Status.PENDING))
    return int(connection.execute(statement).scalar_one())


def count_reports(connection: Connection, limit: int) -> int:
    """Count the pending reports, corrections and words sent without an account, up to `limit`."""
    kinds = [str(kind) for kind in (Kind.REPORT, Kind.CORRECTION, Kind.WORD, Kind.MISSING)]
    pending_ids = select(submission.c.id).where(
        submission.c.status == str(Status.PENDING), submission.c.person_id.is_(None), submission.c.kind.in_(kinds)
    )
    return int(connection.execute(select(func.count()).select_from(pending_ids.limit(limit).subquery())).scalar_one())


def find_earlier_request(connection: Connection, key_prefix: str) -> EarlierRequest | None:
    """Return the record stored by the request whose mark begins with `key_prefix`, or None."""
    statements = [
        select(literal(str(kind)), table.c.id, table.c.once).where(
            table.c.once >= key_prefix, table.c.once < key_prefix + MAX_CODE_POINT
        )
        for kind, table in _TABLES.items()
    ]
    row = connection.execute(union_all(*statements).limit(1)).one_or_none()
    return EarlierRequest._make(row) if row else None
