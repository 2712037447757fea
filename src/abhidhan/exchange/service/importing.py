"""Import of files of records."""

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
    """The number of values of a field that no record holds, and the first of them."""

    times: int
    example: Loss


class Losses:
    """Collector that takes losses out of a stream of records, and counts them by field."""

    def __init__(
        self, on_lost: Callable[[Loss], None] = lambda _: None, keep: Callable[[LiftEntry], None] | None = None
    ) -> None:
        """Initialise; `on_lost` is called with each loss, `keep` with each entry to store in its original form."""
        self._fields: dict[str, LostField] = {}
        self._on_lost = on_lost
        self._keep = keep
        self.deletions: list[Deletion] = []
        """Deletions that the files report."""

    def take(self, loss: Loss) -> None:
        """Count a loss."""
        self._on_lost(loss)
        known = self._fields.get(loss.field)
        self._fields[loss.field] = LostField(known.times + 1, known.example) if known else LostField(1, loss)

    def watch(self, found: Iterable[Placed | Fault | Loss | Deletion | Unread]) -> Iterator[Placed | Fault]:
        """Yield the records and faults, and collect the rest."""
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
        """The fields with losses, in the order of the first ones."""
        return tuple(self._fields.values())


SHARED: Final = {"omw": (wordnet.SOURCE.code,), "cldf": (CONCEPTICON.code,)}
"""Codes of the sources to which files of a format only add, by format."""

OWN_FORMAT = "jsonl"
"""The format of whole copies of a dictionary."""

OnReject = Callable[[Fault], None]
"""Called with each rejected record as soon as it is found."""

OnLost = Callable[[Loss], None]
"""Called with each value of the files that no record holds."""

OnTold = Callable[[Fault | str], None]
"""Called with each record that was changed, kept or removed."""

MayRemove = Callable[[int, int], bool]
"""Decides whether a mirror may remove records: how many (first) of those that a source has (second)."""


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
    """Load records into the database, in transactions of `words_at_once` new words, or of an automatic size.

    Loading the same records again changes nothing, so an interrupted import can be repeated. `on_progress` is called
    after each transaction with the totals so far, `on_reject` with each rejected record. `is_measured` can be false for
    a whole copy of another dictionary. With `is_trial`, the caller discards the result.
    Raises ConflictError while another import runs.
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
    """A request for an import: files of a format, and the policy for existing records."""

    format: str
    paths: tuple[Path, ...]
    options: Options = Options()
    policy: Policy = Policy.UPDATE
    dry_run: bool = False
    words_at_once: int | None = None
    review: bool = False
    strict: bool = False
    """Whether to store nothing if any record is rejected."""
    mirror: bool = False
    """Whether to remove records of the file's sources that the file lacks."""
    yes: bool = False
    """Whether to remove more than a tenth of a source without asking."""


class Report(msgspec.Struct, frozen=True):
    """The result of an import.

    `unknown` counts names that the dictionary lacks, by kind (language, pos, context, gender, variant) and name.
    `reviewed` is the result of an import into review; `finished` lists earlier interrupted imports of the same sources
    that are now complete. `refused` is true if nothing was stored because records were rejected.
    """

    loaded: Loaded
    languages: tuple[LanguageRecord, ...]
    unknown: dict[tuple[str, str], int]
    reviewed: Reviewed | None = None
    finished: tuple[BrokenOff, ...] = ()
    refused: bool = False
    updated: Updated = Updated()
    """The changes to existing records."""
    lost: tuple[LostField, ...] = ()
    """Values of the files that no record holds."""


def import_files(  # noqa: PLR0913  # options and callbacks
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
    """Import files; `on_phase` is called at the start of each phase, `on_progress` after each transaction.

    `on_reject` is called with each rejected record, `on_told` with each that was changed, kept or removed,
    `on_left_out`
    with each unknown value that was left out of a record, and `on_lost` with each value that no record holds.
    `may_remove` is asked before a mirror removes more than a tenth of a source.
    A dry run works on a copy; an import into review submits the records to editors. A strict import runs on a copy
    first,
    and ends there if anything is rejected. Raises InputError for unreadable input, before anything is stored;
    ConflictError while another import runs.
    """
    hearing = _Hearing(on_phase, on_progress, on_reject, on_told, on_left_out, on_lost, may_remove)
    if not (wanted.dry_run or wanted.strict):
        return _import_now(database, wanted, now, hearing)
    on_phase(Phase.COPYING, None)
    # The real run of a strict import reports the rest.
    trying = hearing if wanted.dry_run else _Hearing(on_phase, on_progress, on_reject)
    with sandbox(database) as copy:
        tried = _import_now(copy, msgspec.structs.replace(wanted, yes=True), now, trying, is_trial=True)
    if wanted.dry_run or tried.loaded.rejected:
        return msgspec.structs.replace(tried, refused=wanted.strict and not wanted.dry_run)
    return _import_now(database, wanted, now, hearing)


class _Hearing(NamedTuple):
    """The callbacks of an import."""

    on_phase: OnPhase
    on_progress: Callable[[Loaded], None]
    on_reject: OnReject
    on_told: OnTold = lambda _: None
    on_left_out: OnReject = lambda _: None
    on_lost: OnLost = lambda _: None
    may_remove: MayRemove = lambda _gone, _there: False


def _import_now(database: Database, wanted: Import, now: int, hearing: _Hearing, *, is_trial: bool = False) -> Report:
    """Import files into a database, or submit their records for review."""
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


def _load_files(  # noqa: PLR0913, PLR0917  # the variables of `_import_now`
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
