"""Photos: their rows, the queue of those that wait, those that are alike, and those whose bytes may go."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    Text,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)

from abhidhan.domain.likeness import ALIKE, bands_of, difference
from abhidhan.domain.photos import ProcessedPhoto
from abhidhan.domain.submissions import Status
from abhidhan.storage.engine.queries import Query, by_size, chunks, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.indexes.photo_bands import PHOTO_BANDS
from abhidhan.storage.queues import Queue
from abhidhan.storage.schema import idea, photo, photo_band

MOST_ALIKE = 20
"""How many alike photos are told of one."""


class PhotoRow(NamedTuple):
    """A submitted photo as it is stored. Times are seconds since 1970; `likeness` is in hexadecimal digits."""

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
    """A photo to be stored: the idea it shows, whose it is, who is to be named, the key of its files, its licence.

    One that comes with a word names its submission instead of an idea.
    """

    idea_id: int | None
    person_id: int
    credit: str
    key: str
    once: str | None
    licence: str | None = None
    submission_id: int | None = None


class Duplicate(NamedTuple):
    """A photo that is the same as another one, or nearly."""

    photo: PhotoRow
    exact: bool


_COLUMNS = tuple(photo.c[name] for name in PhotoRow._fields)


def idea_exists(connection: Connection, idea_id: int) -> bool:
    """Return whether there is such an idea."""
    return connection.execute(select(idea.c.id).where(idea.c.id == idea_id)).first() is not None


_IDEA = Query(select(idea.c.id).where(idea.c.id == bindparam("id", type_=Integer)))


def finds_idea(reader: Reader, idea_id: int) -> bool:
    """Return whether there is such an idea, reading only."""
    return reader.row(_IDEA, id=idea_id) is not None


def add_photo(connection: Connection, new: NewPhoto, processed: ProcessedPhoto, now: int) -> int:
    """Store a photo that waits for review, and return its ID."""
    values = new._asdict() | {
        "status": str(Status.PENDING),
        "submitted": now,
        "extension": processed.extension,
        "width": processed.width,
        "height": processed.height,
        "frames": processed.frames,
        "size": len(processed.body),
        "sha256": processed.sha256,
        "likeness": f"{processed.likeness:016x}",
    }
    made = int(connection.execute(insert(photo).values(values).returning(photo.c.id)).scalar_one())
    PHOTO_BANDS.renew(connection, [made])
    return made


def find_pending(connection: Connection, new: NewPhoto, processed: ProcessedPhoto) -> int | None:
    """Find the photo that waits already and is the same in all that a person gives: pixels, idea or word, credit."""
    same = (
        photo.c.sha256 == processed.sha256,
        photo.c.person_id == new.person_id,
        photo.c.idea_id == new.idea_id,
        photo.c.submission_id == new.submission_id,
        photo.c.credit == new.credit,
        photo.c.status == str(Status.PENDING),
    )
    return connection.execute(select(func.min(photo.c.id)).where(*same)).scalar_one_or_none()


_BY_ID = Query(select(*_COLUMNS).where(photo.c.id == bindparam("id", type_=Integer)))


def find_photo(reader: Reader, photo_id: int) -> PhotoRow | None:
    """Find a photo by its ID."""
    row = reader.row(_BY_ID, id=photo_id)
    return PhotoRow._make(row) if row else None


def lock_photo(connection: Connection, photo_id: int) -> PhotoRow | None:
    """Find a photo by its ID, and let nobody else change it until this transaction ends."""
    row = connection.execute(select(*_COLUMNS).where(photo.c.id == photo_id).with_for_update()).one_or_none()
    return PhotoRow._make(row) if row else None


class Decision(NamedTuple):
    """What was decided about a photo, by whom and when; a photo that waits again has no decision."""

    status: Status
    reason: str | None
    by: int | None
    at: int


def decide_photo(connection: Connection, photo_id: int, decision: Decision) -> None:
    """Keep what was decided about a photo."""
    waits = decision.status is Status.PENDING
    connection.execute(
        update(photo)
        .where(photo.c.id == photo_id)
        .values(
            status=str(decision.status),
            reason=decision.reason,
            decided=None if waits else decision.at,
            decided_by=None if waits else decision.by,
        )
    )


def note_decision(connection: Connection, photo_id: int, by: int, now: int) -> None:
    """Note who has decided about a photo."""
    connection.execute(update(photo).where(photo.c.id == photo_id).values(decided=now, decided_by=by))


# --- listings -----------------------------------------------------------------------------------------------------


_QUEUE = Queue(photo, PhotoRow)
_OF_IDEAS = Queue(photo, PhotoRow, photo.c.idea_id.is_not(None))


def list_photos(
    reader: Reader, status: Status | None, person_id: int | None, limit: int, offset: int
) -> tuple[list[PhotoRow], int]:
    """List one page of the queue of photos, and count all that were meant (`Queue.page`)."""
    return _QUEUE.page(reader, status, person_id, limit, offset)


def list_photos_of_ideas(reader: Reader, limit: int, offset: int) -> tuple[list[PhotoRow], int]:
    """List one page of the photos that wait by themselves, and count them: those that came with a word wait with it."""
    return _OF_IDEAS.page(reader, Status.PENDING, None, limit, offset)


_WITH_WORDS = by_size(
    lambda size: (
        select(*_COLUMNS)
        .where(in_list(photo.c.submission_id, "id", size), photo.c.status == bindparam("status", type_=Text))
        .order_by(photo.c.id)
    )
)


def photos_with_words(reader: Reader, submission_ids: Sequence[int]) -> list[PhotoRow]:
    """List the photos that wait with some words."""
    if not submission_ids:
        return []
    wanted = padded("id", submission_ids)
    rows = reader.rows(_WITH_WORDS(len(submission_ids)), status=str(Status.PENDING), **wanted)
    return [PhotoRow._make(row) for row in rows]


# --- photos that are alike ----------------------------------------------------------------------------------------

_WITH_BANDS = by_size(
    lambda size: (
        select(photo_band.c.band, *_COLUMNS)
        .select_from(photo_band.join(photo, photo.c.id == photo_band.c.photo_id))
        .where(in_list(photo_band.c.band, "band", size), photo.c.status != str(Status.WITHDRAWN))
        .order_by(photo.c.id)
    )
)


def duplicates_of(reader: Reader, photos: Sequence[PhotoRow]) -> dict[int, list[Duplicate]]:
    """Find the other photos that are the same as, or like, each of some photos; the same ones first."""
    candidates: dict[int, PhotoRow] = {}
    photos_of_band: dict[int, list[int]] = defaultdict(list)
    bands = {band for each in photos for band in bands_of(int(each.likeness, 16))}
    for some in chunks(sorted(bands), 256):
        for band, *values in reader.rows(_WITH_BANDS(len(some)), **padded("band", some)):
            row = PhotoRow._make(values)
            candidates[row.id] = row
            photos_of_band[band].append(row.id)
    return {each.id: _alike_of(each, photos_of_band, candidates) for each in photos}


def _alike_of(one: PhotoRow, photos_of_band: dict[int, list[int]], candidates: dict[int, PhotoRow]) -> list[Duplicate]:
    likeness = int(one.likeness, 16)
    near = {other for band in bands_of(likeness) for other in photos_of_band[band]} - {one.id}
    found = [
        Duplicate(candidates[other], candidates[other].sha256 == one.sha256)
        for other in sorted(near)
        if difference(likeness, int(candidates[other].likeness, 16)) <= ALIKE
    ]
    return sorted(found, key=lambda duplicate: not duplicate.exact)[:MOST_ALIKE]


# --- bytes that may go --------------------------------------------------------------------------------------------

_PURGEABLE = Query(
    select(*_COLUMNS)
    .where(
        photo.c.purged.is_(None),
        or_(
            photo.c.status == str(Status.WITHDRAWN),
            and_(photo.c.status == str(Status.REJECTED), photo.c.decided <= bindparam("decided", type_=BigInteger)),
        ),
    )
    .order_by(photo.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_KEPT = Query(select(*_COLUMNS).where(photo.c.purged.is_(None)).order_by(photo.c.id))


def purgeable_photos(reader: Reader, decided: int, limit: int) -> list[PhotoRow]:
    """List photos whose bytes may go: withdrawn ones, and those rejected at `decided` or before."""
    return [PhotoRow._make(row) for row in reader.rows(_PURGEABLE, decided=decided, limit=limit)]


def kept_photos(reader: Reader) -> list[PhotoRow]:
    """List every photo whose bytes should be there."""
    return [PhotoRow._make(row) for row in reader.rows(_KEPT)]


_KNOWN = by_size(lambda size: select(photo.c.key).where(in_list(photo.c.key, "key", size), photo.c.purged.is_(None)))


def known_keys(reader: Reader, keys: Sequence[str]) -> set[str]:
    """Return which of some keys of files belong to photos whose bytes should be there."""
    found: set[str] = set()
    for some in chunks(keys, 256):
        found |= {row[0] for row in reader.rows(_KNOWN(len(some)), **padded("key", some))}
    return found


def note_purged(connection: Connection, photo_ids: Sequence[int], now: int) -> None:
    """Note that the bytes of photos are gone."""
    connection.execute(update(photo).where(photo.c.id.in_(photo_ids)).values(purged=now))
