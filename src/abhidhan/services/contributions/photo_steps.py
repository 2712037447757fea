"""What is written when a photo is submitted, decided on or lost: each one transaction."""

from collections.abc import Iterable, Mapping
from typing import Final

from abhidhan.domain.drafts import Kind
from abhidhan.domain.history import Action, Change, PhotoState, RecordName
from abhidhan.domain.photos import ProcessedPhoto
from abhidhan.domain.submissions import Quotas, Status, Step, next_status
from abhidhan.errors import ConflictError, InputError, NotFoundError, sentence
from abhidhan.services.contributions.quotas import allow_photo, earlier
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.pending import PendingKind, lock_person
from abhidhan.storage.photos import Decision, NewPhoto, PhotoRow
from abhidhan.storage.submissions import SubmissionRow, lock_submission

LOST: Final = "The file of this photo is lost."

ACTIONS: Final[Mapping[Step, Action]] = {
    Step.APPROVE: Action.PHOTO_APPROVED,
    Step.REJECT: Action.PHOTO_REJECTED,
    Step.WITHDRAW: Action.PHOTO_WITHDRAWN,
    Step.LOSE: Action.PHOTO_REJECTED,
}


def store_photo(
    connection: Writer, *, new: NewPhoto, processed: ProcessedPhoto, now: int, quotas: Quotas | None
) -> tuple[int, bool]:
    """Store a photo that waits for review, unless this very request has been here before: tells its ID, and which.

    Without a key of the client's, the same pixels of one idea by one person are the same request while they wait.
    """
    lock_person(connection, new.person_id)
    known = (
        earlier(connection, new.once, PendingKind.PHOTO)
        if new.once
        else stored.find_pending(connection, new, processed)
    )
    if known is not None:
        return known, False
    if quotas:
        allow_photo(connection, new.person_id, quotas)
    if new.idea_id is None:
        check_word_waits(lock_submission(connection, new.submission_id or 0), new.person_id)
    elif not stored.idea_exists(connection, new.idea_id):
        raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=new.idea_id))
    photo_id = stored.add_photo(connection, new, processed, now)
    name = RecordName("photo", str(photo_id))
    change = Change(name, None, PhotoState(new.idea_id, str(Status.PENDING), new.credit))
    write_entry(connection, Entry(Action.PHOTO_SUBMITTED, new.person_id, now, name), [change])
    return photo_id, True


def check_word_waits(row: SubmissionRow | None, person_id: int) -> None:
    """Make sure that a submission is a word of somebody's that waits: a photo can come with it. Raises InputError."""
    waits = row is not None and row.status == Status.PENDING and row.kind == Kind.WORD
    if row is None or not waits or row.person_id != person_id:
        raise InputError.of(
            "submissionID", sentence("You have sent no word with this number that is waiting for review.")
        )


def decide_photo(connection: Writer, *, photo_id: int, step: Step, decision: Decision) -> None:
    """Take a step with a photo, and note it; the step says which status the decision gets."""
    row = stored.lock_photo(connection, photo_id)
    if row is None:
        raise NotFoundError(sentence("There is no photo with the ID %(photo_id)s.", photo_id=photo_id))
    status = next_status(Status(row.status), step)
    if status is Status.APPROVED and row.idea_id is None:
        raise ConflictError(sentence("This photo was sent with a word: it is decided on together with the word."))
    _change(connection, row, decision._replace(status=status), ACTIONS[step])


def _change(connection: Writer, row: PhotoRow, decision: Decision, action: Action) -> None:
    stored.decide_photo(connection, row.id, decision)
    name = RecordName("photo", str(row.id))
    before = PhotoState(row.idea_id, row.status, row.credit, row.reason)
    after = PhotoState(row.idea_id, str(decision.status), row.credit, decision.reason)
    write_entry(connection, Entry(action, decision.by, decision.at, name), [Change(name, before, after)])


def mark_lost(connection: Writer, rows: Iterable[PhotoRow], now: int) -> None:
    """Reject the photos whose files are lost."""
    for row in rows:
        if row.status in {Status.PENDING, Status.APPROVED}:
            lost = next_status(Status(row.status), Step.LOSE)
            _change(connection, row, Decision(lost, LOST, None, now), ACTIONS[Step.LOSE])
        stored.note_purged(connection, [row.id], now)
