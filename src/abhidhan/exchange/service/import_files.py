"""The files of an import: their format, their source, and the bundled lists that are added to them."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Protocol

import msgspec

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.name_resolution import format_unknown_name
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import IMPORTERS, REMOVED_READERS, ImportFormat, find_removed_format, map_aliases
from abhidhan.formats.tables.columns import ColumnGuess
from abhidhan.formats.tables.reader import guess_tables, read_tables
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import LanguageRecord, ListItemRecord, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import Source


class ImportFiles(Protocol):
    """Files to import, with the user's options."""

    @property
    def format(self) -> str:
        """The name of the format."""
        ...

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders."""
        ...

    @property
    def options(self) -> ImportOptions:
        """The user's options."""
        ...


def require_records(
    records: Iterable[LocatedRecord | RecordError], files: ImportFiles
) -> Iterator[LocatedRecord | RecordError]:
    """Yield the records. Raises InputError at the end if there were none except the source in the options."""
    count = 0
    for item in records:
        count += isinstance(item, RecordError) or item.record != files.options.source
        yield item
    if not count:
        _reject_removed_format(find_removed_format(file.name for path in files.paths for file in path.rglob("*")))
        names = ", ".join(str(path) for path in files.paths)
        raise InputError.of(
            "file", f"{names} contains nothing that can be imported as {files.format}. Is it the right format?"
        )


def find_importer(files: ImportFiles) -> ImportFormat:
    """Return the importer of files. Raises InputError with a suggestion for an unknown format."""
    _reject_removed_format(files.format)
    _reject_removed_format(find_removed_format(path.name for path in files.paths))
    importer = IMPORTERS.get(files.format)
    if importer is None:
        raise InputError.of("format", format_unknown_name("format", files.format, IMPORTERS, map_aliases(IMPORTERS)))
    return importer


def _reject_removed_format(name: str | None) -> None:
    if name is not None and name in REMOVED_READERS:
        raise InputError.of("format", REMOVED_READERS[name])


def guess_columns(files: ImportFiles) -> list[ColumnGuess]:
    """Return the guessed meaning of the columns of tables; empty for other formats. Raises InputError."""
    if find_importer(files).read is not read_tables:
        return []
    return list(guess_tables(open_contents(files.paths), files.options))


def complete_source(options: ImportOptions, sources: dict[str, Source]) -> ImportOptions:
    """Complete a source of which the options have only the code from the stored one. Raises InputError."""
    source = options.source
    if source is None or source.licence:
        return options
    stored = sources.get(source.code)
    if stored is None:
        raise InputError.of(
            "licence", f"The source {quoted(source.code)} is new: give its licence, such as: --licence CC0-1.0."
        )
    record = SourceRecord(stored.code, stored.name, stored.licence, stored.url, stored.attribution, stored.notice)
    return msgspec.structs.replace(options, source=record)


def prepend_bundled_lists(records: Iterable[LocatedRecord | RecordError]) -> Iterator[LocatedRecord | RecordError]:
    """Yield the records after the bundled languages and lists.

    If the file begins with its own languages, only the bundled parts of speech that it lacks are added, after its own.
    """
    stream = iter(records)
    for first in stream:
        if isinstance(first, RecordError) or not isinstance(first.record, LanguageRecord):
            yield from read_catalogue_records()
            yield first
            yield from stream
        else:
            yield from _add_missing_parts_of_speech(chain([first], stream))


def _add_missing_parts_of_speech(
    records: Iterator[LocatedRecord | RecordError],
) -> Iterator[LocatedRecord | RecordError]:
    """Yield the records; after their parts of speech, insert the bundled ones with other names."""
    names: set[str] = set()
    for item in records:
        name = _part_of_speech_name(item)
        if names and name is None:
            yield from _missing_parts_of_speech(names)
            yield item
            yield from records
            return
        names |= {name} if name else set()
        yield item


def _missing_parts_of_speech(names: Collection[str]) -> Iterator[LocatedRecord | RecordError]:
    named = ((_part_of_speech_name(item), item) for item in read_catalogue_records())
    return (item for name, item in named if name is not None and name not in names)


def _part_of_speech_name(item: LocatedRecord | RecordError) -> str | None:
    """Return the name of a part of speech in lower case; None for any other record."""
    if isinstance(item, RecordError) or not isinstance(item.record, ListItemRecord):
        return None
    return item.record.value.casefold() if item.record.list == ListName.PARTS_OF_SPEECH else None
