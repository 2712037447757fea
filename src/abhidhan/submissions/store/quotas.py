"""What waits for a decision: how much of it one person has sent, and which request it came by."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import Connection, Table, func, literal, select, union_all

from abhidhan.platform.database.compiled_queries import LAST_CHARACTER
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import Status
from abhidhan.schema import photo, recording, submission


class PendingKind(StrEnum):
    """What can wait."""

    PHOTO = "photo"
    RECORDING = "recording"
    SUBMISSION = "submission"


class Found(NamedTuple):
    """What an earlier request has stored, and its mark."""

    kind: str
    id: int
    mark: str


_TABLES: Final[Mapping[PendingKind, Table]] = {
    PendingKind.PHOTO: photo,
    PendingKind.RECORDING: recording,
    PendingKind.SUBMISSION: submission,
}


def count_pending(connection: Connection, kind: PendingKind, person_id: int) -> int:
    """Count what of a person's waits."""
    table = _TABLES[kind]
    own = select(func.count()).where(table.c.person_id == person_id, table.c.status == str(Status.PENDING))
    return int(connection.execute(own).scalar_one())


def count_reports(connection: Connection, limit: int) -> int:
    """Count the reports, corrections and words of people without an account that wait, up to `limit`."""
    kinds = [str(kind) for kind in (Kind.REPORT, Kind.CORRECTION, Kind.WORD, Kind.MISSING)]
    chosen = select(submission.c.id).where(
        submission.c.status == str(Status.PENDING), submission.c.person_id.is_(None), submission.c.kind.in_(kinds)
    )
    return int(connection.execute(select(func.count()).select_from(chosen.limit(limit).subquery())).scalar_one())


def find_by_key(connection: Connection, key: str) -> Found | None:
    """Find what a request whose mark begins so has stored."""
    each = [
        select(literal(str(kind)), table.c.id, table.c.once).where(
            table.c.once >= key, table.c.once < key + LAST_CHARACTER
        )
        for kind, table in _TABLES.items()
    ]
    row = connection.execute(union_all(*each).limit(1)).one_or_none()
    return Found._make(row) if row else None
