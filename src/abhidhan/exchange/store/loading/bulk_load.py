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
from abhidhan.dictionary.store.acceleration.completion_lists import filling as completion_lists
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES
from abhidhan.dictionary.store.index import OpenTransaction
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.dictionary.store.indexes.stored_keys import note_rules_if_empty, stored_rules
from abhidhan.exchange.model import OnPhase, Phase, unheard
from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.batches import BATCH_WORDS, Later, Loader
from abhidhan.exchange.store.loading.differences import Differences
from abhidhan.exchange.store.loading.load_context import Load, Loaded
from abhidhan.exchange.store.loading.parallel_keys import KeyMaker
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.bulk_connections import BULK_CACHE_KIB, set_for_bulk
from abhidhan.platform.database.catalogue import read_catalogue
from abhidhan.platform.database.data_version import raise_data_version
from abhidhan.platform.database.reader import Reader
from abhidhan.records.import_records import Fault, Names, Placed, Policy
from abhidhan.records.kinds import IdeaRecord
from abhidhan.records.tombstones import Removed

MOST_WITHIN = 2**31
"""More words than a few records have, so that all are stored in the current transaction."""

WORDS_AT_ONCE = 500
"""Number of words per transaction in PostgreSQL, which blocks other writers for less than half a second."""

LEAST_TRANSACTION = 100_000
"""Minimum amount of new data per transaction in SQLite, which blocks other writers for about twenty seconds."""

GROWTH = 2
"""Size of a transaction as a multiple of the words before it. Larger ones rebuild indexes less often, but block
other writers for longer.
"""

MOST_PER_NEW_WORD = 20
"""Number of words checked per new word for readings in Indic scripts, which takes as long as storing the new word.

After a few new words in a large dictionary, the server does this in the background instead.
"""

IMPORT_ACTION = 22
"""The history action of an import (`Data imported` in the list HAC)."""


class ImportEntry:
    """The history entry of an import, updated by each of its transactions."""

    def __init__(self, now: int) -> None:
        """Start without a history row; an import that changes nothing writes none."""
        self._now = now
        self._id: int | None = None

    @property
    def is_begun(self) -> bool:
        """Whether the row exists."""
        return self._id is not None

    def id_in(self, connection: Connection, sources: Sequence[str]) -> int:
        """Return the ID of the row, and insert the row if necessary."""
        if self._id is None:
            self.write(connection, Loaded({}, (), 0, tuple(sources)), finished=False)
        return cast("int", self._id)

    def write(self, connection: Connection, total: Loaded, *, finished: bool) -> None:
        """Write the totals so far, and whether the import has finished."""
        counts = {name: number for name, number in total.counts.items() if number}
        after = {"counts": counts, "rejected": total.rejected, "sources": list(total.sources)}
        state = json.dumps(after if finished else after | {"unfinished": True}, ensure_ascii=False)
        table = schema.history
        if self._id is None:
            values = {"at": self._now, "action_id": IMPORT_ACTION, "record": "import", "record_id": 0, "after": state}
            self._id = connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one()
        else:
            connection.execute(update(table).where(table.c.id == self._id).values(after=state))


UpdateStep = Callable[[Connection, ImportEntry], dict[str, int]]
"""Applies some of the differences in a transaction of its own; returns counts of its changes."""


class Loading(msgspec.Struct, frozen=True):
    """Options of a load; `now` is the time of every new row (seconds since 1970, UTC).

    `words_at_once` limits the new words of a transaction. By default it is small in PostgreSQL; in SQLite it grows with
    the database, because rebuilding an index is cheaper than changing it everywhere.
    """

    now: int
    policy: Policy = Policy.FILL
    words_at_once: int | None = None
    on_progress: Callable[[Loaded], None] = lambda _: None
    on_reject: Callable[[Fault], None] = lambda _: None
    """Called with each rejected record, in order of detection."""
    removed: Removed = msgspec.field(default_factory=Removed)
    """Records removed here, which return only if the policy replaces existing data."""
    on_remark: Callable[[Fault], None] = lambda _: None
    """Called with each record of which a removed part does not return."""
    is_measured: bool = True
    """Whether to check records against the limits for new ones, from which a copy of a dictionary is exempt."""
    on_phase: OnPhase = unheard
    is_trial: bool = False
    """Whether the result is discarded; then no caches are filled, which take a third of the time."""
    differences: Differences | None = None
    """Collects the differences between the file and the dictionary."""
    prepare: Iterable[UpdateStep] = ()
    """Steps to run before the first record is read."""
    update: Callable[[bool], Iterable[UpdateStep]] = lambda _: ()
    """Called after each transaction, with whether it was the last; returns the steps that apply the differences."""


def load_records(connection: Connection, records: Iterable[Placed | Fault], loading: Loading) -> Loaded:
    """Store a stream of records on a connection without an open transaction.

    Words are identified by language and text; ideas, phrases and card sets by source and key. Loading the same file
    again
    thus changes nothing, and an interrupted load can be repeated. Invalid records are reported and left out. Relations
    and flashcards may refer to later ideas, so they are stored last. `loading.on_progress` is called after each
    transaction.
    """
    stream = iter(records)
    is_short = loading.words_at_once is None and connection.dialect.name != "sqlite"
    later = Later()
    total = Loaded({}, (), 0)
    history = ImportEntry(loading.now)
    ended = False

    def take(steps: Iterable[UpdateStep]) -> None:
        nonlocal total
        for step in steps:
            with connection.begin():
                changed = step(connection, history)
                if changed:
                    raise_data_version(connection)
                    total += Loaded(changed, (), 0)
                    history.write(connection, total, finished=ended)

    with (
        KeyMaker() as keys,
        _unusable_after_an_error(connection),
        set_for_bulk(connection),
        _seldom_looking_for_garbage(),
    ):
        take(loading.prepare)
        while not ended:
            # Other writers can proceed while the next records are read.
            part, is_last = _read_some(stream) if is_short else (stream, True)
            with connection.begin():
                note_rules_if_empty(connection)
                done, ended = _load_some(connection, part, later, loading, keys, is_last=is_last)
                total += done
                # A load without changes leaves every cached response valid.
                if done.changed:
                    raise_data_version(connection)
                if done.changed or (ended and history.is_begun):
                    history.write(connection, total, finished=ended)
            later.look_at_tables(connection)
            take(loading.update(ended))
            loading.on_progress(total)
            if not ended and not is_short:
                gc.collect()
        if not loading.is_trial:
            _prepare_answers(connection, total, loading.on_phase)
    return total


def _prepare_answers(connection: Connection, done: Loaded, on_phase: OnPhase) -> None:
    """Fill the caches and indexes of look-ups, and report each phase."""
    with connection.begin():
        tables = OpenTransaction(connection)
        missing = idea_cache.count_missing(tables)
        words = derived_columns.total_words(tables)
    idea_cache.fill(connection, on_phase(Phase.ANSWERS, missing))
    on_phase(Phase.SOUNDS, None)
    SOUND_FRAMES.fill(connection)
    SOUND_FILTER.fill(connection)
    if done.counts.get("word", 0) * MOST_PER_NEW_WORD >= words:
        READABLE_WORDS.fill(connection)
    on_phase(Phase.BEGINNINGS, None)
    completion_lists.fill(connection)


def _read_some(stream: Iterator[Placed | Fault]) -> tuple[list[Placed | Fault], bool]:
    """Read the records of one short transaction; return them, and whether they are the last."""
    some: list[Placed | Fault] = []
    words = 0
    for placed in stream:
        some.append(placed)
        words += len(placed.record.words) if isinstance(placed, Placed) and isinstance(placed.record, IdeaRecord) else 1
        if words >= WORDS_AT_ONCE:
            return some, False
    return some, True


@contextmanager
def _seldom_looking_for_garbage() -> Iterator[None]:
    """Suspend the cyclic garbage collector, except between transactions.

    Records have no reference cycles, and searching for them takes a sixth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def load_within(connection: Connection, records: Iterable[Placed | Fault], loading: Loading) -> Loaded:
    """Store a few records in the open transaction, without a history entry, which the caller writes."""
    whole = Loading(loading.now, loading.policy, MOST_WITHIN)
    with KeyMaker() as keys:
        note_rules_if_empty(connection)
        return _load_some(connection, records, Later(), whole, keys, is_last=True)[0]


@contextmanager
def _unusable_after_an_error(connection: Connection) -> Iterator[None]:
    """Invalidate the connection if a load fails, since its temporary tables would disturb the next one."""
    try:
        yield
    except BaseException:
        connection.invalidate()
        raise


def _load_some(  # noqa: PLR0913  # the state of one transaction
    connection: Connection,
    records: Iterable[Placed | Fault],
    later: Later,
    loading: Loading,
    keys: KeyMaker,
    *,
    is_last: bool,
) -> tuple[Loaded, bool]:
    """Store the records of one transaction; return the result, and whether the load is complete."""
    bulk = Bulk(connection)
    if not bulk.is_sqlite:
        connection.execute(text(f"SET LOCAL work_mem = '{BULK_CACHE_KIB}kB'"))
    names = Names(read_catalogue(lambda query: bulk.rows(query, {})), is_measured=loading.is_measured)
    load = Load(
        connection,
        names,
        loading.now,
        loading.policy,
        keys,
        on_reject=loading.on_reject,
        removed=loading.removed,
        on_remark=loading.on_remark,
        differences=loading.differences,
    )
    if later.has_local_names:
        own_keys.name_ideas(load)
    loader = Loader(load, later)
    limit = loading.words_at_once or max(LEAST_TRANSACTION, GROWTH * loader.words_before)
    loader.batch_words = min(BATCH_WORDS, limit)
    for record in records:
        loader.take(record)
        if loader.weight >= limit:
            loader.finish()
            return _end(load, later), False
    if not is_last:
        loader.finish()
        return _end(load, later), False
    loading.on_phase(Phase.JOINING, None)
    loader.finish()
    later.store(load)
    return _end(load, later), True


def _end(load: Load, later: Later) -> Loaded:
    if later.has_local_names:
        own_keys.forget_ideas(load)
    return load.finish()


def is_empty(connection: Connection) -> bool:
    """Return whether a database has no data, not even languages."""
    return not any(
        connection.execute(select(table.c.id).limit(1)).first()
        for table in (schema.language, schema.source, schema.idea, schema.word)
    )


def begin_if_empty(connection: Connection) -> bool:
    """Initialise a database without data as an empty dictionary; return whether it was one."""
    empty = is_empty(connection)
    if empty:
        note_rules_if_empty(connection)
    return empty


def is_begun(reader: Reader) -> bool:
    """Return whether the database has a dictionary: languages, or the key rules of an empty one."""
    return bool(reader.catalogue.languages) or stored_rules(reader) is not None
