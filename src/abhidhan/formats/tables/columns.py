"""Columns of tables: recognition of headings, and mappings by the user."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.languages import canonical_code, code_of_name
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.kinds.idea import IDEA_ROW
from abhidhan.records.kinds.word import DETAILS, POSITION, REMARKS

WORD_FIELDS: Final = (*DETAILS, *REMARKS, POSITION)

RECORD_FIELDS: Final = (*DETAILS, *REMARKS, *IDEA_ROW)
"""Fields of records that a column may hold; the records define their headings."""

POSITION_COLUMN: Final = "sense_position"
"""Heading for the position of a meaning in its word; "position" alone is ambiguous in other files."""

FIELDS: Final[dict[str, str]] = {
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
        POSITION.name: POSITION_COLUMN,
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

NAMES_OF_WORDS: Final = frozenset({"name", "names", "form", "spelling", "script"})
"""Tokens that mark a column of words if the heading also has a language: "Assamese name"."""

SMALL_WORDS: Final = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "my", "of", "on", "or", "the", "to", "with"}
)
"""English words that are not language codes when separated by spaces: "Word in English"."""

ABBREVIATIONS: Final = frozenset({"img", "num", "src", "tag", "url"})
"""Abbreviations that are valid language codes, but rarely mean a language in headings."""

MAX_TITLE_ROWS: Final = 10
"""Number of rows at the start of a table in which the headings are searched."""

_CODE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Z][a-z]{3})?")
_PARTS: Final = re.compile(r"[\s_:()\[\]]+")
_SMALL_PARTS: Final = re.compile(r"[\s_:\-()\[\]]+")


class Column(NamedTuple):
    """The content of a table column: a field, and its language if the heading names one."""

    field: str
    language: str | None = None


class ColumnGuess(NamedTuple):
    """The guessed fields of a table's columns, by heading (None if a column is skipped), and its first row."""

    file: str
    columns: list[tuple[str, Column | None]]
    first: list[str]


def guess_columns(header: Iterable[str], options: ImportOptions) -> dict[str, Column]:
    """Return the field of each column: by the user's mapping, else guessed from its heading."""
    columns = {}
    for name in header:
        mapped = options.columns.get(name.strip())
        column = _named_column(mapped) if mapped else _guess(name)
        if column is not None and column.field != "ignore":
            columns[name] = column
    return columns


def _named_column(spec: str) -> Column:
    field, _, language = spec.partition(":")
    fields = {*FIELDS.values(), "ignore"}
    if field not in fields:
        raise InputError.of(
            "mapping", f"{quoted(spec)} is not a field of a table; the fields are {', '.join(sorted(fields))}."
        )
    return Column(field, language or None)


def header_index(rows: Sequence[Sequence[str]], options: ImportOptions) -> int | None:
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
        is_wide = has_words(columns.values()) and len(set(columns.values())) > 1
        is_widest = all(len(row) < len(filled[index]) for row in filled[:index])
        if is_wide and (all(cell in columns for cell in filled[index]) or (is_widest and index)):
            return index
    return 0 if rows and has_words(guessed[0].values()) else None


def has_words(columns: Iterable[Column]) -> bool:
    """Return whether any of the columns holds words."""
    return any(column.field in {"word", "translation"} for column in columns)


def _guess(name: str) -> Column | None:
    plain = " ".join(name.lower().split())
    if name.strip() in SERIAL_NUMBER_HEADINGS:
        return Column("key")
    if field := FIELDS.get(plain) or FIELDS.get(plain.replace(" ", "_")):
        return Column(field)
    for separators in (_PARTS, _SMALL_PARTS):
        tokens = [token for token in separators.split(name.strip()) if token]
        if " " in plain:
            tokens = [token for token in tokens if token.lower() not in SMALL_WORDS] or tokens
        if len(tokens) > 1 and (column := _guess_of_tokens(tokens)):
            return column
    language = _language(name.strip())
    return Column("word", language) if language else None


def _guess_of_tokens(tokens: Sequence[str]) -> Column | None:
    """Guess the field and language of a heading with several words."""
    # "Page no" is not the key of a row.
    fields = [field for token in tokens if (field := FIELDS.get(token.lower())) and field != "key"]
    other_tokens = [token for token in tokens if token.lower() not in FIELDS]
    language = _language(" ".join(other_tokens)) or next(filter(None, map(_language, other_tokens)), None)
    if fields and fields[0] in LANGUAGE_FIELDS:
        return Column(fields[0], language)
    if fields and language:
        return Column("word", language) if fields[0] == "translation" else None
    if fields:
        return Column(fields[0])
    is_of_words = any(token.lower() in NAMES_OF_WORDS for token in other_tokens)
    named = next(filter(None, map(_language, other_tokens)), None) if is_of_words else None
    return Column("word", named) if named else None


@cache
def _language(name: str) -> str | None:
    """Return the canonical code for a language code or name; None if it is neither."""
    is_code = _CODE.fullmatch(name) is not None and name.lower() not in ABBREVIATIONS
    return (canonical_code(name) if is_code else None) or code_of_name(name)


# --- mappings by the user -------------------------------------------------------------------------------------------


KINDS: Final = ("language", "pos", "gender", "context", "variant", "relation", "category")


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
    mapping = _read_file(file) if file else ColumnMapping()
    if header:
        mapping.header = tuple(column.strip() for column in header.split(","))
    mapping.columns |= {column: column for column in mapping.header}
    for option in options:
        kind, colon, pair = option.partition(":")
        label, equals, value = pair.rpartition("=")
        if not (colon and equals and label and kind in KINDS):
            raise InputError.of(
                "map",
                f"{quoted(option)} is not a mapping: write a kind ({', '.join(KINDS)}), a colon, the value, = and "
                "its meaning.",
            )
        mapping.values.setdefault(kind, {})[label] = value
    return mapping


def _read_file(file: Path) -> ColumnMapping:
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), ColumnMapping)
    except OSError as error:
        raise InputError.of("mapping", f"The mapping file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise InputError.of("mapping", f"The mapping file {file} is not valid: {error}.") from error
