"""The languages of a CLDF data set, with codes for varieties that have none, and forms that are transcriptions."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.importer_api import Options, joined
from abhidhan.formats.languages import canonical_code
from abhidhan.records.import_records import Fault, Placed
from abhidhan.records.kinds import LanguageRecord, WordRecord

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


# --- phonetic transcriptions: how they are written, and what marks them ---------------------------------------------


BOUNDARIES: Final = frozenset({"+", "_", "◦", ""})
"""What stands between morphemes and words in lists of segments."""

SYLLABLE_END: Final = "◦"
"""What STEDT writes where a morpheme or syllable ends."""

SPELLED: Final = frozenset({"native_script", "phon_form"})
"""Columns of data sets that tell spelling and sound apart."""

MARK: Final = "phonetic transcription"
LOANWORD: Final = "Loanword"
_LETTER: Final = re.compile(r"[^\W\d_]")
_SOURCE: Final = re.compile(r"([^;\[\]]*[^;\[\]\s])\s*(?:\[([^\]]*)\])?")
_YEAR: Final = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")


def has_transcriptions(data: DataSet) -> bool:
    """Say whether the forms of a data set are no spellings: they are parted into sounds, and there are no others."""
    names = data.columns("FormTable")
    return "Segments" in names and not names & SPELLED


def transcribed(row: Mapping[str, str], listed: Listed, data: DataSet, source: str | None) -> WordRecord:
    """Make a word of a transcription, marked as such, with who wrote it down, when, and in which variety."""
    return WordRecord(
        listed.code,
        written_form(row),
        ipa=_sounds(row.get("segments", "")),
        variant=LOANWORD if is_loan(row) else None,
        reference=joined(*(f"{one}: {listed.name}" for one in sources_of(row, data))) or listed.name,
        note=joined(MARK, row.get("comment") if _LETTER.search(row.get("comment", "")) else None),
        source=source,
    )


def written_form(row: Mapping[str, str]) -> str:
    """Write a form as its source does: without the dots that some data sets put between all letters."""
    form = row.get("form", "") or row.get("value", "")
    plain = form
    if form.count(".") > row.get("value", form).count("."):
        plain = "".join(" " if one == "_" else one.partition("/")[0] for one in form.split(".") if one != "+")
    plain = plain.replace(SYLLABLE_END, "").replace("_", " ")
    return " ".join(plain.split()) or form


def _sounds(segments: str) -> str | None:
    """Write sounds in IPA: of `mh/m̥`, which tells what is written and what it stands for, the latter."""
    sounds = [one.rpartition("/")[2] or one for one in segments.split() if one not in BOUNDARIES]
    return "".join(sounds) or None


def is_loan(row: Mapping[str, str]) -> bool:
    """Return whether a form is a loanword."""
    return row.get("Loan", "").casefold() == "true"


def sources_of(row: Mapping[str, str], data: DataSet) -> list[str]:
    """Name the works from which a row is, such as "Marrison 1967", with the pages where the data set tells them."""
    works = []
    for key, pages in _SOURCE.findall(row.get("source", "")):
        name = data.works.get(key.strip(), key.strip())
        works.append(f"{name}, {pages}" if pages else name)
    return works


def years_of(data: DataSet) -> str:
    """Say of when the works are from which a data set is made: one year, or the first and the last; maybe nothing."""
    years = sorted(found[1] for work in data.works.values() if (found := _YEAR.search(work)))
    return "" if not years else years[0] if years[0] == years[-1] else f"{years[0]} to {years[-1]}"
