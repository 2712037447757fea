"""dictpress's CSV: a row that begins with `-` is an entry, those with `^` below it are its definitions."""

from collections.abc import Iterator
from typing import Final

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, IdeaRecord, WordRecord
from abhidhan.formats.contents import Content
from abhidhan.formats.indowordnet import LANGUAGES
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Found, Options, is_short, key_of, placed_source, words_of
from abhidhan.formats.text import CellRow, read_rows

KIND, CONTENT, LANGUAGE, NOTES, PHONES, TYPES = 0, 2, 3, 4, 8, 9
"""Columns, as dictpress's own documentation of its import numbers them."""

FIELDS: Final = 4
ENTRY, DEFINITION = "-", "^"
NOT_DEFINED: Final = "The entry has no definition."


def read_dictpress(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read entries with their definitions; each definition is an idea."""
    source = options.own_source()
    yield placed_source(source)
    for content in contents:
        if not content.base_name.lower().endswith((".csv", ".txt")):
            continue
        yield from _read_file(content, options, source.code)


def _read_file(content: Content, options: Options, source: str) -> Iterator[Found]:
    entry: CellRow | None = None
    defined = True
    for row in read_rows(content, ",", options.encoding):
        if isinstance(row, Fault):
            yield row
            continue
        kind = row.cells[KIND].strip() if len(row.cells) >= FIELDS else ""
        if kind == ENTRY:
            if entry is not None and not defined:
                yield Fault(content.name, entry.number, NOT_DEFINED)
            entry, defined = row, False
        elif kind != DEFINITION:
            yield Fault(content.name, row.number, "The row begins neither with - (an entry) nor with ^ (a definition).")
        elif entry is None:
            yield Fault(content.name, row.number, "A definition comes before any entry. The first row begins with -.")
        else:
            defined = True
            yield Placed(content.name, row.number, _idea(entry.cells, row, options, source))
    if entry is not None and not defined:
        yield Fault(content.name, entry.number, NOT_DEFINED)


def _idea(entry: list[str], row: CellRow, options: Options, source: str) -> IdeaRecord:
    language, text = _code(entry[LANGUAGE], options), entry[CONTENT].strip()
    other, meant = _code(row.cells[LANGUAGE], options), row.cells[CONTENT].strip()
    label = (_cell(row.cells, TYPES).split("|") or [""])[0]
    head = WordRecord(language, text, ipa=_cell(entry, PHONES).split("|")[0] or None, note=_cell(entry, NOTES) or None)
    translations = words_of(other, meant) if is_short(meant) and other != language else ()
    return IdeaRecord(
        source,
        key_of(language, text, other, meant),
        part_of_speech(label, options),
        (head, *translations),
        definitions=() if translations else (DefinitionRecord(other, meant),),
    )


def _code(name: str, options: Options) -> str:
    plain = name.strip().lower()
    return options.code(options.values.get("language", {}).get(plain) or LANGUAGES.get(plain, plain))


def _cell(cells: list[str], place: int) -> str:
    return cells[place].strip() if place < len(cells) else ""
