"""Approved recordings as a zip file with a list; the list is one that `abhidhan import recordings` reads."""

import csv
import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.domain.recordings import EXTENSION
from abhidhan.errors import NotFoundError
from abhidhan.formats.formulas import shielded
from abhidhan.formats.writing.book import ARCHIVE_DATE
from abhidhan.services.contributions.recordings import Recordings
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.recordings import RecordingRow
from abhidhan.storage.spoken import approved_after

LIST: Final = "recordings.csv"
COLUMNS: Final = (
    "file", "language", "what", "spoken", "word_id", "phrase_id", "idea_id", "speaker", "place", "licence",
    "milliseconds", "recorded",
)  # fmt: skip


class ExportedRecordings(NamedTuple):
    """What was written: how many recordings, their licences, and the IDs of those whose file is lost."""

    written: int
    licences: str
    lost: list[int]


async def export_recordings(
    database: Database, recordings: Recordings, target: Path, languages: frozenset[int] = frozenset()
) -> ExportedRecordings:
    """Write the approved recordings of some languages, or of all, one file after another; `target` is new.

    The same recordings give the same bytes. Raises UnavailableError when the store cannot be reached.
    """
    count, lost, licences = 0, list[int](), set[str]()
    with (
        tempfile.TemporaryFile(dir=target.parent) as listed,
        zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made,
        database.snapshot() as reader,
    ):
        _write_row(listed, COLUMNS)
        for row in _approved(reader, languages):
            name = f"recordings/{row.id}.{EXTENSION}"
            if await _add(made, name, recordings, row):
                _write_row(listed, _described(reader, name, row))
                licences.add(row.licence or "not stated")
                count += 1
            else:
                lost.append(row.id)
        listed.seek(0)
        with made.open(_member(LIST), "w", force_zip64=True) as member:
            shutil.copyfileobj(listed, member)
    return ExportedRecordings(count, "; ".join(sorted(licences)), lost)


def _approved(reader: Reader, languages: frozenset[int]) -> Iterator[RecordingRow]:
    """Read the approved recordings by their IDs, so many at once."""
    after = 0
    while rows := approved_after(reader, after):
        yield from (row for row in rows if not languages or row.language_id in languages)
        after = rows[-1].id


async def _add(made: zipfile.ZipFile, name: str, recordings: Recordings, row: RecordingRow) -> bool:
    """Add the bytes of a recording, piece by piece; tell whether there are any."""
    try:
        opened = await recordings.open(row.id, None)
    except NotFoundError:
        return False
    with made.open(_member(name), "w") as member:
        async for piece in opened.pieces:
            member.write(piece)
    return True


def _member(name: str) -> zipfile.ZipInfo:
    """Name a file of the archive, not to be compressed: MP3 cannot be made smaller."""
    information = zipfile.ZipInfo(name, ARCHIVE_DATE)
    information.external_attr = 0o644 << 16
    return information


def _described(reader: Reader, name: str, row: RecordingRow) -> tuple[str, ...]:
    what = "proverb" if row.phrase_id else "example" if row.idea_id else "word"
    values = (
        name,
        reader.catalogue.language(row.language_id).code,
        what,
        row.spoken,
        row.word_id,
        row.phrase_id,
        row.idea_id,
        row.speaker,
        row.place,
        row.licence,
        row.milliseconds,
        f"{datetime.fromtimestamp(row.submitted, UTC):%Y-%m-%d}",
    )
    return tuple("" if value is None else shielded(str(value)) for value in values)


def _write_row(listed: IO[bytes], row: tuple[str, ...]) -> None:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(row)
    listed.write(line.getvalue().encode())
