"""What is written when a photo is submitted, in one transaction; and what tells photos from other files."""

from typing import Final

from abhidhan.domain.drafts import Kind
from abhidhan.domain.history import Action, Change, PhotoState, RecordName
from abhidhan.domain.photos import ProcessedPhoto, photo_suffixes
from abhidhan.domain.reasons import LOST
from abhidhan.domain.submissions import Quotas, Status, Step
from abhidhan.errors import ConflictError, InputError, Sentence, sentence
from abhidhan.services.contributions.photo_views import PhotoSubmission, show_photo
from abhidhan.services.contributions.quotas import allow_photo, earlier
from abhidhan.services.contributions.sent_file_kinds import SentKind
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.history import Entry, write_entry
from abhidhan.storage.pending import PendingKind
from abhidhan.storage.photos import PHOTOS, NewPhoto, PhotoRow
from abhidhan.storage.submissions import SubmissionRow, read_submission


def store_photo(
    connection: Writer, *, new: NewPhoto, processed: ProcessedPhoto, now: int, quotas: Quotas | None
) -> tuple[int, bool]:
    """Store a photo that waits for review, unless this very request has been here before: tells its ID, and which.

    Without a key of the client's, the same pixels of one idea by one person are the same request while they wait.
    """
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
        check_word_waits(read_submission(connection, new.submission_id or 0), new.person_id)
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


def _state_of(row: PhotoRow, status: str, reason: str | None) -> PhotoState:
    return PhotoState(row.idea_id, status, row.credit, reason)


def _check_approval(row: PhotoRow) -> None:
    if row.idea_id is None:
        raise ConflictError(sentence("This photo was sent with a word: it is decided on together with the word."))


def _absent(number: int) -> Sentence:
    return sentence("There is no photo with the ID %(photo_id)s.", photo_id=number)


PHOTO_KIND: Final[SentKind[PhotoRow, PhotoSubmission]] = SentKind(
    name="photo",
    stored=PHOTOS,
    show=show_photo,
    suffixes=lambda row: photo_suffixes(row.extension),
    state_of=_state_of,
    check_approval=_check_approval,
    actions={
        Step.APPROVE: Action.PHOTO_APPROVED,
        Step.REJECT: Action.PHOTO_REJECTED,
        Step.WITHDRAW: Action.PHOTO_WITHDRAWN,
        Step.LOSE: Action.PHOTO_REJECTED,
    },
    public=frozenset({Step.APPROVE}),
    absent=_absent,
    not_there=sentence("There is no such photo."),
    not_own=sentence("Only the person who submitted a photo can withdraw it."),
    lost=str(LOST),
)
