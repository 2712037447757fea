"""Photos as their submitters, moderators and readers see them."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import NamedTuple

import msgspec

from abhidhan.domain.photo_refusals import Refusal
from abhidhan.domain.photos import photo_address, thumbnail_address
from abhidhan.domain.submissions import Status
from abhidhan.errors import NotFoundError, Problem, sentence
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.photos import Duplicate, PhotoRow


class SentPhoto(msgspec.Struct, frozen=True):
    """What came with a submission, field by field as it was sent; None where a field did not come.

    `refusal` tells that the photo was refused while it was read. `problems` are those of fields that could not be
    read at all. `complete` is false when reading was given up before the end: fields may have followed.
    `idempotency_key` is the client's own key for this submission, by which a repeated request is known. `licence` is
    the licence of contributions as the sender has read it. `submission_id` names the word that the photo
    goes with, where no idea is named.
    """

    idea_id: str | None
    credit: str | None
    photo: bytes | None
    refusal: Refusal | None = None
    problems: tuple[Problem, ...] = ()
    complete: bool = True
    idempotency_key: str | None = None
    licence: str | None = None
    submission_id: str | None = None

    def to_be_checked(self, parameter: str, value: str | None) -> bool:
        """Return whether something can be said of a field: it came, or is known to be missing."""
        return (self.complete or value is not None) and all(each.parameter != parameter for each in self.problems)


class AlikePhoto(msgspec.Struct, frozen=True):
    """Another photo that is the same (`exact`) or looks nearly so: told to moderators, who decide."""

    submission_id: int
    status: Status
    idea_id: int | None
    exact: bool
    photo_url: str | None


class PhotoSubmission(msgspec.Struct, frozen=True):
    """A submitted photo as its submitter and moderators see it. `submitted` is in seconds since 1970.

    `word_submission_id` names the word that it was sent with; until that is approved there is no idea.
    """

    submission_id: int
    status: Status
    idea_id: int | None
    credit: str
    reason: str | None
    submitted: int
    photo_url: str | None
    thumbnail_url: str | None
    width: int
    height: int
    duplicates: tuple[AlikePhoto, ...]
    licence: str | None = None
    word_submission_id: int | None = None


class PhotoPage(NamedTuple):
    """One page of submitted photos, and how many there are."""

    photos: tuple[PhotoSubmission, ...]
    total: int


class OpenedPhoto(NamedTuple):
    """The bytes of a photo or thumbnail: how many, and piece by piece, with their type and what may be told of them."""

    size: int
    pieces: AsyncIterator[bytes]
    media_type: str
    tag: str
    public: bool


def show_photo(reader: Reader, photo_id: int, *, with_alike: bool) -> PhotoSubmission:
    """Show one submitted photo. Raises NotFoundError."""
    row = stored.find_photo(reader, photo_id)
    if row is None:
        raise NotFoundError(sentence("There is no photo with the ID %(photo_id)s.", photo_id=photo_id))
    # What is like one's own photo is the moderators' business: it may be another person's that still waits.
    return _as_submission(row, stored.duplicates_of(reader, [row])[row.id] if with_alike else [])


def list_photos(reader: Reader, *, status: Status | None, person_id: int | None, limit: int, offset: int) -> PhotoPage:
    """List a page of submitted photos."""
    rows, total = stored.list_photos(reader, status, person_id, limit, offset)
    duplicates = stored.duplicates_of(reader, rows) if rows and person_id is None else {}
    return PhotoPage(tuple(_as_submission(row, duplicates.get(row.id, [])) for row in rows), total)


def list_photos_of_ideas(reader: Reader, *, limit: int) -> PhotoPage:
    """List the first of the photos that wait by themselves, and count them."""
    rows, total = stored.list_photos_of_ideas(reader, limit, 0)
    return PhotoPage(tuple(_as_submission(row, ()) for row in rows), total)


def photos_with_words(reader: Reader, *, submission_ids: Sequence[int]) -> dict[int, tuple[PhotoSubmission, ...]]:
    """Show the photos that wait with some words, and what is like them: to whoever decides about both."""
    rows = stored.photos_with_words(reader, submission_ids)
    duplicates = stored.duplicates_of(reader, rows) if rows else {}
    shown = [_as_submission(row, duplicates.get(row.id, [])) for row in rows]
    return {number: tuple(each for each in shown if each.word_submission_id == number) for number in submission_ids}


def _as_submission(row: PhotoRow, duplicates: Iterable[Duplicate]) -> PhotoSubmission:
    return PhotoSubmission(
        submission_id=row.id,
        status=Status(row.status),
        idea_id=row.idea_id,
        credit=row.credit,
        reason=row.reason,
        submitted=row.submitted,
        photo_url=None if row.purged else photo_address(row.id, row.extension),
        thumbnail_url=None if row.purged else thumbnail_address(row.id),
        width=row.width,
        height=row.height,
        duplicates=tuple(
            AlikePhoto(
                other.photo.id,
                Status(other.photo.status),
                other.photo.idea_id,
                other.exact,
                None if other.photo.purged else photo_address(other.photo.id, other.photo.extension),
            )
            for other in duplicates
        ),
        licence=row.licence,
        word_submission_id=row.submission_id,
    )
