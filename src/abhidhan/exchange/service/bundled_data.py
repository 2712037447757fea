"""The starter dictionary in the package: its records, and loading them into an empty database."""

import csv
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from importlib import resources

import msgspec

from abhidhan.exchange.store.loading.bulk_load import (
    UNLIMITED_WORDS,
    BulkLoadOptions,
    has_dictionary,
    initialise_if_empty,
    is_empty,
    load_records,
)
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.platform.database.leases import FencingToken
from abhidhan.records.errors import ConflictError
from abhidhan.records.import_records import IdeaRef, LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, ListItemRecord, PhraseRecord, Record
from abhidhan.records.lookup_lists import ListName

_log = logging.getLogger(__name__)

CATALOGUE_FILES = ("languages.jsonl", "lists.jsonl", "sources.jsonl")
"""The bundled files to whose records the other files refer, in loading order."""

STARTER_SOURCE = "abhidhan"
"""The code of the source that every starter dictionary has."""

_DATA_FOLDER = resources.files("abhidhan.data")


def read_starter_records(excluded_files: Collection[str] = ()) -> Iterator[LocatedRecord | RecordError]:
    """Yield the records of the starter dictionary; languages, lists and sources come first."""
    yield from read_catalogue_records()
    names = sorted(file.name for file in _DATA_FOLDER.iterdir() if file.name.endswith(".jsonl"))
    for name in names:
        if name not in {*CATALOGUE_FILES, *excluded_files}:
            yield from _read_bundled_file(name)


def read_catalogue_records() -> Iterator[LocatedRecord | RecordError]:
    """Yield the bundled languages, lists and sources."""
    for name in CATALOGUE_FILES:
        yield from _read_bundled_file(name)


def read_merged_ideas() -> dict[IdeaRef, IdeaRef]:
    """Return the ideas of earlier versions that have been merged, each with the idea that replaces it."""
    rows = csv.DictReader(_DATA_FOLDER.joinpath("merged.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t")
    return {IdeaRef(*row["merged"].split(":", 1)): IdeaRef(*row["kept"].split(":", 1)) for row in rows}


def _read_bundled_file(name: str) -> Iterator[LocatedRecord | RecordError]:
    from abhidhan.formats.jsonl import read_jsonl  # noqa: PLC0415  # readers are imported when used

    with _DATA_FOLDER.joinpath(name).open("rb") as stream:
        yield from read_jsonl(stream, name)


# --- current names of list values -----------------------------------------------------------------------------------


ValueRenamings = Mapping[tuple[str, str], str]
"""Current names of renamed list values, by list and original value in lower case."""


def rename_values(
    records: Iterable[LocatedRecord | RecordError], renamings: ValueRenamings
) -> Iterator[LocatedRecord | RecordError]:
    """Yield the records, with renamed list values under their current names."""
    for item in records:
        if renamings and isinstance(item, LocatedRecord):
            yield LocatedRecord(item.file, item.line, _rename_record_values(item.record, renamings))
        else:
            yield item


def _rename_record_values(record: Record, renamings: ValueRenamings) -> Record:
    match record:
        case ListItemRecord():
            return msgspec.structs.replace(record, value=_current_name(renamings, record.list, record.value))
        case PhraseRecord():
            category = _current_name(renamings, ListName.PHRASE_CATEGORIES, record.category)
            return msgspec.structs.replace(record, category=category)
        case IdeaRecord():
            return msgspec.structs.replace(
                record,
                pos=record.pos and _current_name(renamings, ListName.PARTS_OF_SPEECH, record.pos),
                gender=record.gender and _current_name(renamings, ListName.GENDERS, record.gender),
                contexts=tuple(map(partial(_current_name, renamings, ListName.CONTEXTS), record.contexts)),
                relations=tuple(
                    msgspec.structs.replace(relation, type=_current_name(renamings, ListName.RELATIONS, relation.type))
                    for relation in record.relations
                ),
            )
        case _:
            return record


def _current_name(renamings: ValueRenamings, list_name: str, value: str) -> str:
    return renamings.get((str(list_name), value.casefold()), value)


# --- loading into an empty database ---------------------------------------------------------------------------------


def load_starter(database: Database, *, now: int) -> LoadResult | None:
    """Load the starter dictionary; return None if the database has data or was initialised as empty."""
    # Every command calls this: reading first avoids a write, which would wait for a running import.
    if database.read_now(has_dictionary):
        return None
    with hold_import_lock(database, wait=True) as fence:
        if database.read_now(has_dictionary) or not database.write_now(is_empty, public=False):
            return None
        _log.info("Loading the starter dictionary, which takes up to a minute.")
        return _load(database, read_starter_records(), now, fence)


def load_lists(database: Database, *, now: int) -> LoadResult | None:
    """Load the bundled languages, lists and sources; return None if the database already has languages."""
    if database.read_now(lambda reader: reader.catalogue.languages):
        return None
    with hold_import_lock(database, wait=True) as fence:
        return _load(database, read_catalogue_records(), now, fence)


def initialise_empty(database: Database) -> None:
    """Initialise an empty dictionary, without the starter. Raises ConflictError if there is already a dictionary."""
    with hold_import_lock(database, wait=True):
        if not database.write_now(initialise_if_empty, public=False):
            raise ConflictError("There is already a dictionary. Nothing was changed: --empty is only for a new one.")


def _load(
    database: Database, records: Iterable[LocatedRecord | RecordError], now: int, fence: FencingToken
) -> LoadResult:
    with database.long_write(before_commit=fence.ensure_held) as connection:
        return load_records(connection, records, BulkLoadOptions(now, words_per_transaction=UNLIMITED_WORDS))
