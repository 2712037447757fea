"""Conversion of table rows to ideas, and the losses of each row."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from abhidhan.formats.grammar_marks import PARTS as MARKED_PARTS
from abhidhan.formats.grammar_marks import remove_marks
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, has_long_word, key_of, located_source, words_of
from abhidhan.formats.losses import losses
from abhidhan.formats.pos_mapping import GENDERS, GENERAL, is_read_whole, part_of_marks, part_of_speech, part_or_label
from abhidhan.formats.tables.columns import (
    PER_WORD_FIELDS,
    RECORD_FIELDS,
    WORD_FIELDS,
    Column,
    guess_columns,
    has_words,
)
from abhidhan.formats.text_decoding import CellRow, surplus_error
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import LocatedRecord, Loss, RecordError
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_WORD_LENGTH
from abhidhan.records.lookup_lists import PART_OF_SPEECH_CODES
from assamese.normalization import Script, script_of

SEPARATORS: Final = {
    **dict.fromkeys(("word", "translation", "context", "forms"), "|"),
    **dict.fromkeys(("definition", "example"), "; "),
    **{field.name: field.joint for field in RECORD_FIELDS if field.joint},
}
"""Separators for joining several columns of one field; of other fields, only the first column is used."""

WORD_COLUMNS: Final = frozenset({"word", "translation"})

LOOKUP_FIELDS: Final = frozenset({"pos", "gender", "context", "variant"})
"""Fields whose values come from lists; the import itself reports unknown values."""

SOURCE_HEADINGS: Final = frozenset({"source", "licence", "license", "attribution"})
"""Headings of columns in Abhidhan's exports that repeat data of the source."""

_ENUMERATED: Final = re.compile(r"(?:^|(?<=\s))(?:\(?([0-9০-৯]{1,2})\)|([0-9০-৯]{1,2})\.)\s+")
_WORD_SEPARATOR: Final = re.compile(r"\s*(?:\n|\s/\s)\s*(?![^(\[]*[)\]])")
_PIECE_SEPARATOR: Final = re.compile(r"[|;\n]|\s/\s")
_WORD_BOUNDARY: Final = re.compile(r"[|;,()\[\]<>、।]")


class RowReader:
    """Converter of one table's rows to ideas."""

    def __init__(self, header: Sequence[str], options: ImportOptions, source: SourceRecord, file: str) -> None:
        """Initialise with the headings. Raises InputError if none of them names words."""
        self._options = options
        self._source = source
        self._file = file
        self._header = [name.strip() for name in header]
        self._width = max((number for number, name in enumerate(self._header, 1) if name), default=0)
        self._columns = guess_columns(self._header, options)
        if not has_words(self._columns.values()):
            names = ", ".join(quoted(name) for name in self._header[:20])
            raise InputError.of(
                "mapping",
                f"{file}: no column of the first row contains words: {names}. Name the contents of the columns in "
                'a mapping file, such as: [columns] "English" = "word:en"; see docs/importing.md. If the file '
                "has no row of headings, name the contents of each column: --columns word:en,word:as.",
            )
        fields = {column.field for column in self._columns.values()}
        if "language" not in fields and any(one == Column("word") for one in self._columns.values()):
            options.require_language()

    def read(self, row: CellRow) -> Iterator[ParsedRecord]:
        """Yield the idea of a row and its losses, or an error."""
        try:
            located = LocatedRecord(self._file, row.number, self._idea(row))
        except InputError as error:
            yield RecordError(self._file, row.number, str(error), error.problems)
            return
        yield located
        yield from self._losses(row, located)

    def _idea(self, row: CellRow) -> IdeaRecord:
        """Convert a row to an idea. Raises InputError."""
        if wrong := surplus_error(row.cells, self._width):
            raise InputError.of("row", wrong)
        values = self._values(row)
        if any(column.field in WORD_COLUMNS and has_long_word(text) for column, text in values.items()):
            raise InputError.of("word", f"A word is longer than {MAX_WORD_LENGTH} letters.")
        words = tuple(self._words(values))
        if not words:
            raise InputError.of("word", "The row has no word.")
        options = self._options
        defined = [(column, text) for column, text in values.items() if column.field == "definition"]
        pos, gender = values.get(Column("pos")), values.get(Column("gender"))
        # A note distinguishes "bank (of a river)" from "bank (money)".
        named = f"{words[0].text} ({words[0].note})" if words[0].note else words[0].text
        key = values.get(Column("key")) or key_of(named, defined[0][1] if defined else "", pos or "")
        return IdeaRecord(
            self._source.code,
            key,
            self._part(pos, values),
            tuple(map(_without_number, words)),
            gender=options.value("gender", GENDERS.get(gender.lower(), gender)) if gender else None,
            glyph=values.get(Column("glyph")),
            contexts=tuple(self._contexts(values)),
            definitions=tuple(
                DefinitionRecord(
                    self._language_of(definition, column, words, options.code(options.target or "en")), definition
                )
                for column, text in defined
                for definition in text.split(" | ")
            ),
            examples=tuple(self._examples(values, words)),
        )

    def _cells(self, row: CellRow) -> Iterator[tuple[str, Column | None, str]]:
        """Yield the non-empty cells with their headings and columns."""
        for index, cell in enumerate(row.cells):
            if text := cell.strip():
                heading = self._header[index] if index < len(self._header) else ""
                column = self._columns.get(heading)
                if column is not None and column.field in WORD_COLUMNS and index in row.dates:
                    # Spreadsheets turn some input (2-3, Jan 2) into dates; the original text is lost.
                    yield f"{heading} (a date)", None, text
                else:
                    yield heading or f"column {index + 1}", column, text

    def _values(self, row: CellRow) -> dict[Column, str]:
        """Return the cells by column; several columns of one field are joined, except keys."""
        values: dict[Column, str] = {}
        for _, column, cell in self._cells(row):
            if column is not None:
                text = _normalize_list(cell) if column.field in WORD_COLUMNS else cell
                before = values.get(column)
                joint = SEPARATORS.get(column.field)
                values[column] = text if before is None else f"{before}{joint}{text}" if joint else before
        return values

    def _words(self, values: Mapping[Column, str]) -> Iterator[WordRecord]:
        options = self._options
        main = self._main_language(values)
        for column, text in values.items():
            if column.field == "word":
                language = options.code(column.language) if column.language else main
                yield from self._with_details(_words_of(language, text), column.language, values, main)
            elif column.field == "translation":
                yield from _words_of(options.code(options.target or "en"), text)

    def _main_language(self, values: Mapping[Column, str]) -> str:
        language = values.get(Column("language"))
        if language:
            return self._options.code(language)
        if self._options.language:
            return self._options.require_language()
        return next(
            (self._options.code(column.language) for column in values if column.field == "word" and column.language), ""
        )

    def _with_details(
        self, words: tuple[WordRecord, ...], column_language: str | None, values: Mapping[Column, str], main: str
    ) -> Iterator[WordRecord]:
        for index, word in enumerate(words):
            details: dict[str, Any] = {}
            for field in WORD_FIELDS:
                cell = (
                    values.get(Column(field.name, column_language))
                    or values.get(Column(field.name, word.language))
                    or (values.get(Column(field.name)) if word.language == main else None)
                )
                pieces = _PIECE_SEPARATOR.split(cell) if cell and field.name in PER_WORD_FIELDS else [cell or ""]
                if index < len(pieces) and pieces[index].strip():
                    details[field.name] = field.kind.parse(field.name, pieces[index].strip())
            if "variant" in details:
                details["variant"] = self._options.value("variant", details["variant"])
            forms = values.get(Column("forms"), "") if word.language == main else ""
            form_texts = tuple(form.strip() for form in re.split(r"[|;,\n]", forms) if form.strip())
            if word.note and "note" in details:
                details["note"] = f"{word.note}; {details['note']}"
            yield msgspec.structs.replace(word, forms=form_texts, **details)

    def _part(self, label: str | None, values: Mapping[Column, str]) -> str | None:
        """Return the part of speech; an unknown label is returned unchanged, so that the import reports it."""
        if label in GENERAL and label not in self._options.values.get("pos", {}):
            return label
        texts = (text for column, text in values.items() if column.field in WORD_COLUMNS)
        pos = part_of_speech(label, self._options) or part_of_marks(
            remove_marks(", ".join(texts)).labels, self._options
        )
        return pos or part_or_label(label, self._options)

    def _contexts(self, values: Mapping[Column, str]) -> Iterator[str]:
        for piece in re.split(r"[|;\n]", values.get(Column("context"), "")):
            mapped = self._options.value("context", piece.strip())
            if mapped:
                yield mapped

    def _examples(self, values: Mapping[Column, str], words: Sequence[WordRecord]) -> Iterator[ExampleRecord]:
        for column, text in values.items():
            if column.field == "example":
                yield ExampleRecord(self._language_of(text, column, words, self._main_language(values)), text)

    def _language_of(self, text: str, column: Column, words: Sequence[WordRecord], usual: str) -> str:
        """Return the language of a text: its column's, else the default if the script fits, else that of a word."""
        if column.language:
            return self._options.code(column.language)
        script = script_of(text)
        alike = [word.language for word in words if script_of(word.text) is script]
        if usual in alike or (script is Script.LATIN and usual == "en"):
            return usual
        return next(iter(alike), usual)

    def _losses(self, row: CellRow, located: LocatedRecord) -> Iterator[Loss]:
        """Yield a loss for each value of a row that its idea lacks."""
        texts: list[tuple[str, str]] = []
        first: dict[Column, str] = {}
        for heading, column, cell in self._cells(row):
            if column is None:
                if heading.lower() in SOURCE_HEADINGS:
                    texts.append((heading, cell))
                elif self._options.columns.get(heading) != "ignore" and not _is_code(heading, cell, located):
                    yield Loss(self._file, row.number, heading, cell)
            elif column.field in LOOKUP_FIELDS or column.field in {"language", "frequency"}:
                if not self._is_read(column, cell, first.setdefault(column, cell), located):
                    yield Loss(self._file, row.number, heading, cell)
            elif column.field in WORD_COLUMNS:
                texts += ((heading, piece) for piece in _pieces_of_words(cell, located))
            elif column.field in PER_WORD_FIELDS or column.field == "forms":
                texts += ((heading, piece.strip()) for piece in re.split(r"[|;,\n]|\s/\s", cell))
            else:
                texts += ((heading, text) for text in cell.split(" | "))
        yield from losses(self._file, row.number, texts, [located_source(self._source), located])

    def _is_read(self, column: Column, cell: str, first: str, located: LocatedRecord) -> bool:
        """Return whether the idea contains a cell's value in converted form: a list value, language or number."""
        idea = located.record
        assert isinstance(idea, IdeaRecord)  # noqa: S101  # for mypy; tables hold nothing else
        if column.field == "language":
            return self._options.code(cell) in {word.language for word in idea.words}
        if column.field in {"frequency", "variant"}:
            return cell == first and any(getattr(word, column.field) is not None for word in idea.words)
        if column.field == "pos" and cell not in {idea.pos, *self._options.values.get("pos", {})}:
            return part_of_speech(cell, self._options) in {None, idea.pos} and is_read_whole(cell)
        return column.field in {"pos", "context"} or cell == first


def _normalize_list(cell: str) -> str:
    """Separate the words of a cell by `|`: words on separate lines, numbered words, and words between slashes."""
    numbers = [int(bracketed or dotted) for bracketed, dotted in _ENUMERATED.findall(cell)]
    if len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)] and _ENUMERATED.match(cell):
        cell = _ENUMERATED.sub("|", cell)
    return _WORD_SEPARATOR.sub("|", cell).strip("|")


def _words_of(language: str, text: str) -> tuple[WordRecord, ...]:
    """Return the words of a cell; a text of punctuation only counts as one word."""
    return words_of(language, text) or ((WordRecord(language, text),) if text.strip(" |;,") else ())


def _without_number(word: WordRecord) -> WordRecord:
    """Move a homograph number from a word's text to its `position`."""
    text, number = split_homograph(word.text)
    return msgspec.structs.replace(word, text=text, position=number) if number else word


def _pieces_of_words(cell: str, located: LocatedRecord) -> Iterator[str]:
    """Yield the words of a cell, its notes, and its grammatical labels except that of the part of speech."""
    text, labels = remove_marks(_normalize_list(cell))
    for piece in _WORD_BOUNDARY.split(text):
        yield split_homograph(" ".join(piece.split())).text
    part = getattr(located.record, "pos", None)
    yield from (
        label for label in labels if not (label in MARKED_PARTS and part_of_speech(label, ImportOptions()) == part)
    )


def _is_code(heading: str, cell: str, located: LocatedRecord) -> bool:
    """Return whether a cell is the short code of the part of speech, as in Abhidhan's exports."""
    return (
        heading.lower() == "short"
        and PART_OF_SPEECH_CODES.get((getattr(located.record, "pos", None) or "").casefold()) == cell
    )


# --- homograph numbers: bank1, bank 2, bank³ ------------------------------------------------------------------------


_SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"


_NUMBERED: Final = re.compile(r"(?P<text>[^\s\d_./-]{3,})(?P<space> ?)(?P<number>[1-9১-৯१-९])")


_RAISED: Final = re.compile(rf"(?P<text>.*[^\s{_SUPERSCRIPTS}]) ?(?P<number>[{_SUPERSCRIPTS}]+)")


_UNIT: Final = re.compile(r"[kcdmµ]?m|ft|in|yd")
"""Units of length, whose powers are areas and volumes."""


class Homograph(NamedTuple):
    """A word, and its number among homographs, if it has one."""

    text: str
    number: int | None = None


def split_homograph(word: str) -> Homograph:
    """Split a homograph number from a word. Words with other final numbers (mp3, HTML5, m²) are unchanged."""
    if match := _RAISED.fullmatch(word):
        number = int("".join(str(_SUPERSCRIPTS.index(digit)) for digit in match["number"]))
        return Homograph(match["text"], number) if number and not _UNIT.fullmatch(match["text"]) else Homograph(word)
    match = _NUMBERED.fullmatch(word)
    # A name such as "Windows 7" starts with a capital letter, an abbreviation has several.
    small = match and (match["text"] if match["space"] else match["text"][1:])
    if not match or small != (small or "").lower():
        return Homograph(word)
    return Homograph(match["text"], int(match["number"]))
