"""Approved recordings as a zip file with a list; the list is one that `abhidhan import recordings` reads."""

import csv
import io
import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.exchange.service.recording_bytes import NOT_STATED, Sounds
from abhidhan.formats.formula_injection import shielded
from abhidhan.formats.writers.export_source import ARCHIVE_DATE
from abhidhan.media.store.recordings import RecordingRow, approved_after
from abhidhan.platform.database.reader import Reader
from abhidhan.records.recordings import EXTENSION

LIST: Final = "recordings.csv"
COLUMNS: Final = (
    "file", "language", "what", "spoken", "word_id", "phrase_id", "idea_id", "speaker", "place", "licence",
    "milliseconds", "recorded",
)  # fmt: skip


class ExportedRecordings(NamedTuple):
    """What was written: how many recordings, their licences, and the IDs of those whose file is lost.

    `languages` are the codes of what they say, most recordings first.
    """

    written: int
    licences: str
    lost: list[int]
    languages: tuple[str, ...]


def are_there_any(reader: Reader) -> bool:
    """Say whether any recording is approved."""
    return bool(approved_after(reader, 0))


def export_recordings(
    reader: Reader, sounds: Sounds, target: Path, languages: frozenset[int] = frozenset()
) -> ExportedRecordings:
    """Write the approved recordings of some languages, or of all, one file after another; `target` is new.

    The same recordings give the same bytes. Raises UnavailableError when the store cannot be reached.
    """
    lost, licences, heard = list[int](), set[str](), Counter[str]()
    with (
        tempfile.TemporaryFile(dir=target.parent) as listed,
        zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made,
    ):
        _write_row(listed, COLUMNS)
        for row in _approved(reader, languages):
            name = f"recordings/{row.id}.{EXTENSION}"
            body = sounds.read(row.id)
            if body is None:
                lost.append(row.id)
                continue
            made.writestr(_member(name), body)
            code = reader.catalogue.language(row.language_id).code
            _write_row(listed, _described(name, code, row))
            licences.add(row.licence or NOT_STATED)
            heard[code] += 1
        listed.seek(0)
        with made.open(_member(LIST), "w", force_zip64=True) as member:
            shutil.copyfileobj(listed, member)
    codes = tuple(code for code, _ in heard.most_common())
    return ExportedRecordings(heard.total(), "; ".join(sorted(licences)), lost, codes)


def _approved(reader: Reader, languages: frozenset[int]) -> Iterator[RecordingRow]:
    """Read the approved recordings by their IDs, so many at once."""
    after = 0
    while rows := approved_after(reader, after):
        yield from (row for row in rows if not languages or row.language_id in languages)
        after = rows[-1].id


def _member(name: str) -> zipfile.ZipInfo:
    """Name a file of the archive, not to be compressed: MP3 cannot be made smaller."""
    information = zipfile.ZipInfo(name, ARCHIVE_DATE)
    information.external_attr = 0o644 << 16
    return information


def _described(name: str, language: str, row: RecordingRow) -> tuple[str, ...]:
    what = "proverb" if row.phrase_id else "example" if row.idea_id else "word"
    values = (
        name,
        language,
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
