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
    LANGUAGES,
    MEDIA,
    MEDIA_IDS,
    SENSES,
    SEPARATOR,
    TableWriter,
    metadata,
)
from abhidhan.formats.writers.export_source import (
    ARCHIVE_DATE,
    ExportRecording,
    ExportRecordings,
    ExportSource,
    SpokenText,
    add_file,
    archive,
)
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.recordings import EXTENSION, MEDIA_TYPE, recording_address

IDEA_BATCH_SIZE: Final = 500
"""Number of ideas whose recordings are loaded at a time."""


def write_cldf(book: ExportSource, target: Path) -> None:
    """Write the data set with its metadata."""
    with ExitStack() as stack:
        zip_file = stack.enter_context(archive(target))
        by_entry = stack.enter_context(ExternalSorter(target.parent))

        def temporary() -> IO[bytes]:
            return stack.enter_context(tempfile.TemporaryFile(dir=target.parent))

        codes = {language.code: str(language.id) for language in book.languages}
        first_senses, has_examples = _index_entries(book, codes, by_entry)
        # If there are no recordings or examples, their table and the references to it are left out.
        used = ((MEDIA_IDS, book.voices is not None), (EXAMPLE_IDS, has_examples))
        unused = [column for column, is_used in used if not is_used]
        tables = _DataSetTables(
            TableWriter(io.BytesIO(), LANGUAGES),
            TableWriter(temporary(), ENTRIES, unused),
            TableWriter(temporary(), SENSES, unused),
            TableWriter(temporary(), EXAMPLES, unused),
            TableWriter(temporary(), MEDIA),
        )
        for one in book.languages:
            described = [one.name, one.iso639_3 or "", one.code, one.native_name, one.script, one.direction]
            tables.languages.write([str(one.id), *described])
        _DataSetWriter(book, codes, tables, zip_file).write(first_senses)
        without = {column.references for column in unused}
        _add(book, zip_file, [table for table in tables if table.spec.file not in without])


class _DataSetTables(NamedTuple):
    languages: TableWriter
    entries: TableWriter
    senses: TableWriter
    examples: TableWriter
    media: TableWriter


def _add(book: ExportSource, zip_file: zipfile.ZipFile, tables: Sequence[TableWriter]) -> None:
    add_file(zip_file, "Dictionary-metadata.json", metadata(book, [table.spec for table in tables]))
    for table in tables:
        table.stream.seek(0)
        add_file(zip_file, table.spec.file, table.stream)
    add_file(zip_file, "SOURCES.txt", (book.terms() + "\n").encode())


class _DataSetWriter:
    """Writer of the rows of a data set, idea by idea."""

    def __init__(
        self, book: ExportSource, codes: Mapping[str, str], tables: _DataSetTables, zip_file: zipfile.ZipFile
    ) -> None:
        self._book = book
        self._codes = codes
        self._tables = tables
        self._media = MediaWriter(book.voices, zip_file, tables.media, codes) if book.voices else None
        self._sources = {source.code: source for source in book.sources}
        self._senses = 0

    def write(self, first_senses: "array[int]") -> None:
        """Write entries, senses, examples and recordings; `first_senses` has the first sense of each sense's entry."""
        ideas = self._book.ideas()
        while batch := list(islice(ideas, IDEA_BATCH_SIZE)):
            recordings = self._recordings(batch)
            for idea in batch:
                examples = self._write_examples(idea)
                for word in idea.words:
                    if word.language in self._codes:
                        self._write_sense(idea, word, first_senses[self._senses], recordings, examples)

    def _recordings(self, ideas: Sequence[IdeaRecord]) -> Mapping[SpokenText, Sequence[ExportRecording]]:
        if self._book.voices is None:
            return {}
        words = {SpokenText(word.language, word.text) for idea in ideas for word in idea.words}
        return self._book.voices.of_words([spoken for spoken in words if spoken.language in self._codes])

    def _write_examples(self, idea: IdeaRecord) -> dict[str, list[str]]:
        """Write the examples of an idea; return their IDs by language."""
        ids: dict[str, list[str]] = {}
        for example in idea.examples:
            if example.language in self._codes:
                spoken = SpokenText(example.language, example.text)
                recordings = self._book.voices.of_example(spoken) if self._book.voices else ()
                number = f"x{self._tables.examples.rows + 1}"
                cells = [example.text, example.translation or "", f"{idea.source}:{idea.key}"]
                row = [number, self._codes[example.language], *cells, self._media_of("example", spoken, recordings)]
                self._tables.examples.write(row)
                ids.setdefault(example.language, []).append(number)
        return ids

    def _write_sense(
        self,
        idea: IdeaRecord,
        word: WordRecord,
        first: int,
        recordings: Mapping[SpokenText, Sequence[ExportRecording]],
        examples: Mapping[str, list[str]],
    ) -> None:
        number, self._senses = self._senses, self._senses + 1
        if first == number:
            spoken = SpokenText(word.language, word.text)
            media = self._media_of("word", spoken, recordings.get(spoken, ()))
            cells = [word.text, idea.pos or "", word.roman or "", word.ipa or ""]
            self._tables.entries.write([f"e{first + 1}", self._codes[word.language], *cells, media])
        source = word.source or idea.source
        names = [f"e{first + 1}", f"{idea.source}:{idea.key}", source]
        terms = _terms(self._sources.get(source))
        example_ids = SEPARATOR.join(examples.get(word.language, ()))
        self._tables.senses.write([f"s{number + 1}", *_description(idea, word), *names, *terms, example_ids])

    def _media_of(self, kind: str, spoken: SpokenText, recordings: Sequence[ExportRecording]) -> str:
        return self._media.ids(kind, spoken, recordings) if self._media else ""


def _terms(source: SourceRecord | None) -> list[str]:
    return [source.licence, source.attribution or source.name] if source else ["", ""]


def _index_entries(
    book: ExportSource, languages: Container[str], by_entry: ExternalSorter
) -> tuple["array[int]", bool]:
    """Return an array with the first sense of each sense's entry, and whether there are examples.

    Senses with the same word, language and part of speech share an entry.
    """
    number, has_examples = 0, False
    for idea in book.ideas():
        has_examples = has_examples or any(example.language in languages for example in idea.examples)
        for word in idea.words:
            if word.language in languages:
                by_entry.add(SortItem(f"{word.language}\t{word.text}".encode(), (idea.pos or "").encode(), number))
                number += 1
    first_senses = array("L", bytes(number * array("L").itemsize))
    for _, of_entry in groupby(by_entry, key=lambda item: (item.key, item.name)):
        numbers = [item.number for item in of_entry]
        for sense_number in numbers:
            first_senses[sense_number] = numbers[0]
    return first_senses, has_examples


def _description(idea: IdeaRecord, word: WordRecord) -> tuple[str, str]:
    """Return a description and its language: the first definition, else the other words, else the word itself."""
    english = [one for one in idea.definitions if one.language == "en"]
    for one in (*english, *idea.definitions):
        return one.text, one.language
    equivalents = [one.text for one in idea.words if (one.language, one.text) != (word.language, word.text)]
    return "; ".join(equivalents) or word.text, ""


# --- recordings -----------------------------------------------------------------------------------------------------


FOLDER: Final = "media"


class MediaWriter:
    """Writer of recordings, each of which is written when a row refers to it for the first time."""

    def __init__(
        self, voices: ExportRecordings, zip_file: zipfile.ZipFile, table: TableWriter, languages: Mapping[str, str]
    ) -> None:
        """Initialise with an archive for files and a table for rows; `languages` maps codes to IDs."""
        self._voices = voices
        self._made = zip_file
        self._table = table
        self._languages = languages
        self._availability: dict[int, bool] = {}

    def ids(self, kind: str, spoken: SpokenText, voices: Sequence[ExportRecording]) -> str:
        """Write the recordings of a word or an example that are available; return their IDs as a cell."""
        return SEPARATOR.join(str(voice.id) for voice in voices if self._write_once(kind, spoken, voice))

    def _write_once(self, kind: str, spoken: SpokenText, voice: ExportRecording) -> bool:
        """Write a recording if necessary; return whether it is available."""
        if voice.id not in self._availability:
            address = self._address(voice.id)
            self._availability[voice.id] = address is not None
            if address is not None:
                self._table.write(self._row(kind, spoken, voice, address))
        return self._availability[voice.id]

    def _address(self, number: int) -> str | None:
        """Return a recording's URL, or its path in the archive after adding the file; None if the file is missing."""
        if self._voices.base is not None:
            return self._voices.base + recording_address(number)
        body = self._voices.read(number)
        if body is None:
            return None
        name = f"{FOLDER}/{number}.{EXTENSION}"
        # Not compressed, since MP3 does not compress.
        information = zipfile.ZipInfo(name, ARCHIVE_DATE)
        information.external_attr = 0o644 << 16
        self._made.writestr(information, body)
        return name

    def _row(self, kind: str, spoken: SpokenText, voice: ExportRecording, address: str) -> list[str]:
        return [
            str(voice.id),
            spoken.text,
            kind,
            MEDIA_TYPE,
            address,
            # Path_In_Zip is only for a Download_URL that is an archive; our files are next to the tables.
            "",
            self._languages[spoken.language],
            voice.speaker or "",
            voice.place or "",
            voice.licence or "",
            str(voice.milliseconds),
        ]
