"""Forms of word lists that are phonetic transcriptions: how they are written, and what marks them as such."""

import re
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from abhidhan.domain.incoming import Placed
from abhidhan.domain.records import IdeaRecord, WordRecord
from abhidhan.formats.cldf_files import DataSet
from abhidhan.formats.cldf_languages import Listed
from abhidhan.formats.reading import joined
from abhidhan.formats.writing.sorting import Entry, Sorted

BOUNDARIES: Final = frozenset({"+", "_", "◦", ""})
"""What stands between morphemes and words in lists of segments."""

SYLLABLE_END: Final = "◦"
"""What STEDT writes where a morpheme or syllable ends."""

SPELLED: Final = frozenset({"native_script", "phon_form"})
"""Columns of data sets that tell spelling and sound apart."""

MARK: Final = "phonetic transcription"
LOANWORD: Final = "Loanword"
_LETTER: Final = re.compile(r"[^\W\d_]")
_YEAR: Final = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")


class _Occurrence(msgspec.Struct, frozen=True):
    """A form of a list: the file and line where it stands, and the idea with the word."""

    file: str
    line: int
    record: IdeaRecord


def has_transcriptions(data: DataSet) -> bool:
    """Say whether the forms of a data set are no spellings: they are parted into sounds, and there are no others."""
    names = data.columns("FormTable")
    return "Segments" in names and not names & SPELLED


def transcribed(row: dict[str, str], listed: Listed, data: DataSet, source: str | None) -> WordRecord:
    """Make a word of a transcription, marked as such, with who wrote it down, when, and in which variety."""
    return WordRecord(
        listed.code,
        written_form(row),
        ipa=_sounds(row.get("segments", "")),
        variant=LOANWORD if row.get("Loan", "").casefold() == "true" else None,
        reference=joined(*(f"{one}: {listed.name}" for one in _sources(row, data))) or listed.name,
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


def _sources(row: dict[str, str], data: DataSet) -> Iterator[str]:
    """Name the works from which a form is, such as "Marrison 1967"; pages in brackets are left out."""
    for given in row.get("source", "").split(";"):
        key = given.partition("[")[0].strip()
        if key:
            yield data.works.get(key, key)


def years_of(data: DataSet) -> str:
    """Say of when the works are from which a data set is made: one year, or the first and the last; maybe nothing."""
    years = sorted(found[1] for work in data.works.values() if (found := _YEAR.search(work)))
    return "" if not years else years[0] if years[0] == years[-1] else f"{years[0]} to {years[-1]}"


class Transcriptions:
    """Takes the forms of all lists, and makes those that several lists of a language have in common one word."""

    def __init__(self) -> None:
        """Begin with none; those that memory should not hold go into a temporary file."""
        self._sorted = Sorted(Path(tempfile.gettempdir()))
        self._count = 0

    def add(self, file: str, line: int, idea: IdeaRecord) -> None:
        """Take an idea with one word."""
        (word,) = idea.words
        name = f"{idea.source}\t{idea.key}\t{word.language}\t{word.text}"
        self._count += 1
        self._sorted.add(
            Entry(
                name.encode("utf-8", "surrogatepass"),
                msgspec.msgpack.encode(_Occurrence(file, line, idea)),
                self._count,
            )
        )

    def told(self) -> Iterator[Placed]:
        """Yield the words, each once under an idea, with what each list says of it."""
        for _, entries in groupby(self._sorted, key=lambda entry: entry.key):
            same = sorted(entries, key=lambda entry: entry.number)
            yield _together([msgspec.msgpack.decode(entry.name, type=_Occurrence) for entry in same])

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._sorted.__exit__(kind, error, trace)


def _together(same: list[_Occurrence]) -> Placed:
    first = same[0]
    words = [word for one in same for word in one.record.words]
    word = msgspec.structs.replace(
        words[0],
        variant=next((one.variant for one in words if one.variant), None),
        reference=joined(*(one.reference for one in words)),
        note=joined(MARK, *(one.note.removeprefix(MARK).lstrip("; ") for one in words if one.note)),
    )
    return Placed(first.file, first.line, msgspec.structs.replace(first.record, words=(word,)))
