"""Reader of tables of proverbs and idioms: text, romanization, meaning, category."""

from collections.abc import Iterator
from typing import Final

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, build_key, wrap_source
from abhidhan.formats.text_decoding import first_row_error, read_rows, surplus_error
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import PhraseRecord

COLUMN_HEADINGS: Final = {
    "text": ("text", "proverb", "phrase", "idiom", "assamese", "bengali", "bodo", "hindi"),
    "roman": ("roman", "roman_gurdon", "roman_loose", "romanization"),
    "meaning": ("meaning", "english", "english_gloss", "gloss", "translation"),
    "category": ("category", "theme", "fjcat"),
    "key": ("key", "id", "no", "number"),
}
CODE_BY_LANGUAGE: Final = {"assamese": "as", "bengali": "bn", "bodo": "brx", "hindi": "hi"}

DEFAULT_CATEGORY: Final = "Other"
"""Category of proverbs without a category, or with a theme that is mapped to none."""

FILE_SUFFIXES: Final = (".tsv", ".csv", ".txt", ".tab")


def read_proverbs(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read tables of proverbs, whose first row names the columns."""
    source = options.require_source()
    yield wrap_source(source)
    for content in contents:
        if content.base_name.lower().endswith(FILE_SUFFIXES):
            yield from _read_file(content, options, source.code)


def _read_file(content: ContentStream, options: ImportOptions, source: str) -> Iterator[ParsedRecord]:
    indexes: dict[str, int] | None = None
    language = ""
    header: list[str] = []
    headings: list[str] = []
    for row in read_rows(content, None, options.encoding):
        if isinstance(row, RecordError):
            if indexes is None:
                raise first_row_error(row)
            yield row
        elif indexes is None:
            headings = [cell.strip() for cell in row.cells]
            header = [cell.lower() for cell in headings]
            indexes = _find_column_indexes(header, options)
            if "text" not in indexes:
                raise InputError.of("mapping", f"{content.name}: no column contains the proverbs; call it `text`.")
            heading_language = CODE_BY_LANGUAGE.get(header[indexes["text"]])
            language = options.map_language(options.language or heading_language or "") or options.require_language()
        elif problem := surplus_error(row.cells, len(header)):
            yield RecordError(content.name, row.number, problem)
        else:
            cells = {field: row.cells[index].strip() for field, index in indexes.items() if index < len(row.cells)}
            if cells.get("text"):
                located = LocatedRecord(content.name, row.number, _build_phrase(cells, language, options, source))
                yield located
                yield from _find_losses(located, row.cells, headings, indexes, options)
            else:
                yield RecordError(
                    content.name, row.number, "The row has no text. Write the proverb, or remove the row."
                )


def _find_losses(
    located: LocatedRecord, cells: list[str], headings: list[str], indexes: dict[str, int], options: ImportOptions
) -> Iterator[UnstoredValue]:
    """Yield a loss for each cell of a column that is not imported, and for each theme mapped to no category."""
    themes = options.values.get("category", {})
    for index, text in enumerate(cells):
        cell = text.strip()
        is_read = index in indexes.values() and (index != indexes.get("category") or cell in themes)
        if cell and not is_read:
            yield UnstoredValue(located.file, located.line, headings[index] or f"column {index + 1}", cell)


def _find_column_indexes(header: list[str], options: ImportOptions) -> dict[str, int]:
    mapped = {field: name.lower() for name, field in options.columns.items()}
    return {
        field: header.index(name)
        for field, names in COLUMN_HEADINGS.items()
        for name in [next((one for one in (mapped.get(field), *names) if one in header), None)]
        if name is not None
    }


def _build_phrase(cells: dict[str, str], language: str, options: ImportOptions, source: str) -> PhraseRecord:
    theme = cells.get("category", "")
    return PhraseRecord(
        source,
        cells.get("key") or build_key(cells["text"]),
        language,
        cells["text"],
        options.values.get("category", {}).get(theme) or options.category or DEFAULT_CATEGORY,
        cells.get("meaning") or None,
        cells.get("roman") or None,
    )
