"""Bulk load: store a stream of records in transactions of suitable size, merged with existing records."""

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import msgspec
from sqlalchemy import Connection, insert, select, text, update

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration.completion_lists import rows as completion_lists
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES
from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.dictionary.store.indexes.stored_keys import read_stored_rules, store_rules_if_empty
from abhidhan.exchange.model import OnPhase, Phase, ignore_progress
from abhidhan.exchange.store.imports import UNFINISHED_KEY
from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.batches import BATCH_WORDS, DeferredWork, Loader
from abhidhan.exchange.store.loading.differences import Differences
from abhidhan.exchange.store.loading.load_context import Load, LoadResult
from abhidhan.exchange.store.loading.parallel_keys import KeyMaker
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.bulk_connections import BULK_CACHE_KIB, configure_for_bulk
from abhidhan.platform.database.catalogue import read_catalogue
from abhidhan.platform.database.data_version import increment_data_version
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import HistoryAction
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, NameIds, RecordError
from abhidhan.records.kinds import IdeaRecord
from abhidhan.records.tombstones import Tombstones

UNLIMITED_WORDS = 2**31
"""A limit that no load reaches, so that all records are stored in the current transaction."""

TRANSACTION_WORDS = 500
"""Number of words per transaction in PostgreSQL, which blocks other writers for less than half a second."""

MIN_TRANSACTION_WORDS = 100_000
"""Minimum number of new words per transaction in SQLite, which blocks other writers for about twenty seconds."""

TRANSACTION_GROWTH_FACTOR = 2
"""Number of new words per transaction, as a multiple of the stored words.

With a greater number, indexes are rebuilt less often, but other writers wait for longer.
"""

MAX_CHECKED_PER_NEW_WORD = 20
"""Number of words checked per new word for readings in Indic scripts, which takes as long as storing the new word.

After a few new words in a large dictionary, the server does this in the background instead.
"""


class ImportEntry:
    """The history entry of an import, updated by each of its transactions."""

    def __init__(self, now: int) -> None:
        """Initialise without a row in the history; it is written with the first change."""
        self._now = now
        self._id: int | None = None

    @property
    def is_written(self) -> bool:
        """True if the row exists."""
        return self._id is not None

    def get_id(self, connection: Connection, sources: Sequence[str]) -> int:
        """Return the ID of the row in the history; insert the row if it does not exist yet."""
        if self._id is None:
            self.write(connection, LoadResult({}, (), 0, tuple(sources)), finished=False)
        return cast("int", self._id)

    def write(self, connection: Connection, total: LoadResult, *, finished: bool) -> None:
        """Insert or update the row: the totals so far, and whether the import has finished."""
        counts = {name: number for name, number in total.counts.items() if number}
        after = {"counts": counts, "rejected": total.rejected, "sources": list(total.sources)}
        state = json.dumps(after if finished else after | {UNFINISHED_KEY: True}, ensure_ascii=False)
        table = schema.history
        if self._id is None:
            values = {
                "at": self._now,
                "action_id": int(HistoryAction.IMPORTED),
                "record": "import",
                "record_id": 0,
                "after": state,
            }
            self._id = connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one()
        else:
            connection.execute(update(table).where(table.c.id == self._id).values(after=state))


UpdateStep = Callable[[Connection, ImportEntry], dict[str, int]]
"""Applies some of the differences in a transaction of its own; returns counts of its changes."""


class BulkLoadOptions(msgspec.Struct, frozen=True):
    """Options of a load; `now` is the time of every new row (seconds since 1970, UTC).

    `words_per_transaction` limits the new words of a transaction. By default it is small in PostgreSQL; in SQLite it
    grows with the database, because rebuilding an index is cheaper than changing it everywhere.
    """

    now: int
    policy: ConflictPolicy = ConflictPolicy.FILL
    words_per_transaction: int | None = None
    on_progress: Callable[[LoadResult], None] = lambda _: None
    on_reject: Callable[[RecordError], None] = lambda _: None
    """Called with each rejected record, in order of detection."""
    tombstones: Tombstones = msgspec.field(default_factory=Tombstones)
    """Records that users have removed; they are added again only under the policy REPLACE."""
    on_remark: Callable[[RecordError], None] = lambda _: None
    """Called with each record that is stored with a deviation, such as without a part that users have removed."""
    enforce_limits: bool = True
    """If true, apply the length limits of new records, from which a copy of a dictionary is exempt."""
    on_phase: OnPhase = ignore_progress
    is_trial: bool = False
    """True if the result is discarded; caches are then not filled, which would take a third of the time."""
    differences: Differences | None = None
    """Collector of the differences between the file and the dictionary; None if they are not needed."""
    preparation_steps: Iterable[UpdateStep] = ()
    """Steps to run before the first record is read."""
    update: Callable[[bool], Iterable[UpdateStep]] = lambda _: ()
    """Called after each transaction, with true after the last; returns steps that apply the differences."""


def load_records(
    connection: Connection, records: Iterable[LocatedRecord | RecordError], options: BulkLoadOptions
) -> LoadResult:
    """Store a stream of records in one or more transactions; the connection must not have one open.

    Words are identified by language and text; ideas, phrases and card sets by source and key. Loading the same file
    again thus changes nothing, and an interrupted load can be repeated. Invalid records are reported and left out.
    Relations and flashcards may refer to later ideas, so they are stored last. `options.on_progress` is called after
    each transaction.
    """
    stream = iter(records)
    is_short = options.words_per_transaction is None and connection.dialect.name != "sqlite"
    deferred = DeferredWork()
    total = LoadResult({}, (), 0)
    history = ImportEntry(options.now)
    is_finished = False

    def run_steps(steps: Iterable[UpdateStep]) -> None:
        nonlocal total
        for step in steps:
            with connection.begin():
                changed = step(connection, history)
                if changed:
                    increment_data_version(connection)
                    total += LoadResult(changed, (), 0)
                    history.write(connection, total, finished=is_finished)

    with (
        KeyMaker() as keys,
        _invalidate_on_error(connection),
        configure_for_bulk(connection),
        _pause_garbage_collection(),
    ):
        run_steps(options.preparation_steps)
        while not is_finished:
            # Other writers can proceed while the next records are read.
            batch, is_last = _read_batch(stream) if is_short else (stream, True)
            with connection.begin():
                store_rules_if_empty(connection)
                loaded, is_finished = _load_transaction(connection, batch, deferred, options, keys, is_last=is_last)
                total += loaded
                # A load without changes leaves every cached response valid.
                if loaded.has_changes:
                    increment_data_version(connection)
                if loaded.has_changes or (is_finished and history.is_written):
                    history.write(connection, total, finished=is_finished)
            deferred.analyse_tables(connection)
            run_steps(options.update(is_finished))
            options.on_progress(total)
            if not is_finished and not is_short:
                gc.collect()
        if not options.is_trial:
            _fill_caches(connection, total, options.on_phase)
    return total


def _fill_caches(connection: Connection, loaded: LoadResult, on_phase: OnPhase) -> None:
    """Fill the caches and indexes of look-ups, and report each phase."""
    with connection.begin():
        tables = TransactionRows(connection)
        missing = idea_cache.count_missing(tables)
        words = derived_columns.count_all_words(tables)
    idea_cache.fill(connection, on_phase(Phase.IDEA_CACHE, missing))
    on_phase(Phase.SOUND_INDEX, None)
    SOUND_FRAMES.fill(connection)
    SOUND_FILTER.fill(connection)
    if loaded.counts.get("word", 0) * MAX_CHECKED_PER_NEW_WORD >= words:
        READABLE_WORDS.fill(connection)
    on_phase(Phase.PREFIX_LISTS, None)
    completion_lists.fill(connection)


def _read_batch(stream: Iterator[LocatedRecord | RecordError]) -> tuple[list[LocatedRecord | RecordError], bool]:
    """Read the records of one short transaction; return them, and whether the stream has ended."""
    batch: list[LocatedRecord | RecordError] = []
    words = 0
    for item in stream:
        batch.append(item)
        words += (
            len(item.record.words) if isinstance(item, LocatedRecord) and isinstance(item.record, IdeaRecord) else 1
        )
        if words >= TRANSACTION_WORDS:
            return batch, False
    return batch, True


@contextmanager
def _pause_garbage_collection() -> Iterator[None]:
    """Suspend the cyclic garbage collector, except between transactions.

    Records have no reference cycles, and the search for cycles would take a sixth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def load_in_transaction(
    connection: Connection, records: Iterable[LocatedRecord | RecordError], options: BulkLoadOptions
) -> LoadResult:
    """Store a few records in the open transaction; the caller writes the history entry."""
    unlimited = BulkLoadOptions(options.now, options.policy, UNLIMITED_WORDS)
    with KeyMaker() as keys:
        store_rules_if_empty(connection)
        return _load_transaction(connection, records, DeferredWork(), unlimited, keys, is_last=True)[0]


@contextmanager
def _invalidate_on_error(connection: Connection) -> Iterator[None]:
    """Invalidate the connection if the block fails, since its temporary tables would break the next load."""
    try:
        yield
    except BaseException:
        connection.invalidate()
        raise


def _load_transaction(  # noqa: PLR0913  # the state of one transaction
    connection: Connection,
    records: Iterable[LocatedRecord | RecordError],
    deferred: DeferredWork,
    options: BulkLoadOptions,
    keys: KeyMaker,
    *,
    is_last: bool,
) -> tuple[LoadResult, bool]:
    """Store the records of one transaction; return the result, and whether the load is complete."""
    bulk = BulkTransaction(connection)
    if not bulk.is_sqlite:
        connection.execute(text(f"SET LOCAL work_mem = '{BULK_CACHE_KIB}kB'"))
    names = NameIds(read_catalogue(lambda query: bulk.rows(query, {})), has_limits=options.enforce_limits)
    load = Load(
        connection,
        names,
        options.now,
        options.policy,
        keys,
        on_reject=options.on_reject,
        tombstones=options.tombstones,
        on_remark=options.on_remark,
        differences=options.differences,
    )
    if deferred.has_local_records:
        own_keys.add_aliases(load)
    loader = Loader(load, deferred)
    limit = options.words_per_transaction or max(MIN_TRANSACTION_WORDS, TRANSACTION_GROWTH_FACTOR * loader.words_before)
    loader.batch_words = min(BATCH_WORDS, limit)
    for record in records:
        loader.add(record)
        if loader.weight >= limit:
            loader.finish()
            return _finish_load(load, deferred), False
    if not is_last:
        loader.finish()
        return _finish_load(load, deferred), False
    options.on_phase(Phase.LINKING, None)
    loader.finish()
    deferred.store(load)
    return _finish_load(load, deferred), True


def _finish_load(load: Load, deferred: DeferredWork) -> LoadResult:
    if deferred.has_local_records:
        own_keys.delete_aliases(load)
    return load.finish()


def is_empty(connection: Connection) -> bool:
    """Return whether a database has no data, not even languages."""
    return not any(
        connection.execute(select(table.c.id).limit(1)).first()
        for table in (schema.language, schema.source, schema.idea, schema.word)
    )


def initialise_if_empty(connection: Connection) -> bool:
    """Initialise a database without data as an empty dictionary; return whether it was one."""
    empty = is_empty(connection)
    if empty:
        store_rules_if_empty(connection)
    return empty


def has_dictionary(connection: ReadConnection) -> bool:
    """Return whether the database has languages, or was initialised as an empty dictionary."""
    return bool(connection.catalogue.languages) or read_stored_rules(connection) is not None
