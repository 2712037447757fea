"""Data in: files of records."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.exchange.model import OnPhase, Phase, unheard
from abhidhan.exchange.service.import_files import importer_of, refuse_nothing, with_known_source, with_lists
from abhidhan.exchange.service.import_for_review import Reviewed, put_into_review
from abhidhan.exchange.service.name_resolution import KnownNames
from abhidhan.exchange.service.updating import Updated, Updating
from abhidhan.exchange.store.database_copies import sandbox
from abhidhan.exchange.store.imports import BrokenOff, note_finished, read_removed
from abhidhan.exchange.store.loading.bulk_load import Loading, UpdateStep, load_records
from abhidhan.exchange.store.loading.differences import Differences
from abhidhan.exchange.store.loading.lift_entries import SpooledEntries
from abhidhan.exchange.store.loading.load_context import Loaded
from abhidhan.formats import wordnet
from abhidhan.formats.cldf.forms import CONCEPTICON
from abhidhan.formats.files import check_contents, open_contents, packed_files, plain_files, size_of_all
from abhidhan.formats.importer_api import Options
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import importing
from abhidhan.platform.database.leases import Fence
from abhidhan.records.import_records import Deletion, Fault, Loss, Placed, Policy, Unread
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.lift_entries import LiftEntry
from abhidhan.records.tombstones import Removed


class LostField(msgspec.Struct, frozen=True):
    """How many values of a field of the files are kept in no record, and the first of them."""

    times: int
    example: Loss


class Losses:
    """Takes losses out of a stream of records, and counts them by field."""

    def __init__(
        self, on_lost: Callable[[Loss], None] = lambda _: None, keep: Callable[[LiftEntry], None] | None = None
    ) -> None:
        """Begin with none. `on_lost` is called with each loss, `keep` with each entry to be kept as it came."""
        self._fields: dict[str, LostField] = {}
        self._on_lost = on_lost
        self._keep = keep
        self.deletions: list[Deletion] = []
        """What the files say was deleted."""

    def take(self, loss: Loss) -> None:
        """Count a loss."""
        self._on_lost(loss)
        known = self._fields.get(loss.field)
        self._fields[loss.field] = LostField(known.times + 1, known.example) if known else LostField(1, loss)

    def watch(self, found: Iterable[Placed | Fault | Loss | Deletion | Unread]) -> Iterator[Placed | Fault]:
        """Pass on records and faults."""
        for one in found:
            if isinstance(one, Loss):
                self.take(one)
            elif isinstance(one, Deletion):
                self.deletions.append(one)
            elif isinstance(one, Unread):
                self._take_entry(one)
            else:
                yield one

    def _take_entry(self, unread: Unread) -> None:
        if self._keep is not None:
            self._keep(unread.entry)
            return
        for loss in unread.losses:
            self.take(loss)

    @property
    def fields(self) -> tuple[LostField, ...]:
        """The fields with losses, in the order in which they were found."""
        return tuple(self._fields.values())


SHARED: Final = {"omw": (wordnet.SOURCE.code,), "cldf": (CONCEPTICON.code,)}
"""Formats whose files name a source to which they only add, and its code."""

OWN_FORMAT = "jsonl"
"""The format in which a dictionary is copied whole."""

OnReject = Callable[[Fault], None]
"""Hears of every record that is left out, when that is found."""

OnLost = Callable[[Loss], None]
"""Hears of every value of the files that no record holds."""

OnTold = Callable[[Fault | str], None]
"""Hears of every record that was changed, kept or removed."""

MayRemove = Callable[[int, int], bool]
"""Decides whether a mirror may remove this many records (first) of those that a source has (second)."""


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
    removed: Removed | None = None,
    updating: Updating | None = None,
    prepare: Iterable[UpdateStep] = (),
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
            removed=database.read_now(read_removed) if removed is None else removed,
            on_remark=on_remark,
            is_measured=is_measured,
            is_trial=is_trial,
            prepare=prepare,
        )
        if updating is not None:
            loading = msgspec.structs.replace(loading, differences=updating.differences, update=updating.update)
        return _load(database, records, loading, fence)


class Import(msgspec.Struct, frozen=True):
    """What the person who imports wants: files of a format, and what becomes of what is there already."""

    format: str
    paths: tuple[Path, ...]
    options: Options = Options()
    policy: Policy = Policy.UPDATE
    dry_run: bool = False
    words_at_once: int | None = None
    review: bool = False
    strict: bool = False
    """Whether nothing is kept when anything is rejected."""
    mirror: bool = False
    """Whether what the file does not have of its sources is removed."""
    yes: bool = False
    """Whether that may be more than a tenth."""


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
    updated: Updated = Updated()
    """What became of the records that were there."""
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
    may_remove: MayRemove = lambda _gone, _there: False,
) -> Report:
    """Import files. `on_phase` is called when another part of the work begins, `on_progress` after each transaction.

    `on_reject` is called with each record that is left out, however many there are, `on_told` with each that
    was changed, kept or removed. `on_left_out` is called with each value that means nothing here and is left out of a
    record, `on_lost` with each that no record holds. `may_remove` is asked before a mirror removes more than a tenth of
    a source.
    A dry run does all of it in a copy; into review, the records wait for editors. A strict import is a dry run first,
    and ends with that if anything is rejected. Raises InputError for what cannot be read at all, before anything of it
    is kept; ConflictError while another import runs.
    """
    hearing = _Hearing(on_phase, on_progress, on_reject, on_told, on_left_out, on_lost, may_remove)
    if not (wanted.dry_run or wanted.strict):
        return _import_now(database, wanted, now, hearing)
    on_phase(Phase.COPYING, None)
    # What a strict import does afterwards is told when it is done.
    trying = hearing if wanted.dry_run else _Hearing(on_phase, on_progress, on_reject)
    with sandbox(database) as copy:
        tried = _import_now(copy, msgspec.structs.replace(wanted, yes=True), now, trying, is_trial=True)
    if wanted.dry_run or tried.loaded.rejected:
        return msgspec.structs.replace(tried, refused=wanted.strict and not wanted.dry_run)
    return _import_now(database, wanted, now, hearing)


class _Hearing(NamedTuple):
    """Who hears what happens while files are imported."""

    on_phase: OnPhase
    on_progress: Callable[[Loaded], None]
    on_reject: OnReject
    on_told: OnTold = lambda _: None
    on_left_out: OnReject = lambda _: None
    on_lost: OnLost = lambda _: None
    may_remove: MayRemove = lambda _gone, _there: False


def _import_now(database: Database, wanted: Import, now: int, hearing: _Hearing, *, is_trial: bool = False) -> Report:
    """Import files into a database, or send what they hold into its review."""
    importer = importer_of(wanted)
    packed = packed_files(wanted.paths)
    if packed:
        check_contents(packed, hearing.on_phase(Phase.CHECKING, size_of_all(packed)))
    catalogue = database.read_now(lambda reader: reader.catalogue)
    options = with_known_source(wanted.options, {source.code: source for source in catalogue.sources.values()})
    names = KnownNames(catalogue, hearing.on_left_out)
    contents = open_contents(wanted.paths, hearing.on_phase(Phase.READING, size_of_all(plain_files(wanted.paths))))
    with SpooledEntries() as entries:
        losses = Losses(hearing.on_lost, None if wanted.review else entries.add)
        read = refuse_nothing(losses.watch(importer.read(contents, options)), wanted)
        records = names.resolve(read if catalogue.languages else with_lists(read))
        if wanted.review:
            reviewed = put_into_review(database, records, now=now, on_reject=hearing.on_reject)
            loaded = Loaded({}, reviewed.faults, reviewed.rejected)
            return Report(loaded, tuple(names.new), dict(names.unknown), reviewed, lost=losses.fields)
        updating = Updating(
            database.read_now(read_removed),
            Differences(mirror=wanted.mirror, shared=SHARED.get(wanted.format, ())),
            wanted.policy,
            mirror=wanted.mirror,
            now=now,
            may_remove=(lambda _gone, _there: True) if wanted.yes else hearing.may_remove,
            on_told=hearing.on_told,
            on_lost=losses.take,
            deletions=losses.deletions,
            entries=entries,
        )
        loaded = _load_files(database, records, wanted, now, hearing, updating, is_trial=is_trial)
    finished = database.write_now(partial(note_finished, sources=loaded.sources), public=False)
    return Report(
        loaded,
        tuple(names.new),
        dict(names.unknown),
        finished=tuple(finished),
        updated=updating.updated,
        lost=losses.fields,
    )


def _load_files(  # noqa: PLR0913, PLR0917  # what `_import_now` has
    database: Database,
    records: Iterable[Placed | Fault],
    wanted: Import,
    now: int,
    hearing: _Hearing,
    updating: Updating,
    *,
    is_trial: bool,
) -> Loaded:
    def reject(fault: Fault) -> None:
        updating.rejected += 1
        hearing.on_reject(fault)

    return import_records(
        database,
        records,
        now=now,
        policy=wanted.policy,
        words_at_once=wanted.words_at_once,
        on_progress=hearing.on_progress,
        on_reject=reject,
        on_phase=hearing.on_phase,
        is_trial=is_trial,
        is_measured=wanted.format != OWN_FORMAT or bool(database.read_now(lambda reader: reader.catalogue.languages)),
        on_remark=hearing.on_told,
        removed=updating.edits,
        updating=updating,
    )


def _load(database: Database, records: Iterable[Placed | Fault], loading: Loading, fence: Fence) -> Loaded:
    with database.long_write(at_end=fence.make_sure) as connection:
        return load_records(connection, records, loading)
