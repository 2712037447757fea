"""Conversion of table rows to ideas, and the losses of each row."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from abhidhan.formats.grammar_marks import POS_LABELS as MARKED_PARTS
from abhidhan.formats.grammar_marks import extract_labels
from abhidhan.formats.importer_api import (
    ImportOptions,
    ParsedRecord,
    build_key,
    has_long_word,
    parse_words,
    wrap_source,
)
from abhidhan.formats.losses import find_losses
from abhidhan.formats.pos_mapping import (
    GENDER_BY_LABEL,
    GENERAL_POS,
    find_label_pos,
    is_known_label,
    map_pos,
    map_pos_or_label,
)
from abhidhan.formats.tables.columns import (
    PER_WORD_FIELDS,
    RECORD_FIELDS,
    WORD_FIELDS,
    Column,
    guess_columns,
    has_word_column,
)
from abhidhan.formats.text_decoding import CellRow, surplus_error
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_WORD_LENGTH
from abhidhan.records.lookup_lists import PART_OF_SPEECH_CODES
from assamese.normalization import Script, detect_script

JOIN_SEPARATORS: Final = {
    **dict.fromkeys(("word", "translation", "context", "forms"), "|"),
    **dict.fromkeys(("definition", "example"), "; "),
    **{field.name: field.separator for field in RECORD_FIELDS if field.separator},
}
"""Separators for joining several columns of one field; of other fields, only the first column is used."""

WORD_COLUMNS: Final = frozenset({"word", "translation"})

LOOKUP_FIELDS: Final = frozenset({"pos", "gender", "context", "variant"})
"""Fields whose values come from lists; the import itself reports unknown values."""

SOURCE_HEADINGS: Final = frozenset({"source", "licence", "license", "attribution"})
"""Headings of columns in Abhidhan's exports that repeat data of the source."""

_LIST_NUMBER: Final = re.compile(r"(?:^|(?<=\s))(?:\(?([0-9০-৯]{1,2})\)|([0-9০-৯]{1,2})\.)\s+")
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
        self._column_count = max((number for number, name in enumerate(self._header, 1) if name), default=0)
        self._columns = guess_columns(self._header, options)
        if not has_word_column(self._columns.values()):
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
            located = LocatedRecord(self._file, row.number, self._build_idea(row))
        except InputError as error:
            yield RecordError(self._file, row.number, str(error), error.problems)
            return
        yield located
        yield from self._find_losses(row, located)

    def _build_idea(self, row: CellRow) -> IdeaRecord:
        """Convert a row to an idea. Raises InputError."""
        if problem := surplus_error(row.cells, self._column_count):
            raise InputError.of("row", problem)
        values = self._collect_values(row)
        if any(column.field in WORD_COLUMNS and has_long_word(text) for column, text in values.items()):
            raise InputError.of("word", f"A word is longer than {MAX_WORD_LENGTH} letters.")
        words = tuple(self._iter_words(values))
        if not words:
            raise InputError.of("word", "The row has no word.")
        options = self._options
        definition_cells = [(column, text) for column, text in values.items() if column.field == "definition"]
        pos, gender = values.get(Column("pos")), values.get(Column("gender"))
        # A note distinguishes "bank (of a river)" from "bank (money)".
        label = f"{words[0].text} ({words[0].note})" if words[0].note else words[0].text
        key = values.get(Column("key")) or build_key(
            label, definition_cells[0][1] if definition_cells else "", pos or ""
        )
        return IdeaRecord(
            self._source.code,
            key,
            self._find_pos(pos, values),
            tuple(map(_extract_homograph_number, words)),
            gender=options.map_value("gender", GENDER_BY_LABEL.get(gender.lower(), gender)) if gender else None,
            glyph=values.get(Column("glyph")),
            contexts=tuple(self._iter_contexts(values)),
            definitions=tuple(
                DefinitionRecord(
                    self._guess_language(definition, column, words, options.map_language(options.target or "en")),
                    definition,
                )
                for column, text in definition_cells
                for definition in text.split(" | ")
            ),
            examples=tuple(self._iter_examples(values, words)),
        )

    def _iter_cells(self, row: CellRow) -> Iterator[tuple[str, Column | None, str]]:
        """Yield the non-empty cells with their headings and columns."""
        for index, cell in enumerate(row.cells):
            if text := cell.strip():
                heading = self._header[index] if index < len(self._header) else ""
                column = self._columns.get(heading)
                if column is not None and column.field in WORD_COLUMNS and index in row.date_indexes:
                    # Spreadsheets turn some input (2-3, Jan 2) into dates; the original text is lost.
                    yield f"{heading} (a date)", None, text
                else:
                    yield heading or f"column {index + 1}", column, text

    def _collect_values(self, row: CellRow) -> dict[Column, str]:
        """Return the cells by column; several columns of one field are joined, except keys."""
        values: dict[Column, str] = {}
        for _, column, cell in self._iter_cells(row):
            if column is not None:
                text = _normalize_list(cell) if column.field in WORD_COLUMNS else cell
                existing = values.get(column)
                joint = JOIN_SEPARATORS.get(column.field)
                values[column] = text if existing is None else f"{existing}{joint}{text}" if joint else existing
        return values

    def _iter_words(self, values: Mapping[Column, str]) -> Iterator[WordRecord]:
        options = self._options
        main_language = self._main_language(values)
        for column, text in values.items():
            if column.field == "word":
                language = options.map_language(column.language) if column.language else main_language
                yield from self._iter_detailed_words(
                    _parse_words(language, text), column.language, values, main_language
                )
            elif column.field == "translation":
                yield from _parse_words(options.map_language(options.target or "en"), text)

    def _main_language(self, values: Mapping[Column, str]) -> str:
        language = values.get(Column("language"))
        if language:
            return self._options.map_language(language)
        if self._options.language:
            return self._options.require_language()
        return next(
            (
                self._options.map_language(column.language)
                for column in values
                if column.field == "word" and column.language
            ),
            "",
        )

    def _iter_detailed_words(
        self,
        words: tuple[WordRecord, ...],
        column_language: str | None,
        values: Mapping[Column, str],
        main_language: str,
    ) -> Iterator[WordRecord]:
        for index, word in enumerate(words):
            details: dict[str, Any] = {}
            for field in WORD_FIELDS:
                cell = (
                    values.get(Column(field.name, column_language))
                    or values.get(Column(field.name, word.language))
                    or (values.get(Column(field.name)) if word.language == main_language else None)
                )
                pieces = _PIECE_SEPARATOR.split(cell) if cell and field.name in PER_WORD_FIELDS else [cell or ""]
                if index < len(pieces) and pieces[index].strip():
                    details[field.name] = field.kind.parse(field.name, pieces[index].strip())
            if "variant" in details:
                details["variant"] = self._options.map_value("variant", details["variant"])
            forms = values.get(Column("forms"), "") if word.language == main_language else ""
            form_texts = tuple(form.strip() for form in re.split(r"[|;,\n]", forms) if form.strip())
            if word.note and "note" in details:
                details["note"] = f"{word.note}; {details['note']}"
            yield msgspec.structs.replace(word, forms=form_texts, **details)

    def _find_pos(self, label: str | None, values: Mapping[Column, str]) -> str | None:
        """Return the part of speech; an unknown label is returned unchanged, so that the import reports it."""
        if label in GENERAL_POS and label not in self._options.values.get("pos", {}):
            return label
        texts = (text for column, text in values.items() if column.field in WORD_COLUMNS)
        pos = map_pos(label, self._options) or find_label_pos(extract_labels(", ".join(texts)).labels, self._options)
        return pos or map_pos_or_label(label, self._options)

    def _iter_contexts(self, values: Mapping[Column, str]) -> Iterator[str]:
        for piece in re.split(r"[|;\n]", values.get(Column("context"), "")):
            mapped = self._options.map_value("context", piece.strip())
            if mapped:
                yield mapped

    def _iter_examples(self, values: Mapping[Column, str], words: Sequence[WordRecord]) -> Iterator[ExampleRecord]:
        for column, text in values.items():
            if column.field == "example":
                yield ExampleRecord(self._guess_language(text, column, words, self._main_language(values)), text)

    def _guess_language(self, text: str, column: Column, words: Sequence[WordRecord], default_language: str) -> str:
        """Return the language of a text: its column's, else the default if the script fits, else that of a word."""
        if column.language:
            return self._options.map_language(column.language)
        script = detect_script(text)
        candidates = [word.language for word in words if detect_script(word.text) is script]
        if default_language in candidates or (script is Script.LATIN and default_language == "en"):
            return default_language
        return next(iter(candidates), default_language)

    def _find_losses(self, row: CellRow, located: LocatedRecord) -> Iterator[UnstoredValue]:
        """Yield a loss for each value of a row that its idea lacks."""
        texts: list[tuple[str, str]] = []
        first_cells: dict[Column, str] = {}
        for heading, column, cell in self._iter_cells(row):
            if column is None:
                if heading.lower() in SOURCE_HEADINGS:
                    texts.append((heading, cell))
                elif self._options.columns.get(heading) != "ignore" and not _is_pos_code(heading, cell, located):
                    yield UnstoredValue(self._file, row.number, heading, cell)
            elif column.field in LOOKUP_FIELDS or column.field in {"language", "frequency"}:
                if not self._is_imported(column, cell, first_cells.setdefault(column, cell), located):
                    yield UnstoredValue(self._file, row.number, heading, cell)
            elif column.field in WORD_COLUMNS:
                texts += ((heading, piece) for piece in _iter_word_pieces(cell, located))
            elif column.field in PER_WORD_FIELDS or column.field == "forms":
                texts += ((heading, piece.strip()) for piece in re.split(r"[|;,\n]|\s/\s", cell))
            else:
                texts += ((heading, text) for text in cell.split(" | "))
        yield from find_losses(self._file, row.number, texts, [wrap_source(self._source), located])

    def _is_imported(self, column: Column, cell: str, first_cell: str, located: LocatedRecord) -> bool:
        """Return whether the idea contains a cell's value in converted form: a list value, language or number."""
        idea = located.record
        assert isinstance(idea, IdeaRecord)  # noqa: S101  # for mypy; tables hold nothing else
        if column.field == "language":
            return self._options.map_language(cell) in {word.language for word in idea.words}
        if column.field in {"frequency", "variant"}:
            return cell == first_cell and any(getattr(word, column.field) is not None for word in idea.words)
        if column.field == "pos" and cell not in {idea.pos, *self._options.values.get("pos", {})}:
            return map_pos(cell, self._options) in {None, idea.pos} and is_known_label(cell)
        return column.field in {"pos", "context"} or cell == first_cell


def _normalize_list(cell: str) -> str:
    """Separate the words of a cell by `|`: words on separate lines, numbered words, and words between slashes."""
    numbers = [int(bracketed or dotted) for bracketed, dotted in _LIST_NUMBER.findall(cell)]
    if len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)] and _LIST_NUMBER.match(cell):
        cell = _LIST_NUMBER.sub("|", cell)
    return _WORD_SEPARATOR.sub("|", cell).strip("|")


def _parse_words(language: str, text: str) -> tuple[WordRecord, ...]:
    """Return the words of a cell; a text of punctuation only counts as one word."""
    return parse_words(language, text) or ((WordRecord(language, text),) if text.strip(" |;,") else ())


def _extract_homograph_number(word: WordRecord) -> WordRecord:
    """Move a homograph number from a word's text to its `position`."""
    text, number = split_homograph(word.text)
    return msgspec.structs.replace(word, text=text, position=number) if number else word


def _iter_word_pieces(cell: str, located: LocatedRecord) -> Iterator[str]:
    """Yield the words of a cell, its notes, and its grammatical labels except that of the part of speech."""
    text, labels = extract_labels(_normalize_list(cell))
    for piece in _WORD_BOUNDARY.split(text):
        yield split_homograph(" ".join(piece.split())).text
    part = getattr(located.record, "pos", None)
    yield from (label for label in labels if not (label in MARKED_PARTS and map_pos(label, ImportOptions()) == part))


def _is_pos_code(heading: str, cell: str, located: LocatedRecord) -> bool:
    """Return whether a cell is the short code of the part of speech, as in Abhidhan's exports."""
    return (
        heading.lower() == "short"
        and PART_OF_SPEECH_CODES.get((getattr(located.record, "pos", None) or "").casefold()) == cell
    )


# --- homograph numbers: bank1, bank 2, bank³ ------------------------------------------------------------------------


_SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"


_NUMBERED_WORD: Final = re.compile(r"(?P<text>[^\s\d_./-]{3,})(?P<space> ?)(?P<number>[1-9১-৯१-९])")


_SUPERSCRIPT_NUMBER: Final = re.compile(rf"(?P<text>.*[^\s{_SUPERSCRIPTS}]) ?(?P<number>[{_SUPERSCRIPTS}]+)")


_LENGTH_UNIT: Final = re.compile(r"[kcdmµ]?m|ft|in|yd")
"""Units of length, whose powers are areas and volumes."""


class Homograph(NamedTuple):
    """A word, and its number among homographs, if it has one."""

    text: str
    number: int | None = None


def split_homograph(word: str) -> Homograph:
    """Split a homograph number from a word. Words with other final numbers (mp3, HTML5, m²) are unchanged."""
    if match := _SUPERSCRIPT_NUMBER.fullmatch(word):
        number = int("".join(str(_SUPERSCRIPTS.index(digit)) for digit in match["number"]))
        return (
            Homograph(match["text"], number)
            if number and not _LENGTH_UNIT.fullmatch(match["text"])
            else Homograph(word)
        )
    match = _NUMBERED_WORD.fullmatch(word)
    # A name such as "Windows 7" starts with a capital letter, an abbreviation has several.
    small = match and (match["text"] if match["space"] else match["text"][1:])
    if not match or small != (small or "").lower():
        return Homograph(word)
    return Homograph(match["text"], int(match["number"]))
