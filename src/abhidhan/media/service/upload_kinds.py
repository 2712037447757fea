"""The properties of a kind of upload, and the transactions that all kinds share."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from abhidhan.editing.store.history import HistoryEntry, write_entry
from abhidhan.media.store.uploads import Decision, Duplicate, Row, UploadTable
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, NotFoundError, Problem, Sentence
from abhidhan.records.history import Change, HistoryAction, RecordRef, RecordState
from abhidhan.records.paging import Page
from abhidhan.records.submissions import Quotas, ReviewStep, Status, next_status
from abhidhan.submissions.service import check_quota, find_repeated_request
from abhidhan.submissions.store import PendingKind

Shown = TypeVar("Shown")


class NewFile(Protocol):
    """Common fields of new uploads: the sender, the key of the stored files, and the mark of the request."""

    @property
    def person_id(self) -> int: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def once(self) -> str | None: ...  # noqa: D102


class Problems(list[Problem]):
    """A list of problems. As a context manager, it suppresses an InputError and collects its problems."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> bool:
        """Collect the problems of an InputError."""
        if isinstance(error, InputError):
            self.extend(error.problems)
        return isinstance(error, InputError)


@dataclass(frozen=True, slots=True)
class UploadKind(Generic[Row, Shown]):
    """A kind of upload: its rows, views, history states and messages.

    `find_pending` finds an identical pending upload, `check_new` raises an error if a new one cannot be stored,
    `add_row` stores it. `build_state` returns the history state of a row with a status and a reason. `check_approval`
    raises ConflictError for uploads that cannot be approved alone. `submitted_action` and `actions` are the history
    actions of the submission and of each later step; `public_steps` are the steps that change public data.
    `not_found_message`, `missing_file_message` and `not_owner_message` are for an unknown ID, a missing file, and
    another user's upload; `lost_file_reason` is the reason for rejecting an upload without its file.
    `find_next_status` returns the status after a step.
    """

    name: str
    table: UploadTable[Row]
    build_view: Callable[[Row, Iterable[Duplicate[Row]]], Shown]
    suffixes: Callable[[Row], Iterable[str]]
    find_pending: Callable[[WriteConnection, Any, Any], int | None]
    check_new: Callable[[WriteConnection, Any], None]
    add_row: Callable[[WriteConnection, Any, Any, int], int]
    build_state: Callable[[Row, str, str | None], RecordState]
    check_approval: Callable[[Row], None]
    submitted_action: HistoryAction
    actions: Mapping[ReviewStep, HistoryAction]
    public_steps: frozenset[ReviewStep]
    not_found_message: Callable[[int], Sentence]
    missing_file_message: Sentence
    not_owner_message: Sentence
    lost_file_reason: str
    find_next_status: Callable[[Status, ReviewStep], Status] = next_status


# --- storing --------------------------------------------------------------------------------------------------------


def store_upload(  # noqa: PLR0913  # the parts of a new row
    connection: WriteConnection,
    *,
    kind: UploadKind[Row, Any],
    new: NewFile,
    processed: object,
    now: int,
    quotas: Quotas | None,
) -> tuple[int, bool]:
    """Store a pending upload, unless the request is a repetition; return its ID, and whether it is new.

    Without a key from the client, an identical pending upload of the same user counts as the same request.
    """
    pending = PendingKind(kind.name)
    existing_id = (
        find_repeated_request(connection, new.once, pending)
        if new.once
        else kind.find_pending(connection, new, processed)
    )
    if existing_id is not None:
        return existing_id, False
    if quotas:
        check_quota(connection, pending, new.person_id, quotas)
    kind.check_new(connection, new)
    row = kind.table.read(connection, kind.add_row(connection, new, processed, now))
    assert row is not None  # noqa: S101  # this transaction has just added it
    name = RecordRef(kind.name, str(row.id))
    change = Change(name, None, kind.build_state(row, row.status, None))
    write_entry(connection, HistoryEntry(kind.submitted_action, new.person_id, now, name), [change])
    return row.id, True


# --- reading --------------------------------------------------------------------------------------------------------


def load_upload(
    connection: ReadConnection, *, kind: UploadKind[Row, Shown], number: int, include_duplicates: bool
) -> Shown:
    """Load an upload as shown in responses. Raises NotFoundError."""
    row = kind.table.find(connection, number)
    if row is None:
        raise NotFoundError(kind.not_found_message(number))
    # Only moderators see duplicates, which may be another user's pending uploads.
    return kind.build_view(row, kind.table.find_duplicates(connection, [row])[row.id] if include_duplicates else ())


def list_uploads(  # noqa: PLR0913  # filters
    connection: ReadConnection,
    *,
    kind: UploadKind[Row, Shown],
    status: Status | None,
    person_id: int | None,
    limit: int,
    offset: int,
) -> Page[Shown]:
    """Load a page of uploads; duplicates are included only in pages of all users' uploads."""
    page = kind.table.load_page(connection, status, person_id, limit, offset)
    duplicates = kind.table.find_duplicates(connection, page.items) if page.items and person_id is None else {}
    return Page([kind.build_view(row, duplicates.get(row.id, ())) for row in page.items], page.total)


# --- deciding -------------------------------------------------------------------------------------------------------


def decide_upload(
    connection: WriteConnection, *, kind: UploadKind[Row, Shown], number: int, step: ReviewStep, decision: Decision
) -> None:
    """Apply a review step to an upload, and record it in the history. The step determines the new status."""
    row = kind.table.read(connection, number)
    if row is None:
        raise NotFoundError(kind.not_found_message(number))
    status = kind.find_next_status(Status(row.status), step)
    if status is Status.APPROVED:
        kind.check_approval(row)
    _store_decision(connection, kind, row, decision._replace(status=status), kind.actions[step])


def _store_decision(
    connection: WriteConnection, kind: UploadKind[Row, Shown], row: Row, decision: Decision, action: HistoryAction
) -> None:
    kind.table.decide(connection, row.id, decision)
    name = RecordRef(kind.name, str(row.id))
    before = kind.build_state(row, row.status, row.reason)
    after = kind.build_state(row, str(decision.status), decision.reason)
    write_entry(connection, HistoryEntry(action, decision.by, decision.at, name), [Change(name, before, after)])


def reject_lost_uploads(
    connection: WriteConnection, *, kind: UploadKind[Row, Shown], rows: Iterable[Row], now: int
) -> None:
    """Reject uploads whose file is missing."""
    for row in rows:
        if row.status in {Status.PENDING, Status.APPROVED}:
            lost_status = kind.find_next_status(Status(row.status), ReviewStep.LOSE)
            _store_decision(
                connection,
                kind,
                row,
                Decision(lost_status, kind.lost_file_reason, None, now),
                kind.actions[ReviewStep.LOSE],
            )
        kind.table.mark_purged(connection, [row.id], now)
