"""Reader of dictpress's CSV: a row starting with `-` is an entry, and rows with `^` below it are its definitions."""

import re
from collections.abc import Iterator
from typing import Final

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import (
    ImportOptions,
    ParsedRecord,
    build_key,
    is_word_list,
    join_notes,
    parse_words,
    wrap_source,
)
from abhidhan.formats.losses import find_losses
from abhidhan.formats.pos_mapping import is_known_label, map_pos, map_pos_or_label
from abhidhan.formats.text_decoding import CellRow, read_rows
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, WordRecord

COLUMNS: Final = (
    *("type", "initial", "content", "language", "notes", "tsvector_language", "tsvector_tokens", "tags", "phones"),
    *("definition-types", "meta"),
)
"""Columns, in the order of dictpress's import documentation."""

TYPE, INITIAL, CONTENT, LANGUAGE, NOTES, PHONES, TYPES = 0, 1, 2, 3, 4, 8, 9
READ_COLUMNS: Final = frozenset({TYPE, CONTENT, LANGUAGE, NOTES})

MIN_CELLS: Final = 4
ENTRY_MARK, DEFINITION_MARK = "-", "^"
NO_DEFINITION: Final = "The entry has no definition."

CODE_BY_LANGUAGE: Final = {
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
    yield wrap_source(source)
    for content in contents:
        if not content.base_name.lower().endswith((".csv", ".txt")):
            continue
        yield from _read_file(content, options, source.code)


def _read_file(content: ContentStream, options: ImportOptions, source: str) -> Iterator[ParsedRecord]:
    entry: CellRow | None = None
    has_definition = True
    for row in read_rows(content, ",", options.encoding):
        if isinstance(row, RecordError):
            yield row
            continue
        kind = row.cells[TYPE].strip() if len(row.cells) >= MIN_CELLS else ""
        if kind == ENTRY_MARK:
            if entry is not None and not has_definition:
                yield RecordError(content.name, entry.number, NO_DEFINITION)
            entry, has_definition = row, False
        elif kind != DEFINITION_MARK:
            yield RecordError(
                content.name, row.number, "The row begins with neither - (an entry) nor ^ (a definition)."
            )
        elif entry is None:
            yield RecordError(
                content.name, row.number, "A definition comes before any entry. The first row begins with -."
            )
        else:
            located = LocatedRecord(content.name, row.number, _build_idea(entry.cells, row, options, source))
            yield located
            if not has_definition:
                yield from _find_losses(content.name, entry, located)
            yield from _find_losses(content.name, row, located)
            has_definition = True
    if entry is not None and not has_definition:
        yield RecordError(content.name, entry.number, NO_DEFINITION)


def _build_idea(entry: list[str], row: CellRow, options: ImportOptions, source: str) -> IdeaRecord:
    language, text = _map_language(entry[LANGUAGE], options), entry[CONTENT].strip()
    definition_language, meaning = _map_language(row.cells[LANGUAGE], options), row.cells[CONTENT].strip()
    label = _get_cell(row.cells, TYPES).split("|")[0]
    note = join_notes(_get_cell(entry, NOTES), _get_cell(row.cells, NOTES))
    head = WordRecord(language, text, ipa=_get_cell(entry, PHONES).split("|")[0].strip() or None, note=note)
    translations = (
        parse_words(definition_language, meaning) if is_word_list(meaning) and definition_language != language else ()
    )
    return IdeaRecord(
        source,
        build_key(language, text, definition_language, meaning),
        map_pos_or_label(label, options),
        (head, *translations),
        definitions=() if translations else (DefinitionRecord(definition_language, meaning),),
    )


def _find_losses(file: str, row: CellRow, located: LocatedRecord) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of a row that its idea lacks."""
    pieces = (piece.strip() for piece in _WORD_SEPARATOR.split(row.cells[CONTENT]))
    yield from find_losses(file, row.number, ((COLUMNS[CONTENT], piece) for piece in pieces), [located])
    for index, cell in enumerate(row.cells):
        name = COLUMNS[index] if index < len(COLUMNS) else f"column {index + 1}"
        values = [value.strip() for value in cell.split("|") if value.strip()]
        imported_count = (
            _count_imported(index, values[0], row.cells) if values and index not in READ_COLUMNS else len(values)
        )
        yield from (UnstoredValue(file, row.number, name, value) for value in values[imported_count:])


def _count_imported(index: int, first_value: str, cells: list[str]) -> int:
    """Return how many values of a cell are imported: at most one."""
    is_entry = cells[TYPE].strip() == ENTRY_MARK
    if index == INITIAL:
        return int(cells[CONTENT].strip().casefold().startswith(first_value.casefold()))
    if index == TYPES:
        return int(not is_entry and (is_known_label(first_value) or map_pos(first_value, ImportOptions()) is None))
    return int(index == PHONES and is_entry)


def _map_language(name: str, options: ImportOptions) -> str:
    plain = name.strip().lower()
    return options.map_language(options.values.get("language", {}).get(plain) or CODE_BY_LANGUAGE.get(plain, plain))


def _get_cell(cells: list[str], index: int) -> str:
    return cells[index].strip() if index < len(cells) else ""
