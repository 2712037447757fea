"""Data in: files of records."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from abhidhan.domain.incoming import Fault, Loss, Placed, Policy
from abhidhan.domain.records import LanguageRecord, ListItemRecord, SourceRecord
from abhidhan.errors import ConflictError
from abhidhan.formats.files import check_contents, open_contents, packed_files, plain_files, size_of_all
from abhidhan.formats.reading import Options
from abhidhan.services.exchange.comparing import Compared, OnTold, comparing
from abhidhan.services.exchange.incoming_files import importer_named, refuse_nothing, with_known_source, with_lists
from abhidhan.services.exchange.losses import Losses, LostField
from abhidhan.services.exchange.mirroring import mirror
from abhidhan.services.exchange.names import KnownNames
from abhidhan.services.exchange.review import Reviewed, put_into_review
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.leases import Fence
from abhidhan.storage.engine.locks import importing
from abhidhan.storage.imports import BrokenOff, note_finished
from abhidhan.storage.loading.load import Loading, load_records
from abhidhan.storage.loading.phases import OnPhase, Phase, unheard
from abhidhan.storage.loading.state import Loaded
from abhidhan.storage.removed import read_removed
from abhidhan.storage.sandbox import empty_copy, sandbox

OF_LISTS = LanguageRecord | ListItemRecord | SourceRecord
"""The records by whose names others say what they mean."""

MOST_GONE = 10
"""The part of the dictionary that may be deleted without being asked for: one in so many."""

OWN_FORMAT = "jsonl"
"""The format in which a dictionary is copied whole."""

OnReject = Callable[[Fault], None]
"""Hears of every record that is left out, when that is found."""

OnLost = Callable[[Loss], None]
"""Hears of every value of the files that no record holds."""


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
    on_remark: OnReject = lambda _: None,
) -> Loaded:
    """Load records into the database, in transactions of `words_at_once` new words or of a size that suits.

    The same records again change nothing; after an interruption, that is how the rest is loaded. `on_progress`
    is called after each transaction with what was done so far, `on_reject` with each record that is left out. What is
    copied whole from another dictionary need not be measured.
    What is only a trial is thrown away again by the caller. Raises ConflictError while another import runs.
    """
    with importing(database, wait=False) as fence:
        loading = Loading(
            now,
            policy,
            words_at_once,
            on_progress,
            on_reject,
            on_phase=on_phase,
            removed=database.read_now(read_removed),
            on_remark=on_remark,
            is_measured=is_measured,
            is_trial=is_trial,
        )
        return _load(database, records, loading, fence)


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
    mirror: bool = False
    """Whether the dictionary is made what the file is: what the file does not have is deleted."""
    yes: bool = False
    """Whether more than a tenth may be deleted."""


class Report(msgspec.Struct, frozen=True):
    """What an import did, and what its report should say besides.

    `unknown` counts the names that mean nothing here, by their kind (language, pos, context, gender, variant) and name.
    `reviewed` is what an import into review did, `finished` the imports of the same sources that had been broken off
    before, and lack nothing now. `refused` says that nothing was kept, because of what was rejected.
    """

    loaded: Loaded
    languages: tuple[LanguageRecord, ...]
    unknown: dict[tuple[str, str], int]
    reviewed: Reviewed | None = None
    finished: tuple[BrokenOff, ...] = ()
    refused: bool = False
    compared: Compared | None = None
    """Of a file of records: what it has left of the dictionary, and made of it."""
    lost: tuple[LostField, ...] = ()
    """Values of the files that no record holds."""


def import_files(  # noqa: PLR0913  # each is an option, or hears what happens
    database: Database,
    wanted: Import,
    *,
    now: int,
    on_phase: OnPhase = unheard,
    on_progress: Callable[[Loaded], None],
    on_reject: OnReject = lambda _: None,
    on_told: OnTold = lambda _: None,
    on_left_out: OnReject = lambda _: None,
    on_lost: OnLost = lambda _: None,
) -> Report:
    """Import files. `on_phase` is called when another part of the work begins, `on_progress` after each transaction.

    `on_reject` is called with each record that is left out, however many there are, `on_told` with a line for each that
    was changed or kept, or was deleted here since. `on_left_out` is called with each value that means nothing here
    and is left out of a record, `on_lost` with each that no record holds.
    A dry run does all of it in a copy; into review, the records wait for editors. A strict import is a dry run first,
    and ends with that if anything is rejected. Raises InputError for what cannot be read at all, before anything of it
    is kept; ConflictError while another import runs.
    """
    hearing = _Hearing(on_phase, on_progress, on_reject, on_told, on_left_out, on_lost)
    if not (wanted.dry_run or wanted.strict):
        return _import_now(database, wanted, now, hearing)
    real = msgspec.structs.replace(wanted, dry_run=False, strict=False)
    # What a strict import does afterwards is told when it is done.
    hearing_now = hearing if wanted.dry_run else _Hearing(on_phase, on_progress, on_reject)
    tried = try_files(
        database,
        real,
        now=now,
        on_phase=on_phase,
        on_progress=on_progress,
        on_reject=on_reject,
        on_told=hearing_now.on_told,
        on_left_out=hearing_now.on_left_out,
        on_lost=hearing_now.on_lost,
    )
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
    on_told: OnTold = lambda _: None,
    on_left_out: OnReject = lambda _: None,
    on_lost: OnLost = lambda _: None,
) -> Report:
    """Import files into a copy of a dictionary, or without one into an empty one, and throw it away again.

    `on_left_out` is called with each value that means nothing, and is left out of a record, `on_lost` with each that no
    record holds.
    """
    hearing = _Hearing(on_phase, on_progress, on_reject, on_told, on_left_out, on_lost)
    if database is not None:
        on_phase(Phase.COPYING, None)
    with empty_copy() if database is None else sandbox(database) as copy:
        return _import_now(copy, wanted, now, hearing, is_trial=True)


class _Hearing(NamedTuple):
    """Who hears what happens while files are imported."""

    on_phase: OnPhase
    on_progress: Callable[[Loaded], None]
    on_reject: OnReject
    on_told: OnTold = lambda _: None
    on_left_out: OnReject = lambda _: None
    on_lost: OnLost = lambda _: None


def _import_now(database: Database, wanted: Import, now: int, hearing: _Hearing, *, is_trial: bool = False) -> Report:
    """Import files into a database, or send what they hold into its review."""
    importer = importer_named(wanted.format)
    packed = packed_files(wanted.paths)
    if packed:
        check_contents(packed, hearing.on_phase(Phase.CHECKING, size_of_all(packed)))
    catalogue = database.read_now(lambda reader: reader.catalogue)
    options = with_known_source(wanted.options, {source.code: source for source in catalogue.sources.values()})
    names = KnownNames(catalogue, hearing.on_left_out)
    contents = open_contents(wanted.paths, hearing.on_phase(Phase.READING, size_of_all(plain_files(wanted.paths))))
    losses = Losses(hearing.on_lost)
    read = refuse_nothing(losses.watch(importer.read(contents, options)), wanted)
    records = names.resolve(read if catalogue.languages else with_lists(read))
    if wanted.review:
        reviewed = put_into_review(database, records, now=now, on_reject=hearing.on_reject)
        loaded = Loaded({}, reviewed.faults, reviewed.rejected)
        return Report(loaded, tuple(names.new), dict(names.unknown), reviewed, lost=losses.fields)
    if wanted.mirror:
        loaded, compared = _mirror_files(database, records, wanted, now, hearing, is_trial=is_trial)
    elif wanted.format != OWN_FORMAT or not catalogue.languages:
        loaded, compared = _load_files(database, records, wanted, now, hearing, is_trial=is_trial), None
    else:
        with comparing(database) as both:
            loaded = _load_files(database, both.watch(records), wanted, now, hearing, is_trial=is_trial)
            compared = both.finish(hearing.on_told)
    finished = database.write_now(partial(note_finished, sources=loaded.sources), public=False)
    return Report(
        loaded,
        tuple(names.new),
        dict(names.unknown),
        finished=tuple(finished),
        compared=compared,
        lost=losses.fields,
    )


def _read_again(wanted: Import) -> Iterator[Placed | Fault]:
    return Losses().watch(importer_named(wanted.format).read(open_contents(wanted.paths), wanted.options))


def _mirror_files(  # noqa: PLR0913  # what `_import_now` has
    database: Database,
    records: Iterable[Placed | Fault],
    wanted: Import,
    now: int,
    hearing: _Hearing,
    *,
    is_trial: bool,
) -> tuple[Loaded, Compared]:
    """Import a file, and then change and delete what is otherwise here. Raises ConflictError where much would go."""
    with comparing(database) as both:
        both.read(_read_again(wanted))
        gone, here = both.missing()
        if gone * MOST_GONE > here and not (wanted.yes or is_trial):
            raise ConflictError(
                f"{gone:,} of {here:,} ideas, proverbs and sets of flashcards would be deleted, since the file does "
                "not have them: see what with --dry-run --report FILE, then say --yes."
            )
        both.tell_missing(hearing.on_told)
        replacing = msgspec.structs.replace(wanted, policy=Policy.REPLACE)
        # First its lists come; then goes what the file does not have, also the other names of ideas that it has apart;
        # then comes all that is new, and at last everything is as the file has it.
        lists = (one for one in _read_again(wanted) if isinstance(one, Placed) and isinstance(one.record, OF_LISTS))
        _load_files(database, lists, replacing, now, hearing, is_trial=True)
        mirror(database, both.sides(), both.forms_of, now=now, on_kept=lambda _: None)
        loaded = _load_files(database, records, replacing, now, hearing, is_trial=is_trial)
        mirror(database, both.sides(), both.forms_of, now=now, on_kept=hearing.on_told)
        return loaded, both.finish(hearing.on_told, gone=gone)


def _load_files(  # noqa: PLR0913  # what `_import_now` has
    database: Database,
    records: Iterable[Placed | Fault],
    wanted: Import,
    now: int,
    hearing: _Hearing,
    *,
    is_trial: bool,
) -> Loaded:
    return import_records(
        database,
        records,
        now=now,
        policy=wanted.policy,
        words_at_once=wanted.words_at_once,
        on_progress=hearing.on_progress,
        on_reject=hearing.on_reject,
        on_phase=hearing.on_phase,
        is_trial=is_trial,
        is_measured=not wanted.mirror
        and (wanted.format != OWN_FORMAT or bool(database.read_now(lambda reader: reader.catalogue.languages))),
        on_remark=lambda fault: hearing.on_told(str(fault)),
    )


def _load(database: Database, records: Iterable[Placed | Fault], loading: Loading, fence: Fence) -> Loaded:
    with database.long_write(at_end=fence.make_sure) as connection:
        return load_records(connection, records, loading)
