"""Writer of CLDF: a Dictionary data set (languages, entries, senses, examples, recordings) in a zip file."""

import io
import tempfile
import zipfile
from array import array
from collections.abc import Container, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.formats.cldf.writer_tables import (
    ENTRIES,
    EXAMPLE_IDS,
    EXAMPLES,
    ID_SEPARATOR,
    LANGUAGES,
    MEDIA,
    MEDIA_IDS,
    SENSES,
    TableWriter,
    encode_metadata,
)
from abhidhan.formats.writers.export_source import (
    ARCHIVE_DATE,
    ExportRecording,
    ExportRecordings,
    ExportSource,
    SpokenText,
    add_file,
    get_word_terms,
    open_archive,
)
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.recordings import RECORDING_EXTENSION, RECORDING_MEDIA_TYPE, recording_path

IDEA_BATCH_SIZE: Final = 500
"""Number of ideas whose recordings are loaded at a time."""


def write_cldf(export: ExportSource, target: Path) -> None:
    """Write the data set with its metadata."""
    with ExitStack() as stack:
        zip_file = stack.enter_context(open_archive(target))
        entry_sorter = stack.enter_context(ExternalSorter(target.parent))

        def open_temporary() -> IO[bytes]:
            return stack.enter_context(tempfile.TemporaryFile(dir=target.parent))

        codes = {language.code: str(language.id) for language in export.languages}
        first_senses, has_examples = _index_entries(export, codes, entry_sorter)
        # If there are no recordings or examples, their table and the references to it are left out.
        used = ((MEDIA_IDS, export.recordings is not None), (EXAMPLE_IDS, has_examples))
        unused = [column for column, is_used in used if not is_used]
        tables = _DataSetTables(
            TableWriter(io.BytesIO(), LANGUAGES),
            TableWriter(open_temporary(), ENTRIES, unused),
            TableWriter(open_temporary(), SENSES, unused),
            TableWriter(open_temporary(), EXAMPLES, unused),
            TableWriter(open_temporary(), MEDIA),
        )
        for one in export.languages:
            details = [one.name, one.iso639_3 or "", one.code, one.native_name, one.script, one.direction]
            tables.languages.write_row([str(one.id), *details])
        _DataSetWriter(export, codes, tables, zip_file).write(first_senses)
        excluded_files = {column.references for column in unused}
        _add_tables(export, zip_file, [table for table in tables if table.spec.file not in excluded_files])


class _DataSetTables(NamedTuple):
    languages: TableWriter
    entries: TableWriter
    senses: TableWriter
    examples: TableWriter
    media: TableWriter


def _add_tables(export: ExportSource, zip_file: zipfile.ZipFile, tables: Sequence[TableWriter]) -> None:
    add_file(zip_file, "Dictionary-metadata.json", encode_metadata(export, [table.spec for table in tables]))
    for table in tables:
        table.stream.seek(0)
        add_file(zip_file, table.spec.file, table.stream)
    add_file(zip_file, "SOURCES.txt", (export.format_terms() + "\n").encode())


class _DataSetWriter:
    """Writer of the rows of a data set, idea by idea."""

    def __init__(
        self, export: ExportSource, codes: Mapping[str, str], tables: _DataSetTables, zip_file: zipfile.ZipFile
    ) -> None:
        self._export = export
        self._codes = codes
        self._tables = tables
        self._media_writer = (
            MediaWriter(export.recordings, zip_file, tables.media, codes) if export.recordings else None
        )
        self._sources = {source.code: source for source in export.sources}
        self._sense_count = 0

    def write(self, first_senses: "array[int]") -> None:
        """Write entries, senses, examples and recordings; `first_senses` has the first sense of each sense's entry."""
        ideas = self._export.ideas()
        while batch := list(islice(ideas, IDEA_BATCH_SIZE)):
            recordings = self._load_recordings(batch)
            for idea in batch:
                examples = self._write_examples(idea)
                for word in idea.words:
                    if word.language in self._codes:
                        self._write_sense(idea, word, first_senses[self._sense_count], recordings, examples)

    def _load_recordings(self, ideas: Sequence[IdeaRecord]) -> Mapping[SpokenText, Sequence[ExportRecording]]:
        if self._export.recordings is None:
            return {}
        words = {SpokenText(word.language, word.text) for idea in ideas for word in idea.words}
        return self._export.recordings.find_by_words([spoken for spoken in words if spoken.language in self._codes])

    def _write_examples(self, idea: IdeaRecord) -> dict[str, list[str]]:
        """Write the examples of an idea; return their IDs by language."""
        ids: dict[str, list[str]] = {}
        for example in idea.examples:
            if example.language in self._codes:
                spoken = SpokenText(example.language, example.text)
                recordings = self._export.recordings.find_by_example(spoken) if self._export.recordings else ()
                example_id = f"x{self._tables.examples.row_count + 1}"
                cells = [example.text, example.translation or "", f"{idea.source}:{idea.key}"]
                row = [
                    example_id,
                    self._codes[example.language],
                    *cells,
                    self._write_media("example", spoken, recordings),
                ]
                self._tables.examples.write_row(row)
                ids.setdefault(example.language, []).append(example_id)
        return ids

    def _write_sense(
        self,
        idea: IdeaRecord,
        word: WordRecord,
        first_sense: int,
        recordings: Mapping[SpokenText, Sequence[ExportRecording]],
        examples: Mapping[str, list[str]],
    ) -> None:
        number, self._sense_count = self._sense_count, self._sense_count + 1
        if first_sense == number:
            spoken = SpokenText(word.language, word.text)
            media = self._write_media("word", spoken, recordings.get(spoken, ()))
            cells = [word.text, idea.pos or "", word.roman or "", word.ipa or ""]
            self._tables.entries.write_row([f"e{first_sense + 1}", self._codes[word.language], *cells, media])
        source = word.source or idea.source
        names = [f"e{first_sense + 1}", f"{idea.source}:{idea.key}", source]
        terms = get_word_terms(word, self._sources.get(source))
        example_ids = ID_SEPARATOR.join(examples.get(word.language, ()))
        self._tables.senses.write_row([f"s{number + 1}", *_choose_description(idea, word), *names, *terms, example_ids])

    def _write_media(self, kind: str, spoken: SpokenText, recordings: Sequence[ExportRecording]) -> str:
        return self._media_writer.write_recordings(kind, spoken, recordings) if self._media_writer else ""


def _index_entries(
    export: ExportSource, languages: Container[str], entry_sorter: ExternalSorter
) -> tuple["array[int]", bool]:
    """Return an array with the first sense of each sense's entry, and whether there are examples.

    Senses with the same word, language and part of speech share an entry.
    """
    number, has_examples = 0, False
    for idea in export.ideas():
        has_examples = has_examples or any(example.language in languages for example in idea.examples)
        for word in idea.words:
            if word.language in languages:
                entry_sorter.add(SortItem(f"{word.language}\t{word.text}".encode(), (idea.pos or "").encode(), number))
                number += 1
    first_senses = array("L", bytes(number * array("L").itemsize))
    for _, entry_items in groupby(entry_sorter, key=lambda item: (item.key, item.payload)):
        numbers = [item.number for item in entry_items]
        for sense_number in numbers:
            first_senses[sense_number] = numbers[0]
    return first_senses, has_examples


def _choose_description(idea: IdeaRecord, word: WordRecord) -> tuple[str, str]:
    """Return a description and its language: the first definition, else the other words, else the word itself."""
    english = [one for one in idea.definitions if one.language == "en"]
    for one in (*english, *idea.definitions):
        return one.text, one.language
    equivalents = [one.text for one in idea.words if (one.language, one.text) != (word.language, word.text)]
    return "; ".join(equivalents) or word.text, ""


# --- recordings -----------------------------------------------------------------------------------------------------


MEDIA_FOLDER: Final = "media"


class MediaWriter:
    """Writer of recordings, each of which is written when a row refers to it for the first time."""

    def __init__(
        self, recordings: ExportRecordings, zip_file: zipfile.ZipFile, table: TableWriter, languages: Mapping[str, str]
    ) -> None:
        """Initialise with an archive for files and a table for rows; `languages` maps codes to IDs."""
        self._recordings = recordings
        self._zip_file = zip_file
        self._table = table
        self._languages = languages
        self._availability: dict[int, bool] = {}

    def write_recordings(self, kind: str, spoken: SpokenText, recordings: Sequence[ExportRecording]) -> str:
        """Write the recordings of a word or an example that are available; return their IDs as a cell."""
        return ID_SEPARATOR.join(
            str(recording.id) for recording in recordings if self._write_once(kind, spoken, recording)
        )

    def _write_once(self, kind: str, spoken: SpokenText, recording: ExportRecording) -> bool:
        """Write a recording if necessary; return whether it is available."""
        if recording.id not in self._availability:
            address = self._store_file(recording.id)
            self._availability[recording.id] = address is not None
            if address is not None:
                self._table.write_row(self._build_row(kind, spoken, recording, address))
        return self._availability[recording.id]

    def _store_file(self, recording_id: int) -> str | None:
        """Return a recording's URL, or its path in the archive after adding the file; None if the file is missing."""
        if self._recordings.base_url is not None:
            return self._recordings.base_url + recording_path(recording_id)
        body = self._recordings.read(recording_id)
        if body is None:
            return None
        name = f"{MEDIA_FOLDER}/{recording_id}.{RECORDING_EXTENSION}"
        # Not compressed, since MP3 does not compress.
        information = zipfile.ZipInfo(name, ARCHIVE_DATE)
        information.external_attr = 0o644 << 16
        self._zip_file.writestr(information, body)
        return name

    def _build_row(self, kind: str, spoken: SpokenText, recording: ExportRecording, address: str) -> list[str]:
        return [
            str(recording.id),
            spoken.text,
            kind,
            RECORDING_MEDIA_TYPE,
            address,
            # Path_In_Zip is only for a Download_URL that is an archive; our files are next to the tables.
            "",
            self._languages[spoken.language],
            recording.speaker or "",
            recording.place or "",
            recording.licence or "",
            str(recording.milliseconds),
        ]
