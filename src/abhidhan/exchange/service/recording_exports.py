"""Approved recordings in exports: inside files of other formats, or as a zip file with a list.

`abhidhan import recordings` reads that list.
"""

import csv
import io
import shutil
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.dictionary.store.unrecorded_words import load_word_audio
from abhidhan.exchange.model import ExportSelection
from abhidhan.formats.formula_injection import escape_formula
from abhidhan.formats.registry import EXPORTERS
from abhidhan.formats.writers.export_source import ARCHIVE_DATE, ExportRecording, ExportRecordings, SpokenText
from abhidhan.media.store.recordings import (
    RECORDINGS,
    LicenceTotal,
    RecordingRow,
    list_approved_after,
    list_licence_totals,
)
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.object_store import FileStore
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.recordings import RECORDING_EXTENSION, RECORDING_SUFFIX, parse_recording_name
from abhidhan.records.submissions import Status

UNSTATED_LICENCE: Final = "not stated"
"""The licence shown for a recording without one."""


class RecordingReader:
    """Reader of the approved recordings of a dictionary."""

    def __init__(self, database: Database, open_store: Callable[[], FileStore]) -> None:
        """Initialise with a database, and a function that opens the store of recordings on first use."""
        self._database = database
        self._open_store = open_store

    @cached_property
    def _files(self) -> FileStore:
        return self._open_store()

    def read(self, recording_id: int) -> bytes | None:
        """Return a recording; None if its file is lost. Raises UnavailableError if the store cannot be reached.

        Also returns None for a recording that was withdrawn after the export began.
        """
        row = self._database.read_now(partial(RECORDINGS.find, number=recording_id))
        if row is None or row.purged or row.status != Status.APPROVED:
            return None
        return self._files.read_now(row.key + RECORDING_SUFFIX)


LIST_FILE: Final = "recordings.csv"
LIST_COLUMNS: Final = (
    "file", "language", "what", "spoken", "word_id", "phrase_id", "idea_id", "speaker", "place", "licence",
    "milliseconds", "recorded",
)  # fmt: skip


MAX_EMBEDDED_BYTES: Final = 256 * 1024 * 1024
"""Maximum total size of recordings that a file includes by default, enough for about 20,000 words."""

NO_BASE_URL: Final = "Recordings can only be linked if ABHIDHAN_BASE_URL is set to the URL of the server."


class RecordingPlacement(StrEnum):
    """The place of the recordings of an export: inside the file, linked on the server, or none."""

    INSIDE = "inside"
    LINKED = "linked"
    NONE = "none"


class RecordingOptions(NamedTuple):
    """Options for recordings in an export: their reader, the server's URL (may be empty), and their placement."""

    reader: RecordingReader
    base_url: str = ""
    placement: RecordingPlacement | None = None


def parse_placement(name: str, file_format: str) -> RecordingPlacement | None:
    """Parse the option for the placement of recordings; None if it is empty. Raises InputError."""
    if not name:
        return None
    if name not in set(RecordingPlacement):
        raise InputError.of("sounds", f"There is no {quoted(name)} for --sounds: it is inside, linked or none.")
    if not EXPORTERS[file_format].has_recordings or (file_format != "cldf" and name == RecordingPlacement.LINKED):
        raise InputError.of("sounds", "--sounds is for cldf; for lift and anki it can be inside or none.")
    return RecordingPlacement(name)


def select_recordings(
    connection: ReadConnection, selection: ExportSelection, format_name: str, options: RecordingOptions | None
) -> ExportRecordings | None:
    """Return the recordings of a selection; None if there are none, or if the format has none. Raises InputError.

    By default, CLDF includes recordings up to a moderate size, and links to larger ones.
    """
    if options is None or not EXPORTERS[format_name].has_recordings or options.placement is RecordingPlacement.NONE:
        return None
    terms = [
        one
        for one in list_licence_totals(connection)
        if not selection.languages or one.language_id in selection.languages
    ]
    if not terms:
        return None
    approved = _ApprovedRecordings(connection)
    return ExportRecordings(
        approved.find_by_words,
        approved.find_by_example,
        options.reader.read,
        _link_base_url(terms, format_name, options),
        tuple(sorted({one.licence or UNSTATED_LICENCE for one in terms})),
    )


def _link_base_url(terms: Sequence[LicenceTotal], format_name: str, options: RecordingOptions) -> str | None:
    """Return the base URL of linked recordings; None if the file includes the recordings."""
    if options.placement is RecordingPlacement.LINKED and not options.base_url:
        raise InputError.of("sounds", NO_BASE_URL)
    is_large = sum(one.size for one in terms) > MAX_EMBEDDED_BYTES
    if options.placement is RecordingPlacement.LINKED or (
        options.placement is None and format_name == "cldf" and is_large and options.base_url
    ):
        return options.base_url
    return None


class _ApprovedRecordings:
    """The approved recordings in the snapshot of a reader."""

    def __init__(self, connection: ReadConnection) -> None:
        self._reader = connection
        self._examples: dict[SpokenText, list[ExportRecording]] | None = None

    def find_by_words(self, words: Collection[SpokenText]) -> Mapping[SpokenText, Sequence[ExportRecording]]:
        """Return the approved recordings of each word."""
        by_language: dict[int, list[str]] = defaultdict(list)
        codes: dict[int, str] = {}
        for word in words:
            language = self._reader.catalogue.find_language(word.language)
            if language is not None:
                by_language[language.id].append(word.text)
                codes[language.id] = word.language
        return {
            SpokenText(codes[language_id], text): [
                ExportRecording(number, one.speaker, one.place, one.licence, one.milliseconds)
                for one in audio
                if (number := parse_recording_name(one.url.rpartition("/")[2])) is not None
            ]
            for language_id, of_language in load_word_audio(self._reader, by_language).items()
            for text, audio in of_language.items()
        }

    def find_by_example(self, example: SpokenText) -> Sequence[ExportRecording]:
        """Return the recordings of an example sentence, whichever idea it belongs to."""
        # Files identify ideas by keys, recordings by IDs. Few examples are recorded, so all are loaded on first use.
        if self._examples is None:
            self._examples = defaultdict(list)
            for row in _iter_approved(self._reader):
                if row.idea_id is not None:
                    code = self._reader.catalogue.language(row.language_id).code
                    recording = ExportRecording(row.id, row.speaker, row.place, row.licence, row.milliseconds)
                    self._examples[SpokenText(code, row.spoken)].append(recording)
        return self._examples.get(example, ())


# --- recordings as a zip file ---------------------------------------------------------------------------------------


class ExportedRecordings(NamedTuple):
    """The result of an export: number of recordings, licences, and the IDs of those whose file is lost.

    `languages` are the codes of the recorded languages, most recordings first.
    """

    written: int
    licences: str
    lost_ids: list[int]
    languages: tuple[str, ...]


def has_approved_recording(connection: ReadConnection) -> bool:
    """Return whether any recording is approved."""
    return bool(list_approved_after(connection, 0))


def export_recordings(
    connection: ReadConnection, recording_reader: RecordingReader, target: Path, languages: frozenset[int] = frozenset()
) -> ExportedRecordings:
    """Write the approved recordings of the languages, or of all, to a new zip file.

    The same recordings give the same bytes. Raises UnavailableError if the store cannot be reached.
    """
    lost, licences, counts = list[int](), set[str](), Counter[str]()
    with (
        tempfile.TemporaryFile(dir=target.parent) as list_file,
        zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive,
    ):
        _write_row(list_file, LIST_COLUMNS)
        for row in _iter_approved(connection, languages):
            name = f"recordings/{row.id}.{RECORDING_EXTENSION}"
            body = recording_reader.read(row.id)
            if body is None:
                lost.append(row.id)
                continue
            archive.writestr(_build_member_info(name), body)
            code = connection.catalogue.language(row.language_id).code
            _write_row(list_file, _build_list_row(name, code, row))
            licences.add(row.licence or UNSTATED_LICENCE)
            counts[code] += 1
        list_file.seek(0)
        with archive.open(_build_member_info(LIST_FILE), "w", force_zip64=True) as member:
            shutil.copyfileobj(list_file, member)
    codes = tuple(code for code, _ in counts.most_common())
    return ExportedRecordings(counts.total(), "; ".join(sorted(licences)), lost, codes)


def _iter_approved(connection: ReadConnection, languages: frozenset[int] = frozenset()) -> Iterator[RecordingRow]:
    """Yield the approved recordings of the languages, or of all, in the order of their IDs."""
    after = 0
    while rows := list_approved_after(connection, after):
        yield from (row for row in rows if not languages or row.language_id in languages)
        after = rows[-1].id


def _build_member_info(name: str) -> zipfile.ZipInfo:
    """Return the header of an archive member, which is stored uncompressed, since MP3 does not compress further."""
    information = zipfile.ZipInfo(name, ARCHIVE_DATE)
    information.external_attr = 0o644 << 16
    return information


def _build_list_row(name: str, language: str, row: RecordingRow) -> tuple[str, ...]:
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
    return tuple("" if value is None else escape_formula(str(value)) for value in values)


def _write_row(stream: IO[bytes], row: tuple[str, ...]) -> None:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(row)
    stream.write(line.getvalue().encode())
