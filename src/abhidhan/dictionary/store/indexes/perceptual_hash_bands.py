"""Bands of the perceptual hashes of uploads, which similar files share."""

from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import Table, select

from abhidhan.dictionary.store.indexes.derived_table import DerivationSource, DerivedTable
from abhidhan.platform.database.compiled_queries import Row
from abhidhan.records.perceptual_hash import split_into_bands
from abhidhan.schema import photo, photo_band, recording, recording_band


def derive_bands(files: Iterable[Row]) -> Iterator[tuple[int, int]]:
    """Yield the bands of files, given as (ID, hexadecimal hash), as (band, file ID)."""
    for number, likeness in files:
        for band in split_into_bands(int(likeness, 16)):
            yield band, number


def _build_band_table(bands: Table, files: Table) -> DerivedTable:
    # A file whose content was deleted has no bands.
    source = DerivationSource(select(files.c.id, files.c.likeness).where(files.c.sha256 != ""), files.c.id)
    return DerivedTable(bands, f"{files.name}_id", files, source, derive_bands)


PHOTO_BANDS: Final = _build_band_table(photo_band, photo)
RECORDING_BANDS: Final = _build_band_table(recording_band, recording)
