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
    Table,
    metadata,
)
from abhidhan.formats.writers.export_source import ARCHIVE_DATE, Book, Spoken, Voice, Voices, add_file, archive
from abhidhan.formats.writers.external_sort import Entry, Sorted
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.recordings import EXTENSION, MEDIA_TYPE, recording_address

IDEAS_AT_ONCE: Final = 500
"""Number of ideas whose recordings are loaded at a time."""


def write_cldf(book: Book, target: Path) -> None:
    """Write the data set with its metadata."""
    with ExitStack() as stack:
        made = stack.enter_context(archive(target))
        by_entry = stack.enter_context(Sorted(target.parent))

        def temporary() -> IO[bytes]:
            return stack.enter_context(tempfile.TemporaryFile(dir=target.parent))

        codes = {language.code: str(language.id) for language in book.languages}
        first_senses, has_examples = _look_through(book, codes, by_entry)
        # If there are no recordings or examples, their table and the references to it are left out.
        used = ((MEDIA_IDS, book.voices is not None), (EXAMPLE_IDS, has_examples))
        unused = [column for column, is_used in used if not is_used]
        tables = _Tables(
            Table(io.BytesIO(), LANGUAGES),
            Table(temporary(), ENTRIES, unused),
            Table(temporary(), SENSES, unused),
            Table(temporary(), EXAMPLES, unused),
            Table(temporary(), MEDIA),
        )
        for one in book.languages:
            described = [one.name, one.iso639_3 or "", one.code, one.native_name, one.script, one.direction]
            tables.languages.write([str(one.id), *described])
        _Writing(book, codes, tables, made).write(first_senses)
        without = {column.references for column in unused}
        _add(book, made, [table for table in tables if table.described.file not in without])


class _Tables(NamedTuple):
    languages: Table
    entries: Table
    senses: Table
    examples: Table
    media: Table


def _add(book: Book, made: zipfile.ZipFile, tables: Sequence[Table]) -> None:
    add_file(made, "Dictionary-metadata.json", metadata(book, [table.described for table in tables]))
    for table in tables:
        table.stream.seek(0)
        add_file(made, table.described.file, table.stream)
    add_file(made, "SOURCES.txt", (book.terms() + "\n").encode())


class _Writing:
    """Writer of the rows of a data set, idea by idea."""

    def __init__(self, book: Book, codes: Mapping[str, str], tables: _Tables, made: zipfile.ZipFile) -> None:
        self._book = book
        self._codes = codes
        self._tables = tables
        self._media = Media(book.voices, made, tables.media, codes) if book.voices else None
        self._sources = {source.code: source for source in book.sources}
        self._senses = 0

    def write(self, first_senses: "array[int]") -> None:
        """Write entries, senses, examples and recordings; `first_senses` has the first sense of each sense's entry."""
        ideas = self._book.ideas()
        while some := list(islice(ideas, IDEAS_AT_ONCE)):
            heard = self._heard(some)
            for idea in some:
                examples = self._write_examples(idea)
                for word in idea.words:
                    if word.language in self._codes:
                        self._write_sense(idea, word, first_senses[self._senses], heard, examples)

    def _heard(self, ideas: Sequence[IdeaRecord]) -> Mapping[Spoken, Sequence[Voice]]:
        if self._book.voices is None:
            return {}
        words = {Spoken(word.language, word.text) for idea in ideas for word in idea.words}
        return self._book.voices.of_words([one for one in words if one.language in self._codes])

    def _write_examples(self, idea: IdeaRecord) -> dict[str, list[str]]:
        """Write the examples of an idea; return their IDs by language."""
        ids: dict[str, list[str]] = {}
        for example in idea.examples:
            if example.language in self._codes:
                said = Spoken(example.language, example.text)
                heard = self._book.voices.of_example(said) if self._book.voices else ()
                number = f"x{self._tables.examples.rows + 1}"
                told = [example.text, example.translation or "", f"{idea.source}:{idea.key}"]
                row = [number, self._codes[example.language], *told, self._media_of("example", said, heard)]
                self._tables.examples.write(row)
                ids.setdefault(example.language, []).append(number)
        return ids

    def _write_sense(
        self,
        idea: IdeaRecord,
        word: WordRecord,
        first: int,
        heard: Mapping[Spoken, Sequence[Voice]],
        examples: Mapping[str, list[str]],
    ) -> None:
        number, self._senses = self._senses, self._senses + 1
        if first == number:
            said = Spoken(word.language, word.text)
            media = self._media_of("word", said, heard.get(said, ()))
            told = [word.text, idea.pos or "", word.roman or "", word.ipa or ""]
            self._tables.entries.write([f"e{first + 1}", self._codes[word.language], *told, media])
        source = word.source or idea.source
        names = [f"e{first + 1}", f"{idea.source}:{idea.key}", source]
        terms = _terms(self._sources.get(source))
        shown = SEPARATOR.join(examples.get(word.language, ()))
        self._tables.senses.write([f"s{number + 1}", *_description(idea, word), *names, *terms, shown])

    def _media_of(self, kind: str, said: Spoken, heard: Sequence[Voice]) -> str:
        return self._media.ids(kind, said, heard) if self._media else ""


def _terms(source: SourceRecord | None) -> list[str]:
    return [source.licence, source.attribution or source.name] if source else ["", ""]


def _look_through(book: Book, languages: Container[str], by_entry: Sorted) -> tuple["array[int]", bool]:
    """Return, for each sense number, the first sense of its entry (same word, language and part of speech).

    The second value is true if there are examples.
    """
    number, has_examples = 0, False
    for idea in book.ideas():
        has_examples = has_examples or any(example.language in languages for example in idea.examples)
        for word in idea.words:
            if word.language in languages:
                by_entry.add(Entry(f"{word.language}\t{word.text}".encode(), (idea.pos or "").encode(), number))
                number += 1
    first_senses = array("L", bytes(number * array("L").itemsize))
    for _, of_entry in groupby(by_entry, key=lambda one: (one.key, one.name)):
        numbers = [one.number for one in of_entry]
        for each in numbers:
            first_senses[each] = numbers[0]
    return first_senses, has_examples


def _description(idea: IdeaRecord, word: WordRecord) -> tuple[str, str]:
    """Return a description and its language: the first definition, else the other words, else the word itself."""
    english = [one for one in idea.definitions if one.language == "en"]
    for one in (*english, *idea.definitions):
        return one.text, one.language
    others = [one.text for one in idea.words if (one.language, one.text) != (word.language, word.text)]
    return "; ".join(others) or word.text, ""


# --- recordings -----------------------------------------------------------------------------------------------------


FOLDER: Final = "media"


class Media:
    """Recordings of a data set, each written when the first row refers to it."""

    def __init__(self, voices: Voices, made: zipfile.ZipFile, table: Table, languages: Mapping[str, str]) -> None:
        """Initialise with an archive for files and a table for rows; `languages` maps codes to IDs."""
        self._voices = voices
        self._made = made
        self._table = table
        self._languages = languages
        self._taken: dict[int, bool] = {}

    def ids(self, kind: str, said: Spoken, voices: Sequence[Voice]) -> str:
        """Write the recordings of a word or an example; return the IDs of those available."""
        return SEPARATOR.join(str(voice.id) for voice in voices if self._take(kind, said, voice))

    def _take(self, kind: str, said: Spoken, voice: Voice) -> bool:
        """Write a recording if necessary; return whether it is available."""
        if voice.id not in self._taken:
            address = self._address(voice.id)
            self._taken[voice.id] = address is not None
            if address is not None:
                self._table.write(self._row(kind, said, voice, address))
        return self._taken[voice.id]

    def _address(self, number: int) -> str | None:
        """Return a recording's URL or path; None if its file is lost."""
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

    def _row(self, kind: str, said: Spoken, voice: Voice, address: str) -> list[str]:
        return [
            str(voice.id),
            said.text,
            kind,
            MEDIA_TYPE,
            address,
            # Only for files in an archive to which a URL leads; ours lie next to the tables.
            "",
            self._languages[said.language],
            voice.speaker or "",
            voice.place or "",
            voice.licence or "",
            str(voice.milliseconds),
        ]
