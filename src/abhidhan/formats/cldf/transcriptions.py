"""Forms of word lists that are phonetic transcriptions: how they are written, and what marks them as such."""

import re
from collections.abc import Mapping
from typing import Final

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import Listed
from abhidhan.formats.importer_api import joined
from abhidhan.records.kinds import WordRecord

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
