"""Reader of CLDF dictionaries: entries with their senses, each of which becomes an idea, and examples."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.cldf.columns import (
    CONVERTED_COLUMNS,
    ENTRIES,
    EXAMPLES,
    FIELDS,
    SENSES,
    SINGLE_TEXT_FIELDS,
    RowDetails,
    read_details,
)
from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import DataSetLanguage
from abhidhan.formats.cldf.losses import ColumnTreatment, Location, find_row_losses
from abhidhan.formats.importer_api import (
    ImportOptions,
    ParsedRecord,
    SeenRecords,
    is_word_list,
    join_notes,
    parse_words,
    wrap_source,
)
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.pos_mapping import VERB, is_verb_label, map_pos
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, LanguageRecord, SourceRecord, WordRecord

Row = Mapping[str, str]

_LABEL_SEPARATOR: Final = re.compile(r"[.:,\s]+")


class _Example(NamedTuple):
    location: Location
    record: ExampleRecord


class EntryReader:
    """Reads the entries of a data set; holds them and the examples in memory."""

    def __init__(
        self, data: DataSet, languages: Mapping[str, DataSetLanguage], options: ImportOptions, source: str
    ) -> None:
        """Initialise; `languages` are those of the data set, by their IDs there."""
        self._data = data
        self._languages = languages
        self._options = options
        self._source = source
        self._description_language = options.map_language(options.target or "en")
        self._entries: dict[str, tuple[Location, Row]] = {}
        self._unused_entries: dict[str, Location] = {}
        self._examples: dict[str, _Example] = {}
        self._unused_examples: dict[str, Location] = {}
        self._example_ids: defaultdict[str, list[str]] = defaultdict(list)
        """The IDs of the examples that refer to a sense or entry, by its ID."""

    def read(self) -> Iterator[ParsedRecord]:
        """Yield an idea for each sense, with the headword of its entry and with its examples."""
        for location, row in self._data.iter_rows(ENTRIES):
            if isinstance(row, RecordError):
                yield row
            else:
                self._entries[row.get("id", "")] = location, row
                self._unused_entries[row.get("id", "")] = location
        yield from self._read_examples()
        seen = SeenRecords()
        for location, row in self._data.iter_rows(SENSES):
            if isinstance(row, RecordError):
                yield row
            else:
                yield from self._read_sense(location, row, seen)
        for location in self._unused_entries.values():
            yield RecordError(*location, "The entry has no sense. Add a row for it to the table of senses.")
        for location in self._unused_examples.values():
            yield RecordError(
                *location,
                "No sense or entry has this example. Refer to the sense in the example, or to the "
                "example in the sense.",
            )

    def _read_examples(self) -> Iterator[ParsedRecord]:
        for location, row in self._data.iter_rows(EXAMPLES):
            if isinstance(row, RecordError):
                yield row
                continue
            language = self._languages.get(row.get("languageReference", ""))
            if language is None or not row.get("primaryText"):
                yield RecordError(*location, "The example has no text, or no language with an ISO code.")
                continue
            example_id = row.get("id", "")
            record = ExampleRecord(language.code, row["primaryText"], row.get("translatedText") or None)
            self._examples[example_id] = _Example(location, record)
            self._unused_examples[example_id] = location
            for name in ("senseReference", "entryReference", "Entry_IDs"):
                for target_id in self._data.split_cell(EXAMPLES, row, name):
                    self._example_ids[target_id].append(example_id)
            idea = LocatedRecord(*location, IdeaRecord(self._source, "", None, (), examples=(record,)))
            yield from find_row_losses(
                self._data, EXAMPLES, (location, row), [idea], ColumnTreatment(self._list_converted_columns(row))
            )

    def _list_converted_columns(self, row: Row) -> set[str]:
        language = self._languages.get(row.get("metaLanguageReference", ""))
        is_usual = language is not None and language.code == self._description_language
        return {*CONVERTED_COLUMNS[EXAMPLES], *(["metaLanguageReference"] if is_usual else [])}

    def _read_sense(self, location: Location, row: Row, seen: SeenRecords) -> Iterator[ParsedRecord]:
        entry_id = row.get("entryReference", "")
        entry_location, entry = self._entries.get(entry_id, (location, {}))
        language = self._languages.get(entry.get("languageReference", ""))
        is_first = self._unused_entries.pop(entry_id, None) is not None
        if language is None or not entry.get("headword"):
            yield RecordError(
                *location, "The sense has no entry, or its entry no headword or no language with an ISO code."
            )
            return
        entry_details = read_details(self._data, ENTRIES, entry, self._find_headword, self._options)
        sense_details = read_details(self._data, SENSES, row, self._find_headword, self._options)
        idea = self._build_idea(row, entry, language, (entry_details, sense_details))
        if len(idea.words) == 1 and not idea.definitions:
            yield RecordError(*location, "The sense has no meaning. Give it a description.")
            return
        located = LocatedRecord(*location, seen.with_unique_key(idea))
        yield located
        yield from find_row_losses(self._data, SENSES, (location, row), [located], sense_details.column_treatment)
        if is_first:
            rows = entry_location, entry
            yield from find_row_losses(self._data, ENTRIES, rows, [located], entry_details.column_treatment)

    def _find_headword(self, entry_id: str) -> str | None:
        _, entry = self._entries.get(entry_id, (None, {}))
        return entry.get("headword")

    def _build_idea(
        self, row: Row, entry: Row, language: DataSetLanguage, details: tuple[RowDetails, RowDetails]
    ) -> IdeaRecord:
        entry_details, sense_details = details
        description = row.get("description", "")
        words: list[WordRecord] = []
        definitions: list[DefinitionRecord] = []
        for code, text in ((self._description_language, description), *entry_details.meanings, *sense_details.meanings):
            if text and is_word_list(text) and code != language.code:
                words += parse_words(code, text)
            elif text:
                definitions.append(DefinitionRecord(code, text))
        pos, remark = self._parse_part_of_speech(entry.get("partOfSpeech", ""))
        texts = {name: [*entry_details.texts.get(name, []), *sense_details.texts.get(name, [])] for name in FIELDS}
        native = next(iter(texts["native"]), None)
        extra_texts = (f"{name}: {text}" for name in SINGLE_TEXT_FIELDS for text in dict.fromkeys(texts[name][1:]))
        head = WordRecord(
            language.code,
            native or entry["headword"],
            roman=next(iter(texts["roman"]), entry["headword"] if native else None),
            ipa=next(iter(texts["ipa"]), None),
            origin=join_notes(*texts["origin"]),
            reference=join_notes(*texts["reference"]),
            note=join_notes(*sense_details.remarks, *entry_details.remarks, *extra_texts, remark),
            forms=tuple(dict.fromkeys(texts["forms"])),
        )
        return IdeaRecord(
            self._source,
            row.get("id", ""),
            pos,
            (head, *words),
            gender=next(iter(texts["gender"]), None),
            contexts=tuple(dict.fromkeys(texts["context"])),
            definitions=tuple(definitions),
            examples=tuple(self._iter_sense_examples(row)),
        )

    def _iter_sense_examples(self, row: Row) -> Iterator[ExampleRecord]:
        example_ids = (*self._data.split_cell(SENSES, row, "exampleReference"), *self._example_ids[row.get("id", "")])
        for example_id in dict.fromkeys((*example_ids, *self._example_ids[row.get("entryReference", "")])):
            if example_id in self._examples:
                self._unused_examples.pop(example_id, None)
                yield self._examples[example_id].record

    def _parse_part_of_speech(self, label: str) -> tuple[str | None, str | None]:
        """Return a part of speech and a remark: the whole label if only a part of it is known, as in `n.fem`.

        An unknown label is returned unchanged, so that the import reports it.
        """
        if not label:
            return None, None
        pos = map_pos(label, self._options) or (VERB if is_verb_label(label) else None)
        if pos:
            return pos, None
        pieces = _LABEL_SEPARATOR.split(label)
        pos = next((part for piece in pieces if (part := map_pos(piece, self._options))), None)
        pos = pos or (VERB if any(map(is_verb_label, pieces)) else None)
        return (pos, label) if pos else (label, None)


# --- data sets written by Abhidhan, which name their sources and ideas ---------------------------------------------


ABHIDHAN_COLUMNS: Mapping[str, frozenset[str]] = {
    "LanguageTable": frozenset({"ID", "Code", "Name", "ISO639P3code", "Native_Name", "Script", "Direction"}),
    ENTRIES: frozenset({"ID", "Language_ID", "Headword", "Part_Of_Speech", "Roman", "IPA"}),
    SENSES: frozenset({"ID", "Description", "Description_Language", "Entry_ID", "Idea", "Source_Code"}),
}
"""Columns that identify a data set written by Abhidhan, by table; other data sets lack some of them."""


def is_abhidhan_data_set(data: DataSet) -> bool:
    """Return whether Abhidhan wrote a data set: its metadata lists sources, and it has all `ABHIDHAN_COLUMNS`."""
    return bool(data.metadata.sources) and all(
        names <= data.list_columns(kind) for kind, names in ABHIDHAN_COLUMNS.items()
    )


def read_abhidhan_data_set(data: DataSet) -> Iterator[ParsedRecord]:
    """Read a data set written by Abhidhan."""
    sources = [SourceRecord(**msgspec.structs.asdict(source)) for source in data.metadata.sources]
    yield from map(wrap_source, sources)
    yield from _AbhidhanReader(data, [source.code for source in sources]).read()


class _AbhidhanReader:
    """Reader of data sets written by Abhidhan; holds their entries and examples in memory."""

    def __init__(self, data: DataSet, sources: list[str]) -> None:
        self._data = data
        # If the name of an idea starts with several of the codes, its source is the longest one.
        self._sources = sorted(sources, key=len, reverse=True)
        self._languages: dict[str, str] = {}
        self._entries: dict[str, Mapping[str, str]] = {}
        self._examples: defaultdict[str, list[ExampleRecord]] = defaultdict(list)

    def read(self) -> Iterator[ParsedRecord]:
        """Yield the languages and ideas. The senses of an idea are consecutive rows."""
        yield from self._read_languages()
        for _, row in self._iter_valid_rows(ENTRIES):
            self._entries[row["ID"]] = row
        for _, row in self._iter_valid_rows(EXAMPLES):
            language = self._languages.get(row["Language_ID"], "")
            self._examples[row["Idea"]].append(
                ExampleRecord(language, row["Primary_Text"], row["Translated_Text"] or None)
            )
        for name, senses in groupby(self._iter_valid_rows(SENSES), key=lambda located_row: located_row[1]["Idea"]):
            yield self._build_idea(name, list(senses))
        for kind in (*ABHIDHAN_COLUMNS, EXAMPLES):
            yield from (row for _, row in self._data.iter_rows(kind) if isinstance(row, RecordError))

    def _iter_valid_rows(self, table_name: str) -> Iterator[tuple[Location, Mapping[str, str]]]:
        yield from (
            (location, row) for location, row in self._data.iter_rows(table_name) if not isinstance(row, RecordError)
        )

    def _read_languages(self) -> Iterator[LocatedRecord]:
        for location, row in self._iter_valid_rows("LanguageTable"):
            self._languages[row["ID"]] = row["Code"]
            if canonical_code(row["Code"]) is None:
                details = (
                    row["ISO639P3code"] or None,
                    row["Name"],
                    row["Native_Name"],
                    row["Script"],
                    row["Direction"],
                )
                yield LocatedRecord(*location, LanguageRecord(0, row["Code"], *details))

    def _build_idea(self, name: str, senses: list[tuple[Location, Mapping[str, str]]]) -> ParsedRecord:
        location, _ = senses[0]
        source = next((code for code in self._sources if name.startswith(f"{code}:")), None)
        entries = [self._entries.get(row["Entry_ID"]) for _, row in senses]
        if source is None or None in entries:
            return RecordError(
                *location, "The idea of the sense has no source among those of the metadata, or it has no entry."
            )
        words = [
            WordRecord(
                self._languages.get(entry["Language_ID"], ""),
                entry["Headword"],
                roman=entry["Roman"] or None,
                ipa=entry["IPA"] or None,
                source=row["Source_Code"] if row["Source_Code"] != source else None,
            )
            for (_, row), entry in zip(senses, entries, strict=True)
            if entry
        ]
        definitions = {
            (row["Description_Language"], row["Description"]) for _, row in senses if row["Description_Language"]
        }
        return LocatedRecord(
            *location,
            IdeaRecord(
                source,
                name.removeprefix(f"{source}:"),
                (entries[0] or {}).get("Part_Of_Speech") or None,
                tuple(words),
                definitions=tuple(DefinitionRecord(*definition) for definition in sorted(definitions)),
                examples=tuple(self._examples.get(name, ())),
            ),
        )
