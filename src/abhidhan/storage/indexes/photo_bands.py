"""Pieces of the perceptual hashes of photos, by which photos that are alike meet."""

from collections.abc import Iterable, Iterator

from sqlalchemy import select

from abhidhan.domain.likeness import bands_of
from abhidhan.storage.engine.queries import Row
from abhidhan.storage.indexes.derived import DerivedTable, Source
from abhidhan.storage.schema import photo, photo_band


def derive(photos: Iterable[Row]) -> Iterator[tuple[int, int]]:
    """List the pieces of photos, which are given as (ID, hash in hexadecimal digits): each as (piece, photo's ID)."""
    for photo_id, likeness in photos:
        for band in bands_of(int(likeness, 16)):
            yield band, photo_id


PHOTO_BANDS = DerivedTable(
    photo_band,
    "photo_id",
    photo,
    # Of a photo whose pixels are forgotten, no piece is left.
    Source(select(photo.c.id, photo.c.likeness).where(photo.c.sha256 != ""), photo.c.id),
    derive,
)
