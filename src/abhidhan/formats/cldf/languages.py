"""The languages of a CLDF data set: their codes, also of varieties that have none of their own, and their names."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.importer_api import Options
from abhidhan.formats.languages import canonical_code
from abhidhan.records.import_records import Fault, Placed
from abhidhan.records.kinds import LanguageRecord

CODES_OF_GLOTTOLOG: Final = {
    "beij1235": "cmn",
    "chao1238": "nan",
    "chao1239": "nan",
    "eree1240": "jiq",
    "guan1279": "yue",
    "horp1240": "ero",
    "japh1234": "jya",
    "jing1260": "kac",
    "oldb1235": "obr",
    "situ1238": "jya",
    "ukhr1238": "nmf",
    "utsa1239": "bo",
}
"""Languages of which Glottolog lists varieties, where ISO 639-3 has only the language: by their glottocodes."""

UNCODED: Final = "mis-"
"""ISO 639-3's code for languages that have none, before the glottocode, which is a subtag by its form."""

TRANSCRIBED: Final = "Latn"
_GLOTTOCODE: Final = re.compile(r"[a-z]{4}\d{4}")


class Listed(NamedTuple):
    """A language as a data set lists it: its code, what the list calls it, and what is new with it."""

    code: str
    name: str
    new: LanguageRecord | None
    line: int


def read_languages(data: DataSet, options: Options) -> dict[str, Listed]:
    """Read the languages, by their IDs. Those of which nothing tells a code are left out."""
    found = {}
    for (_, line), row in data.rows("LanguageTable"):
        if isinstance(row, Fault):
            continue
        code = _code(row, options)
        if code:
            name = _called(row.get("name", "") or row.get("id", ""))
            found[row.get("id", "")] = Listed(code, name, _new(code, row, name), line)
    return found


def new_languages(data: DataSet, languages: Mapping[str, Listed]) -> Iterator[Placed]:
    """Describe the languages that have no code of their own."""
    described = data.tables.get("LanguageTable")
    for one in languages.values():
        if one.new is not None and described is not None:
            yield Placed(described.file, one.line, one.new)


def _called(name: str) -> str:
    """Write the name of a list without what it says twice, as Garo_Garo does."""
    return " ".join(dict.fromkeys(name.replace("_", " ").split()))


def _code(row: dict[str, str], options: Options) -> str:
    """Return the code that the person says, else that of ISO 639-3, else one by which Glottolog knows the language."""
    mapped = options.values.get("language", {}).get(row.get("id", ""))
    given = mapped or row.get("iso639P3code", "")
    known = canonical_code(given) if given else None
    glottocode = row.get("glottocode", "")
    if mapped or known or not _GLOTTOCODE.fullmatch(glottocode):
        return known or given
    return CODES_OF_GLOTTOLOG.get(glottocode) or f"{UNCODED}{glottocode}"


def _new(code: str, row: dict[str, str], name: str) -> LanguageRecord | None:
    """Describe a language that no list of codes can describe."""
    if not code.startswith(UNCODED):
        return None
    called = row.get("Glottolog_Name", "") or name
    return LanguageRecord(0, code, None, called, called, TRANSCRIBED)
