"""CLDF: a Dictionary data set (languages, entries, senses) in a zip file."""

import csv
import io
import tempfile
from array import array
from collections.abc import Container, Iterator
from itertools import groupby
from pathlib import Path
from typing import IO, Final

import msgspec

from abhidhan.domain.records import IdeaRecord, WordRecord
from abhidhan.formats.writing.book import Book, add_file, archive
from abhidhan.formats.writing.sorting import Entry, Sorted

TERMS: Final = "http://cldf.clld.org/v1.0/terms.rdf#"

LANGUAGES: Final[dict[str, str | None]] = {"ID": "id", "Name": "name", "ISO639P3code": "iso639P3code"}
ENTRIES: Final[dict[str, str | None]] = {
    "ID": "id",
    "Language_ID": "languageReference",
    "Headword": "headword",
    "Part_Of_Speech": "partOfSpeech",
    "Roman": None,
    "IPA": None,
}
SENSES: Final[dict[str, str | None]] = {
    "ID": "id",
    "Description": "description",
    "Entry_ID": "entryReference",
    "Idea": None,
    "Licence": None,
    "Attribution": None,
}
REFERENCES: Final = {"Language_ID": "languages.csv", "Entry_ID": "entries.csv"}


def write_cldf(book: Book, target: Path) -> None:
    """Write the data set with its metadata."""
    with (
        tempfile.TemporaryFile(dir=target.parent) as entries,
        tempfile.TemporaryFile(dir=target.parent) as senses,
        Sorted(target.parent) as by_entry,
        archive(target) as made,
    ):
        _write_tables(book, entries, senses, by_entry)
        languages = io.BytesIO()
        rows = [[str(one.id), one.name, one.iso639_3 or ""] for one in book.languages]
        _Table(languages, list(LANGUAGES)).write_all(rows)
        add_file(made, "Dictionary-metadata.json", _metadata(book))
        for name, stream in (("languages.csv", languages), ("entries.csv", entries), ("senses.csv", senses)):
            stream.seek(0)
            add_file(made, name, stream)
        add_file(made, "SOURCES.txt", (book.terms() + "\n").encode())


class _Table:
    """A CSV file as CSVW has it: UTF-8, commas, lines that end with CR LF."""

    def __init__(self, stream: IO[bytes], header: list[str]) -> None:
        self._stream = stream
        self.write(header)

    def write(self, row: list[str]) -> None:
        line = io.StringIO(newline="")
        csv.writer(line).writerow(row)
        self._stream.write(line.getvalue().encode())

    def write_all(self, rows: list[list[str]]) -> None:
        for row in rows:
            self.write(row)


def _write_tables(book: Book, entries: IO[bytes], senses: IO[bytes], by_entry: Sorted) -> None:
    entry_table, sense_table = _Table(entries, list(ENTRIES)), _Table(senses, list(SENSES))
    languages = {language.code: str(language.id) for language in book.languages}
    sources = {source.code: source for source in book.sources}
    first_senses = _first_senses(book, languages, by_entry)
    for number, (idea, word) in enumerate(_senses(book, languages)):
        first = first_senses[number]
        if first == number:
            row = [languages[word.language], word.text, idea.pos or "", word.roman or "", word.ipa or ""]
            entry_table.write([f"e{first + 1}", *row])
        source = sources.get(word.source or idea.source)
        terms = [source.licence, source.attribution or source.name] if source else ["", ""]
        names = [f"e{first + 1}", f"{idea.source}:{idea.key}"]
        sense_table.write([f"s{number + 1}", _description(idea, word), *names, *terms])


def _senses(book: Book, languages: Container[str]) -> Iterator[tuple[IdeaRecord, WordRecord]]:
    for idea in book.ideas():
        for word in idea.words:
            if word.language in languages:
                yield idea, word


def _first_senses(book: Book, languages: Container[str], by_entry: Sorted) -> "array[int]":
    """Return of each sense, by its number, the first sense of the same entry: word, language and part of speech."""
    first_senses = array("L")
    for number, (idea, word) in enumerate(_senses(book, languages)):
        first_senses.append(number)
        by_entry.add(Entry(f"{word.language}\t{word.text}".encode(), (idea.pos or "").encode(), number))
    for _, of_entry in groupby(by_entry, key=lambda one: (one.key, one.name)):
        numbers = [one.number for one in of_entry]
        for number in numbers:
            first_senses[number] = numbers[0]
    return first_senses


def _description(idea: IdeaRecord, word: WordRecord) -> str:
    """Say what the idea is: its first definition, else its other words, else the word itself."""
    english = [one.text for one in idea.definitions if one.language == "en"]
    others = [one.text for one in idea.words if (one.language, one.text) != (word.language, word.text)]
    return next(iter([*english, *(one.text for one in idea.definitions)]), "; ".join(others)) or word.text


def _metadata(book: Book) -> bytes:
    tables = [
        _described("languages.csv", "LanguageTable", LANGUAGES),
        _described("entries.csv", "EntryTable", ENTRIES),
        _described("senses.csv", "SenseTable", SENSES),
    ]
    whole = {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:conformsTo": f"{TERMS}Dictionary",
        "dc:title": book.title,
        "dc:license": book.licences(),
        "dc:bibliographicCitation": book.terms(),
        "dc:created": f"{book.date:%Y-%m-%d}",
        "dialect": {"commentPrefix": None},
        "tables": tables,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _described(file: str, kind: str, columns: dict[str, str | None]) -> dict[str, object]:
    keys = [
        {"columnReference": [name], "reference": {"resource": REFERENCES[name], "columnReference": ["ID"]}}
        for name in columns
        if name in REFERENCES
    ]
    described = [
        {
            "name": name,
            "datatype": "string",
            **({"propertyUrl": TERMS + term} if term else {}),
            "required": name == "ID",
        }
        for name, term in columns.items()
    ]
    return {
        "url": file,
        "dc:conformsTo": TERMS + kind,
        "tableSchema": {"columns": described, "primaryKey": ["ID"], "foreignKeys": keys},
    }
