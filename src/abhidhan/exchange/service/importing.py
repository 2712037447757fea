"""Import of files of records."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from abhidhan.exchange.model import OnPhase, Phase, ignore_progress
from abhidhan.exchange.service.import_files import (
    complete_source,
    find_importer,
    prepend_bundled_lists,
    require_records,
)
from abhidhan.exchange.service.import_for_review import ReviewImportResult, submit_for_review
from abhidhan.exchange.service.name_resolution import NameResolver
from abhidhan.exchange.service.updating import RecordUpdater, UpdateCounts
from abhidhan.exchange.store.database_copies import open_sandbox
from abhidhan.exchange.store.imports import InterruptedImport, mark_finished, read_tombstones
from abhidhan.exchange.store.loading.bulk_load import BulkLoadOptions, UpdateStep, load_records
from abhidhan.exchange.store.loading.differences import Differences
from abhidhan.exchange.store.loading.lift_entries import EntrySpool
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.formats import wordnet
from abhidhan.formats.cldf.forms import CONCEPTICON
from abhidhan.formats.files import check_contents, get_total_size, list_files, list_packed_files, open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.platform.database.leases import FencingToken
from abhidhan.records.import_records import (
    ConflictPolicy,
    LocatedRecord,
    RawEntry,
    RecordError,
    SourceDeletion,
    UnstoredValue,
)
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.lift_entries import LiftEntry
from abhidhan.records.tombstones import Tombstones


class LostField(msgspec.Struct, frozen=True):
    """A field of the files that no record has: the number of its values, and the first of them."""

    count: int
    example: UnstoredValue


class LossCollector:
    """Collector of the losses in a stream of records, counted by field."""

    def __init__(
        self,
        on_lost: Callable[[UnstoredValue], None] = lambda _: None,
        on_entry: Callable[[LiftEntry], None] | None = None,
    ) -> None:
        """Initialise; `on_lost` is called with each loss, `on_entry` with each entry to store in its original form."""
        self._fields: dict[str, LostField] = {}
        self._on_lost = on_lost
        self._on_entry = on_entry
        self.deletions: list[SourceDeletion] = []
        """Records that the files mark as deleted."""

    def add(self, loss: UnstoredValue) -> None:
        """Count a loss."""
        self._on_lost(loss)
        earlier = self._fields.get(loss.field)
        self._fields[loss.field] = LostField(earlier.count + 1, earlier.example) if earlier else LostField(1, loss)

    def collect(
        self, items: Iterable[LocatedRecord | RecordError | UnstoredValue | SourceDeletion | RawEntry]
    ) -> Iterator[LocatedRecord | RecordError]:
        """Yield the records and errors; collect losses, deletions and original entries."""
        for item in items:
            if isinstance(item, UnstoredValue):
                self.add(item)
            elif isinstance(item, SourceDeletion):
                self.deletions.append(item)
            elif isinstance(item, RawEntry):
                self._add_entry(item)
            else:
                yield item

    def _add_entry(self, raw_entry: RawEntry) -> None:
        if self._on_entry is not None:
            self._on_entry(raw_entry.entry)
            return
        for loss in raw_entry.losses:
            self.add(loss)

    @property
    def fields(self) -> tuple[LostField, ...]:
        """The fields with losses, in the order of their first losses."""
        return tuple(self._fields.values())


SHARED_SOURCES: Final = {"omw": (wordnet.SOURCE.code,), "cldf": (CONCEPTICON.code,)}
"""Codes of the sources that files of a format extend but do not own, by format."""

DICTIONARY_FORMAT = "jsonl"
"""The format in which a dictionary can be exported and imported without loss."""

OnReject = Callable[[RecordError], None]
"""Called with each rejected record as soon as it is found."""

OnLost = Callable[[UnstoredValue], None]
"""Called with each value of the files that no record can store."""

OnReport = Callable[[RecordError | str], None]
"""Called with a message for each record that was changed, kept or removed."""

MayRemove = Callable[[int, int], bool]
"""Returns whether a mirror may remove records, given their number and that of all records of the source."""


def import_records(  # noqa: PLR0913  # the options of the command, each by its name
    database: Database,
    records: Iterable[LocatedRecord | RecordError],
    *,
    now: int,
    policy: ConflictPolicy = ConflictPolicy.FILL,
    words_per_transaction: int | None = None,
    on_progress: Callable[[LoadResult], None] = lambda _: None,
    on_reject: OnReject = lambda _: None,
    on_phase: OnPhase = ignore_progress,
    is_trial: bool = False,
    enforce_limits: bool = True,
    on_remark: OnReject = lambda _: None,
    tombstones: Tombstones | None = None,
    updater: RecordUpdater | None = None,
    preparation_steps: Iterable[UpdateStep] = (),
) -> LoadResult:
    """Load records into the database, in transactions of `words_per_transaction` new words, or of an automatic size.

    Loading the same records again changes nothing, so an interrupted import can be repeated. `on_progress` is called
    after each transaction with the totals so far, `on_reject` with each rejected record. `enforce_limits` can be false
    for a whole copy of another dictionary. With `is_trial`, the caller discards the result.
    Raises ConflictError while another import runs.
    """
    with hold_import_lock(database, wait=False) as fence:
        options = BulkLoadOptions(
            now,
            policy,
            words_per_transaction,
            on_progress,
            on_reject,
            on_phase=on_phase,
            tombstones=database.read_now(read_tombstones) if tombstones is None else tombstones,
            on_remark=on_remark,
            enforce_limits=enforce_limits,
            is_trial=is_trial,
            preparation_steps=preparation_steps,
        )
        if updater is not None:
            options = msgspec.structs.replace(
                options, differences=updater.differences, update=updater.iter_update_steps
            )
        return _load(database, records, options, fence)


class ImportRequest(msgspec.Struct, frozen=True):
    """A request for an import: files of a format, and the policy for existing records."""

    format: str
    paths: tuple[Path, ...]
    options: ImportOptions = ImportOptions()
    policy: ConflictPolicy = ConflictPolicy.UPDATE
    dry_run: bool = False
    words_per_transaction: int | None = None
    review: bool = False
    strict: bool = False
    """If true, store nothing if any record is rejected."""
    mirror: bool = False
    """If true, remove records of the file's sources that the file lacks."""
    yes: bool = False
    """If true, remove more than a tenth of a source without confirmation."""


class ImportReport(msgspec.Struct, frozen=True):
    """The result of an import.

    `unknown_names` counts names that the dictionary lacks, by kind (language, pos, context, gender, variant) and name.
    `reviewed` is the result of an import into review; `finished_imports` lists earlier interrupted imports of the same
    sources that are now complete. `refused` is true if nothing was stored because records were rejected.
    """

    loaded: LoadResult
    new_languages: tuple[LanguageRecord, ...]
    unknown_names: dict[tuple[str, str], int]
    reviewed: ReviewImportResult | None = None
    finished_imports: tuple[InterruptedImport, ...] = ()
    refused: bool = False
    update_counts: UpdateCounts = UpdateCounts()
    """The changes to existing records."""
    lost_fields: tuple[LostField, ...] = ()
    """Fields of the files whose values were lost, since no record has them."""


def import_files(  # noqa: PLR0913  # options and callbacks
    database: Database,
    request: ImportRequest,
    *,
    now: int,
    on_phase: OnPhase = ignore_progress,
    on_progress: Callable[[LoadResult], None],
    on_reject: OnReject = lambda _: None,
    on_report: OnReport = lambda _: None,
    on_left_out: OnReject = lambda _: None,
    on_lost: OnLost = lambda _: None,
    may_remove: MayRemove = lambda _gone, _there: False,
) -> ImportReport:
    """Import files; `on_phase` is called at the start of each phase, `on_progress` after each transaction.

    `on_reject` is called with each rejected record, `on_report` with each that was changed, kept or removed,
    `on_left_out` with each unknown value that was left out of a record, and `on_lost` with each value that no record
    can store. `may_remove` is called before a mirror removes more than a tenth of a source.
    A dry run works on a copy; an import into review submits the records to editors. A strict import runs on a copy
    first, and ends there if a record is rejected. Raises InputError for unreadable input, before anything is stored;
    ConflictError while another import runs.
    """
    callbacks = _Callbacks(on_phase, on_progress, on_reject, on_report, on_left_out, on_lost, may_remove)
    if not (request.dry_run or request.strict):
        return _import_now(database, request, now, callbacks)
    on_phase(Phase.COPYING, None)
    # The second run of a strict import calls the other callbacks.
    trial_callbacks = callbacks if request.dry_run else _Callbacks(on_phase, on_progress, on_reject)
    with open_sandbox(database) as copy:
        trial = _import_now(copy, msgspec.structs.replace(request, yes=True), now, trial_callbacks, is_trial=True)
    if request.dry_run or trial.loaded.rejected:
        return msgspec.structs.replace(trial, refused=request.strict and not request.dry_run)
    return _import_now(database, request, now, callbacks)


class _Callbacks(NamedTuple):
    """The callbacks of an import."""

    on_phase: OnPhase
    on_progress: Callable[[LoadResult], None]
    on_reject: OnReject
    on_report: OnReport = lambda _: None
    on_left_out: OnReject = lambda _: None
    on_lost: OnLost = lambda _: None
    may_remove: MayRemove = lambda _gone, _there: False


def _import_now(
    database: Database, request: ImportRequest, now: int, callbacks: _Callbacks, *, is_trial: bool = False
) -> ImportReport:
    """Import files into a database, or submit their records for review."""
    importer = find_importer(request)
    packed = list_packed_files(request.paths)
    if packed:
        check_contents(packed, callbacks.on_phase(Phase.CHECKING, get_total_size(packed)))
    catalogue = database.read_now(lambda reader: reader.catalogue)
    options = complete_source(request.options, {source.code: source for source in catalogue.sources.values()})
    names = NameResolver(catalogue, callbacks.on_left_out)
    contents = open_contents(
        request.paths, callbacks.on_phase(Phase.READING, get_total_size(list_files(request.paths)))
    )
    with EntrySpool() as entries:
        losses = LossCollector(callbacks.on_lost, None if request.review else entries.add)
        file_records = require_records(losses.collect(importer.read(contents, options)), request)
        records = names.resolve(file_records if catalogue.languages else prepend_bundled_lists(file_records))
        if request.review:
            reviewed = submit_for_review(database, records, now=now, on_reject=callbacks.on_reject)
            loaded = LoadResult({}, reviewed.errors, reviewed.rejected)
            return ImportReport(
                loaded, tuple(names.new_languages), dict(names.unknown_counts), reviewed, lost_fields=losses.fields
            )
        updater = RecordUpdater(
            database.read_now(read_tombstones),
            Differences(mirror=request.mirror, shared_sources=SHARED_SOURCES.get(request.format, ())),
            request.policy,
            mirror=request.mirror,
            now=now,
            may_remove=(lambda _gone, _there: True) if request.yes else callbacks.may_remove,
            on_report=callbacks.on_report,
            on_lost=losses.add,
            deletions=losses.deletions,
            entries=entries,
        )
        loaded = _load_files(database, records, request, now, callbacks, updater, is_trial=is_trial)
    finished = database.write_now(partial(mark_finished, sources=loaded.sources), public=False)
    return ImportReport(
        loaded,
        tuple(names.new_languages),
        dict(names.unknown_counts),
        finished_imports=tuple(finished),
        update_counts=updater.update_counts,
        lost_fields=losses.fields,
    )


def _load_files(  # noqa: PLR0913, PLR0917  # the variables of `_import_now`
    database: Database,
    records: Iterable[LocatedRecord | RecordError],
    request: ImportRequest,
    now: int,
    callbacks: _Callbacks,
    updater: RecordUpdater,
    *,
    is_trial: bool,
) -> LoadResult:
    def reject(fault: RecordError) -> None:
        updater.rejected_count += 1
        callbacks.on_reject(fault)

    return import_records(
        database,
        records,
        now=now,
        policy=request.policy,
        words_per_transaction=request.words_per_transaction,
        on_progress=callbacks.on_progress,
        on_reject=reject,
        on_phase=callbacks.on_phase,
        is_trial=is_trial,
        enforce_limits=request.format != DICTIONARY_FORMAT
        or bool(database.read_now(lambda reader: reader.catalogue.languages)),
        on_remark=callbacks.on_report,
        tombstones=updater.edits,
        updater=updater,
    )


def _load(
    database: Database, records: Iterable[LocatedRecord | RecordError], options: BulkLoadOptions, fence: FencingToken
) -> LoadResult:
    with database.long_write(before_commit=fence.ensure_held) as connection:
        return load_records(connection, records, options)
