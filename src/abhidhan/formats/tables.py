"""Tables: CSV, TSV, and sheets of xlsx and ods files. A mapping says what the columns are; else it is guessed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.domain.records.fields import MOST_WORD_LETTERS
from abhidhan.errors import InputError, quoted
from abhidhan.formats.columns import OF_A_RECORD, OF_A_WORD, OF_EACH_WORD, Column, Guess, guess_columns
from abhidhan.formats.contents import Content
from abhidhan.formats.marks import unmarked
from abhidhan.formats.parts import GENERAL, is_verb, part_of_marks, part_of_speech
from abhidhan.formats.reading import Found, Options, has_long_word, key_of, placed_source, words_of
from abhidhan.formats.table_rows import WORKBOOKS, rows_of
from abhidhan.formats.text import CellRow, first_row_fault, surplus

ENDINGS: Final = (".csv", ".tsv", ".tab", ".txt", *WORKBOOKS)

JOINTS: Final = {
    **dict.fromkeys(("word", "translation", "context", "forms"), "|"),
    **dict.fromkeys(("definition", "example"), "; "),
    **{field.name: field.joint for field in OF_A_RECORD if field.joint},
}
"""How the cells of several columns for the same thing go together; of other fields the first is taken."""


def guess_tables(contents: Iterator[Content], options: Options) -> Iterator[Guess]:
    """Read the first rows of tables, and tell what their columns would be taken for. Raises InputError."""
    for content in contents:
        if content.base_name.lower().endswith(ENDINGS):
            rows = rows_of(content, options)
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
        yield from _read_table(content.name, rows_of(content, options), options, source.code)


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
                yield Fault(file, row.number, str(error), error.problems)


class _RowReader:
    """Makes ideas of the rows of one table."""

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
        key = values.get(Column("key")) or key_of(words[0].text, definitions[0].text if definitions else "", pos or "")
        return IdeaRecord(
            self._source,
            key,
            self._part(pos, values),
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

    def _part(self, told: str | None, values: Mapping[Column, str]) -> str | None:
        """Read the part of speech. What means nothing stays as it is, so that the import tells of it."""
        if told in GENERAL and told not in self._options.values.get("pos", {}):
            return told
        texts = (text for column, text in values.items() if column.field in {"word", "translation"})
        found = part_of_speech(told, self._options) or part_of_marks(unmarked(", ".join(texts)).labels, self._options)
        if found or not told or is_verb(told):
            return found
        return self._options.value("pos", told) or None

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
