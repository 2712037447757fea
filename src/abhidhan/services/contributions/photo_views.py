"""Photos as their submitters, moderators and readers see them."""

from collections.abc import Iterable, Sequence

import msgspec

from abhidhan.domain.pages import Page
from abhidhan.domain.photos import photo_address, thumbnail_address
from abhidhan.domain.submissions import Status
from abhidhan.domain.timestamps import Timestamp, timestamp
from abhidhan.storage import photos as stored
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.photos import PHOTOS, PhotoRow
from abhidhan.storage.sent_files import Duplicate


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
