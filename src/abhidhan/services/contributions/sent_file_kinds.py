"""What tells one kind of file that people send from another; and what is the same of all: showing and deciding."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from abhidhan.domain.history import Action, AnyState, Change, RecordName
from abhidhan.domain.pages import Page
from abhidhan.domain.submissions import Status, Step, next_status
from abhidhan.errors import NotFoundError, Sentence
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.sent_files import Decision, Duplicate, Row, SentFiles

Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True)
class SentKind(Generic[Row, Shown]):
    """One kind of file: its rows, how they are shown, and how the history keeps them.

    `state_of` writes what history keeps of a row with a status and a reason. `check_approval` raises ConflictError for
    what cannot be approved by itself. `public` are the steps that change what everybody sees. `absent` says that there
    is none of an ID, `not_there` that there is no such file, `not_own` that it is another person's.
    """

    name: str
    stored: SentFiles[Row]
    show: Callable[[Row, Iterable[Duplicate[Row]]], Shown]
    suffixes: Callable[[Row], Iterable[str]]
    state_of: Callable[[Row, str, str | None], AnyState]
    check_approval: Callable[[Row], None]
    actions: Mapping[Step, Action]
    public: frozenset[Step]
    absent: Callable[[int], Sentence]
    not_there: Sentence
    not_own: Sentence
    lost: str
    following: Callable[[Status, Step], Status] = next_status


# --- looking --------------------------------------------------------------------------------------------------------


def show_one(reader: Reader, *, kind: SentKind[Row, Shown], number: int, with_alike: bool) -> Shown:
    """Show one file. Raises NotFoundError."""
    row = kind.stored.find(reader, number)
    if row is None:
        raise NotFoundError(kind.absent(number))
    # What is like one's own is the moderators' business: it may be another person's that still waits.
    return kind.show(row, kind.stored.duplicates_of(reader, [row])[row.id] if with_alike else ())


def list_page(  # noqa: PLR0913  # each narrows the page
    reader: Reader,
    *,
    kind: SentKind[Row, Shown],
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


def decide(connection: Writer, *, kind: SentKind[Row, Shown], number: int, step: Step, decision: Decision) -> None:
    """Take a step with a file, and note it; the step says which status the decision gets."""
    row = kind.stored.read(connection, number)
    if row is None:
        raise NotFoundError(kind.absent(number))
    status = kind.following(Status(row.status), step)
    if status is Status.APPROVED:
        kind.check_approval(row)
    _change(connection, kind, row, decision._replace(status=status), kind.actions[step])


def _change(connection: Writer, kind: SentKind[Row, Shown], row: Row, decision: Decision, action: Action) -> None:
    kind.stored.decide(connection, row.id, decision)
    name = RecordName(kind.name, str(row.id))
    before = kind.state_of(row, row.status, row.reason)
    after = kind.state_of(row, str(decision.status), decision.reason)
    write_entry(connection, Entry(action, decision.by, decision.at, name), [Change(name, before, after)])


def mark_lost(connection: Writer, *, kind: SentKind[Row, Shown], rows: Iterable[Row], now: int) -> None:
    """Reject what has lost its file."""
    for row in rows:
        if row.status in {Status.PENDING, Status.APPROVED}:
            lost = kind.following(Status(row.status), Step.LOSE)
            _change(connection, kind, row, Decision(lost, kind.lost, None, now), kind.actions[Step.LOSE])
        kind.stored.note_purged(connection, [row.id], now)
