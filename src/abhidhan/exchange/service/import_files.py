"""The files of an import: which format they are in, where they come from, and what an import needs beside them."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Protocol

import msgspec

from abhidhan.exchange.service.bundled_data import catalogue_records
from abhidhan.exchange.service.name_resolution import no_such
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import Options
from abhidhan.formats.registry import IMPORTERS, REMOVED_READERS, ImportFormat, other_names, removed_format_of
from abhidhan.formats.tables.columns import Guess
from abhidhan.formats.tables.reader import guess_tables, read_tables
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import Fault, Placed
from abhidhan.records.kinds import LanguageRecord, ListItemRecord, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import Source


class Files(Protocol):
    """Files of a format, and what the person who imports says of them."""

    @property
    def format(self) -> str:
        """The name of the format."""
        ...

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders."""
        ...

    @property
    def options(self) -> Options:
        """What is said of them."""
        ...


def refuse_nothing(records: Iterable[Placed | Fault], files: Files) -> Iterator[Placed | Fault]:
    """Pass records on. Raises InputError at the end if there was nothing but the source that the person named."""
    found = 0
    for one in records:
        found += isinstance(one, Fault) or one.record != files.options.source
        yield one
    if not found:
        _refuse_removed(removed_format_of(file.name for path in files.paths for file in path.rglob("*")))
        names = ", ".join(str(path) for path in files.paths)
        raise InputError.of(
            "file", f"There is nothing in {names} that could be imported as {files.format}. Is it the right format?"
        )


def importer_of(files: Files) -> ImportFormat:
    """Find what reads files. Raises InputError, with what to do instead or the name that may have been meant."""
    _refuse_removed(files.format)
    _refuse_removed(removed_format_of(path.name for path in files.paths))
    found = IMPORTERS.get(files.format)
    if found is None:
        raise InputError.of("format", no_such("format", files.format, IMPORTERS, other_names(IMPORTERS)))
    return found


def _refuse_removed(name: str | None) -> None:
    if name is not None and name in REMOVED_READERS:
        raise InputError.of("format", REMOVED_READERS[name])


def guess_columns(files: Files) -> list[Guess]:
    """Return what the columns of tables would be taken for; of other formats nothing. Raises InputError."""
    if importer_of(files).read is not read_tables:
        return []
    return list(guess_tables(open_contents(files.paths), files.options))


def with_known_source(options: Options, known: dict[str, Source]) -> Options:
    """Take what the database knows of a source where the person only names it. Raises InputError."""
    source = options.source
    if source is None or source.licence:
        return options
    there = known.get(source.code)
    if there is None:
        raise InputError.of(
            "licence", f"The source {quoted(source.code)} is new: say its licence, such as: --licence CC0-1.0."
        )
    record = SourceRecord(there.code, there.name, there.licence, there.url, there.attribution, there.notice)
    return msgspec.structs.replace(options, source=record)


def with_lists(records: Iterable[Placed | Fault]) -> Iterator[Placed | Fault]:
    """Pass records on, after the languages and lists that come with the program unless they begin with their own.

    Lists of an older file lack parts of speech that the program has by now: they come after those of the file.
    """
    stream = iter(records)
    for first in stream:
        if isinstance(first, Fault) or not isinstance(first.record, LanguageRecord):
            yield from catalogue_records()
            yield first
            yield from stream
        else:
            yield from _with_parts_of_speech(chain([first], stream))


def _with_parts_of_speech(records: Iterator[Placed | Fault]) -> Iterator[Placed | Fault]:
    """Pass records on, and behind those of parts of speech the ones of the program that have other names."""
    names: set[str] = set()
    for one in records:
        name = _part_of_speech(one)
        if names and name is None:
            yield from _other_parts_of_speech(names)
            yield one
            yield from records
            return
        names |= {name} if name else set()
        yield one


def _other_parts_of_speech(names: Collection[str]) -> Iterator[Placed | Fault]:
    named = ((_part_of_speech(each), each) for each in catalogue_records())
    return (each for name, each in named if name is not None and name not in names)


def _part_of_speech(one: Placed | Fault) -> str | None:
    """Return the name, in small letters, of a value of the list POS."""
    if isinstance(one, Fault) or not isinstance(one.record, ListItemRecord):
        return None
    return one.record.value.casefold() if one.record.list == ListName.PARTS_OF_SPEECH else None
