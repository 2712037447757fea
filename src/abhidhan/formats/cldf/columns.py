"""Columns of CLDF dictionaries that CLDF does not define, recognised by the names that data sets use."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import cite_sources
from abhidhan.formats.cldf.losses import ColumnTreatment
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.languages import find_code
from abhidhan.formats.pos_mapping import GENDER_BY_LABEL

ENTRIES, SENSES, EXAMPLES = "EntryTable", "SenseTable", "ExampleTable"

FIELD_BY_NAME: Final = {
    name: field
    for field, names in {
        "ipa": ("ipa", "phon form", "phonetic", "phonetic form", "phonetic transcription", "pronunciation"),
        "roman": ("roman", "romanization", "romanisation", "transliteration"),
        "native": ("native script", "vernacular", "vernacular form"),
        "origin": ("etymology", "origin"),
        "forms": ("variant form", "variant forms", "orthographic variant", "spelling variant"),
        "gender": ("gender",),
        "context": ("semantic domain", "semantic field"),
    }.items()
    for name in names
}
"""The fields of columns, by column name in lower case."""

FIELDS: Final = frozenset({*FIELD_BY_NAME.values(), "reference"})

SINGLE_TEXT_FIELDS: Final = ("ipa", "roman", "native", "gender")
"""Fields that hold a single text per word."""

CONVERTED_COLUMNS: Final = {
    ENTRIES: frozenset({"languageReference", "partOfSpeech", "mediaReference"}),
    SENSES: frozenset({"entryReference", "exampleReference"}),
    EXAMPLES: frozenset({"languageReference", "senseReference", "entryReference", "Entry_IDs"}),
}
"""Standard columns, by table, whose values are converted, such as references; an invalid value is an error."""

LIST_COLUMNS: Final = frozenset({"description"})
"""Columns that may hold lists of words."""

STANDARD_COLUMNS: Final = frozenset({"id", "headword", "description"})

_NOT_LETTERS: Final = re.compile(r"[\W_]+")
_FORM_SEPARATOR: Final = re.compile(r"\s*[;,|]\s*")
_MEANING_COLUMN: Final = re.compile(r"(?:gloss|definition|description|meaning|translation) (.+)")
_ID_COLUMN: Final = re.compile(r"Reference$|_IDs?$")
"""Pattern of names of columns with IDs, which mean nothing to users of the dictionary."""

_ALTERNATIVE_TRANSLATION: Final = re.compile(r"alt translation ?\d*")


class RowDetails:
    """Content of an entry or sense row, except its headword, description and part of speech."""

    def __init__(self, table_name: str) -> None:
        """Initialise with empty details, for a row of the table `table_name`."""
        self.texts: dict[str, list[str]] = {}
        """The texts of each field of `FIELD_BY_NAME`, and of `reference`."""
        self.meanings: list[tuple[str, str]] = []
        """Meanings in languages named by their columns, as (code, text)."""
        self.remarks: list[str] = []
        self.converted_columns = set(CONVERTED_COLUMNS[table_name])
        """Columns whose values are converted, so that no record contains them literally."""
        self.list_columns = set(LIST_COLUMNS)
        """Columns that may hold lists of words."""

    @property
    def column_treatment(self) -> ColumnTreatment:
        """Treatment of the columns when lost values are reported."""
        return ColumnTreatment(self.converted_columns, self.list_columns)


def read_details(
    data: DataSet,
    table_name: str,
    row: Mapping[str, str],
    find_headword: Callable[[str], str | None],
    options: ImportOptions,
) -> RowDetails:
    """Read custom columns, comments and sources; `find_headword` returns the headword of an entry by its ID."""
    details = RowDetails(table_name)
    for cell in data.iter_cells(table_name, row):
        field = "reference" if cell.name == "source" else FIELD_BY_NAME.get(_normalize_name(cell.column))
        label = data.tables[table_name].titles.get(cell.column) or cell.column.replace("_", " ")
        if cell.name in STANDARD_COLUMNS | CONVERTED_COLUMNS[table_name]:
            continue
        if cell.name == "comment":
            details.remarks.append(cell.text)
        elif code := _find_column_language(cell.column, label):
            details.meanings.append((code, cell.text))
            details.list_columns.add(cell.name)
        elif field and (texts := _parse_texts(field, cell.text, row, data, options)):
            details.texts.setdefault(field, []).extend(texts)
            details.converted_columns |= {cell.name} if texts != [cell.text] else set()
        else:
            headwords = [find_headword(number) for number in data.split_cell(table_name, row, cell.name)]
            if all(headwords):
                details.remarks.append(f"{label}: {', '.join(filter(None, headwords))}")
                details.converted_columns.add(cell.name)
            elif not _ID_COLUMN.search(cell.name):
                details.remarks.append(f"{label}: {cell.text}")
    return details


def _normalize_name(name: str) -> str:
    return _NOT_LETTERS.sub(" ", name).strip().casefold()


def _find_column_language(column: str, label: str) -> str | None:
    """Return the language of a column of meanings, such as `Gloss_French`, or `alt_translation1` with a title."""
    match = _MEANING_COLUMN.fullmatch(_normalize_name(column))
    if match:
        return find_code(match[1])
    return find_code(label) if _ALTERNATIVE_TRANSLATION.fullmatch(_normalize_name(column)) else None


def _parse_texts(field: str, text: str, row: Mapping[str, str], data: DataSet, options: ImportOptions) -> list[str]:
    """Return the texts of a cell for a field; an empty list if its value cannot be mapped."""
    if field == "reference":
        return cite_sources(row, data)
    if field == "gender":
        return [
            value
            for value in (options.values.get("gender", {}).get(text) or GENDER_BY_LABEL.get(text.casefold()),)
            if value
        ]
    if field == "context":
        mapped = options.values.get("context", {}).get(text)
        return [mapped] if mapped else []
    if field == "forms":
        # A cell with remarks in brackets becomes a remark as a whole.
        return [] if "(" in text else [form for form in _FORM_SEPARATOR.split(text) if form]
    return [text]
