"""Read and write photos, recordings and submissions in an edit, such as the undo of a decision."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update

from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import PhotoState, RecordingState, RecordRef, SubmissionState
from abhidhan.records.submissions import Status
from abhidhan.schema import photo, recording, submission


def read_photo(context: EditContext, record_id: str) -> PhotoState | None:
    """Return the current state of a photo, or None."""
    row = context.connection.execute(select(photo).where(photo.c.id == int(record_id))).one_or_none()
    return PhotoState(row.idea_id, row.status, row.credit, row.reason) if row else None


def change_photo(context: EditContext, record_id: str, before: PhotoState, after: PhotoState) -> None:
    """Update the status, reason or idea of a photo.

    Raises ConflictError if its files were purged, or if it would become pending with a word that is already decided.
    """
    del before
    photo_id = int(record_id)
    if find_purged_photos(context, [photo_id]) and after.status in {Status.PENDING, Status.APPROVED}:
        raise ConflictError(sentence("The files of this photo have been deleted."))
    if after.status == Status.PENDING and after.idea_id is None and not _is_word_pending(context, photo_id):
        raise ConflictError(sentence("This photo was sent with a word and is reviewed together with it."))
    values: dict[str, Any] = {"idea_id": after.idea_id, "status": after.status, "reason": after.reason}
    if after.status == Status.PENDING:
        values |= {"decided": None, "decided_by": None}
    context.connection.execute(update(photo).where(photo.c.id == photo_id).values(values))


def _is_word_pending(context: EditContext, photo_id: int) -> bool:
    """Return whether the submitted word of a photo is pending."""
    of_photo = select(submission.c.status).join(photo, photo.c.submission_id == submission.c.id)
    return context.connection.execute(of_photo.where(photo.c.id == photo_id)).scalar() == Status.PENDING


def store_decision(context: EditContext, record_id: str, after: PhotoState, person_id: int) -> None:
    """Store the user and time of the decision on a photo; clear both if it is pending."""
    decision = (None, None) if after.status == Status.PENDING else (context.now, person_id)
    values = dict(zip(("decided", "decided_by"), decision, strict=True))
    context.connection.execute(update(photo).where(photo.c.id == int(record_id)).values(values))


def find_purged_photos(context: EditContext, photo_ids: Sequence[int]) -> set[RecordRef]:
    """Return references to the photos whose files were purged."""
    statement = select(photo.c.id).where(photo.c.id.in_(photo_ids), photo.c.purged.is_not(None))
    return {RecordRef("photo", str(photo_id)) for photo_id in context.connection.execute(statement).scalars()}


def read_photos_of_idea(context: EditContext, idea_id: int) -> dict[str, PhotoState]:
    """Return the photos of an idea by ID, with any status."""
    rows = context.connection.execute(select(photo).where(photo.c.idea_id == idea_id).order_by(photo.c.id))
    return {str(row.id): PhotoState(row.idea_id, row.status, row.credit, row.reason) for row in rows}


def read_pending_photos(context: EditContext, submission_id: int) -> dict[str, PhotoState]:
    """Return the pending photos of a submitted word by ID."""
    of_word = (photo.c.submission_id == submission_id, photo.c.status == str(Status.PENDING))
    rows = context.connection.execute(select(photo).where(*of_word).order_by(photo.c.id))
    return {str(row.id): PhotoState(row.idea_id, row.status, row.credit, row.reason) for row in rows}


_RECORDING_FIELDS = RecordingState.__struct_fields__


def read_recording(context: EditContext, record_id: str) -> RecordingState | None:
    """Return the current state of a recording, or None."""
    row = context.connection.execute(select(recording).where(recording.c.id == int(record_id))).one_or_none()
    return RecordingState(**{name: getattr(row, name) for name in _RECORDING_FIELDS}) if row else None


def change_recording(context: EditContext, record_id: str, before: RecordingState, after: RecordingState) -> None:
    """Update a recording. Raises ConflictError if the new status needs a file that was purged."""
    this = recording.c.id == int(record_id)
    purged = context.connection.execute(select(recording.c.purged).where(this)).scalar()
    if purged and before.status != after.status and after.status in {Status.PENDING, Status.APPROVED}:
        raise ConflictError(sentence("The file of this recording has been deleted."))
    values: dict[str, Any] = {name: getattr(after, name) for name in _RECORDING_FIELDS}
    if after.status == Status.PENDING:
        values |= {"decided": None, "decided_by": None}
    context.connection.execute(update(recording).where(this).values(values))


def read_recordings_of(context: EditContext, ref: RecordRef) -> dict[str, RecordingState]:
    """Return the recordings of a word, a phrase or an idea's examples by ID, with any status."""
    of_record = recording.c[f"{ref.kind}_id"] == ref.number
    rows = context.connection.execute(select(recording).where(of_record).order_by(recording.c.id))
    return {str(row.id): RecordingState(**{field: getattr(row, field) for field in _RECORDING_FIELDS}) for row in rows}


def read_submission(context: EditContext, record_id: str) -> SubmissionState | None:
    """Return the current state of a submission, or None."""
    row = context.connection.execute(select(submission).where(submission.c.id == int(record_id))).one_or_none()
    return SubmissionState(row.status, row.reason, row.result) if row else None


def change_submission(context: EditContext, record_id: str, before: SubmissionState, after: SubmissionState) -> None:
    """Update the status, reason or result of a submission."""
    del before
    values: dict[str, Any] = {"status": after.status, "reason": after.reason, "result": after.result}
    values |= {"decided": None, "decided_by": None} if after.status == Status.PENDING else {"decided": context.now}
    context.connection.execute(update(submission).where(submission.c.id == int(record_id)).values(values))
