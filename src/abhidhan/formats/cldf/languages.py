"""Languages of a CLDF data set with their codes, and parsing of phonetic transcriptions."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.importer_api import ImportOptions, join_notes
from abhidhan.formats.languages import canonical_code
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import LanguageRecord, WordRecord

CODE_BY_GLOTTOCODE: Final = {
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
"""ISO 639-3 codes for glottocodes of varieties that ISO 639-3 does not distinguish."""

UNCODED_PREFIX: Final = "mis-"
"""Prefix of codes for languages that ISO 639-3 lacks; the glottocode follows, which is a valid subtag."""

TRANSCRIPTION_SCRIPT: Final = "Latn"
_GLOTTOCODE: Final = re.compile(r"[a-z]{4}\d{4}")


class DataSetLanguage(NamedTuple):
    """A language of a data set: code, name, line in the table, and a new record if it has no standard code."""

    code: str
    name: str
    new_record: LanguageRecord | None
    line: int


def read_languages(data: DataSet, options: ImportOptions) -> dict[str, DataSetLanguage]:
    """Return the languages by ID, without those whose code is unknown."""
    languages = {}
    for (_, line), row in data.iter_rows("LanguageTable"):
        if isinstance(row, RecordError):
            continue
        code = _find_code(row, options)
        if code:
            name = _clean_name(row.get("name", "") or row.get("id", ""))
            languages[row.get("id", "")] = DataSetLanguage(code, name, _build_new_record(code, row, name), line)
    return languages


def iter_new_languages(data: DataSet, languages: Mapping[str, DataSetLanguage]) -> Iterator[LocatedRecord]:
    """Yield records for the languages without an ISO 639-3 code."""
    table = data.tables.get("LanguageTable")
    for language in languages.values():
        if language.new_record is not None and table is not None:
            yield LocatedRecord(table.file, language.line, language.new_record)


def _clean_name(name: str) -> str:
    """Clean a language name, and drop repeated parts, as in Garo_Garo."""
    return " ".join(dict.fromkeys(name.replace("_", " ").split()))


def _find_code(row: dict[str, str], options: ImportOptions) -> str:
    """Return the code mapped by the user, else the ISO 639-3 code, else one derived from the glottocode."""
    mapped = options.values.get("language", {}).get(row.get("id", ""))
    iso_code = mapped or row.get("iso639P3code", "")
    canonical = canonical_code(iso_code) if iso_code else None
    glottocode = row.get("glottocode", "")
    if mapped or canonical or not _GLOTTOCODE.fullmatch(glottocode):
        return canonical or iso_code
    return CODE_BY_GLOTTOCODE.get(glottocode) or f"{UNCODED_PREFIX}{glottocode}"


def _build_new_record(code: str, row: dict[str, str], name: str) -> LanguageRecord | None:
    """Return a language record if a language has no standard code; None otherwise."""
    if not code.startswith(UNCODED_PREFIX):
        return None
    display_name = row.get("Glottolog_Name", "") or name
    return LanguageRecord(0, code, None, display_name, display_name, TRANSCRIPTION_SCRIPT)


# --- phonetic transcriptions ----------------------------------------------------------------------------------------


BOUNDARIES: Final = frozenset({"+", "_", "◦", ""})
"""Boundaries of morphemes and words in lists of segments."""

SYLLABLE_END: Final = "◦"
"""STEDT's mark for the end of a morpheme or syllable."""

SPELLING_COLUMNS: Final = frozenset({"native_script", "phon_form"})
"""Columns that only data sets with separate spellings and transcriptions have."""

TRANSCRIPTION_NOTE: Final = "phonetic transcription"
LOANWORD: Final = "Loanword"
_LETTER: Final = re.compile(r"[^\W\d_]")
_SOURCE_REFERENCE: Final = re.compile(r"([^;\[\]]*[^;\[\]\s])\s*(?:\[([^\]]*)\])?")
_YEAR: Final = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")


def has_transcriptions(data: DataSet) -> bool:
    """Return whether a data set's forms are transcriptions: they have segments, and no separate spelling."""
    names = data.list_columns("FormTable")
    return "Segments" in names and not names & SPELLING_COLUMNS


def build_transcribed_word(
    row: Mapping[str, str], language: DataSetLanguage, data: DataSet, source: str | None
) -> WordRecord:
    """Build a word from a transcription, marked as such, with its sources and variety."""
    return WordRecord(
        language.code,
        clean_form(row),
        ipa=_join_sounds(row.get("segments", "")),
        variant=LOANWORD if is_loanword(row) else None,
        reference=join_notes(*(f"{work}: {language.name}" for work in cite_sources(row, data))) or language.name,
        note=join_notes(TRANSCRIPTION_NOTE, row.get("comment") if _LETTER.search(row.get("comment", "")) else None),
        source=source,
    )


def clean_form(row: Mapping[str, str]) -> str:
    """Return a form as its source spells it, without the dots that some data sets insert between letters."""
    form = row.get("form", "") or row.get("value", "")
    plain = form
    if form.count(".") > row.get("value", form).count("."):
        plain = "".join(
            " " if segment == "_" else segment.partition("/")[0] for segment in form.split(".") if segment != "+"
        )
    plain = plain.replace(SYLLABLE_END, "").replace("_", " ")
    return " ".join(plain.split()) or form


def _join_sounds(segments: str) -> str | None:
    """Return segments as IPA. Of a segment such as `mh/m̥` (spelling/sound), only the sound is used."""
    sounds = [segment.rpartition("/")[2] or segment for segment in segments.split() if segment not in BOUNDARIES]
    return "".join(sounds) or None


def is_loanword(row: Mapping[str, str]) -> bool:
    """Return whether a form is a loanword."""
    return row.get("Loan", "").casefold() == "true"


def cite_sources(row: Mapping[str, str], data: DataSet) -> list[str]:
    """Return the short names of a row's sources, such as "Marrison 1967", with pages if the row has them."""
    works = []
    for key, pages in _SOURCE_REFERENCE.findall(row.get("source", "")):
        name = data.work_names.get(key.strip(), key.strip())
        works.append(f"{name}, {pages}" if pages else name)
    return works


def format_years(data: DataSet) -> str:
    """Return the year or range of years of a data set's sources; empty if unknown."""
    years = sorted(match[1] for work in data.work_names.values() if (match := _YEAR.search(work)))
    return "" if not years else years[0] if years[0] == years[-1] else f"{years[0]} to {years[-1]}"
