"""Data in: files of records, and those that come with the program."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec

from abhidhan.domain.incoming import Fault, Placed, Policy
from abhidhan.domain.records import LanguageRecord, SourceRecord
from abhidhan.domain.sources import Source
from abhidhan.errors import InputError, quoted
from abhidhan.formats.columns import Guess
from abhidhan.formats.files import check_contents, open_contents, packed_files, plain_files, size_of_all
from abhidhan.formats.importers import IMPORTERS, ImportFormat
from abhidhan.formats.jsonl import read_jsonl
from abhidhan.formats.reading import Options
from abhidhan.formats.tables import guess_tables, read_tables
from abhidhan.services.exchange.names import KnownNames
from abhidhan.services.exchange.review import Reviewed, put_into_review
from abhidhan.services.suggesting import no_such
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.locks import importing
from abhidhan.storage.imports import BrokenOff, note_finished
from abhidhan.storage.loading.load import Loading, load_records
from abhidhan.storage.loading.phases import OnPhase, Phase, unheard
from abhidhan.storage.loading.state import Loaded
from abhidhan.storage.sandbox import empty_copy, sandbox

CATALOGUE_FILES = ("languages.jsonl", "lists.jsonl", "sources.jsonl")
"""The packaged files that the others build upon."""

OTHER_NAMES = {
    "xlsx": "csv",
    "xls": "csv",
    "ods": "csv",
    "tsv": "csv",
    "excel": "csv",
    "spreadsheet": "csv",
    "json": "jsonl",
    "ndjson": "jsonl",
    "jsonl.gz": "jsonl",
    "wndb": "wordnet",
    "princeton": "wordnet",
    "lmf": "wn-lmf",
    "kaikki": "wiktextract",
    "wiktionary": "wiktextract",
    "freedict": "tei",
    "gatitos": "pairs",
    "forms": "unimorph",
    "frequency": "frequencies",
    "counts": "frequencies",
}
"""What people also call formats, and the format that it is."""

OWN_FORMAT = "jsonl"
"""The format in which a dictionary is copied whole."""

OnReject = Callable[[Fault], None]
"""Hears of every record that is left out, when that is found."""

_DATA = resources.files("abhidhan.data")


def import_records(  # noqa: PLR0913  # the options of the command, each by its name
    database: Database,
    records: Iterable[Placed | Fault],
    *,
    now: int,
    policy: Policy = Policy.FILL,
    words_at_once: int | None = None,
    on_progress: Callable[[Loaded], None] = lambda _: None,
    on_reject: OnReject = lambda _: None,
    on_phase: OnPhase = unheard,
    is_trial: bool = False,
    is_measured: bool = True,
) -> Loaded:
    """Load records into the database, in transactions of `words_at_once` new words or of a size that suits.

    The same records again change nothing; after an interruption, that is how the rest is loaded. `on_progress`
    is called after each transaction with what was done so far, `on_reject` with each record that is left out. What is
    copied whole from another dictionary need not be measured.
    What is only a trial is thrown away again by the caller. Raises ConflictError while another import runs.
    """
    with importing(database, wait=False):
        loading = Loading(
            now,
            policy,
            words_at_once,
            on_progress,
            on_reject,
            on_phase=on_phase,
            is_measured=is_measured,
            is_trial=is_trial,
        )
        return _load(database, records, loading)


class Import(msgspec.Struct, frozen=True):
    """What the person who imports wants: files of a format, and what becomes of what is there already."""

    format: str
    paths: tuple[Path, ...]
    options: Options = Options()
    policy: Policy = Policy.FILL
    dry_run: bool = False
    words_at_once: int | None = None
    review: bool = False
    strict: bool = False
    """Whether nothing is kept when anything is rejected."""


class Report(msgspec.Struct, frozen=True):
    """What an import did, and what its report should say besides.

    `unknown` counts the names that mean nothing here, by their kind (language, context, gender, variant) and name.
    `reviewed` is what an import into review did, `finished` the imports of the same sources that had been broken off
    before, and lack nothing now. `refused` says that nothing was kept, because of what was rejected.
    """

    loaded: Loaded
    languages: tuple[LanguageRecord, ...]
    unknown: dict[tuple[str, str], int]
    reviewed: Reviewed | None = None
    finished: tuple[BrokenOff, ...] = ()
    refused: bool = False


def import_files(  # noqa: PLR0913  # each is an option, or hears what happens
    database: Database,
    wanted: Import,
    *,
    now: int,
    on_phase: OnPhase = unheard,
    on_progress: Callable[[Loaded], None],
    on_reject: OnReject = lambda _: None,
) -> Report:
    """Import files. `on_phase` is called when another part of the work begins, `on_progress` after each transaction.

    `on_reject` is called with each record that is left out, however many there are.
    A dry run does all of it in a copy; into review, the records wait for editors. A strict import is a dry run first,
    and ends with that if anything is rejected. Raises InputError for what cannot be read at all, before anything of it
    is kept; ConflictError while another import runs.
    """
    hearing = _Hearing(on_phase, on_progress, on_reject)
    if not (wanted.dry_run or wanted.strict):
        return _import_now(database, wanted, now, hearing)
    real = msgspec.structs.replace(wanted, dry_run=False, strict=False)
    tried = try_files(database, real, now=now, on_phase=on_phase, on_progress=on_progress, on_reject=on_reject)
    if wanted.dry_run or tried.loaded.rejected:
        return msgspec.structs.replace(tried, refused=wanted.strict and not wanted.dry_run)
    return _import_now(database, real, now, hearing)


def try_files(  # noqa: PLR0913  # each hears what happens
    database: Database | None,
    wanted: Import,
    *,
    now: int,
    on_phase: OnPhase = unheard,
    on_progress: Callable[[Loaded], None] = lambda _: None,
    on_reject: OnReject = lambda _: None,
) -> Report:
    """Import files into a copy of a dictionary, or without one into an empty one, and throw it away again."""
    hearing = _Hearing(on_phase, on_progress, on_reject)
    if database is not None:
        on_phase(Phase.COPYING, None)
    with empty_copy() if database is None else sandbox(database) as copy:
        return _import_now(copy, wanted, now, hearing, is_trial=True)


class _Hearing(NamedTuple):
    """Who hears what happens while files are imported."""

    on_phase: OnPhase
    on_progress: Callable[[Loaded], None]
    on_reject: OnReject


def _import_now(database: Database, wanted: Import, now: int, hearing: _Hearing, *, is_trial: bool = False) -> Report:
    """Import files into a database, or send what they hold into its review."""
    importer = importer_named(wanted.format)
    packed = packed_files(wanted.paths)
    if packed:
        check_contents(packed, hearing.on_phase(Phase.CHECKING, size_of_all(packed)))
    catalogue = database.read_now(lambda reader: reader.catalogue)
    options = _with_known_source(wanted.options, {source.code: source for source in catalogue.sources.values()})
    names = KnownNames(catalogue)
    contents = open_contents(wanted.paths, hearing.on_phase(Phase.READING, size_of_all(plain_files(wanted.paths))))
    read = _refuse_nothing(importer.read(contents, options), wanted)
    records = names.resolve(read if catalogue.languages else with_lists(read))
    if wanted.review:
        reviewed = put_into_review(database, records, now=now, on_reject=hearing.on_reject)
        loaded = Loaded({}, reviewed.faults, reviewed.rejected)
        return Report(loaded, tuple(names.new), dict(names.unknown), reviewed)
    loaded = import_records(
        database,
        records,
        now=now,
        policy=wanted.policy,
        words_at_once=wanted.words_at_once,
        on_progress=hearing.on_progress,
        on_reject=hearing.on_reject,
        on_phase=hearing.on_phase,
        is_trial=is_trial,
        is_measured=bool(catalogue.languages) or wanted.format != OWN_FORMAT,
    )
    finished = database.write_now(partial(note_finished, sources=loaded.sources), public=False)
    return Report(loaded, tuple(names.new), dict(names.unknown), finished=tuple(finished))


def _refuse_nothing(records: Iterable[Placed | Fault], wanted: Import) -> Iterator[Placed | Fault]:
    """Pass records on. Raises InputError at the end if there was nothing but the source that the person named."""
    found = 0
    for one in records:
        found += isinstance(one, Fault) or one.record != wanted.options.source
        yield one
    if not found:
        names = ", ".join(str(path) for path in wanted.paths)
        raise InputError.of(
            "file", f"There is nothing in {names} that could be imported as {wanted.format}. Is it the right format?"
        )


def importer_named(name: str) -> ImportFormat:
    """Find what reads a format. Raises InputError, with the name that may have been meant."""
    found = IMPORTERS.get(name)
    if found is None:
        raise InputError.of("format", no_such("format", name, IMPORTERS, OTHER_NAMES))
    return found


def guess_columns(wanted: Import) -> list[Guess]:
    """Return what the columns of tables would be taken for; of other formats nothing. Raises InputError."""
    if importer_named(wanted.format).read is not read_tables:
        return []
    return list(guess_tables(open_contents(wanted.paths), wanted.options))


def _with_known_source(options: Options, known: dict[str, Source]) -> Options:
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


def starter_records(without: Collection[str] = ()) -> Iterator[Placed | Fault]:
    """Read the records of the starter dictionary, languages, lists and sources first; all but those of some files."""
    yield from catalogue_records()
    names = sorted(file.name for file in _DATA.iterdir() if file.name.endswith(".jsonl"))
    for name in names:
        if name not in {*CATALOGUE_FILES, *without}:
            yield from _packaged(name)


def catalogue_records() -> Iterator[Placed | Fault]:
    """Read the languages, lists and sources that come with the program."""
    for name in CATALOGUE_FILES:
        yield from _packaged(name)


def with_lists(records: Iterable[Placed | Fault]) -> Iterator[Placed | Fault]:
    """Pass records on, after the languages and lists that come with the program unless they begin with their own."""
    stream = iter(records)
    for first in stream:
        if isinstance(first, Fault) or not isinstance(first.record, LanguageRecord):
            yield from catalogue_records()
        yield first
        yield from stream


def _packaged(name: str) -> Iterator[Placed | Fault]:
    with _DATA.joinpath(name).open("rb") as stream:
        yield from read_jsonl(stream, name)


def _load(database: Database, records: Iterable[Placed | Fault], loading: Loading) -> Loaded:
    with database.long_write() as connection:
        return load_records(connection, records, loading)
