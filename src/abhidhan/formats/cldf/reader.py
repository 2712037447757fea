"""Reader of CLDF data sets: word lists (forms of concepts) and dictionaries (entries with senses)."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from abhidhan.formats.cldf.entries import EntryReader, is_abhidhan_data_set, read_abhidhan_data_set
from abhidhan.formats.cldf.files import DataSet, Metadata
from abhidhan.formats.cldf.forms import CONCEPTICON, WordListReader
from abhidhan.formats.cldf.languages import format_years, has_transcriptions, iter_new_languages, read_languages
from abhidhan.formats.cldf.losses import (
    find_bibliography_losses,
    find_language_losses,
    find_media_losses,
    find_metadata_losses,
    find_table_losses,
)
from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, slugify, wrap_source
from abhidhan.records.errors import InputError
from abhidhan.records.kinds import SourceRecord

COMMON_TABLES: Final = ("LanguageTable", "MediaTable")
DICTIONARY_TABLES: Final = ("EntryTable", "SenseTable", "ExampleTable")
WORD_LIST_TABLES: Final = ("FormTable", "ParameterTable")
"""The tables of all data sets, of dictionaries, and of word lists."""

LICENCE_BY_URL: Final = {
    "https://creativecommons.org/licenses/by/4.0/": "CC-BY-4.0",
    "https://creativecommons.org/licenses/by-sa/4.0/": "CC-BY-SA-4.0",
    "https://creativecommons.org/publicdomain/zero/1.0/": "CC0-1.0",
}


def read_cldf(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read a data set: its metadata (…-metadata.json) and the tables next to it."""
    with ExitStack() as stack:
        data = DataSet(contents, stack)
        has_senses, has_forms = {"EntryTable", "SenseTable"} <= data.tables.keys(), "FormTable" in data.tables
        if not (has_senses or has_forms):
            raise InputError.of("file", "There is no table of forms, or of entries with senses: is this CLDF?")
        if is_abhidhan_data_set(data):
            yield from read_abhidhan_data_set(data)
            return
        source = options.require_source(_build_source(data))
        yield wrap_source(source)
        languages = read_languages(data, options)
        yield from iter_new_languages(data, languages)
        if has_senses:
            yield from EntryReader(data, languages, options, source.code).read()
        if has_forms:
            yield wrap_source(CONCEPTICON)
            yield from WordListReader(data, languages, source.code).read()
        yield from find_metadata_losses(data, wrap_source(source), _list_converted_metadata(data, source))
        yield from find_language_losses(data, languages)
        yield from find_media_losses(data)
        for bibliography in data.bibliographies:
            yield from find_bibliography_losses(bibliography)
        read = {*COMMON_TABLES, *(DICTIONARY_TABLES if has_senses else ()), *(WORD_LIST_TABLES if has_forms else ())}
        for kind in data.tables.keys() - read:
            yield from find_table_losses(data, kind)


def _list_converted_metadata(data: DataSet, source: SourceRecord) -> set[str]:
    """Return the metadata keys whose values the source record contains in converted form."""
    has_licence = source.licence == LICENCE_BY_URL.get(data.metadata.licence or "", "")
    has_name = source.code == slugify(data.metadata.identifier or "")
    return {name for name, is_read in (("dc:license", has_licence), ("rdf:ID", has_name)) if is_read}


def get_licence_name(metadata: Metadata) -> str:
    """Return the short name of a data set's licence, or else its URL; empty if it has none or several."""
    licence = metadata.licence or ""
    return "" if ";" in licence else LICENCE_BY_URL.get(licence, licence)


def _build_source(data: DataSet) -> SourceRecord | None:
    metadata = data.metadata
    if not metadata.identifier and not metadata.title:
        return None
    licence = metadata.licence or "see the data set"
    return SourceRecord(
        slugify(metadata.identifier or metadata.title or ""),
        metadata.title or metadata.identifier or "",
        LICENCE_BY_URL.get(licence, licence),
        metadata.address,
        metadata.citation,
        _build_notice(data),
    )


def _build_notice(data: DataSet) -> str | None:
    """Return a notice for readers if the data set has phonetic transcriptions."""
    if not has_transcriptions(data):
        return None
    years = format_years(data)
    return f"Phonetic transcriptions{f' of {years}' if years else ''}: not how the languages are spelled today."
