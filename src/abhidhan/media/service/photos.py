"""Photos: their checks, views and review, as one kind of upload."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.editing.service.editor import EditSession
from abhidhan.editing.store.records import contributions
from abhidhan.media.service.upload_kinds import Problems, UploadKind
from abhidhan.media.service.uploads import OpenedUpload, UploadService
from abhidhan.media.store import photos as stored
from abhidhan.media.store.photos import PHOTOS, NewPhoto, PhotoRow
from abhidhan.media.store.uploads import Duplicate
from abhidhan.platform.database.database import WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.object_store import new_key
from abhidhan.records.errors import ConflictError, InputError, Sentence, sentence
from abhidhan.records.history import HistoryAction, PhotoState, RecordRef
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.photos import (
    PhotoName,
    ProcessedPhoto,
    clean_credit,
    photo_address,
    photo_suffixes,
    read_idea_id,
    read_submission_id,
    thumbnail_address,
)
from abhidhan.records.sources import check_licence
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import LOST_PHOTO, PHOTO_LEFT_OUT, ReviewStep, Status
from abhidhan.records.timestamps import Timestamp, timestamp
from abhidhan.records.uploads import UploadedFile
from abhidhan.submissions import store as submissions
from abhidhan.submissions.store import SubmissionRow, read_submission


class AlikePhoto(msgspec.Struct, frozen=True):
    """An identical (`exact`) or similar photo, shown to moderators."""

    submission_id: int
    status: Status
    idea_id: int | None
    exact: bool
    photo_url: str | None


class PhotoEntry(msgspec.Struct, frozen=True):
    """A submitted photo.

    `word_submission_id` is the submission of the word that it belongs to; until that is approved, there is no idea.
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


def list_photos_of_ideas(reader: ReadConnection, *, limit: int) -> Page[PhotoEntry]:
    """Load the first pending photos of ideas, without those of submitted words, and their total number."""
    page = stored.list_photos_of_ideas(reader, limit, 0)
    return Page([show_photo(row, ()) for row in page.items], page.total)


def photos_with_words(reader: ReadConnection, *, submission_ids: Sequence[int]) -> dict[int, tuple[PhotoEntry, ...]]:
    """Load the pending photos of submitted words with their duplicates, by submission ID."""
    rows = stored.photos_with_words(reader, submission_ids)
    duplicates = PHOTOS.duplicates_of(reader, rows) if rows else {}
    entries = [show_photo(row, duplicates.get(row.id, ())) for row in rows]
    return {
        number: tuple(entry for entry in entries if entry.word_submission_id == number) for number in submission_ids
    }


def show_photo(row: PhotoRow, duplicates: Iterable[Duplicate[PhotoRow]]) -> PhotoEntry:
    """Build the response for a photo, with its duplicates."""
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
    """Raise InputError unless a submission is a pending word of this user, so that a photo can be added to it."""
    waits = row is not None and row.status == Status.PENDING and row.kind == Kind.WORD
    if row is None or not waits or row.person_id != person_id:
        raise InputError.of("submissionID", sentence("You have no word with this number waiting for review."))


def _check_new(connection: WriteConnection, new: NewPhoto) -> None:
    if new.idea_id is None:
        check_word_waits(read_submission(connection, new.submission_id or 0), new.person_id)
    elif not stored.idea_exists(connection, new.idea_id):
        raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=new.idea_id))


def _state_of(row: PhotoRow, status: str, reason: str | None) -> PhotoState:
    return PhotoState(row.idea_id, status, row.credit, reason)


def _check_approval(row: PhotoRow) -> None:
    if row.idea_id is None:
        raise ConflictError(sentence("This photo was sent with a word and is reviewed together with it."))


def _absent(number: int) -> Sentence:
    return sentence("There is no photo with the ID %(photo_id)s.", photo_id=number)


PHOTO_KIND: Final[UploadKind[PhotoRow, PhotoEntry]] = UploadKind(
    name="photo",
    stored=PHOTOS,
    show=show_photo,
    suffixes=lambda row: photo_suffixes(row.extension),
    find_pending=stored.find_pending,
    check_new=_check_new,
    add=stored.add_photo,
    state_of=_state_of,
    check_approval=_check_approval,
    submitted=HistoryAction.PHOTO_SUBMITTED,
    actions={
        ReviewStep.APPROVE: HistoryAction.PHOTO_APPROVED,
        ReviewStep.REJECT: HistoryAction.PHOTO_REJECTED,
        ReviewStep.WITHDRAW: HistoryAction.PHOTO_WITHDRAWN,
        ReviewStep.LOSE: HistoryAction.PHOTO_REJECTED,
    },
    public=frozenset({ReviewStep.APPROVE}),
    absent=_absent,
    not_there=sentence("There is no such photo."),
    not_own=sentence("Only the person who submitted a photo can withdraw it."),
    lost=str(LOST_PHOTO),
)


class PhotoTarget(NamedTuple):
    """The subject of a photo: an idea, or a pending word given by its submission."""

    idea_id: int | None
    submission_id: int | None = None


class CheckedPhoto(NamedTuple):
    """A valid, processed photo."""

    credit: str
    processed: ProcessedPhoto


class Photos(UploadService[PhotoRow, ProcessedPhoto, PhotoEntry]):
    """Service for photos."""

    kind = PHOTO_KIND

    async def submit(self, person: Person, sent: UploadedFile) -> PhotoEntry:
        """Check a photo and its fields, and store it for review.

        Raises InputError with all problems, ForbiddenError, UnavailableError, QuotaError if the user has too many
        pending photos, ReusedKeyError if the client's key was used for another request; nothing is stored then.
        """
        require(person, Permission.SUBMIT_PHOTO)
        problems = Problems(sent.problems)
        subject: PhotoTarget | None = None
        checked: CheckedPhoto | None = None
        if sent.fields.get("submissionID") or sent.can_check("ideaID"):
            with problems:
                subject = await self._subject(person, sent)
        with problems:
            checked = await self.check(sent)
        if problems or subject is None or checked is None:
            raise InputError(*dict.fromkeys(problems))
        target = str(subject.idea_id) if subject.idea_id else f"word:{subject.submission_id}"
        mark = self.mark(person, sent.idempotency_key, target.encode(), checked.credit.encode(), sent.file or b"")
        new = NewPhoto(subject.idea_id, person.id, checked.credit, new_key(), mark, self.licence, subject.submission_id)
        return await self.store(new, checked.processed, self.quotas_of(person))

    async def check(self, sent: UploadedFile) -> CheckedPhoto:
        """Check and process a photo without its idea or word. Raises InputError with all problems, UnavailableError."""
        problems = Problems(sent.problems)
        credit: str | None = None
        processed: ProcessedPhoto | None = None
        if sent.can_check("photoCredit"):
            with problems:
                credit = _credit(sent)
        with problems:
            check_licence(self.licence, sent.fields.get("licence"))
        with problems:
            processed = await self.process(sent)
        if problems or credit is None or processed is None:
            raise InputError(*problems)
        return CheckedPhoto(credit, processed)

    async def _subject(self, person: Person, sent: UploadedFile) -> PhotoTarget:
        idea, submission = sent.fields.get("ideaID", ""), sent.fields.get("submissionID", "")
        if not submission:
            return PhotoTarget(await self._idea_id(idea))
        if idea:
            raise InputError.of(
                "submissionID", sentence("Give either `ideaID` or `submissionID`: a photo shows one thing.")
            )
        submission_id = read_submission_id(submission)
        job = partial(submissions.find_submission, submission_id=submission_id)
        check_word_waits(await self._database.read(job), person.id)
        return PhotoTarget(None, submission_id)

    async def _idea_id(self, text: str) -> int:
        if not text.strip():
            raise InputError.of(
                "ideaID",
                sentence(
                    "`%(parameter)s` is missing: give the number of the idea that the photo shows.", parameter="ideaID"
                ),
            )
        idea_id = read_idea_id(text)
        if not await self._database.read(partial(stored.finds_idea, idea_id=idea_id)):
            raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
        return idea_id

    async def delete_withdrawn(self, submission_id: int) -> None:
        """Delete the files of the photos withdrawn with a word; if that fails, a later cleanup deletes them."""
        job = partial(stored.photos_with_words, submission_ids=[submission_id], status=Status.WITHDRAWN)
        await self.cleanup.delete_if_possible(await self._database.read(job, long=True))

    async def list_queue(self, person: Person, limit: int) -> Page[PhotoEntry]:
        """Return the first pending photos, without those of submitted words. Raises ForbiddenError."""
        require(person, Permission.REVIEW)
        return await self._database.read(partial(list_photos_of_ideas, limit=limit), long=True)

    async def open(self, name: PhotoName, person: Person | None) -> OpenedUpload:
        """Open the file of a photo or its thumbnail. Raises the same errors as `open_file`."""
        return await self.open_file(name.photo_id, name.suffix, person)


def _credit(sent: UploadedFile) -> str:
    if "photoCredit" not in sent.fields:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` is missing: enter the photographer's name (at least 2 characters).",
                parameter="photoCredit",
            ),
        )
    return clean_credit(sent.fields["photoCredit"])


class ReviewedPhotos(NamedTuple):
    """IDs of the photos of a submitted word that the editor has seen, and of those that the editor rejects."""

    seen_ids: frozenset[int] = frozenset()
    excluded_ids: frozenset[int] = frozenset()


NO_REVIEWED_PHOTOS: Final = ReviewedPhotos()


def approve_photos(
    editor: EditSession, submission_id: int, idea_id: int | None, reviewed_photos: ReviewedPhotos
) -> None:
    """Approve the photos of a submitted word and link them to its idea; reject those that the editor leaves out.

    Raises ConflictError if there is a pending photo that the editor has not seen, such as one sent later.
    """
    pending = contributions.photos_of_submission(editor.edit, submission_id)
    unseen = [photo_id for photo_id in pending if int(photo_id) not in reviewed_photos.seen_ids]
    if unseen:
        raise ConflictError(
            sentence(
                "The photos that came with this word have not been looked at: %(photos)s. Look at them, then decide "
                "again.",
                photos=", ".join(unseen),
            )
        )
    for photo_id, state in pending.items():
        if idea_id is None or int(photo_id) in reviewed_photos.excluded_ids:
            after = msgspec.structs.replace(state, status=str(Status.REJECTED), reason=str(PHOTO_LEFT_OUT))
        else:
            after = msgspec.structs.replace(state, status=str(Status.APPROVED), idea_id=idea_id)
        _apply(editor, photo_id, after)


def close_photos(editor: EditSession, submission_id: int, status: Status, reason: str | None) -> None:
    """Reject or withdraw the photos of a submitted word together with it."""
    for photo_id, state in contributions.photos_of_submission(editor.edit, submission_id).items():
        _apply(editor, photo_id, msgspec.structs.replace(state, status=str(status), reason=reason))


def _apply(editor: EditSession, photo_id: str, after: PhotoState) -> None:
    editor.recorder.apply(RecordRef("photo", photo_id), after)
    decision = {"decided": editor.now, "decided_by": editor.person.id}
    PHOTOS.change(editor.edit.connection, int(photo_id), decision)
