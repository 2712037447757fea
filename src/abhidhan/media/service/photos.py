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
from abhidhan.platform.sandbox.object_store import create_key
from abhidhan.records.errors import ConflictError, InputError, Sentence, sentence
from abhidhan.records.history import HistoryAction, PhotoState, RecordRef
from abhidhan.records.paging import Page
from abhidhan.records.people import Permission, Person, require_permission
from abhidhan.records.photos import (
    PhotoName,
    ProcessedPhoto,
    clean_credit,
    parse_idea_id,
    parse_submission_id,
    photo_path,
    photo_suffixes,
    thumbnail_path,
)
from abhidhan.records.sources import check_licence
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import LOST_PHOTO, PHOTO_OMITTED, ReviewStep, Status
from abhidhan.records.timestamps import Timestamp, format_timestamp
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


def list_idea_photos(connection: ReadConnection, *, limit: int) -> Page[PhotoEntry]:
    """Load the first pending photos of ideas, without those of submitted words, and their total number."""
    page = stored.list_idea_photos(connection, limit, 0)
    return Page([build_photo_entry(row, ()) for row in page.items], page.total)


def list_word_photos(connection: ReadConnection, *, submission_ids: Sequence[int]) -> dict[int, tuple[PhotoEntry, ...]]:
    """Load the pending photos of submitted words with their duplicates, by submission ID."""
    rows = stored.list_word_photos(connection, submission_ids)
    duplicates = PHOTOS.find_duplicates(connection, rows) if rows else {}
    entries = [build_photo_entry(row, duplicates.get(row.id, ())) for row in rows]
    return {
        number: tuple(entry for entry in entries if entry.word_submission_id == number) for number in submission_ids
    }


def build_photo_entry(row: PhotoRow, duplicates: Iterable[Duplicate[PhotoRow]]) -> PhotoEntry:
    """Build the response for a photo, with its duplicates."""
    return PhotoEntry(
        submission_id=row.id,
        status=Status(row.status),
        idea_id=row.idea_id,
        credit=row.credit,
        reason=row.reason,
        submitted=format_timestamp(row.submitted),
        photo_url=None if row.purged else photo_path(row.id, row.extension),
        thumbnail_url=None if row.purged else thumbnail_path(row.id),
        width=row.width,
        height=row.height,
        duplicates=tuple(
            AlikePhoto(
                other.row.id,
                Status(other.row.status),
                other.row.idea_id,
                other.is_identical,
                None if other.row.purged else photo_path(other.row.id, other.row.extension),
            )
            for other in duplicates
        ),
        licence=row.licence,
        word_submission_id=row.submission_id,
    )


def check_pending_word(row: SubmissionRow | None, person_id: int) -> None:
    """Raise InputError unless a submission is a pending word of this user, so that a photo can be added to it."""
    is_pending_word = row is not None and row.status == Status.PENDING and row.kind == Kind.WORD
    if row is None or not is_pending_word or row.person_id != person_id:
        raise InputError.of("submissionID", sentence("You have no word with this number waiting for review."))


def _check_new_photo(connection: WriteConnection, new: NewPhoto) -> None:
    if new.idea_id is None:
        check_pending_word(read_submission(connection, new.submission_id or 0), new.person_id)
    elif not stored.idea_exists(connection, new.idea_id):
        raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=new.idea_id))


def _build_state(row: PhotoRow, status: str, reason: str | None) -> PhotoState:
    return PhotoState(row.idea_id, status, row.credit, reason)


def _check_approval(row: PhotoRow) -> None:
    if row.idea_id is None:
        raise ConflictError(sentence("This photo was sent with a word and is reviewed together with it."))


def _not_found_message(number: int) -> Sentence:
    return sentence("There is no photo with the ID %(photo_id)s.", photo_id=number)


PHOTO_KIND: Final[UploadKind[PhotoRow, PhotoEntry]] = UploadKind(
    name="photo",
    table=PHOTOS,
    build_view=build_photo_entry,
    suffixes=lambda row: photo_suffixes(row.extension),
    find_pending=stored.find_pending,
    check_new=_check_new_photo,
    add_row=stored.add_photo,
    build_state=_build_state,
    check_approval=_check_approval,
    submitted_action=HistoryAction.PHOTO_SUBMITTED,
    actions={
        ReviewStep.APPROVE: HistoryAction.PHOTO_APPROVED,
        ReviewStep.REJECT: HistoryAction.PHOTO_REJECTED,
        ReviewStep.WITHDRAW: HistoryAction.PHOTO_WITHDRAWN,
        ReviewStep.LOSE: HistoryAction.PHOTO_REJECTED,
    },
    public_steps=frozenset({ReviewStep.APPROVE}),
    not_found_message=_not_found_message,
    missing_file_message=sentence("There is no such photo."),
    not_owner_message=sentence("Only the person who submitted a photo can withdraw it."),
    lost_file_reason=str(LOST_PHOTO),
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

    async def submit(self, person: Person, upload: UploadedFile) -> PhotoEntry:
        """Check a photo and its fields, and store it for review.

        Raises InputError with all problems, ForbiddenError, UnavailableError, QuotaError if the user has too many
        pending photos, ReusedKeyError if the client's key was used for another request; nothing is stored then.
        """
        require_permission(person, Permission.SUBMIT_PHOTO)
        problems = Problems(upload.problems)
        photo_target: PhotoTarget | None = None
        checked: CheckedPhoto | None = None
        if upload.fields.get("submissionID") or upload.can_check("ideaID"):
            with problems:
                photo_target = await self._resolve_target(person, upload)
        with problems:
            checked = await self.check_upload(upload)
        if problems or photo_target is None or checked is None:
            raise InputError(*dict.fromkeys(problems))
        target_text = str(photo_target.idea_id) if photo_target.idea_id else f"word:{photo_target.submission_id}"
        mark = self.build_mark(
            person, upload.idempotency_key, target_text.encode(), checked.credit.encode(), upload.file or b""
        )
        new = NewPhoto(
            photo_target.idea_id,
            person.id,
            checked.credit,
            create_key(),
            mark,
            self.licence,
            photo_target.submission_id,
        )
        return await self.store(new, checked.processed, self.get_quotas(person))

    async def check_upload(self, upload: UploadedFile) -> CheckedPhoto:
        """Check and process a photo without its idea or word. Raises InputError with all problems, UnavailableError."""
        problems = Problems(upload.problems)
        credit: str | None = None
        processed: ProcessedPhoto | None = None
        if upload.can_check("photoCredit"):
            with problems:
                credit = _read_credit(upload)
        with problems:
            check_licence(self.licence, upload.fields.get("licence"))
        with problems:
            processed = await self.process(upload)
        if problems or credit is None or processed is None:
            raise InputError(*problems)
        return CheckedPhoto(credit, processed)

    async def _resolve_target(self, person: Person, upload: UploadedFile) -> PhotoTarget:
        idea, submission = upload.fields.get("ideaID", ""), upload.fields.get("submissionID", "")
        if not submission:
            return PhotoTarget(await self._resolve_idea_id(idea))
        if idea:
            raise InputError.of(
                "submissionID", sentence("Give either `ideaID` or `submissionID`: a photo shows one thing.")
            )
        submission_id = parse_submission_id(submission)
        job = partial(submissions.find_submission, submission_id=submission_id)
        check_pending_word(await self._database.read(job), person.id)
        return PhotoTarget(None, submission_id)

    async def _resolve_idea_id(self, text: str) -> int:
        if not text.strip():
            raise InputError.of(
                "ideaID",
                sentence(
                    "`%(parameter)s` is missing: give the number of the idea that the photo shows.", parameter="ideaID"
                ),
            )
        idea_id = parse_idea_id(text)
        if not await self._database.read(partial(stored.has_idea, idea_id=idea_id)):
            raise InputError.of("ideaID", sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
        return idea_id

    async def delete_withdrawn(self, submission_id: int) -> None:
        """Delete the files of the photos withdrawn with a word; if that fails, a later cleanup deletes them."""
        job = partial(stored.list_word_photos, submission_ids=[submission_id], status=Status.WITHDRAWN)
        await self.cleanup.delete_if_possible(await self._database.read(job, long=True))

    async def list_queue(self, person: Person, limit: int) -> Page[PhotoEntry]:
        """Return the first pending photos, without those of submitted words. Raises ForbiddenError."""
        require_permission(person, Permission.REVIEW)
        return await self._database.read(partial(list_idea_photos, limit=limit), long=True)

    async def open(self, name: PhotoName, person: Person | None) -> OpenedUpload:
        """Open the file of a photo or its thumbnail. Raises the same errors as `open_file`."""
        return await self.open_file(name.photo_id, name.suffix, person)


def _read_credit(upload: UploadedFile) -> str:
    if "photoCredit" not in upload.fields:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` is missing: enter the photographer's name (at least 2 characters).",
                parameter="photoCredit",
            ),
        )
    return clean_credit(upload.fields["photoCredit"])


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
    pending = contributions.read_pending_photos(editor.context, submission_id)
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
            after = msgspec.structs.replace(state, status=str(Status.REJECTED), reason=str(PHOTO_OMITTED))
        else:
            after = msgspec.structs.replace(state, status=str(Status.APPROVED), idea_id=idea_id)
        _apply_state(editor, photo_id, after)


def close_photos(editor: EditSession, submission_id: int, status: Status, reason: str | None) -> None:
    """Reject or withdraw the photos of a submitted word together with it."""
    for photo_id, state in contributions.read_pending_photos(editor.context, submission_id).items():
        _apply_state(editor, photo_id, msgspec.structs.replace(state, status=str(status), reason=reason))


def _apply_state(editor: EditSession, photo_id: str, new_state: PhotoState) -> None:
    editor.recorder.apply(RecordRef("photo", photo_id), new_state)
    decision = {"decided": editor.now, "decided_by": editor.person.id}
    PHOTOS.change(editor.context.connection, int(photo_id), decision)
