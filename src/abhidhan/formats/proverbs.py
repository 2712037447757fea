"""Reader of tables of proverbs and idioms: text, romanization, meaning, category."""

from collections.abc import Iterator
from typing import Final

from abhidhan.formats.content_streams import Content
from abhidhan.formats.importer_api import Found, Options, key_of, placed_source
from abhidhan.formats.text_decoding import first_row_fault, read_rows, surplus
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import Fault, Loss, Placed
from abhidhan.records.kinds import PhraseRecord

COLUMNS: Final = {
    "text": ("text", "proverb", "phrase", "idiom", "assamese", "bengali", "bodo", "hindi"),
    "roman": ("roman", "roman_gurdon", "roman_loose", "romanization"),
    "meaning": ("meaning", "english", "english_gloss", "gloss", "translation"),
    "category": ("category", "theme", "fjcat"),
    "key": ("key", "id", "no", "number"),
}
LANGUAGES: Final = {"assamese": "as", "bengali": "bn", "bodo": "brx", "hindi": "hi"}

OTHER: Final = "Other"
"""The category of proverbs without one, or with a theme that is not in the list."""

ENDINGS: Final = (".tsv", ".csv", ".txt", ".tab")


def read_proverbs(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read tables of proverbs, whose first row names the columns."""
    source = options.own_source()
    yield placed_source(source)
    for content in contents:
        if content.base_name.lower().endswith(ENDINGS):
            yield from _read_file(content, options, source.code)


def _read_file(content: Content, options: Options, source: str) -> Iterator[Found]:
    places: dict[str, int] | None = None
    language = ""
    header: list[str] = []
    headings: list[str] = []
    for row in read_rows(content, None, options.encoding):
        if isinstance(row, Fault):
            if places is None:
                raise first_row_fault(row)
            yield row
        elif places is None:
            headings = [cell.strip() for cell in row.cells]
            header = [cell.lower() for cell in headings]
            places = _places(header, options)
            if "text" not in places:
                raise InputError.of("mapping", f"{content.name}: no column contains the proverbs; call it `text`.")
            named = LANGUAGES.get(header[places["text"]])
            language = options.code(options.language or named or "") or options.own_language()
        elif wrong := surplus(row.cells, len(header)):
            yield Fault(content.name, row.number, wrong)
        else:
            cells = {field: row.cells[place].strip() for field, place in places.items() if place < len(row.cells)}
            if cells.get("text"):
                placed = Placed(content.name, row.number, _phrase(cells, language, options, source))
                yield placed
                yield from _losses(placed, row.cells, headings, places, options)
            else:
                yield Fault(content.name, row.number, "The row has no text. Write the proverb, or remove the row.")


def _losses(
    placed: Placed, cells: list[str], headings: list[str], places: dict[str, int], options: Options
) -> Iterator[Loss]:
    """Yield the cells of columns that are not read, and themes that are mapped to no category."""
    themes = options.values.get("category", {})
    for place, text in enumerate(cells):
        cell = text.strip()
        is_read = place in places.values() and (place != places.get("category") or cell in themes)
        if cell and not is_read:
            yield Loss(placed.file, placed.line, headings[place] or f"column {place + 1}", cell)


def _places(header: list[str], options: Options) -> dict[str, int]:
    told = {field: name.lower() for name, field in options.columns.items()}
    return {
        field: header.index(name)
        for field, names in COLUMNS.items()
        for name in [next((one for one in (told.get(field), *names) if one in header), None)]
        if name is not None
    }


def _phrase(cells: dict[str, str], language: str, options: Options, source: str) -> PhraseRecord:
    theme = cells.get("category", "")
    return PhraseRecord(
        source,
        cells.get("key") or key_of(cells["text"]),
        language,
        cells["text"],
        options.values.get("category", {}).get(theme) or options.category or OTHER,
        cells.get("meaning") or None,
        cells.get("roman") or None,
    )
