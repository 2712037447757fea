"""The starter dictionary in the package: its records, and loading them into an empty database."""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from importlib import resources

import msgspec

from abhidhan.exchange.store.loading.bulk_load import Loading, begin_if_empty, is_begun, is_empty, load_records
from abhidhan.exchange.store.loading.load_context import Loaded
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import importing
from abhidhan.platform.database.leases import Fence
from abhidhan.records.errors import ConflictError
from abhidhan.records.import_records import Fault, Named, Placed
from abhidhan.records.kinds import IdeaRecord, ListItemRecord, PhraseRecord, Record
from abhidhan.records.lookup_lists import ListName

CATALOGUE_FILES = ("languages.jsonl", "lists.jsonl", "sources.jsonl")
"""The bundled files on which the others depend."""

STARTER = "abhidhan"
"""The code of the source that every starter dictionary has."""

_DATA = resources.files("abhidhan.data")


def starter_records(without: Collection[str] = ()) -> Iterator[Placed | Fault]:
    """Yield the records of the starter dictionary, languages, lists and sources first, without some files."""
    yield from catalogue_records()
    names = sorted(file.name for file in _DATA.iterdir() if file.name.endswith(".jsonl"))
    for name in names:
        if name not in {*CATALOGUE_FILES, *without}:
            yield from _packaged(name)


def catalogue_records() -> Iterator[Placed | Fault]:
    """Yield the bundled languages, lists and sources."""
    for name in CATALOGUE_FILES:
        yield from _packaged(name)


def merged_ideas() -> dict[Named, Named]:
    """Return the ideas of earlier versions that have been merged, each with the one that replaces it."""
    rows = csv.DictReader(_DATA.joinpath("merged.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t")
    return {Named(*row["merged"].split(":", 1)): Named(*row["kept"].split(":", 1)) for row in rows}


def _packaged(name: str) -> Iterator[Placed | Fault]:
    from abhidhan.formats.jsonl import read_jsonl  # noqa: PLC0415  # readers are imported when used

    with _DATA.joinpath(name).open("rb") as stream:
        yield from read_jsonl(stream, name)


# --- current names of list values -----------------------------------------------------------------------------------


Renamed = Mapping[tuple[str, str], str]
"""Current names of renamed list values, by list and original value in lower case."""


def with_renamed_values(records: Iterable[Placed | Fault], renamed: Renamed) -> Iterator[Placed | Fault]:
    """Yield the records with the current names of list values."""
    for one in records:
        if renamed and isinstance(one, Placed):
            yield Placed(one.file, one.line, _with_names(one.record, renamed))
        else:
            yield one


def _with_names(record: Record, renamed: Renamed) -> Record:
    match record:
        case ListItemRecord():
            return msgspec.structs.replace(record, value=_now(renamed, record.list, record.value))
        case PhraseRecord():
            category = _now(renamed, ListName.PHRASE_CATEGORIES, record.category)
            return msgspec.structs.replace(record, category=category)
        case IdeaRecord():
            return msgspec.structs.replace(
                record,
                pos=record.pos and _now(renamed, ListName.PARTS_OF_SPEECH, record.pos),
                gender=record.gender and _now(renamed, ListName.GENDERS, record.gender),
                contexts=tuple(map(partial(_now, renamed, ListName.CONTEXTS), record.contexts)),
                relations=tuple(
                    msgspec.structs.replace(one, type=_now(renamed, ListName.RELATIONS, one.type))
                    for one in record.relations
                ),
            )
        case _:
            return record


def _now(renamed: Renamed, list_name: str, value: str) -> str:
    return renamed.get((str(list_name), value.casefold()), value)


# --- loading into an empty database ---------------------------------------------------------------------------------


WHOLE = 2**31
"""More words than any file has, so that all are loaded in one transaction."""


def load_starter(database: Database, *, now: int) -> Loaded | None:
    """Load the starter dictionary; return None if the database has data or was initialised as empty."""
    # Reading first avoids waiting for a running import, which a write would do; every command starts here.
    if database.read_now(is_begun):
        return None
    with importing(database, wait=True) as fence:
        if database.read_now(is_begun) or not database.write_now(is_empty, public=False):
            return None
        return _load(database, starter_records(), now, fence)


def load_lists(database: Database, *, now: int) -> Loaded | None:
    """Load the bundled languages, lists and sources; return None if the database has languages."""
    if database.read_now(lambda reader: reader.catalogue.languages):
        return None
    with importing(database, wait=True) as fence:
        return _load(database, catalogue_records(), now, fence)


def begin_empty(database: Database) -> None:
    """Initialise an empty dictionary, without the starter. Raises ConflictError if there is already a dictionary."""
    with importing(database, wait=True):
        if not database.write_now(begin_if_empty, public=False):
            raise ConflictError("There is already a dictionary, which has not changed: --empty is only for a new one.")


def _load(database: Database, records: Iterable[Placed | Fault], now: int, fence: Fence) -> Loaded:
    with database.long_write(at_end=fence.make_sure) as connection:
        return load_records(connection, records, Loading(now, words_at_once=WHOLE))
