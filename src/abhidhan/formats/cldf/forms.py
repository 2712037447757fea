"""Reader of CLDF word lists, whose forms become words of their concepts."""

import re
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import (
    LOANWORD,
    TRANSCRIPTION_NOTE,
    DataSetLanguage,
    build_transcribed_word,
    cite_sources,
    has_transcriptions,
    is_loanword,
)
from abhidhan.formats.cldf.losses import ColumnTreatment, find_row_losses
from abhidhan.formats.importer_api import ParsedRecord, SeenRecords, join_notes, parse_words
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.records.errors import quoted
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, SourceRecord, WordRecord

CONCEPTICON: Final = SourceRecord(
    "concepticon", "CLLD Concepticon", "CC-BY-4.0", "https://concepticon.clld.org/", "List et al., CLLD Concepticon"
)

LIST_COLUMNS: Final = frozenset({"form", "native_script", "phon_form"})
"""Columns that may hold several forms."""

REFERENCE_COLUMNS: Final = frozenset({"languageReference", "parameterReference", "mediaReference"})
"""Columns with IDs of rows in other tables; an ID without a row is reported as an error."""

SPELLING_COLUMNS: Final = frozenset({"native_script", "form", "phon_form", "Phonemic"})

_LETTER: Final = re.compile(r"[^\W_]")
_UNSPACED_COMMA: Final = re.compile(r",(?=\S)")
_SOUND_SEPARATOR: Final = re.compile(r"[\sˈˌ.+_()/-]+")
_PLACEHOLDERS: Final = frozenset({"etc", "et al"})
"""Texts that only say that a list is incomplete, and are not words."""


class WordListReader:
    """Reader of the forms of a data set."""

    def __init__(self, data: DataSet, languages: Mapping[str, DataSetLanguage], source: str) -> None:
        """Initialise; `languages` are those of the data set, by their IDs there."""
        self._data = data
        self._languages = languages
        self._source = source
        self._has_transcriptions = has_transcriptions(data)
        self._concepts: dict[str, IdeaRecord] = {}

    def read(self) -> Iterator[ParsedRecord]:
        """Yield a word for each form. Concepts with the same Concepticon ID become one idea."""
        for _, row in self._data.iter_rows("ParameterTable"):
            if not isinstance(row, RecordError):
                self._concepts[row.get("id", "")] = self._build_concept(row)
        used_concepts = set()
        with FormMerger() as merger:
            for location, row in self._data.iter_rows("FormTable"):
                if isinstance(row, RecordError):
                    yield row
                    continue
                concept = self._concepts.get(row.get("parameterReference", ""))
                language = self._languages.get(row.get("languageReference", ""))
                words = self._parse_words(row, language, concept) if concept and language else ()
                if not concept or not language or not words:
                    yield RecordError(*location, self._format_error(row, concept, language))
                    continue
                used_concepts.add(row.get("parameterReference", ""))
                ideas = [msgspec.structs.replace(concept, words=(word,)) for word in words]
                records = [LocatedRecord(*location, idea) for idea in ideas]
                yield from find_row_losses(
                    self._data,
                    "FormTable",
                    (location, row),
                    records,
                    ColumnTreatment(self._list_converted_columns(row), LIST_COLUMNS),
                )
                for idea in ideas:
                    merger.add(*location, idea)
            yield from merger.merge()
        yield from self._find_concept_losses(used_concepts)

    def _build_concept(self, row: Mapping[str, str]) -> IdeaRecord:
        concepticon_id = row.get("concepticonReference", "")
        definition = row.get("Concepticon_Definition", "") or row.get("description", "")
        name = row.get("name", "") or row.get("Concepticon_Gloss", "")
        return IdeaRecord(
            CONCEPTICON.code if concepticon_id else self._source,
            concepticon_id or row.get("id", ""),
            None,
            (),
            definitions=tuple(DefinitionRecord("en", text) for text in dict.fromkeys((definition, name)) if text),
        )

    def _parse_words(
        self, row: Mapping[str, str], language: DataSetLanguage, concept: IdeaRecord
    ) -> tuple[WordRecord, ...]:
        """Return the words of a row; an empty tuple if its form is only a placeholder such as `-`."""
        source = self._source if concept.source != self._source else None
        if self._has_transcriptions:
            word = build_transcribed_word(row, language, self._data, source)
            return (word,) if _LETTER.search(word.text) else ()
        cells = {name: _parse_forms(language.code, row.get(name, "")) for name in SPELLING_COLUMNS}
        cells["form"] = cells["form"] or _parse_forms(language.code, row.get("value", ""))
        spellings = cells["native_script"] or cells["form"]
        base_word = WordRecord(
            language.code,
            "",
            variant=LOANWORD if is_loanword(row) else None,
            reference=join_notes(*cite_sources(row, self._data)),
            note=join_notes(row.get("Gloss"), row.get("comment")),
            source=source,
        )
        roman = cells["form"] if cells["native_script"] else ()
        ipa = cells["phon_form"] or cells["Phonemic"]
        return tuple(
            msgspec.structs.replace(
                base_word,
                text=form.text,
                roman=_get_text_at(roman, index, len(spellings)),
                ipa=_get_text_at(ipa, index, len(spellings)) or (None if ipa else _join_segments(row)),
                note=join_notes(
                    form.note,
                    base_word.note,
                    *_iter_unaligned_notes("roman", roman, spellings),
                    *_iter_unaligned_notes("ipa", ipa, spellings),
                ),
            )
            for index, form in enumerate(spellings)
        )

    def _format_error(self, row: Mapping[str, str], concept: object, language: object) -> str:
        if concept is None:
            return f"There is no concept {quoted(row.get('parameterReference', ''))}."
        if language is None:
            name = row.get("languageReference", "")
            return f"The language {quoted(name)} has no ISO 639-3 code: map it with --map language:{name}=…."
        form = row.get("form", "") or row.get("value", "")
        return f"The row has no form, only {quoted(form)}." if form else "The row has no form."

    def _list_converted_columns(self, row: Mapping[str, str]) -> set[str]:
        """Return the columns whose values are converted, so that no record contains them literally."""
        columns = set(REFERENCE_COLUMNS)
        if row.get("Loan", "").casefold() in {"true", "false"}:
            columns.add("Loan")
        if row.get("value") == row.get("form"):
            columns.add("value")
        if self._has_transcriptions:
            columns |= {"form", "source", "segments"}
        elif cite_sources(row, self._data):
            columns.add("source")
        ipa = row.get("phon_form") or row.get("Phonemic", "")
        if not ipa or _strip_sound_separators(row.get("segments", "")) == _strip_sound_separators(ipa):
            columns.add("segments")
        return columns

    def _find_concept_losses(self, used_concepts: set[str]) -> Iterator[ParsedRecord]:
        for location, row in self._data.iter_rows("ParameterTable"):
            if isinstance(row, RecordError):
                yield row
            else:
                concept_id = row.get("id", "")
                records = [LocatedRecord(*location, self._concepts[concept_id])] if concept_id in used_concepts else []
                yield from find_row_losses(self._data, "ParameterTable", (location, row), records, ColumnTreatment())


def _parse_forms(language: str, text: str) -> tuple[WordRecord, ...]:
    """Return the forms of a cell, which may list several, with notes in brackets."""
    words = parse_words(language, _UNSPACED_COMMA.sub(", ", text))
    return tuple(word for word in words if _LETTER.search(word.text) and word.text.casefold() not in _PLACEHOLDERS)


def _get_text_at(forms: tuple[WordRecord, ...], index: int, count: int) -> str | None:
    """Return the text of a form at an index; None unless there are exactly `count` forms."""
    return forms[index].text if len(forms) == count else None


def _iter_unaligned_notes(name: str, forms: tuple[WordRecord, ...], spellings: tuple[WordRecord, ...]) -> Iterator[str]:
    if forms and len(forms) != len(spellings):
        yield f"{name}: {', '.join(piece.text for piece in forms)}"


def _strip_sound_separators(text: str) -> str:
    """Strip separators and stress from a sequence of sounds."""
    return _SOUND_SEPARATOR.sub("", text)


def _join_segments(row: Mapping[str, str]) -> str | None:
    return "".join(segment for segment in row.get("segments", "").split() if segment not in {"+", "_"}) or None


class _FormOccurrence(msgspec.Struct, frozen=True):
    """An occurrence of a form: its file and line, and an idea with its word."""

    file: str
    line: int
    record: IdeaRecord


class FormMerger:
    """Merger of equal forms from several word lists of a language into one word."""

    def __init__(self) -> None:
        """Initialise; forms beyond a limit go into a temporary file."""
        self._sorter = ExternalSorter(Path(tempfile.gettempdir()))
        self._count = 0

    def add(self, file: str, line: int, idea: IdeaRecord) -> None:
        """Add an idea with one word."""
        (word,) = idea.words
        name = f"{idea.source}\t{idea.key}\t{word.language}\t{word.text}"
        self._count += 1
        self._sorter.add(
            SortItem(
                name.encode("utf-8", "surrogatepass"),
                msgspec.msgpack.encode(_FormOccurrence(file, line, idea)),
                self._count,
            )
        )

    def merge(self) -> Iterator[LocatedRecord]:
        """Yield each word of an idea once, with the details from every list."""
        seen = SeenRecords()
        for _, entries in groupby(self._sorter, key=lambda entry: entry.key):
            items = sorted(entries, key=lambda entry: entry.number)
            occurrences = [msgspec.msgpack.decode(entry.payload, type=_FormOccurrence) for entry in items]
            first = occurrences[0]
            word = seen.with_remarks(
                _merge_words([word for occurrence in occurrences for word in occurrence.record.words])
            )
            yield LocatedRecord(first.file, first.line, msgspec.structs.replace(first.record, words=(word,)))

    def __enter__(self) -> Self:
        """Return the merger itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary file."""
        self._sorter.__exit__(kind, error, trace)


def _merge_words(words: list[WordRecord]) -> WordRecord:
    notes = [one.note for one in words if one.note]
    details = {name: [value for one in words if (value := getattr(one, name))] for name in ("roman", "ipa", "variant")}
    return msgspec.structs.replace(
        words[0],
        **{name: next(iter(values), None) for name, values in details.items()},
        reference=join_notes(*(one.reference for one in words)),
        note=join_notes(
            TRANSCRIPTION_NOTE if any(note.startswith(TRANSCRIPTION_NOTE) for note in notes) else None,
            *(note.removeprefix(TRANSCRIPTION_NOTE).lstrip("; ") for note in notes),
            *(f"{name}: {one}" for name, values in details.items() for one in values if one != values[0]),
        ),
    )
