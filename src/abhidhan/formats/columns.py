"""The columns of tables: what their headings say, and what may be guessed of them."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from iso639 import Lang
from iso639.exceptions import InvalidLanguageValue

from abhidhan.domain.records.idea import IDEA_ROW
from abhidhan.domain.records.word import DETAILS, REMARKS
from abhidhan.errors import InputError, quoted
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.reading import Options

OF_A_WORD: Final = (*DETAILS, *REMARKS)

OF_A_RECORD: Final = (*OF_A_WORD, *IDEA_ROW)
"""Fields of which a column holds what a record holds; what their columns are called, the records say."""

FIELDS: Final[dict[str, str]] = {
    name: field
    for field, names in {
        "key": "no|nr|no.|#|id|key|number|idea|ideaid|idea_id|concept_no|concept_id|cp|concepticon_id|sl no|sl. no.",
        "word": "word|headword|term|lemma|entry|text",
        "translation": "translation|translations|meaning|meanings|gloss|equivalent",
        "language": "language|lang|language_code",
        "definition": "definition|sense|explanation|description",
        "context": "context|contexts|subject|domain|field|topic|subgroup",
        "example": "example|examples|usage",
        "forms": "forms|inflections",
        **{field.name: f"{field.name}|{field.headings}" for field in OF_A_RECORD},
    }.items()
    for name in names.split("|")
    if name
}
"""What columns are called. Those of no known name are passed over."""

OF_A_LANGUAGE: Final = frozenset({"word", "definition", "example", "roman", "ipa", "asm", "variant", "origin", "note"})

OF_EACH_WORD: Final = frozenset({"roman", "ipa", "asm"})
"""Fields whose cell says it for each of several words in a cell, in their order."""

SHORTEST_NAME: Final = 3
"""The English name of a language has at least so many letters (Ao and the like have a code)."""

_CODE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Z][a-z]{3})?")
_PARTS: Final = re.compile(r"[\s_:\-()\[\]]+")


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


def _guess(name: str) -> Column | None:
    plain = " ".join(name.lower().split())
    if plain in FIELDS:
        return Column(FIELDS[plain])
    tokens = [token for token in _PARTS.split(name.strip()) if token]
    fields = [FIELDS[token.lower()] for token in tokens if token.lower() in FIELDS]
    languages = [code for token in tokens if token.lower() not in FIELDS and (code := _language(token))]
    if len(tokens) > 1 and fields and fields[0] in OF_A_LANGUAGE:
        return Column(fields[0], languages[0] if languages else None)
    language = _language(name.strip())
    if language:
        return Column("word", language)
    return Column(fields[0]) if fields and not languages else None


@cache
def _language(name: str) -> str | None:
    """Read a language from a code or its English name."""
    if _CODE.fullmatch(name):
        return canonical_code(name)
    if len(name) < SHORTEST_NAME:
        return None
    try:
        return canonical_code(str(Lang(name.title()).pt3))
    except InvalidLanguageValue:
        return None
