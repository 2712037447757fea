"""Reader of dictpress's CSV: a row starting with `-` is an entry, and rows with `^` below it are its definitions."""

import re
from collections.abc import Iterator
from typing import Final

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import (
    ImportOptions,
    ParsedRecord,
    is_short,
    join_notes,
    key_of,
    located_source,
    words_of,
)
from abhidhan.formats.losses import losses
from abhidhan.formats.pos_mapping import is_read_whole, part_of_speech, part_or_label
from abhidhan.formats.text_decoding import CellRow, read_rows
from abhidhan.records.import_records import LocatedRecord, Loss, RecordError
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, WordRecord

COLUMNS: Final = (
    *("type", "initial", "content", "language", "notes", "tsvector_language", "tsvector_tokens", "tags", "phones"),
    *("definition-types", "meta"),
)
"""Columns, in the order of dictpress's import documentation."""

KIND, INITIAL, CONTENT, LANGUAGE, NOTES, PHONES, TYPES = 0, 1, 2, 3, 4, 8, 9
READ_COLUMNS: Final = frozenset({KIND, CONTENT, LANGUAGE, NOTES})

MIN_FIELDS: Final = 4
ENTRY, DEFINITION = "-", "^"
NOT_DEFINED: Final = "The entry has no definition."

LANGUAGES: Final = {
    "assamese": "as",
    "bengali": "bn",
    "bodo": "brx",
    "english": "en",
    "gujarati": "gu",
    "hindi": "hi",
    "kannada": "kn",
    "kashmiri": "ks",
    "konkani": "kok",
    "malayalam": "ml",
    "marathi": "mr",
    "meitei": "mni",
    "manipuri": "mni",
    "nepali": "ne",
    "oriya": "or",
    "odiya": "or",
    "punjabi": "pa",
    "sanskrit": "sa",
    "tamil": "ta",
    "telugu": "te",
    "urdu": "ur",
}
"""Language codes by dictpress's names."""

_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>、।]")


def read_dictpress(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read entries with their definitions, each of which becomes an idea."""
    source = options.require_source()
    yield located_source(source)
    for content in contents:
        if not content.base_name.lower().endswith((".csv", ".txt")):
            continue
        yield from _read_file(content, options, source.code)


def _read_file(content: ContentStream, options: ImportOptions, source: str) -> Iterator[ParsedRecord]:
    entry: CellRow | None = None
    defined = True
    for row in read_rows(content, ",", options.encoding):
        if isinstance(row, RecordError):
            yield row
            continue
        kind = row.cells[KIND].strip() if len(row.cells) >= MIN_FIELDS else ""
        if kind == ENTRY:
            if entry is not None and not defined:
                yield RecordError(content.name, entry.number, NOT_DEFINED)
            entry, defined = row, False
        elif kind != DEFINITION:
            yield RecordError(
                content.name, row.number, "The row begins with neither - (an entry) nor ^ (a definition)."
            )
        elif entry is None:
            yield RecordError(
                content.name, row.number, "A definition comes before any entry. The first row begins with -."
            )
        else:
            located = LocatedRecord(content.name, row.number, _idea(entry.cells, row, options, source))
            yield located
            if not defined:
                yield from _losses(content.name, entry, located)
            yield from _losses(content.name, row, located)
            defined = True
    if entry is not None and not defined:
        yield RecordError(content.name, entry.number, NOT_DEFINED)


def _idea(entry: list[str], row: CellRow, options: ImportOptions, source: str) -> IdeaRecord:
    language, text = _code(entry[LANGUAGE], options), entry[CONTENT].strip()
    other, meaning = _code(row.cells[LANGUAGE], options), row.cells[CONTENT].strip()
    label = _cell(row.cells, TYPES).split("|")[0]
    note = join_notes(_cell(entry, NOTES), _cell(row.cells, NOTES))
    head = WordRecord(language, text, ipa=_cell(entry, PHONES).split("|")[0].strip() or None, note=note)
    translations = words_of(other, meaning) if is_short(meaning) and other != language else ()
    return IdeaRecord(
        source,
        key_of(language, text, other, meaning),
        part_or_label(label, options),
        (head, *translations),
        definitions=() if translations else (DefinitionRecord(other, meaning),),
    )


def _losses(file: str, row: CellRow, located: LocatedRecord) -> Iterator[Loss]:
    """Yield a loss for each value of a row that its idea lacks."""
    pieces = (piece.strip() for piece in _WORD_SEPARATOR.split(row.cells[CONTENT]))
    yield from losses(file, row.number, ((COLUMNS[CONTENT], piece) for piece in pieces), [located])
    for index, cell in enumerate(row.cells):
        name = COLUMNS[index] if index < len(COLUMNS) else f"column {index + 1}"
        values = [value.strip() for value in cell.split("|") if value.strip()]
        read = _count_read(index, values[0], row.cells) if values and index not in READ_COLUMNS else len(values)
        yield from (Loss(file, row.number, name, value) for value in values[read:])


def _count_read(index: int, first: str, cells: list[str]) -> int:
    """Return how many values of a cell are imported: at most one."""
    is_entry = cells[KIND].strip() == ENTRY
    if index == INITIAL:
        return int(cells[CONTENT].strip().casefold().startswith(first.casefold()))
    if index == TYPES:
        return int(not is_entry and (is_read_whole(first) or part_of_speech(first, ImportOptions()) is None))
    return int(index == PHONES and is_entry)


def _code(name: str, options: ImportOptions) -> str:
    plain = name.strip().lower()
    return options.code(options.values.get("language", {}).get(plain) or LANGUAGES.get(plain, plain))


def _cell(cells: list[str], index: int) -> str:
    return cells[index].strip() if index < len(cells) else ""
