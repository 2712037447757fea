"""Columns of tables: recognition of headings, and mappings by the user."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.languages import canonical_code, find_code
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS
from abhidhan.records.kinds.word import POSITION_FIELD, REMARK_FIELDS, WORD_DETAIL_FIELDS

WORD_FIELDS: Final = (*WORD_DETAIL_FIELDS, *REMARK_FIELDS, POSITION_FIELD)

RECORD_FIELDS: Final = (*WORD_DETAIL_FIELDS, *REMARK_FIELDS, *IDEA_ROW_FIELDS)
"""Fields of records that a column may hold; the records define their headings."""

POSITION_COLUMN: Final = "sense_position"
"""Heading for the position of a meaning in its word; "position" alone is ambiguous in other files."""

FIELD_BY_HEADING: Final[dict[str, str]] = {
    name: field
    for field, names in {
        "key": "no|nr|no.|#|id|key|number|idea|ideaid|idea_id|concept_no|concept_id|cp|concepticon_id|sl no|sl. no.|"
        "sl.|s. no.|s.no.|sr. no.|serial no.",
        "word": "word|words|headword|term|lemma|entry|text",
        "translation": "translation|translations|meaning|meanings|gloss|equivalent|equivalents",
        "language": "language|lang|language_code",
        "definition": "definition|sense|explanation|description",
        "context": "context|contexts|subject|domain|field|topic|subgroup",
        "example": "example|examples|usage|sentence|sentences",
        "forms": "forms|inflections",
        POSITION_FIELD.name: POSITION_COLUMN,
        **{field.name: f"{field.name}|{field.headings}" for field in RECORD_FIELDS},
    }.items()
    for name in names.split("|")
    if name
}
"""Fields by heading; columns with unknown headings are skipped."""

LANGUAGE_FIELDS: Final = frozenset(
    {"word", "definition", "example", "roman", "ipa", "asm", "variant", "origin", "note"}
)

PER_WORD_FIELDS: Final = frozenset({"roman", "ipa", "asm"})
"""Fields whose cells list several values: one for each word in the row's cell of words, in order."""

SERIAL_NUMBER_HEADINGS: Final = frozenset({"Sl", "SL"})
"""Headings of serial numbers that would otherwise be a language code (Slovenian)."""

WORD_COLUMN_TOKENS: Final = frozenset({"name", "names", "form", "spelling", "script"})
"""Tokens that mark a column of words if the heading also has a language: "Assamese name"."""

STOP_WORDS: Final = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "my", "of", "on", "or", "the", "to", "with"}
)
"""English words that are not language codes when separated by spaces: "Word in English"."""

NON_LANGUAGE_CODES: Final = frozenset({"img", "num", "src", "tag", "url"})
"""Abbreviations that are valid language codes, but rarely mean a language in headings."""

MAX_TITLE_ROWS: Final = 10
"""Number of rows at the start of a table in which the headings are searched."""

_LANGUAGE_CODE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Z][a-z]{3})?")
_TOKEN_SEPARATOR: Final = re.compile(r"[\s_:()\[\]]+")
_SUBTOKEN_SEPARATOR: Final = re.compile(r"[\s_:\-()\[\]]+")


class Column(NamedTuple):
    """The content of a table column: a field, and its language if the heading names one."""

    field: str
    language: str | None = None


class ColumnGuess(NamedTuple):
    """The guessed fields of a table's columns, by heading (None if a column is skipped), and its first row."""

    file: str
    columns: list[tuple[str, Column | None]]
    first_row: list[str]


def guess_columns(header: Iterable[str], options: ImportOptions) -> dict[str, Column]:
    """Return the field of each column: by the user's mapping, else guessed from its heading."""
    columns = {}
    for name in header:
        mapped = options.columns.get(name.strip())
        column = _parse_column_spec(mapped) if mapped else _guess_column(name)
        if column is not None and column.field != "ignore":
            columns[name] = column
    return columns


def _parse_column_spec(spec: str) -> Column:
    field, _, language = spec.partition(":")
    fields = {*FIELD_BY_HEADING.values(), "ignore"}
    if field not in fields:
        raise InputError.of(
            "mapping", f"{quoted(spec)} is not a field of a table; the fields are {', '.join(sorted(fields))}."
        )
    return Column(field, language or None)


def find_header_index(rows: Sequence[Sequence[str]], options: ImportOptions) -> int | None:
    """Return the index of the heading row among the first rows; None if no row names a column of words.

    It is the first row, or, below titles, the first row that consists of headings only or is wider than the titles.
    """
    if options.columns:
        mapped = (index for index, row in enumerate(rows) if any(cell.strip() in options.columns for cell in row))
        if (mapped_index := next(mapped, None)) is not None:
            return mapped_index
    guessed = [guess_columns(row, options) for row in rows]
    filled = [[cell for cell in row if cell.strip()] for row in rows]
    for index, columns in enumerate(guessed):
        is_wide = has_word_column(columns.values()) and len(set(columns.values())) > 1
        is_widest = all(len(row) < len(filled[index]) for row in filled[:index])
        if is_wide and (all(cell in columns for cell in filled[index]) or (is_widest and index)):
            return index
    return 0 if rows and has_word_column(guessed[0].values()) else None


def has_word_column(columns: Iterable[Column]) -> bool:
    """Return whether any of the columns holds words."""
    return any(column.field in {"word", "translation"} for column in columns)


def _guess_column(name: str) -> Column | None:
    plain = " ".join(name.lower().split())
    if name.strip() in SERIAL_NUMBER_HEADINGS:
        return Column("key")
    if field := FIELD_BY_HEADING.get(plain) or FIELD_BY_HEADING.get(plain.replace(" ", "_")):
        return Column(field)
    for separators in (_TOKEN_SEPARATOR, _SUBTOKEN_SEPARATOR):
        tokens = [token for token in separators.split(name.strip()) if token]
        if " " in plain:
            tokens = [token for token in tokens if token.lower() not in STOP_WORDS] or tokens
        if len(tokens) > 1 and (column := _guess_from_tokens(tokens)):
            return column
    language = _find_language(name.strip())
    return Column("word", language) if language else None


def _guess_from_tokens(tokens: Sequence[str]) -> Column | None:
    """Guess the field and language of a heading with several words."""
    # "Page no" is not the key of a row.
    fields = [field for token in tokens if (field := FIELD_BY_HEADING.get(token.lower())) and field != "key"]
    other_tokens = [token for token in tokens if token.lower() not in FIELD_BY_HEADING]
    language = _find_language(" ".join(other_tokens)) or next(filter(None, map(_find_language, other_tokens)), None)
    if fields and fields[0] in LANGUAGE_FIELDS:
        return Column(fields[0], language)
    if fields and language:
        return Column("word", language) if fields[0] == "translation" else None
    if fields:
        return Column(fields[0])
    is_word_column = any(token.lower() in WORD_COLUMN_TOKENS for token in other_tokens)
    column_language = next(filter(None, map(_find_language, other_tokens)), None) if is_word_column else None
    return Column("word", column_language) if column_language else None


@cache
def _find_language(name: str) -> str | None:
    """Return the canonical code for a language code or name; None if it is neither."""
    is_code = _LANGUAGE_CODE.fullmatch(name) is not None and name.lower() not in NON_LANGUAGE_CODES
    return (canonical_code(name) if is_code else None) or find_code(name)


# --- mappings by the user -------------------------------------------------------------------------------------------


MAPPING_KINDS: Final = ("language", "pos", "gender", "context", "variant", "relation", "category")


class ColumnMapping(msgspec.Struct, forbid_unknown_fields=True):
    """A mapping of columns to fields (`word:as`, `definition:en`, `pos`, ...), and of values by kind.

    `header` lists the fields of a table without headings, in order.
    """

    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    header: tuple[str, ...] = ()


def read_mapping(file: Path | None, options: list[str], header: str = "") -> ColumnMapping:
    """Read a mapping file, and options that override it: `language:ast=as`, and `word:en,word:as` for columns.

    Raises InputError.
    """
    mapping = _read_mapping_file(file) if file else ColumnMapping()
    if header:
        mapping.header = tuple(column.strip() for column in header.split(","))
    mapping.columns |= {column: column for column in mapping.header}
    for option in options:
        kind, colon, pair = option.partition(":")
        label, equals, value = pair.rpartition("=")
        if not (colon and equals and label and kind in MAPPING_KINDS):
            raise InputError.of(
                "map",
                f"{quoted(option)} is not a mapping: write a kind ({', '.join(MAPPING_KINDS)}), a colon, the value, = "
                "and its meaning.",
            )
        mapping.values.setdefault(kind, {})[label] = value
    return mapping


def _read_mapping_file(file: Path) -> ColumnMapping:
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), ColumnMapping)
    except OSError as error:
        raise InputError.of("mapping", f"The mapping file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise InputError.of("mapping", f"The mapping file {file} is not valid: {error}.") from error
