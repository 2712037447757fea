"""Rows of uploads of any kind: review queues, duplicates, and files to delete."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Table,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)

from abhidhan.dictionary.store.indexes.derived_table import DerivedTable
from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.paging import Page
from abhidhan.records.perceptual_hash import MAX_DIFFERING_BITS, count_differing_bits, split_into_bands
from abhidhan.records.submissions import Status
from abhidhan.submissions.store import ReviewQueue

MAX_DUPLICATES: Final = 20
"""Maximum number of duplicates returned per file."""


class UploadRow(Protocol):
    """Common fields of upload rows. Times are seconds since 1970; `likeness` is in hexadecimal digits."""

    @property
    def id(self) -> int: ...  # noqa: D102
    @property
    def person_id(self) -> int | None: ...  # noqa: D102
    @property
    def status(self) -> str: ...  # noqa: D102
    @property
    def reason(self) -> str | None: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def extension(self) -> str: ...  # noqa: D102
    @property
    def sha256(self) -> str: ...  # noqa: D102
    @property
    def likeness(self) -> str: ...  # noqa: D102
    @property
    def purged(self) -> int | None: ...  # noqa: D102


Row = TypeVar("Row", bound=UploadRow)


class Duplicate(NamedTuple, Generic[Row]):
    """An upload that is identical or similar to another one."""

    row: Row
    is_identical: bool


class Decision(NamedTuple):
    """A decision about a file: its new status, the reason, the ID of the user, and the time."""

    status: Status
    reason: str | None
    by: int | None
    at: int


class HashIndex(NamedTuple):
    """Index of the perceptual hashes of one kind of file: the table of hash bands, and its column of row IDs.

    `can_be_duplicates` decides by other fields whether two rows with similar hashes may be duplicates.
    """

    band_table: DerivedTable
    row_id_column: Column[int]
    can_be_duplicates: Callable[[Any, Any], bool] = lambda _one, _other: True


class UploadTable(Generic[Row]):
    """Queries on the table of one kind of upload."""

    def __init__(
        self, table: Table, fields: Sequence[str], build_row: Callable[[Iterable[Any]], Row], hash_index: HashIndex
    ) -> None:
        """Build the statements, which are compiled on first use. `build_row` builds a row from values of `fields`."""
        self._table = table
        self._build_row = build_row
        self._bands = hash_index.band_table
        self._can_be_duplicates = hash_index.can_be_duplicates
        self.columns = tuple(table.c[name] for name in fields)
        self._queue = ReviewQueue(table, fields, build_row)
        self._by_id = CompiledQuery(select(*self.columns).where(table.c.id == bindparam("id", type_=Integer)))
        unpurged = select(*self.columns).where(table.c.purged.is_(None)).order_by(table.c.id)
        self._unpurged = CompiledQuery(unpurged)
        self._purgeable = CompiledQuery(
            unpurged.where(_is_deletable(table, bindparam("decided", type_=BigInteger))).limit(
                bindparam("limit", type_=Integer)
            )
        )
        self._existing_keys = per_list_size(
            lambda size: select(table.c.key).where(in_list(table.c.key, "key", size), table.c.purged.is_(None))
        )
        bands = hash_index.band_table.table
        self._with_bands = per_list_size(
            lambda size: (
                select(bands.c.band, *self.columns)
                .select_from(bands.join(table, table.c.id == hash_index.row_id_column))
                .where(in_list(bands.c.band, "band", size), table.c.status != str(Status.WITHDRAWN))
                .order_by(table.c.id)
            )
        )

    # --- one row --------------------------------------------------------------------------------------------------

    def add(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Insert a pending row; return its ID."""
        pending = {**values, "status": str(Status.PENDING)}
        result = connection.execute(insert(self._table).values(pending).returning(self._table.c.id))
        number = int(result.scalar_one())
        self._bands.update_rows(connection, [number])
        return number

    def find_pending(self, connection: Connection, values: Mapping[str, Any]) -> int | None:
        """Return the ID of the first pending row with these values, or None."""
        # SQLAlchemy compares None with IS.
        conditions = (self._table.c[name] == value for name, value in values.items())
        is_pending = self._table.c.status == str(Status.PENDING)
        return connection.execute(
            select(func.min(self._table.c.id)).where(is_pending, *conditions)
        ).scalar_one_or_none()

    def find(self, connection: ReadConnection, number: int) -> Row | None:
        """Return a row by ID, or None."""
        row = connection.row(self._by_id, id=number)
        return self._build_row(row) if row else None

    def read(self, connection: Connection, number: int) -> Row | None:
        """Return a row by ID within a transaction, or None."""
        statement = select(*self.columns).where(self._table.c.id == number)
        row = connection.execute(statement).one_or_none()
        return self._build_row(row) if row else None

    def decide(self, connection: Connection, number: int, decision: Decision) -> None:
        """Store the decision about a file; for a pending status, clear its user and time."""
        is_pending = decision.status is Status.PENDING
        self.change(
            connection,
            number,
            {
                "status": str(decision.status),
                "reason": decision.reason,
                "decided": None if is_pending else decision.at,
                "decided_by": None if is_pending else decision.by,
            },
        )

    def change(self, connection: Connection, number: int, values: Mapping[str, Any]) -> None:
        """Update columns of a row."""
        connection.execute(update(self._table).where(self._table.c.id == number).values(values))

    def remove_hashes(self, connection: Connection, number: int) -> None:
        """Remove a file from the index of perceptual hashes."""
        self._bands.remove(connection, number)

    # --- listings -------------------------------------------------------------------------------------------------

    def load_page(
        self, connection: ReadConnection, status: Status | None, person_id: int | None, limit: int, offset: int
    ) -> Page[Row]:
        """Load a page of uploads and the total number (see `ReviewQueue.load_page`)."""
        return self._queue.load_page(connection, status, person_id, limit, offset)

    # --- duplicates -----------------------------------------------------------------------------------------------

    def find_duplicates(self, connection: ReadConnection, rows: Sequence[Row]) -> dict[int, list[Duplicate[Row]]]:
        """Return the duplicates of each row by its ID, identical files first."""
        candidates: dict[int, Row] = {}
        ids_by_band: dict[int, list[int]] = defaultdict(list)
        bands = {band for upload in rows for band in split_into_bands(int(upload.likeness, 16))}
        for batch in chunks(sorted(bands), 256):
            for band, *values in connection.rows(self._with_bands(len(batch)), **list_params("band", batch)):
                row = self._build_row(values)
                candidates[row.id] = row
                ids_by_band[band].append(row.id)
        return {
            upload.id: _compare_candidates(upload, ids_by_band, candidates, self._can_be_duplicates) for upload in rows
        }

    # --- files to delete ------------------------------------------------------------------------------------------

    def list_purgeable(self, connection: ReadConnection, cutoff: int, limit: int) -> list[Row]:
        """Return the uploads whose files may be deleted: withdrawn, or rejected at `cutoff` or earlier."""
        return self._build_rows(connection.rows(self._purgeable, decided=cutoff, limit=limit))

    def list_unpurged(self, connection: ReadConnection) -> list[Row]:
        """Return all rows whose files should exist."""
        return self._build_rows(connection.rows(self._unpurged))

    def find_existing_keys(self, connection: ReadConnection, keys: Sequence[str]) -> set[str]:
        """Return the given keys whose files should exist."""
        existing: set[str] = set()
        for batch in chunks(keys, 256):
            existing |= {
                row[0] for row in connection.rows(self._existing_keys(len(batch)), **list_params("key", batch))
            }
        return existing

    def claim_purgeable(self, connection: Connection, numbers: Sequence[int], cutoff: int, now: int) -> list[Row]:
        """Mark rows as purged and return them, except those whose status has changed since."""
        conditions = (self._table.c.id.in_(numbers), self._table.c.purged.is_(None), _is_deletable(self._table, cutoff))
        statement = update(self._table).where(*conditions).values(purged=now).returning(*self.columns)
        return [self._build_row(row) for row in connection.execute(statement)]

    def mark_purged(self, connection: Connection, numbers: Sequence[int], now: int) -> None:
        """Mark rows as purged."""
        connection.execute(update(self._table).where(self._table.c.id.in_(numbers)).values(purged=now))

    def _build_rows(self, rows: Sequence[tuple[Any, ...]]) -> list[Row]:
        return [self._build_row(row) for row in rows]


def _is_deletable(table: Table, cutoff: Any) -> Any:  # noqa: ANN401  # a condition of SQLAlchemy's
    rejected = table.c.status == str(Status.REJECTED)
    return or_(
        table.c.status == str(Status.WITHDRAWN),
        and_(rejected, table.c.decided <= cutoff),
    )


def _compare_candidates(
    row: Row,
    ids_by_band: Mapping[int, list[int]],
    candidates: Mapping[int, Row],
    can_be_duplicates: Callable[[Any, Any], bool],
) -> list[Duplicate[Row]]:
    likeness = int(row.likeness, 16)
    similar_ids = {other for band in split_into_bands(likeness) for other in ids_by_band[band]} - {row.id}
    duplicates = [
        Duplicate(candidates[other], candidates[other].sha256 == row.sha256)
        for other in sorted(similar_ids)
        if candidates[other].sha256 == row.sha256
        or (
            count_differing_bits(likeness, int(candidates[other].likeness, 16)) <= MAX_DIFFERING_BITS
            and can_be_duplicates(row, candidates[other])
        )
    ]
    return sorted(duplicates, key=lambda duplicate: not duplicate.is_identical)[:MAX_DUPLICATES]
