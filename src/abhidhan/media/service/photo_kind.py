"""Photos as one kind of what people send: as they are shown, stored and decided on."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from abhidhan.media.service.upload_kinds import SentKind
from abhidhan.media.store import photos as stored
from abhidhan.media.store.photos import PHOTOS, NewPhoto, PhotoRow
from abhidhan.media.store.uploads import Duplicate
from abhidhan.platform.database.database import Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import ConflictError, InputError, Sentence, sentence
from abhidhan.records.history import Action, PhotoState
from abhidhan.records.paging import Page
from abhidhan.records.photos import photo_address, photo_suffixes, thumbnail_address
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import LOST_PHOTO, Status, Step
from abhidhan.records.timestamps import Timestamp, timestamp
from abhidhan.submissions.store.submissions import SubmissionRow, read_submission


class AlikePhoto(msgspec.Struct, frozen=True):
    """Another photo that is the same (`exact`) or looks nearly so: told to moderators, who decide."""

    submission_id: int
    status: Status
    idea_id: int | None
    exact: bool
    photo_url: str | None


class PhotoEntry(msgspec.Struct, frozen=True):
    """A submitted photo as its submitter and moderators see it.

    `word_submission_id` names the word that it was sent with; until that is approved there is no idea.
    """

    submission_id: int
    status: Status
    idea_id: int | None
    credit: str
    reason: str | None
    submitted: Timestamp
    photo_url: str | None
    thumbnail_url: str | None
    width: int
    height: int
    duplicates: tuple[AlikePhoto, ...]
    licence: str | None
    word_submission_id: int | None


def list_photos_of_ideas(reader: Reader, *, limit: int) -> Page[PhotoEntry]:
    """List the first of the photos that wait by themselves, and count them."""
    found = stored.list_photos_of_ideas(reader, limit, 0)
    return Page([show_photo(row, ()) for row in found.items], found.total)


def photos_with_words(reader: Reader, *, submission_ids: Sequence[int]) -> dict[int, tuple[PhotoEntry, ...]]:
    """Show the photos that wait with some words, and what is like them: to whoever decides about both."""
    rows = stored.photos_with_words(reader, submission_ids)
    duplicates = PHOTOS.duplicates_of(reader, rows) if rows else {}
    shown = [show_photo(row, duplicates.get(row.id, ())) for row in rows]
    return {number: tuple(each for each in shown if each.word_submission_id == number) for number in submission_ids}


def show_photo(row: PhotoRow, duplicates: Iterable[Duplicate[PhotoRow]]) -> PhotoEntry:
    """Show a photo with those that are like it."""
    return PhotoEntry(
        submission_id=row.id,
        status=Status(row.status),
        idea_id=row.idea_id,
        credit=row.credit,
        reason=row.reason,
        submitted=timestamp(row.submitted),
        photo_url=None if row.purged else photo_address(row.id, row.extension),
        thumbnail_url=None if row.purged else thumbnail_address(row.id),
        width=row.width,
        height=row.height,
        duplicates=tuple(
            AlikePhoto(
                other.row.id,
                Status(other.row.status),
                other.row.idea_id,
                other.exact,
                None if other.row.purged else photo_address(other.row.id, other.row.extension),
            )
            for other in duplicates
        ),
        licence=row.licence,
        word_submission_id=row.submission_id,
    )


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
    lost=str(LOST_PHOTO),
)
