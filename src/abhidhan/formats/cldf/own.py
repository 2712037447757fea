"""CLDF dictionaries that we have written: they know their sources and ideas."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby

import msgspec

from abhidhan.formats.cldf.columns import ENTRIES, EXAMPLES, SENSES
from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.losses import Place
from abhidhan.formats.importer_api import Found, placed_source
from abhidhan.formats.languages import canonical_code
from abhidhan.records.import_records import Fault, Placed
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, LanguageRecord, SourceRecord, WordRecord

NEEDED: Mapping[str, frozenset[str]] = {
    "LanguageTable": frozenset({"ID", "Code", "Name", "ISO639P3code", "Native_Name", "Script", "Direction"}),
    ENTRIES: frozenset({"ID", "Language_ID", "Headword", "Part_Of_Speech", "Roman", "IPA"}),
    SENSES: frozenset({"ID", "Description", "Description_Language", "Entry_ID", "Idea", "Source_Code"}),
}
"""The columns of our own data sets without which they are read as those of others."""


def is_own(data: DataSet) -> bool:
    """Recognize a data set of ours: its metadata describe sources, and it has all columns that it had when written."""
    return bool(data.metadata.sources) and all(names <= data.columns(kind) for kind, names in NEEDED.items())


def read_own(data: DataSet) -> Iterator[Found]:
    """Read a data set of ours."""
    sources = [SourceRecord(**msgspec.structs.asdict(one)) for one in data.metadata.sources]
    yield from map(placed_source, sources)
    yield from _OwnReader(data, [one.code for one in sources]).read()


class _OwnReader:
    """Reads the tables of a data set of ours. Entries and examples are held in memory."""

    def __init__(self, data: DataSet, sources: list[str]) -> None:
        self._data = data
        # Of two codes with which the name of an idea begins, the longer one is that of its source.
        self._sources = sorted(sources, key=len, reverse=True)
        self._languages: dict[str, str] = {}
        self._entries: dict[str, Mapping[str, str]] = {}
        self._examples: defaultdict[str, list[ExampleRecord]] = defaultdict(list)

    def read(self) -> Iterator[Found]:
        """Read the ideas, whose senses stand one after another."""
        yield from self._read_languages()
        for _, row in self._rows(ENTRIES):
            self._entries[row["ID"]] = row
        for _, row in self._rows(EXAMPLES):
            language = self._languages.get(row["Language_ID"], "")
            self._examples[row["Idea"]].append(
                ExampleRecord(language, row["Primary_Text"], row["Translated_Text"] or None)
            )
        for name, senses in groupby(self._rows(SENSES), key=lambda placed: placed[1]["Idea"]):
            yield self._idea(name, list(senses))
        for kind in (*NEEDED, EXAMPLES):
            yield from (row for _, row in self._data.rows(kind) if isinstance(row, Fault))

    def _rows(self, kind: str) -> Iterator[tuple[Place, Mapping[str, str]]]:
        yield from ((place, row) for place, row in self._data.rows(kind) if not isinstance(row, Fault))

    def _read_languages(self) -> Iterator[Placed]:
        for place, row in self._rows("LanguageTable"):
            self._languages[row["ID"]] = row["Code"]
            if canonical_code(row["Code"]) is None:
                described = (
                    row["ISO639P3code"] or None,
                    row["Name"],
                    row["Native_Name"],
                    row["Script"],
                    row["Direction"],
                )
                yield Placed(*place, LanguageRecord(0, row["Code"], *described))

    def _idea(self, name: str, senses: list[tuple[Place, Mapping[str, str]]]) -> Found:
        place, _ = senses[0]
        source = next((code for code in self._sources if name.startswith(f"{code}:")), None)
        entries = [self._entries.get(row["Entry_ID"]) for _, row in senses]
        if source is None or None in entries:
            return Fault(*place, "The idea of the sense has no source among those of the metadata, or it has no entry.")
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
        return Placed(
            *place,
            IdeaRecord(
                source,
                name.removeprefix(f"{source}:"),
                (entries[0] or {}).get("Part_Of_Speech") or None,
                tuple(words),
                definitions=tuple(DefinitionRecord(*one) for one in sorted(definitions)),
                examples=tuple(self._examples.get(name, ())),
            ),
        )
