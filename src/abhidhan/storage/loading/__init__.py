"""Loading records in bulk: a stream of them, in transactions of a size that suits, merged with what is there."""

import gc
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import Connection, func, insert, select, text, update

from abhidhan.domain.incoming import (
    Fault,
    Names,
    NewCardSet,
    NewIdea,
    NewPhrase,
    Placed,
    Policy,
    new_card_set,
    new_idea,
    new_phrase,
)
from abhidhan.domain.records import (
    CardSetRecord,
    FormsRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    SourceRecord,
)
from abhidhan.errors import InputError
from abhidhan.storage import schema
from abhidhan.storage.engine.bulk import (
    BULK_CACHE_KIB,
    OF_NEW,
    ORDERED,
    Bulk,
    close_stage,
    open_stage,
    set_for_bulk,
    settle,
    staged_relation,
)
from abhidhan.storage.engine.catalogue import read_catalogue
from abhidhan.storage.engine.database import raise_data_version
from abhidhan.storage.engine.queries import by_size, in_list
from abhidhan.storage.indexes import idea_cache, phrase_grams, word_counts
from abhidhan.storage.indexes.definition_words import DEFINITION_WORDS
from abhidhan.storage.indexes.key_rules import note_rules_if_empty
from abhidhan.storage.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.storage.loading.cards import load_card_set
from abhidhan.storage.loading.catalogue import load_language, load_list_item, load_source, orphaned_items
from abhidhan.storage.loading.forms import NewForms, load_forms, new_forms
from abhidhan.storage.loading.ideas import load_ideas
from abhidhan.storage.loading.indexes import SMALL_LOAD, ScatteredIndexes
from abhidhan.storage.loading.keys import KeyMaker
from abhidhan.storage.loading.phrases import load_phrases
from abhidhan.storage.loading.state import Load, Loaded

__all__ = ["IMPORT_ACTION", "Loaded", "Loading", "is_empty", "load_records", "load_within"]

IMPORT_ACTION = 22
"""The history action of an import (`Data imported` in the list HAC)."""

BATCH_WORDS = 5_000
"""How many words are stored at once: enough that a statement's own cost disappears, few enough for flat memory."""

BATCH_RECORDS = 4_000

MOST_WITHIN = 2**31
"""More words than a few records have: all of them belong to the one transaction."""

LEAST_TRANSACTION = 50_000
"""How much new is stored before a transaction ends: some ten seconds, for which other writers wait."""

LOCKED = (
    schema.language,
    schema.list_item,
    schema.source,
    schema.idea,
    schema.word,
    schema.sense,
    schema.phrase,
    schema.card_set,
    schema.idea_relation,
    schema.definition_word,
)
"""Tables to which others write nothing while records are loaded; all that loading writes hangs on their rows.

The last two are written to by others, at times, before or without the row of the idea.
"""

KNOWN_WORDS_AS_ONE = 10
"""A word that is there already takes a tenth of the time of a new one."""


class Loading(msgspec.Struct, frozen=True):
    """How to load: `now` is the time of every new row (seconds since 1970, UTC).

    `words_at_once` is how much new a transaction holds; left out, it grows with the database, because an index that
    is built anew is cheaper than one that is changed everywhere.
    """

    now: int
    policy: Policy = Policy.FILL
    words_at_once: int | None = None
    told: Callable[[Loaded], None] = lambda _: None
    rejected: Callable[[Fault], None] = lambda _: None
    """Hears of every record that is left out, in the order in which that is found."""
    is_measured: bool = True
    """Whether records are held against the limits of new ones; a copy of a dictionary takes what it holds as it is."""


def load_records(connection: Connection, records: Iterable[Placed | Fault], loading: Loading) -> Loaded:
    """Store a stream of records on a connection that has no transaction open; `loading.told` hears after each one.

    Words are one by language and text, ideas, phrases and card sets by source and key: so the same file again changes
    nothing, and what was interrupted is finished by beginning again. A record that cannot be used is left out and
    reported. Relations and flashcards lead to ideas that may come later, and are stored last.
    """
    stream = iter(records)
    later = _Later()
    total = Loaded({}, (), 0)
    history = _History(loading.now)
    ended = False
    with (
        KeyMaker() as keys,
        _unusable_after_an_error(connection),
        set_for_bulk(connection),
        _seldom_looking_for_garbage(),
    ):
        while not ended:
            with connection.begin():
                note_rules_if_empty(connection)
                done, ended = _load_some(connection, stream, later, loading, keys)
                total += done
                # A load that changes nothing leaves every cached answer as it is.
                if done.changed:
                    raise_data_version(connection)
                if done.changed or (ended and history.is_begun):
                    history.write(connection, total, finished=ended)
            loading.told(total)
            if not ended:
                gc.collect()
        idea_cache.fill(connection)
    return total


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
        return _load_some(connection, iter(records), _Later(), whole, keys)[0]


@contextmanager
def _unusable_after_an_error(connection: Connection) -> Iterator[None]:
    """Close the connection for good when a load breaks off: its temporary tables would be in the way of the next."""
    try:
        yield
    except BaseException:
        connection.invalidate()
        raise


def _load_some(
    connection: Connection, stream: Iterator[Placed | Fault], later: "_Later", loading: Loading, keys: KeyMaker
) -> tuple[Loaded, bool]:
    """Store as much of the stream as one transaction holds; tell what was done, and whether that was the end."""
    bulk = Bulk(connection)
    _be_the_only_writer(bulk)
    names = Names(read_catalogue(lambda query: bulk.rows(query, {})), is_measured=loading.is_measured)
    load = Load(connection, names, loading.now, loading.policy, keys, rejected=loading.rejected)
    loader = _Loader(load, later)
    most = loading.words_at_once or max(LEAST_TRANSACTION, loader.words_before)
    loader.batch_words = min(BATCH_WORDS, most)
    for record in stream:
        loader.take(record)
        if loader.weight >= most:
            loader.finish()
            return loader.load.finish(), False
    loader.finish()
    later.store(loader.load)
    return loader.load.finish(), True


def is_empty(connection: Connection) -> bool:
    """Return whether a database has no data yet, not even languages."""
    return not any(
        connection.execute(select(table.c.id).limit(1)).first()
        for table in (schema.language, schema.source, schema.idea, schema.word)
    )


class _Later:
    """What waits for the last transaction: relations (staged), flashcards, and the parents of list items."""

    def __init__(self) -> None:
        self.is_staged = False
        self.card_sets: list[tuple[Placed, NewCardSet]] = []
        self.list_items: dict[tuple[str, int], Placed] = {}

    def open(self, bulk: Bulk) -> None:
        if not self.is_staged:
            open_stage(bulk)
            self.is_staged = True

    def store(self, load: Load) -> None:
        _settle_relations(load)
        for placed, card_set in self.card_sets:
            load_card_set(load, placed, card_set)
        for item in orphaned_items(load) if self.list_items else ():
            placed_item = self.list_items.get(item)
            if placed_item is not None:
                load.reject(Fault(placed_item.file, placed_item.line, "The parent of this list item does not exist."))
        close_stage(load.bulk)


class _History:
    """The one row of history that an import leaves, brought up to date by each of its transactions."""

    def __init__(self, now: int) -> None:
        self._now = now
        self._id: int | None = None

    @property
    def is_begun(self) -> bool:
        """Return whether the row is there."""
        return self._id is not None

    def write(self, connection: Connection, total: Loaded, *, finished: bool) -> None:
        counts = {name: number for name, number in total.counts.items() if number}
        after = {"counts": counts, "rejected": total.rejected, "sources": list(total.sources)}
        told = json.dumps(after if finished else after | {"unfinished": True}, ensure_ascii=False)
        table = schema.history
        if self._id is None:
            values = {"at": self._now, "action_id": IMPORT_ACTION, "record": "import", "record_id": 0, "after": told}
            self._id = connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one()
        else:
            connection.execute(update(table).where(table.c.id == self._id).values(after=told))


class _Loader:
    """Sorts the records of one transaction into batches, and stores each batch when it is full."""

    def __init__(self, load: Load, later: _Later) -> None:
        self.load = load
        self._later = later
        self._ideas: list[tuple[Placed, NewIdea]] = []
        self._begun: list[tuple[Placed, NewIdea]] = []
        self._idea_names: set[tuple[int, str]] = set()
        self._forms: list[tuple[Placed, NewForms]] = []
        self._phrases: list[NewPhrase] = []
        self._phrase_names: set[tuple[int, str]] = set()
        self._words = 0
        self.batch_words = BATCH_WORDS
        self._scattered = ScatteredIndexes(load)
        self.words_before = self._scattered.words_before
        later.open(load.bulk)

    @property
    def weight(self) -> int:
        """Return how much is stored already, in new words."""
        counts = self.load.counts
        new = counts["word"] + counts["idea"] + counts["phrase"]
        return int(new + self.load.given_words // KNOWN_WORDS_AS_ONE)

    def take(self, record: Placed | Fault) -> None:
        """Take the next record, or what is wrong with it."""
        if isinstance(record, Fault):
            self.load.reject(record)
            return
        try:
            self._sort(record)
        except InputError as error:
            self.load.reject(Fault(record.file, record.line, str(error)))
        if self._words >= self.batch_words or len(self._ideas) >= BATCH_RECORDS:
            self._begin_ideas()
            if self.batch_words < BATCH_WORDS:
                # A transaction that holds less than a batch ends with it.
                self._store_begun()
        if len(self._phrases) >= BATCH_RECORDS:
            self._store_phrases()
        if len(self._forms) >= BATCH_RECORDS:
            self._store_forms()

    def finish(self) -> None:
        """Store what is left and what was staged, and bring counts and indexes up to date."""
        load = self.load
        self._store_ideas()
        self._store_phrases()
        self._store_forms()
        phrase_grams.count_staged(load.bulk)
        for table in ORDERED:
            load.counts[table.name] += settle(load.bulk, table, all_new=table in OF_NEW)
        _renew(load)
        self._scattered.rebuild()
        if not load.bulk.is_sqlite and load.counts["word"] > SMALL_LOAD:
            # Without it PostgreSQL plans for the empty tables that it saw last, until it looks again by itself.
            load.connection.execute(text("ANALYZE"))

    def _sort(self, placed: Placed) -> None:
        load, record = self.load, placed.record
        match record:
            case IdeaRecord():
                self._take_idea(placed, new_idea(record, load.names))
            case PhraseRecord():
                self._take_phrase(new_phrase(record, load.names))
            case FormsRecord():
                self._forms.append((placed, new_forms(record, load.names)))
            case CardSetRecord():
                self._later.card_sets.append((placed, new_card_set(record, load.names)))
            case SourceRecord():
                load_source(load, record)
                load.sources.add(record.code)
            case LanguageRecord():
                load_language(load, record)
            case ListItemRecord():
                self._later.list_items[record.list, load_list_item(load, record)] = placed

    def _take_idea(self, placed: Placed, idea: NewIdea) -> None:
        name = (idea.source_id, idea.key)
        if self.load.policy is Policy.REPLACE and name in self._idea_names:
            self._begin_ideas()
        self._idea_names.add(name)
        self._ideas.append((placed, idea))
        self._words += len(idea.words)

    def _take_phrase(self, phrase: NewPhrase) -> None:
        # Sources' IDs are below zero here, so that one set holds both kinds of names.
        names = {(-phrase.source_id, phrase.key), (phrase.language_id, phrase.text)}
        if names & self._phrase_names:
            self._store_phrases()
        self._phrase_names |= names
        self._phrases.append(phrase)

    def _begin_ideas(self) -> None:
        """Let the keys of this batch be made, and store the batch before."""
        if self._ideas:
            self.load.keys.begin([(word.text, word.language) for _, idea in self._ideas for word in idea.words])
        self._store_begun()
        self._begun, self._ideas = self._ideas, []
        self._idea_names.clear()
        self._words = 0

    def _store_begun(self) -> None:
        if self._begun:
            load_ideas(self.load, self._begun)
            self.load.given_words += sum(len(idea.words) for _, idea in self._begun)
            self._begun = []
            self._scattered.drop_if_worthwhile()

    def _store_ideas(self) -> None:
        self._begin_ideas()
        self._store_begun()

    def _store_forms(self) -> None:
        # Words of the same file come first.
        self._store_ideas()
        load_forms(self.load, self._forms)
        self._forms.clear()

    def _store_phrases(self) -> None:
        if self._phrases:
            load_phrases(self.load, self._phrases)
            self._phrases.clear()
            self._phrase_names.clear()


def _be_the_only_writer(bulk: Bulk) -> None:
    """Keep other writers out until the transaction ends, as SQLite does by nature; readers go on on both engines."""
    if not bulk.is_sqlite:
        bulk.connection.execute(text(f"SET LOCAL work_mem = '{BULK_CACHE_KIB}kB'"))
        locked = ", ".join(table.name for table in LOCKED)
        bulk.connection.execute(text(f"LOCK TABLE {locked} IN SHARE ROW EXCLUSIVE MODE"))


def _settle_relations(load: Load) -> None:
    """Store each staged relation, and its inverse with the other idea; report those that lead nowhere.

    Of an idea that somebody has removed since it was loaded, none is left.
    """
    stage, own, alias, source = staged_relation, schema.idea.alias("own"), schema.idea_alias, schema.source
    idea, holder = schema.idea, schema.idea.alias("holder")
    load.bulk.look_at(stage)
    target = (
        stage.join(holder, holder.c.id == stage.c.idea_id)
        .join(source, source.c.code == stage.c.source, isouter=True)
        .join(own, (own.c.source_id == source.c.id) & (own.c.external_key == stage.c.key), isouter=True)
        .join(alias, (alias.c.source_id == source.c.id) & (alias.c.external_key == stage.c.key), isouter=True)
        .join(idea, idea.c.id == func.coalesce(own.c.id, alias.c.idea_id), isouter=True)
    )
    there = idea.c.id != stage.c.idea_id
    forward = select(stage.c.idea_id, stage.c.type_id, idea.c.id).select_from(target).where(there)
    back = (
        select(idea.c.id, stage.c.inverse_id, stage.c.idea_id)
        .select_from(target)
        .where(there, stage.c.inverse_id.is_not(None))
    )
    for chosen in (forward, back):
        load.counts["idea_relation"] += load.bulk.merge(schema.idea_relation, chosen)
    if load.counts["idea_relation"]:
        for end in (stage.c.idea_id, idea.c.id):
            idea_cache.invalidate_chosen(load.connection, select(end).select_from(target).where(there))
    dangling = (
        select(stage.c.file, stage.c.line, stage.c.source, stage.c.key)
        .select_from(target)
        .where(idea.c.id.is_(None))
        .order_by(stage.c.file, stage.c.line)
    )
    for row in load.connection.execute(dangling):
        detail = f"The idea is related to one that does not exist: {row.source}:{row.key}."
        load.reject(Fault(row.file, row.line, detail))


def _renew(load: Load) -> None:
    """Renew what is derived from records that were there, now that all that is staged is in its place."""
    DEFINITION_WORDS.renew(load.connection, load.redefined_ideas)
    if load.reclassified_ideas:
        words = load.bulk.rows_among(_WORDS_OF_IDEAS, "idea", sorted(load.reclassified_ideas))
        PARTS_OF_SPEECH.renew(load.connection, [row[0] for row in words])
    word_counts.count_more(load.connection, load.new_words)


_WORDS_OF_IDEAS = by_size(
    lambda size: select(schema.sense.c.word_id).where(in_list(schema.sense.c.idea_id, "idea", size))
)
