"""Tables: CSV, TSV, and sheets of xlsx and ods files. A mapping says what the columns are; else it is guessed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import IO, Any, Final, NamedTuple

import msgspec
from iso639 import Lang
from iso639.exceptions import InvalidLanguageValue
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.domain.records.fields import MOST_WORD_LETTERS
from abhidhan.domain.records.idea import IDEA_ROW
from abhidhan.domain.records.word import DETAILS, REMARKS
from abhidhan.errors import InputError, quoted
from abhidhan.formats.files import SPREADSHEETS, Content, spool
from abhidhan.formats.formulas import unshielded
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.marks import unmarked
from abhidhan.formats.parts import part_of_marks, part_of_speech
from abhidhan.formats.reading import Found, Options, has_long_word, key_of, placed_source, words_of
from abhidhan.formats.text import CellRow, first_row_fault, read_rows, surplus
from abhidhan.formats.workbooks import check_workbook, damaged

WORKBOOKS: Final = (*SPREADSHEETS, ".xls")
"""Files of spreadsheets; those of the old kind are told how to become readable."""

ENDINGS: Final = (".csv", ".tsv", ".tab", ".txt", *WORKBOOKS)

OF_A_WORD: Final = (*DETAILS, *REMARKS)

OF_A_RECORD: Final = (*OF_A_WORD, *IDEA_ROW)
"""Fields of which a column holds what a record holds; what their columns are called, the records say."""

FIELDS: Final[dict[str, str]] = {
    name: field
    for field, names in {
        "key": "no|nr|no.|#|id|key|number|idea|ideaid|idea_id|concept_no|concept_id|cp|concepticon_id|sl no|sl. no.",
        "word": "word|headword|term|lemma|entry|text",
        "translation": "translation|translations|meaning|meanings|gloss|equivalent",
        "language": "language|lang|language_code",
        "definition": "definition|sense|explanation|description",
        "context": "context|contexts|subject|domain|field|topic|subgroup",
        "example": "example|examples|usage",
        "forms": "forms|inflections",
        **{field.name: f"{field.name}|{field.headings}" for field in OF_A_RECORD},
    }.items()
    for name in names.split("|")
    if name
}
"""What columns are called. Those of no known name are passed over."""

OF_A_LANGUAGE: Final = frozenset({"word", "definition", "example", "roman", "ipa", "asm", "variant", "origin", "note"})

JOINTS: Final = {
    **dict.fromkeys(("word", "translation", "context", "forms"), "|"),
    **dict.fromkeys(("definition", "example"), "; "),
    **{field.name: field.joint for field in OF_A_RECORD if field.joint},
}
"""How the cells of several columns for the same thing go together; of other fields the first is taken."""

OF_EACH_WORD: Final = frozenset({"roman", "ipa", "asm"})
"""Fields whose cell says it for each of several words in a cell, in their order."""

SHORTEST_NAME: Final = 3
"""The English name of a language has at least so many letters (Ao and the like have a code)."""

_CODE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Z][a-z]{3})?")
_PARTS: Final = re.compile(r"[\s_:\-()\[\]]+")


class Column(NamedTuple):
    """What a column holds, and of which language."""

    field: str
    language: str | None = None


class Guess(NamedTuple):
    """What the columns of a table are taken for, by their names (None: they are passed over), and its first row."""

    file: str
    columns: list[tuple[str, Column | None]]
    first: list[str]


def guess_tables(contents: Iterator[Content], options: Options) -> Iterator[Guess]:
    """Read the first rows of tables, and tell what their columns would be taken for. Raises InputError."""
    for content in contents:
        if content.base_name.lower().endswith(ENDINGS):
            rows = _rows(content, options)
            header = next(rows, None)
            if isinstance(header, Fault):
                raise first_row_fault(header)
            if header is not None:
                first = next((row for row in rows if isinstance(row, CellRow)), None)
                found = guess_columns(header.cells, options)
                columns = [(name.strip(), found.get(name)) for name in header.cells]
                yield Guess(content.name, columns, first.cells if first else [])


def read_tables(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read tables whose first row names the columns."""
    source = options.own_source()
    yield placed_source(source)
    for content in contents:
        if not content.base_name.lower().endswith(ENDINGS):
            continue
        yield from _read_table(content.name, _rows(content, options), options, source.code)


def _rows(content: Content, options: Options) -> Iterator[CellRow | Fault]:
    if content.name.lower().endswith(WORKBOOKS):
        return _sheet_rows(content)
    rows = read_rows(content, None, options.encoding)
    return (
        row if isinstance(row, Fault) else CellRow(row.number, [unshielded(cell) for cell in row.cells]) for row in rows
    )


def guess_columns(header: Iterable[str], options: Options) -> dict[str, Column]:
    """Return what each column of a header holds: as the mapping says, else as its name looks like."""
    found = {}
    for name in header:
        told = options.columns.get(name.strip())
        column = _told_column(told) if told else _guess(name)
        if column is not None and column.field != "ignore":
            found[name] = column
    return found


def _told_column(told: str) -> Column:
    field, _, language = told.partition(":")
    known = {*FIELDS.values(), "ignore"}
    if field not in known:
        raise InputError.of("mapping", f"{quoted(told)} is no field of a table; there are {', '.join(sorted(known))}.")
    return Column(field, language or None)


def _guess(name: str) -> Column | None:
    plain = " ".join(name.lower().split())
    if plain in FIELDS:
        return Column(FIELDS[plain])
    tokens = [token for token in _PARTS.split(name.strip()) if token]
    fields = [FIELDS[token.lower()] for token in tokens if token.lower() in FIELDS]
    languages = [code for token in tokens if token.lower() not in FIELDS and (code := _language(token))]
    if len(tokens) > 1 and fields and fields[0] in OF_A_LANGUAGE:
        return Column(fields[0], languages[0] if languages else None)
    language = _language(name.strip())
    if language:
        return Column("word", language)
    return Column(fields[0]) if fields and not languages else None


@cache
def _language(name: str) -> str | None:
    """Read a language from a code or its English name."""
    if _CODE.fullmatch(name):
        return canonical_code(name)
    if len(name) < SHORTEST_NAME:
        return None
    try:
        return canonical_code(str(Lang(name.title()).pt3))
    except InvalidLanguageValue:
        return None


def _read_table(file: str, rows: Iterator[CellRow | Fault], options: Options, source: str) -> Iterator[Found]:
    reader: _RowReader | None = None
    for row in rows:
        if isinstance(row, Fault):
            if reader is None:
                raise first_row_fault(row)
            yield row
        elif reader is None:
            reader = _RowReader(row.cells, options, source, file)
        else:
            try:
                yield Placed(file, row.number, reader.idea(row.cells))
            except InputError as error:
                yield Fault(file, row.number, str(error))


class _RowReader:
    """Turns the rows of one table into ideas."""

    def __init__(self, header: list[str], options: Options, source: str, file: str) -> None:
        self._options = options
        self._source = source
        self._header = header
        self._named = max((place for place, name in enumerate(header, 1) if name.strip()), default=0)
        self._columns = guess_columns(header, options)
        fields = {column.field for column in self._columns.values()}
        if not fields & {"word", "translation"}:
            names = ", ".join(quoted(name) for name in header[:20])
            raise InputError.of(
                "mapping",
                f"{file}: no column holds words, as far as its first row says: {names}. Say what the columns are in a "
                'mapping file, such as: [columns] "English" = "word:en"; see docs/importing.md.',
            )
        if "language" not in fields and any(one == Column("word") for one in self._columns.values()):
            options.own_language()

    def idea(self, cells: list[str]) -> IdeaRecord:
        """Read a row. Raises InputError."""
        if wrong := surplus(cells, self._named):
            raise InputError.of("row", wrong)
        values = self._values(cells)
        if any(column.field in {"word", "translation"} and has_long_word(text) for column, text in values.items()):
            raise InputError.of("word", f"A word is longer than {MOST_WORD_LETTERS} letters.")
        words = tuple(self._words(values))
        if not words:
            raise InputError.of("word", "The row has no word.")
        options = self._options
        definitions = tuple(
            DefinitionRecord(options.code(column.language or options.target or "en"), text)
            for column, text in values.items()
            if column.field == "definition"
        )
        pos, gender = values.get(Column("pos")), values.get(Column("gender"))
        told = (text for column, text in values.items() if column.field in {"word", "translation"})
        label = part_of_speech(pos, options) or part_of_marks(unmarked(", ".join(told)).labels, options)
        key = values.get(Column("key")) or key_of(words[0].text, definitions[0].text if definitions else "", pos or "")
        return IdeaRecord(
            self._source,
            key,
            label,
            words,
            gender=options.value("gender", gender) if gender else None,
            glyph=values.get(Column("glyph")),
            contexts=tuple(self._contexts(values)),
            definitions=definitions,
            examples=tuple(self._examples(values)),
        )

    def _values(self, cells: list[str]) -> dict[Column, str]:
        """Read the cells by their columns. Of several for one thing all texts are taken, but one key."""
        values: dict[Column, str] = {}
        for name, cell in zip(self._header, (cell.strip() for cell in cells), strict=False):
            column = self._columns.get(name)
            if column is not None and cell:
                before = values.get(column)
                joint = JOINTS.get(column.field)
                values[column] = cell if before is None else f"{before}{joint}{cell}" if joint else before
        return values

    def _words(self, values: Mapping[Column, str]) -> Iterator[WordRecord]:
        options = self._options
        main = self._main_language(values)
        for column, text in values.items():
            if column.field == "word":
                language = options.code(column.language) if column.language else main
                yield from self._with_details(words_of(language, text), column.language, values, main)
            elif column.field == "translation":
                yield from words_of(options.code(options.target or "en"), text)

    def _main_language(self, values: Mapping[Column, str]) -> str:
        told = values.get(Column("language"))
        if told:
            return self._options.code(told)
        if self._options.language:
            return self._options.own_language()
        return next((self._options.code(one.language) for one in values if one.field == "word" and one.language), "")

    def _with_details(
        self, words: tuple[WordRecord, ...], named: str | None, values: Mapping[Column, str], main: str
    ) -> Iterator[WordRecord]:
        for place, word in enumerate(words):
            details: dict[str, Any] = {}
            for field in OF_A_WORD:
                cell = values.get(Column(field.name, named)) or (
                    values.get(Column(field.name)) if word.language == main else None
                )
                pieces = re.split(r"[|;]", cell) if cell and field.name in OF_EACH_WORD else [cell or ""]
                if place < len(pieces) and pieces[place].strip():
                    details[field.name] = field.kind.typed(field.name, pieces[place].strip())
            if "variant" in details:
                details["variant"] = self._options.value("variant", details["variant"])
            forms = values.get(Column("forms"), "") if word.language == main else ""
            listed = tuple(form.strip() for form in re.split(r"[|;,]", forms) if form.strip())
            yield msgspec.structs.replace(word, forms=listed, **details)

    def _contexts(self, values: Mapping[Column, str]) -> Iterator[str]:
        for piece in re.split(r"[|;]", values.get(Column("context"), "")):
            mapped = self._options.value("context", piece.strip())
            if mapped:
                yield mapped

    def _examples(self, values: Mapping[Column, str]) -> Iterator[ExampleRecord]:
        for column, text in values.items():
            if column.field == "example":
                language = self._options.code(column.language) if column.language else self._main_language(values)
                yield ExampleRecord(language, text)


def _sheet_rows(content: Content) -> Iterator[CellRow | Fault]:
    """Read the first sheet of a workbook that has rows, and those that go on with it under the same first row."""
    with spool(content) as copy:
        check_workbook(copy, content.name)
        header: tuple[str, ...] | None = None
        for sheet in _sheets(copy, content.name):
            rows = _rows_of_sheet(sheet)
            first = next(rows, None)
            if first is not None and header in {None, tuple(first.cells)}:
                yield from (first,) if header is None else ()
                yield from rows
                header = tuple(first.cells)


def _sheets(stream: IO[bytes], name: str) -> Iterator[CalamineSheet]:
    """Open the sheets of a workbook one after another. Raises DamagedFileError."""
    with damage_in_words(name):
        book = CalamineWorkbook.from_filelike(stream)
    for sheet in book.sheet_names:
        with damage_in_words(name):
            opened = book.get_sheet_by_name(sheet)
        yield opened


@contextmanager
def damage_in_words(name: str) -> Iterator[None]:
    """Turn what the reader of workbooks raises into DamagedFileError, a panic of it too."""
    try:
        yield
    except (CalamineError, OSError) as error:
        raise damaged(name, error) from error
    except BaseException as error:
        # A reader in Rust that gives up raises pyo3's PanicException, which is no Exception and can be had nowhere.
        if type(error).__name__ == PANIC:
            raise damaged(name, error) from error
        raise


PANIC: Final = "PanicException"


def _rows_of_sheet(sheet: CalamineSheet) -> Iterator[CellRow]:
    """Read the rows that are not empty. Numbers without a fraction are written without one."""
    start = int(sheet.start[0]) + 1 if sheet.start else 1
    for number, cells in enumerate(sheet.iter_rows(), start):
        texts = [_cell(cell) for cell in cells]
        if any(texts):
            yield CellRow(number, texts)


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
