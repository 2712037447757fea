"""CLDF data sets: word lists (forms of concepts) and dictionaries (entries with senses)."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.errors import InputError, quoted
from abhidhan.formats.cldf_files import DataSet, Metadata
from abhidhan.formats.cldf_languages import read_languages
from abhidhan.formats.cldf_transcriptions import Transcriptions, has_transcriptions, transcribed, years_of
from abhidhan.formats.contents import Content
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Found, Options, is_short, placed_source, slug, words_of

CONCEPTICON: Final = SourceRecord(
    "concepticon", "CLLD Concepticon", "CC-BY-4.0", "https://concepticon.clld.org/", "List et al., CLLD Concepticon"
)

LICENCES: Final = {
    "https://creativecommons.org/licenses/by/4.0/": "CC-BY-4.0",
    "https://creativecommons.org/licenses/by-sa/4.0/": "CC-BY-SA-4.0",
    "https://creativecommons.org/publicdomain/zero/1.0/": "CC0-1.0",
}


def read_cldf(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read a data set: its metadata (…-metadata.json) and the tables beside it."""
    with ExitStack() as stack:
        data = DataSet(contents, stack)
        source = options.own_source(_source(data))
        yield placed_source(source)
        yield placed_source(CONCEPTICON)
        reader = _Reader(data, options, source.code)
        yield from reader.new_languages()
        if "FormTable" in data.tables:
            with Transcriptions() as transcriptions:
                yield from reader.forms(transcriptions)
                yield from transcriptions.told()
        elif "EntryTable" in data.tables and "SenseTable" in data.tables:
            yield from reader.senses()
        else:
            raise InputError.of("file", "There is no table of forms, or of entries with senses: is this CLDF?")


def licence_named(metadata: Metadata) -> str:
    """Return the licence of a data set by its usual name; empty where it tells none, or several."""
    licence = metadata.licence or ""
    return "" if ";" in licence else LICENCES.get(licence, licence)


def _source(data: DataSet) -> SourceRecord | None:
    metadata = data.metadata
    if not metadata.identifier and not metadata.title:
        return None
    licence = metadata.licence or "see the data set"
    return SourceRecord(
        slug(metadata.identifier or metadata.title or ""),
        metadata.title or metadata.identifier or "",
        LICENCES.get(licence, licence),
        metadata.address,
        metadata.citation,
        _notice(data),
    )


def _notice(data: DataSet) -> str | None:
    """Say of word lists whose forms are parted into sounds what readers should know of them."""
    if not has_transcriptions(data):
        return None
    years = years_of(data)
    return f"Phonetic transcriptions{f' of {years}' if years else ''}: not how the languages are spelled today."


class _Reader:
    """Reads the tables of one data set."""

    def __init__(self, data: DataSet, options: Options, source: str) -> None:
        self._data = data
        self._options = options
        self._source = source
        self._languages = read_languages(data, options)
        self._has_transcriptions = has_transcriptions(data)

    def new_languages(self) -> Iterator[Found]:
        """Describe the languages that have no code of their own."""
        described = self._data.tables.get("LanguageTable")
        for one in self._languages.values():
            if one.new is not None and described is not None:
                yield Placed(described.file, one.line, one.new)

    def forms(self, transcriptions: Transcriptions) -> Iterator[Found]:
        """Read the forms, each a word for its concept; concepts that Concepticon knows are joined by its number."""
        concepts = dict(self._concepts())
        for place, row in self._data.rows("FormTable"):
            if isinstance(row, Fault):
                yield row
                continue
            concept = concepts.get(row.get("parameterReference", ""))
            language = self._languages.get(row.get("languageReference", ""))
            text = row.get("form", "") or row.get("value", "")
            if concept is None or language is None or not text:
                yield Fault(*place, self._missing(row, concept, language))
                continue
            native = row.get("native_script", "")
            source = self._source if concept.source != self._source else None
            if self._has_transcriptions:
                word = transcribed(row, language, self._data, source)
                transcriptions.add(*place, msgspec.structs.replace(concept, words=(word,)))
                continue
            word = WordRecord(
                language.code,
                native or text,
                roman=text if native else None,
                ipa=(row.get("phon_form") or None) if native else None,
                source=source,
            )
            yield Placed(*place, msgspec.structs.replace(concept, words=(word,)))

    def senses(self) -> Iterator[Found]:
        """Read the senses of a dictionary."""
        entries: dict[str, dict[str, str]] = {}
        places: dict[str, tuple[str, int]] = {}
        for place, row in self._data.rows("EntryTable"):
            if isinstance(row, Fault):
                yield row
            else:
                entries[row.get("id", "")], places[row.get("id", "")] = row, place
        target = self._options.code(self._options.target or "en")
        for place, row in self._data.rows("SenseTable"):
            if isinstance(row, Fault):
                yield row
                continue
            entry = entries.get(row.get("entryReference", ""))
            places.pop(row.get("entryReference", ""), None)
            language = self._languages.get(entry.get("languageReference", "")) if entry else None
            if entry is None or language is None or not entry.get("headword"):
                yield Fault(*place, "The sense has no entry, or its entry no headword or no language with an ISO code.")
                continue
            meaning = row.get("description", "")
            translations = words_of(target, meaning) if is_short(meaning) and language.code != target else ()
            yield Placed(
                *place,
                IdeaRecord(
                    self._source,
                    row.get("id", ""),
                    part_of_speech(entry.get("partOfSpeech"), self._options),
                    (WordRecord(language.code, entry["headword"]), *translations),
                    definitions=() if translations or not meaning else (DefinitionRecord(target, meaning),),
                ),
            )
        for place in places.values():
            yield Fault(*place, "The entry has no sense. Add a row for it to the table of senses.")

    def _missing(self, row: dict[str, str], concept: object, language: object) -> str:
        if concept is None:
            return f"There is no concept {quoted(row.get('parameterReference', ''))}."
        if language is None:
            name = row.get("languageReference", "")
            return f"The language {quoted(name)} has no ISO 639-3 code: map it with --map language:{name}=…."
        return "The row has no form."

    def _concepts(self) -> Iterator[tuple[str, IdeaRecord]]:
        for _, row in self._data.rows("ParameterTable"):
            if isinstance(row, Fault):
                continue
            known = row.get("concepticonReference", "")
            definition = row.get("Concepticon_Definition", "") or row.get("description", "")
            name = row.get("name", "") or row.get("Concepticon_Gloss", "")
            yield (
                row.get("id", ""),
                IdeaRecord(
                    CONCEPTICON.code if known else self._source,
                    known or row.get("id", ""),
                    None,
                    (),
                    definitions=tuple(DefinitionRecord("en", text) for text in (definition or name,) if text),
                ),
            )
