"""Recordings of a CLDF data set: their files, and the words that are spoken in them."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import clean_form, has_transcriptions, read_languages
from abhidhan.formats.cldf.reader import get_licence_name
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.recording_lists import ListedRecording
from abhidhan.records.import_records import RecordError
from abhidhan.records.recordings import MAX_RECORDING_BYTES

FORM_TABLE: Final = "FormTable"
WORD_COLUMNS: Final = {"EntryTable": ("headword",), FORM_TABLE: ("native_script", "form", "value")}
"""Columns with the spoken word, by table with recordings; the first non-empty column is used."""

LOCAL_SCHEMES: Final = ("", "file")
"""URL schemes of files inside the data set; others are not followed."""


class SpokenWord(NamedTuple):
    """The word in a recording, and the code of its language."""

    language: str
    text: str


class MediaRecordings(NamedTuple):
    """The recordings of a data set: file and rows of its media table, licence, and numbers of skipped recordings.

    `remote_count` recordings are skipped because they are on a server, `unlinked_count` because no entry or form
    refers to them. The `file` of a row is a file name within the data set.
    """

    table_file: str
    rows: Sequence[ListedRecording | RecordError]
    licence: str
    remote_count: int
    unlinked_count: int


def read_recordings(paths: Sequence[Path], options: ImportOptions) -> MediaRecordings:
    """Return the recordings in a data set's media table. Raises InputError."""
    with ExitStack() as stack:
        data = DataSet(open_contents(paths), stack)
        if "MediaTable" not in data.tables:
            return MediaRecordings("", (), "", 0, 0)
        words = dict(_iter_spoken_words(data, options))
        rows: list[ListedRecording | RecordError] = []
        remote_count = unlinked_count = 0
        for (_, line), row in data.iter_rows("MediaTable"):
            if isinstance(row, RecordError):
                rows.append(row)
            elif row.get("mediaType", "").startswith("audio/"):
                file, word = _find_file(data.folder, row), words.get(row.get("id", ""))
                remote_count += file is None
                unlinked_count += file is not None and word is None
                if file is not None and word is not None:
                    rows.append(_build_recording(line, file, word, row))
        licence = get_licence_name(data.metadata)
        return MediaRecordings(data.tables["MediaTable"].file, rows, licence, remote_count, unlinked_count)


def _iter_spoken_words(data: DataSet, options: ImportOptions) -> Iterator[tuple[str, SpokenWord]]:
    """Yield each recording's ID with its word."""
    languages, has_sounds = read_languages(data, options), has_transcriptions(data)
    for kind, columns in WORD_COLUMNS.items():
        table = data.tables.get(kind)
        separator = table.separators.get("mediaReference") if table else None
        for _, row in data.iter_rows(kind):
            if isinstance(row, RecordError) or not row.get("mediaReference"):
                continue
            language = languages.get(row.get("languageReference", ""))
            text = next((row[name] for name in columns if row.get(name)), "")
            if has_sounds and kind == FORM_TABLE:
                text = clean_form(row)
            if language is not None and text:
                for recording_id in row["mediaReference"].split(separator):
                    yield recording_id.strip(), SpokenWord(language.code, text)


def _find_file(folder: str, row: Mapping[str, str]) -> str | None:
    """Return the name of a recording's file in the data set; None if it is on a server."""
    try:
        address = urlsplit(row.get("downloadUrl", ""))
    except ValueError:
        return None
    if address.scheme not in LOCAL_SCHEMES or not address.path:
        return None
    parts = (folder, unquote(address.path).lstrip("/"), row.get("pathInZip", ""))
    return "/".join(part for part in parts if part)


def _build_recording(line: int, file: str, word: SpokenWord, row: Mapping[str, str]) -> ListedRecording:
    return ListedRecording(
        line=line,
        file=file,
        text=word.text,
        language=word.language,
        speaker=row.get("Speaker", ""),
        place=row.get("Place", ""),
        licence=row.get("Licence", "") or row.get("License", ""),
    )


@contextmanager
def unpack_recordings(
    paths: Sequence[Path], rows: Sequence[ListedRecording | RecordError]
) -> Iterator[tuple[Path, Sequence[ListedRecording | RecordError]]]:
    """Copy the files of rows into a temporary folder; yield it with rows that refer to the copies."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = {row.file for row in rows if isinstance(row, ListedRecording)}
        copies: dict[str, str] = {}
        for content in open_contents(paths):
            if content.name in names and content.name not in copies:
                copies[content.name] = f"{len(copies) + 1}-{content.base_name}"
                # One byte more than the maximum shows that a file is too large.
                (folder / copies[content.name]).write_bytes(content.stream.read(MAX_RECORDING_BYTES + 1))
        yield (
            folder,
            [
                msgspec.structs.replace(row, file=copies.get(row.file, row.file.rpartition("/")[2]))
                if isinstance(row, ListedRecording)
                else row
                for row in rows
            ],
        )
