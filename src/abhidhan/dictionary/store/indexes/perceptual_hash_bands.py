"""Pieces of the perceptual hashes of what people send, by which files that are alike meet."""

from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import Table, select

from abhidhan.dictionary.store.indexes.derived_table import DerivedTable, Source
from abhidhan.platform.database.compiled_queries import Row
from abhidhan.records.perceptual_hash import bands_of
from abhidhan.schema import photo, photo_band, recording, recording_band


def derive(files: Iterable[Row]) -> Iterator[tuple[int, int]]:
    """List the pieces of files, which are given as (ID, hash in hexadecimal digits): each as (piece, file's ID)."""
    for number, likeness in files:
        for band in bands_of(int(likeness, 16)):
            yield band, number


def _of(bands: Table, files: Table) -> DerivedTable:
    # Of a file whose content is forgotten, no piece is left.
    source = Source(select(files.c.id, files.c.likeness).where(files.c.sha256 != ""), files.c.id)
    return DerivedTable(bands, f"{files.name}_id", files, source, derive)


PHOTO_BANDS: Final = _of(photo_band, photo)
RECORDING_BANDS: Final = _of(recording_band, recording)
