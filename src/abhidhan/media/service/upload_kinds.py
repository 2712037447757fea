"""What tells one kind of file that people send from another; and what is the same of all."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from abhidhan.editing.store.history import Entry, write_entry
from abhidhan.media.store.uploads import Decision, Duplicate, Row, SentFiles
from abhidhan.platform.database.database import Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, NotFoundError, Problem, Sentence
from abhidhan.records.history import Action, AnyState, Change, RecordName
from abhidhan.records.paging import Page
from abhidhan.records.submissions import Quotas, Status, Step, next_status
from abhidhan.submissions.service import allow, earlier
from abhidhan.submissions.store import PendingKind

Shown = TypeVar("Shown")


class NewFile(Protocol):
    """What the new rows of all files have in common: whose they are, the key of the files, the mark of the request."""

    @property
    def person_id(self) -> int: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def once(self) -> str | None: ...  # noqa: D102


class Problems(list[Problem]):
    """A list of what is wrong with something. As a context manager it collects what an InputError says, and goes on."""

    def __enter__(self) -> None:
        """Begin a check."""

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> bool:
        """Collect what the check has found."""
        if isinstance(error, InputError):
            self.extend(error.problems)
        return isinstance(error, InputError)


@dataclass(frozen=True, slots=True)
class UploadKind(Generic[Row, Shown]):
    """One kind of file: its rows, how they are shown, and how the history keeps them.

    `find_pending` finds the same file that waits already, `check_new` raises an error where something new cannot be
    stored, `add` stores it. `state_of` writes what history keeps of a row with a status and a reason. `check_approval`
    raises ConflictError for what cannot be approved by itself. `submitted` and `actions` are the actions of the history
    for sending a file and for each later step; `public` are the steps that change what everybody sees. `absent` says
    that there is none of an ID, `not_there` that there is no such file, `not_own` that it is another person's.
    """

    name: str
    stored: SentFiles[Row]
    show: Callable[[Row, Iterable[Duplicate[Row]]], Shown]
    suffixes: Callable[[Row], Iterable[str]]
    find_pending: Callable[[Writer, Any, Any], int | None]
    check_new: Callable[[Writer, Any], None]
    add: Callable[[Writer, Any, Any, int], int]
    state_of: Callable[[Row, str, str | None], AnyState]
    check_approval: Callable[[Row], None]
    submitted: Action
    actions: Mapping[Step, Action]
    public: frozenset[Step]
    absent: Callable[[int], Sentence]
    not_there: Sentence
    not_own: Sentence
    lost: str
    following: Callable[[Status, Step], Status] = next_status


# --- storing --------------------------------------------------------------------------------------------------------


def store(  # noqa: PLR0913  # each is one part of what is stored
    connection: Writer, *, kind: UploadKind[Row, Any], new: NewFile, processed: object, now: int, quotas: Quotas | None
) -> tuple[int, bool]:
    """Store a file that waits for review, unless this very request has been here before: tells its ID, and which.

    Without a key of the client's, the same file with the same fields by one person is one request while it waits.
    """
    pending = PendingKind(kind.name)
    known = earlier(connection, new.once, pending) if new.once else kind.find_pending(connection, new, processed)
    if known is not None:
        return known, False
    if quotas:
        allow(connection, pending, new.person_id, quotas)
    kind.check_new(connection, new)
    row = kind.stored.read(connection, kind.add(connection, new, processed, now))
    assert row is not None  # noqa: S101  # this transaction has just added it
    name = RecordName(kind.name, str(row.id))
    change = Change(name, None, kind.state_of(row, row.status, None))
    write_entry(connection, Entry(kind.submitted, new.person_id, now, name), [change])
    return row.id, True


# --- looking --------------------------------------------------------------------------------------------------------


def show_one(reader: Reader, *, kind: UploadKind[Row, Shown], number: int, with_alike: bool) -> Shown:
    """Show one file. Raises NotFoundError."""
    row = kind.stored.find(reader, number)
    if row is None:
        raise NotFoundError(kind.absent(number))
    # What is like one's own is the moderators' business: it may be another person's that still waits.
    return kind.show(row, kind.stored.duplicates_of(reader, [row])[row.id] if with_alike else ())


def list_page(  # noqa: PLR0913  # each narrows the page
    reader: Reader,
    *,
    kind: UploadKind[Row, Shown],
    status: Status | None,
    person_id: int | None,
    limit: int,
    offset: int,
) -> Page[Shown]:
    """List a page of what was sent."""
    found = kind.stored.page(reader, status, person_id, limit, offset)
    duplicates = kind.stored.duplicates_of(reader, found.items) if found.items and person_id is None else {}
    return Page([kind.show(row, duplicates.get(row.id, ())) for row in found.items], found.total)


# --- deciding -------------------------------------------------------------------------------------------------------


def decide(connection: Writer, *, kind: UploadKind[Row, Shown], number: int, step: Step, decision: Decision) -> None:
    """Take a step with a file, and note it; the step says which status the decision gets."""
    row = kind.stored.read(connection, number)
    if row is None:
        raise NotFoundError(kind.absent(number))
    status = kind.following(Status(row.status), step)
    if status is Status.APPROVED:
        kind.check_approval(row)
    _change(connection, kind, row, decision._replace(status=status), kind.actions[step])


def _change(connection: Writer, kind: UploadKind[Row, Shown], row: Row, decision: Decision, action: Action) -> None:
    kind.stored.decide(connection, row.id, decision)
    name = RecordName(kind.name, str(row.id))
    before = kind.state_of(row, row.status, row.reason)
    after = kind.state_of(row, str(decision.status), decision.reason)
    write_entry(connection, Entry(action, decision.by, decision.at, name), [Change(name, before, after)])


def mark_lost(connection: Writer, *, kind: UploadKind[Row, Shown], rows: Iterable[Row], now: int) -> None:
    """Reject what has lost its file."""
    for row in rows:
        if row.status in {Status.PENDING, Status.APPROVED}:
            lost = kind.following(Status(row.status), Step.LOSE)
            _change(connection, kind, row, Decision(lost, kind.lost, None, now), kind.actions[Step.LOSE])
        kind.stored.note_purged(connection, [row.id], now)
