"""What tells photos from other files that people send."""

from typing import Final

from abhidhan.domain.drafts import Kind
from abhidhan.domain.history import Action, PhotoState
from abhidhan.domain.photos import photo_suffixes
from abhidhan.domain.reasons import LOST
from abhidhan.domain.submissions import Status, Step
from abhidhan.errors import ConflictError, InputError, Sentence, sentence
from abhidhan.services.contributions.photo_views import PhotoEntry, show_photo
from abhidhan.services.contributions.sent_file_kinds import SentKind
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.database import Writer
from abhidhan.storage.photos import PHOTOS, NewPhoto, PhotoRow
from abhidhan.storage.submissions import SubmissionRow, read_submission


def check_word_waits(row: SubmissionRow | None, person_id: int) -> None:
    """Make sure that a submission is a word of somebody's that waits: a photo can come with it. Raises InputError."""
    waits = row is not None and row.status == Status.PENDING and row.kind == Kind.WORD
    if row is None or not waits or row.person_id != person_id:
        raise InputError.of(
            "submissionID", sentence("You have sent no word with this number that is waiting for review.")
        )


def _check_new(connection: Writer, new: NewPhoto) -> None:
    if new.idea_id is None:
        check_word_waits(read_submission(connection, new.submission_id or 0), new.person_id)
    elif not stored.idea_exists(connection, new.idea_id):
        raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=new.idea_id))


def _state_of(row: PhotoRow, status: str, reason: str | None) -> PhotoState:
    return PhotoState(row.idea_id, status, row.credit, reason)


def _check_approval(row: PhotoRow) -> None:
    if row.idea_id is None:
        raise ConflictError(sentence("This photo was sent with a word: it is decided on together with the word."))


def _absent(number: int) -> Sentence:
    return sentence("There is no photo with the ID %(photo_id)s.", photo_id=number)


PHOTO_KIND: Final[SentKind[PhotoRow, PhotoEntry]] = SentKind(
    name="photo",
    stored=PHOTOS,
    show=show_photo,
    suffixes=lambda row: photo_suffixes(row.extension),
    find_pending=stored.find_pending,
    check_new=_check_new,
    add=stored.add_photo,
    state_of=_state_of,
    check_approval=_check_approval,
    submitted=Action.PHOTO_SUBMITTED,
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
