"""CLDF: a Dictionary data set (languages, entries, senses) in a zip file."""

import csv
import io
import tempfile
from pathlib import Path
from typing import IO, Final

import msgspec

from abhidhan.domain.records import IdeaRecord, WordRecord
from abhidhan.formats.writing.book import Book, add_file, archive

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
    with tempfile.TemporaryFile() as entries, tempfile.TemporaryFile() as senses, archive(target) as made:
        _write_tables(book, entries, senses)
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


def _write_tables(book: Book, entries: IO[bytes], senses: IO[bytes]) -> None:
    entry_table, sense_table = _Table(entries, list(ENTRIES)), _Table(senses, list(SENSES))
    languages = {language.code: str(language.id) for language in book.languages}
    sources = {source.code: source for source in book.sources}
    known: dict[tuple[str, str, str | None], str] = {}
    number = 0
    for idea in book.ideas():
        for word in idea.words:
            if word.language not in languages:
                continue
            name = (word.language, word.text, idea.pos)
            if name not in known:
                known[name] = f"e{len(known) + 1}"
                row = [
                    known[name],
                    languages[word.language],
                    word.text,
                    idea.pos or "",
                    word.roman or "",
                    word.ipa or "",
                ]
                entry_table.write(row)
            number += 1
            source = sources.get(word.source or idea.source)
            terms = [source.licence, source.attribution or source.name] if source else ["", ""]
            sense_table.write(
                [f"s{number}", _description(idea, word), known[name], f"{idea.source}:{idea.key}", *terms]
            )


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
