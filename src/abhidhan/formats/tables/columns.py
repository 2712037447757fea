"""The columns of tables: what their headings say, and what may be guessed of them."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.importer_api import Options
from abhidhan.formats.languages import canonical_code, code_of_name
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.kinds.idea import IDEA_ROW
from abhidhan.records.kinds.word import DETAILS, POSITION, REMARKS

OF_A_WORD: Final = (*DETAILS, *REMARKS, POSITION)

OF_A_RECORD: Final = (*DETAILS, *REMARKS, *IDEA_ROW)
"""Fields of which a column holds what a record holds; what their columns are called, the records say."""

POSITION_COLUMN: Final = "sense_position"
"""The column of the place of a meaning among those of its word; others call many things a position."""

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
        **{field.name: f"{field.name}|{field.headings}" for field in OF_A_RECORD},
    }.items()
    for name in names.split("|")
    if name
}
"""What columns are called. Those of no known name are passed over."""

OF_A_LANGUAGE: Final = frozenset({"word", "definition", "example", "roman", "ipa", "asm", "variant", "origin", "note"})

OF_EACH_WORD: Final = frozenset({"roman", "ipa", "asm"})
"""Fields whose cell says it for each of several words in a cell, in their order."""

NUMBERS: Final = frozenset({"Sl", "SL"})
"""Headings of serial numbers, in letters that would else be the code of a language (Slovenian)."""

NAMES_OF_WORDS: Final = frozenset({"name", "names", "form", "spelling", "script"})
"""Together with a language, these head words of it, as in "Assamese name"."""

SMALL_WORDS: Final = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "my", "of", "on", "or", "the", "to", "with"}
)
"""English words between spaces, which are no codes of languages there: "Word in English"."""

ABBREVIATIONS: Final = frozenset({"img", "num", "src", "tag", "url"})
"""What headings rarely mean as the code of a language."""

MOST_TITLE_ROWS: Final = 10
"""Among so many rows at the beginning is the one with the headings."""

_CODE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Z][a-z]{3})?")
_PARTS: Final = re.compile(r"[\s_:()\[\]]+")
_SMALL_PARTS: Final = re.compile(r"[\s_:\-()\[\]]+")


class Column(NamedTuple):
    """What a column holds, and of which language."""

    field: str
    language: str | None = None


class Guess(NamedTuple):
    """What the columns of a table are taken for, by their names (None: they are passed over), and its first row."""

    file: str
    columns: list[tuple[str, Column | None]]
    first: list[str]


def guess_columns(header: Iterable[str], options: Options) -> dict[str, Column]:
    """Return what each column of a header holds: as the mapping says, else as its name looks like."""
    found = {}
    for name in header:
        told = options.columns.get(name.strip())
        column = _named_column(told) if told else _guess(name)
        if column is not None and column.field != "ignore":
            found[name] = column
    return found


def _named_column(told: str) -> Column:
    field, _, language = told.partition(":")
    known = {*FIELDS.values(), "ignore"}
    if field not in known:
        raise InputError.of("mapping", f"{quoted(told)} is no field of a table; there are {', '.join(sorted(known))}.")
    return Column(field, language or None)


def header_place(rows: Sequence[Sequence[str]], options: Options) -> int | None:
    """Find the row with the headings among the first rows of a table; None where none names words.

    It is the first one, or that one below titles all of whose cells name columns, or which is wider than they are.
    """
    if options.columns:
        mapped = (place for place, row in enumerate(rows) if any(cell.strip() in options.columns for cell in row))
        if (found := next(mapped, None)) is not None:
            return found
    guessed = [guess_columns(row, options) for row in rows]
    filled = [[cell for cell in row if cell.strip()] for row in rows]
    for place, columns in enumerate(guessed):
        is_wide = has_words(columns.values()) and len(set(columns.values())) > 1
        is_widest = all(len(row) < len(filled[place]) for row in filled[:place])
        if is_wide and (all(cell in columns for cell in filled[place]) or (is_widest and place)):
            return place
    return 0 if rows and has_words(guessed[0].values()) else None


def has_words(columns: Iterable[Column]) -> bool:
    """Return whether any of the columns holds words."""
    return any(column.field in {"word", "translation"} for column in columns)


def _guess(name: str) -> Column | None:
    plain = " ".join(name.lower().split())
    if name.strip() in NUMBERS:
        return Column("key")
    if field := FIELDS.get(plain) or FIELDS.get(plain.replace(" ", "_")):
        return Column(field)
    for separators in (_PARTS, _SMALL_PARTS):
        tokens = [token for token in separators.split(name.strip()) if token]
        if " " in plain:
            tokens = [token for token in tokens if token.lower() not in SMALL_WORDS] or tokens
        if len(tokens) > 1 and (found := _guess_of_tokens(tokens)):
            return found
    language = _language(name.strip())
    return Column("word", language) if language else None


def _guess_of_tokens(tokens: Sequence[str]) -> Column | None:
    """Read a heading of several words: a field, and the language of what it holds."""
    # "Page no" is no key of the row.
    fields = [field for token in tokens if (field := FIELDS.get(token.lower())) and field != "key"]
    others = [token for token in tokens if token.lower() not in FIELDS]
    language = _language(" ".join(others)) or next(filter(None, map(_language, others)), None)
    if fields and fields[0] in OF_A_LANGUAGE:
        return Column(fields[0], language)
    if fields and language:
        return Column("word", language) if fields[0] == "translation" else None
    if fields:
        return Column(fields[0])
    is_of_words = any(token.lower() in NAMES_OF_WORDS for token in others)
    named = next(filter(None, map(_language, others)), None) if is_of_words else None
    return Column("word", named) if named else None


@cache
def _language(name: str) -> str | None:
    """Read a language from a code or a name of it."""
    is_code = _CODE.fullmatch(name) is not None and name.lower() not in ABBREVIATIONS
    return (canonical_code(name) if is_code else None) or code_of_name(name)


# --- mappings that the user gives -----------------------------------------------------------------------------------


KINDS: Final = ("language", "pos", "gender", "context", "variant", "relation", "category")


class Mapping(msgspec.Struct, forbid_unknown_fields=True):
    """What columns hold (`word:as`, `definition:en`, `pos`, ...), and what values mean, by their kind.

    `header` says it of the columns of tables without headings, in their order.
    """

    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    header: tuple[str, ...] = ()


def read_mapping(file: Path | None, options: list[str], header: str = "") -> Mapping:
    """Read a mapping file, and options over it: such as `language:ast=as`, and `word:en,word:as` for columns.

    Raises InputError.
    """
    mapping = _read_file(file) if file else Mapping()
    if header:
        mapping.header = tuple(column.strip() for column in header.split(","))
    mapping.columns |= {column: column for column in mapping.header}
    for option in options:
        kind, colon, pair = option.partition(":")
        given, equals, meant = pair.rpartition("=")
        if not (colon and equals and given and kind in KINDS):
            raise InputError.of(
                "map",
                f"{quoted(option)} is not a mapping: write a kind ({', '.join(KINDS)}), a colon, "
                "what stands there = what it means.",
            )
        mapping.values.setdefault(kind, {})[given] = meant
    return mapping


def _read_file(file: Path) -> Mapping:
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Mapping)
    except OSError as error:
        raise InputError.of("mapping", f"The mapping file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise InputError.of("mapping", f"The mapping file {file} is not valid: {error}.") from error
