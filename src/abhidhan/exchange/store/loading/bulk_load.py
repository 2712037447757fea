"""Loading: a stream of records stored in transactions of a size that suits, merged with what is there."""

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
"""More words than a few records have: all of them belong to the one transaction."""

WORDS_AT_ONCE = 500
"""How many words a transaction stores in PostgreSQL: less than half a second, for which other writers wait."""

LEAST_TRANSACTION = 100_000
"""How much new is stored in SQLite before a transaction ends: some twenty seconds, for which other writers wait."""

GROWTH = 2
"""How much a transaction holds, as a multiple of the words before it: the fewer there are, the seldomer all indexes are
built anew, and the longer others wait."""

MOST_PER_NEW_WORD = 20
"""For each new word so many are gone through, to find out which others may be meant by: that takes as long as to write
it. A few new words among very many are left to the server, which does so beside its requests."""

IMPORT_ACTION = 22
"""The history action of an import (`Data imported` in the list HAC)."""


class ImportEntry:
    """The one row of history that an import leaves, brought up to date by each of its transactions."""

    def __init__(self, now: int) -> None:
        """Start without a history row; an import that changes nothing writes none."""
        self._now = now
        self._id: int | None = None

    @property
    def is_begun(self) -> bool:
        """Return whether the row is there."""
        return self._id is not None

    def id_in(self, connection: Connection, sources: Sequence[str]) -> int:
        """Return the ID of the row, which is written if it is not there yet."""
        if self._id is None:
            self.write(connection, Loaded({}, (), 0, tuple(sources)), finished=False)
        return cast("int", self._id)

    def write(self, connection: Connection, total: Loaded, *, finished: bool) -> None:
        """Write what was imported so far, and whether that is all."""
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
"""Sees to some of the differences, in a transaction of its own; counts what it has changed."""


class Loading(msgspec.Struct, frozen=True):
    """How to load: `now` is the time of every new row (seconds since 1970, UTC).

    `words_at_once` is how much new a transaction holds. Left out, it is little in PostgreSQL; in SQLite it grows with
    the database, because an index that is built anew is cheaper than one that is changed everywhere.
    """

    now: int
    policy: Policy = Policy.FILL
    words_at_once: int | None = None
    on_progress: Callable[[Loaded], None] = lambda _: None
    on_reject: Callable[[Fault], None] = lambda _: None
    """Called with every record that is left out, in the order in which that is found."""
    removed: Removed = msgspec.field(default_factory=Removed)
    """What was removed here, and comes back only if the file's records take the place of what is there."""
    on_remark: Callable[[Fault], None] = lambda _: None
    """Called with every record of which something does not come back."""
    is_measured: bool = True
    """Whether records are held against the limits of new ones; a copy of a dictionary takes what it holds as it is."""
    on_phase: OnPhase = unheard
    is_trial: bool = False
    """Whether all of it is thrown away again: then nothing is cached, which takes a third of the time."""
    differences: Differences | None = None
    """Gathers what the file gives otherwise than the dictionary has it."""
    prepare: Iterable[UpdateStep] = ()
    """Steps that are taken before the first record is read."""
    update: Callable[[bool], Iterable[UpdateStep]] = lambda _: ()
    """Called after each transaction, with whether it was the last: returns what sees to the differences."""


def load_records(connection: Connection, records: Iterable[Placed | Fault], loading: Loading) -> Loaded:
    """Store a stream of records on a connection that has no transaction open.

    `loading.on_progress` is called after each transaction.

    Words are one by language and text, ideas, phrases and card sets by source and key: so the same file again changes
    nothing, and what was interrupted is finished by beginning again. A record that cannot be used is left out and
    reported. Relations and flashcards lead to ideas that may come later, and are stored last.
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
            # Others write while the next records are read.
            part, is_last = _read_some(stream) if is_short else (stream, True)
            with connection.begin():
                note_rules_if_empty(connection)
                done, ended = _load_some(connection, part, later, loading, keys, is_last=is_last)
                total += done
                # A load that changes nothing leaves every cached answer as it is.
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
    """Make what look-ups read first, and tell what takes so long."""
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
    """Read the records of one short transaction; tell whether they are the last."""
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
    """Leave looking for circles to the ends of transactions: records have none, and it takes a sixth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def load_within(connection: Connection, records: Iterable[Placed | Fault], loading: Loading) -> Loaded:
    """Store a few records in the transaction that is open, without a row of history: that is the caller's."""
    whole = Loading(loading.now, loading.policy, MOST_WITHIN)
    with KeyMaker() as keys:
        note_rules_if_empty(connection)
        return _load_some(connection, records, Later(), whole, keys, is_last=True)[0]


@contextmanager
def _unusable_after_an_error(connection: Connection) -> Iterator[None]:
    """Close the connection for good when a load breaks off: its temporary tables would be in the way of the next."""
    try:
        yield
    except BaseException:
        connection.invalidate()
        raise


def _load_some(  # noqa: PLR0913  # what one transaction needs, each by its name
    connection: Connection,
    records: Iterable[Placed | Fault],
    later: Later,
    loading: Loading,
    keys: KeyMaker,
    *,
    is_last: bool,
) -> tuple[Loaded, bool]:
    """Store as many records as one transaction holds; tell what was done, and whether that was the end of the load."""
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
    """Return whether a database has no data yet, not even languages."""
    return not any(
        connection.execute(select(table.c.id).limit(1)).first()
        for table in (schema.language, schema.source, schema.idea, schema.word)
    )


def begin_if_empty(connection: Connection) -> bool:
    """Note in a database without data that a dictionary begins; return whether it is one."""
    empty = is_empty(connection)
    if empty:
        note_rules_if_empty(connection)
    return empty


def is_begun(reader: Reader) -> bool:
    """Return whether a dictionary was begun: with languages, or empty, which the rules for its keys tell."""
    return bool(reader.catalogue.languages) or stored_rules(reader) is not None
