"""Rows of photos, including those submitted with words."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Integer, Text, bindparam, select

from abhidhan.dictionary.store.indexes.perceptual_hash_bands import PHOTO_BANDS
from abhidhan.media.store.uploads import HashIndex, UploadTable
from abhidhan.platform.database.compiled_queries import CompiledQuery, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.paging import Page
from abhidhan.records.photos import ProcessedPhoto
from abhidhan.records.submissions import Status
from abhidhan.schema import idea, photo, photo_band
from abhidhan.submissions.store import ReviewQueue


class PhotoRow(NamedTuple):
    """A row of a submitted photo. Times are seconds since 1970; `likeness` is in hexadecimal digits."""

    id: int
    idea_id: int | None
    person_id: int | None
    credit: str
    status: str
    reason: str | None
    submitted: int
    decided: int | None
    key: str
    extension: str
    width: int
    height: int
    size: int
    sha256: str
    likeness: str
    purged: int | None
    licence: str | None
    submission_id: int | None


class NewPhoto(NamedTuple):
    """A photo to store. A photo submitted with a word has a `submission_id` instead of an `idea_id`.

    `key` is the key of its files, `once` the idempotency key of the request.
    """

    idea_id: int | None
    person_id: int
    credit: str
    key: str
    once: str | None
    licence: str | None = None
    submission_id: int | None = None


PHOTOS: Final = UploadTable(photo, PhotoRow._fields, PhotoRow._make, HashIndex(PHOTO_BANDS, photo_band.c.photo_id))


def idea_exists(connection: Connection, idea_id: int) -> bool:
    """Return whether an idea exists, within a write transaction."""
    return connection.execute(select(idea.c.id).where(idea.c.id == idea_id)).first() is not None


_IDEA = CompiledQuery(select(idea.c.id).where(idea.c.id == bindparam("id", type_=Integer)))


def has_idea(connection: ReadConnection, idea_id: int) -> bool:
    """Return whether an idea exists."""
    return connection.row(_IDEA, id=idea_id) is not None


def add_photo(connection: Connection, new: NewPhoto, processed: ProcessedPhoto, now: int) -> int:
    """Insert a pending photo; return its ID."""
    values = new._asdict() | {
        "submitted": now,
        "extension": processed.extension,
        "width": processed.width,
        "height": processed.height,
        "frames": processed.frames,
        "size": len(processed.body),
        "sha256": processed.sha256,
        "likeness": f"{processed.likeness:016x}",
    }
    return PHOTOS.add(connection, values)


def find_pending(connection: Connection, new: NewPhoto, processed: ProcessedPhoto) -> int | None:
    """Return the ID of the same user's pending photo with the same pixels, idea or word, and credit; or None."""
    values = {
        "sha256": processed.sha256,
        "person_id": new.person_id,
        "idea_id": new.idea_id,
        "submission_id": new.submission_id,
        "credit": new.credit,
    }
    return PHOTOS.find_pending(connection, values)


_IDEA_PHOTOS = ReviewQueue(photo, PhotoRow._fields, PhotoRow._make, photo.c.idea_id.is_not(None))


def list_idea_photos(connection: ReadConnection, limit: int, offset: int) -> Page[PhotoRow]:
    """Return a page of the pending photos of ideas, without those submitted with words, and their total number."""
    return _IDEA_PHOTOS.load_page(connection, Status.PENDING, None, limit, offset)


_WORD_PHOTOS = per_list_size(
    lambda size: (
        select(*PHOTOS.columns)
        .where(in_list(photo.c.submission_id, "id", size), photo.c.status == bindparam("status", type_=Text))
        .order_by(photo.c.id)
    )
)


def list_word_photos(
    connection: ReadConnection, submission_ids: Sequence[int], status: Status = Status.PENDING
) -> list[PhotoRow]:
    """Return the photos with a status that were submitted with these words."""
    if not submission_ids:
        return []
    ids = list_params("id", submission_ids)
    rows = connection.rows(_WORD_PHOTOS(len(submission_ids)), status=str(status), **ids)
    return [PhotoRow._make(row) for row in rows]
