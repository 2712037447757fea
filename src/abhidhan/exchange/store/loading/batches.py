"""The records of one transaction, sorted by kind and stored in batches."""

from sqlalchemy import Connection, select

from abhidhan import schema
from abhidhan.dictionary.store.acceleration.completion_lists import rows as completion_lists
from abhidhan.dictionary.store.acceleration.completion_lists.updates import update_lists as renew_completion_lists
from abhidhan.dictionary.store.indexes import definition_words, derived_columns, near_keys, phrase_words
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_WORDS
from abhidhan.dictionary.store.keyed_words import load_keyed_words
from abhidhan.exchange.model import LOCAL_SOURCE
from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.cards import load_card_sets
from abhidhan.exchange.store.loading.catalogue import find_orphaned_items, load_language, load_list_item, load_source
from abhidhan.exchange.store.loading.forms import NewForms, load_forms, load_frequencies, new_forms
from abhidhan.exchange.store.loading.ideas import load_ideas
from abhidhan.exchange.store.loading.index_rebuild import LARGE_LOAD_WORDS, ScatteredIndexes
from abhidhan.exchange.store.loading.load_context import (
    POSTGRESQL_REBUILD_THRESHOLD_WORDS,
    REBUILD_THRESHOLD_WORDS,
    Load,
)
from abhidhan.exchange.store.loading.phrases import load_phrases
from abhidhan.exchange.store.loading.relations import store_relations
from abhidhan.platform.database.bulk import (
    NEW_PHRASE_TABLES,
    STAGED_TABLES,
    BulkTransaction,
    create_staging_tables,
    drop_staging_tables,
    flush_staging_table,
)
from abhidhan.platform.database.compiled_queries import chunks, in_list, per_list_size
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import (
    ConflictPolicy,
    LocatedRecord,
    NewCardSet,
    NewFrequency,
    NewIdea,
    NewPhrase,
    RecordError,
    convert_card_set,
    convert_frequency,
    convert_idea,
    convert_phrase,
)
from abhidhan.records.kinds import (
    CardSetRecord,
    FormsRecord,
    FrequencyRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    SourceRecord,
)
from abhidhan.schema import near_key

BATCH_WORDS = 5_000
"""Number of words stored per batch: large enough to amortise a statement's cost, small enough to limit memory."""

BATCH_RECORDS = 4_000

PHRASES_BATCH_SIZE = 500
"""Number of phrases whose word keys are computed at a time; each takes about thirty rows."""

KNOWN_WORDS_PER_NEW_WORD = 10
"""Number of existing words whose records take as long to load as one new word."""


class DeferredWork:
    """Work that is deferred to the last transaction: staged relations, flashcards, and parents of list items."""

    def __init__(self) -> None:
        """Initialise without deferred work."""
        self.has_stage = False
        self.has_local_records = False
        """True if the file has the source `local`, so that its records may have been created in this dictionary."""
        self.follows_rebuild = False
        """True if the previous transaction rebuilt the indexes of words."""
        self.card_sets: list[tuple[LocatedRecord, NewCardSet]] = []
        self.list_items: dict[tuple[str, int], LocatedRecord] = {}
        self.changed_word_count = 0
        """Number of words that are new or have another frequency."""
        self.words_since_analysis = 0
        """Number of words added since the tables were last analysed in PostgreSQL."""
        self.last_existing_idea_id: int | None = None
        """The highest idea ID before the file; None until its first transaction begins."""

    def create_stage(self, bulk: BulkTransaction) -> None:
        """Create the staging table of relations, unless it exists."""
        if not self.has_stage:
            create_staging_tables(bulk)
            self.has_stage = True

    def analyse_tables(self, connection: Connection) -> None:
        """Analyse the tables in PostgreSQL after a large number of new words; call it outside a transaction.

        Until its next automatic analysis, PostgreSQL would plan queries for the previous, often empty, tables.
        """
        if self.words_since_analysis > LARGE_LOAD_WORDS and connection.dialect.name != "sqlite":
            BulkTransaction(connection).analyze_all()
            self.words_since_analysis = 0

    def store(self, load: Load) -> None:
        """Store the deferred records, and report references without a target."""
        store_relations(load)
        load_card_sets(load, self.card_sets)
        for item in find_orphaned_items(load) if self.list_items else ():
            located_item = self.list_items.get(item)
            if located_item is not None:
                load.reject(
                    RecordError(located_item.file, located_item.line, "The parent of this list item does not exist.")
                )
        drop_staging_tables(load.bulk)


class Loader:
    """Loader that sorts the records of one transaction into batches, and stores each batch when it is full."""

    def __init__(self, load: Load, deferred: DeferredWork) -> None:
        """Initialise with the state of a transaction; `deferred` collects work for the last transaction."""
        self.load = load
        self._deferred = deferred
        if deferred.last_existing_idea_id is None:
            deferred.last_existing_idea_id = load.idea_ids.initial_last_id
        load.last_existing_idea_id = deferred.last_existing_idea_id
        self._ideas: list[tuple[LocatedRecord, NewIdea]] = []
        self._pending_ideas: list[tuple[LocatedRecord, NewIdea]] = []
        self._idea_names: set[tuple[int, str]] = set()
        self._forms: list[tuple[LocatedRecord, NewForms]] = []
        self._frequencies: list[tuple[LocatedRecord, NewFrequency]] = []
        self._phrases: list[tuple[LocatedRecord, NewPhrase]] = []
        self._phrase_names: set[tuple[int, str]] = set()
        self._word_count = 0
        self.batch_words = BATCH_WORDS
        self._scattered_indexes = ScatteredIndexes(load, follows_rebuild=deferred.follows_rebuild)
        self.words_before = self._scattered_indexes.words_before
        deferred.create_stage(load.bulk)

    @property
    def weight(self) -> int:
        """The amount of data stored so far, as an equivalent number of new words."""
        counts = self.load.counts
        new = counts["word"] + counts["idea"] + counts["phrase"]
        return int(new + self.load.file_word_count // KNOWN_WORDS_PER_NEW_WORD)

    def add(self, record: LocatedRecord | RecordError) -> None:
        """Add the next record to its batch, and store batches that are full; reject an invalid record."""
        if isinstance(record, RecordError):
            self.load.reject(record)
            return
        try:
            self._dispatch(record)
        except InputError as error:
            self.load.reject(RecordError.of(record, error))
        if self._word_count >= self.batch_words or len(self._ideas) >= BATCH_RECORDS:
            self._start_idea_batch()
            if self.batch_words < BATCH_WORDS:
                # The limit of the transaction is smaller than a batch, so its words are stored now, to be counted.
                self._store_pending()
        if len(self._phrases) >= BATCH_RECORDS:
            self._store_phrases()
        if len(self._forms) >= BATCH_RECORDS:
            self._store_forms()
        if len(self._frequencies) >= BATCH_RECORDS:
            self._store_frequencies()

    def finish(self) -> None:
        """Store the remaining and staged rows, and update counts and indexes."""
        load = self.load
        self._store_ideas()
        self._store_phrases()
        self._store_forms()
        self._store_frequencies()
        phrase_words.count_staged_grams(load.bulk)
        load.counts[near_key.name] += near_keys.add_near_keys(load.bulk, load.word_ids.allocated_run)
        for table in STAGED_TABLES:
            load.counts[table.name] += flush_staging_table(load.bulk, table, all_new=table in NEW_PHRASE_TABLES)
        self._deferred.follows_rebuild = self._scattered_indexes.rebuild()
        self._deferred.words_since_analysis += load.counts["word"]
        _renew_derived_data(load, self._deferred)

    def _dispatch(self, located: LocatedRecord) -> None:
        load, record = self.load, located.record
        match record:
            case IdeaRecord():
                self._add_idea(located, convert_idea(record, load.names))
            case PhraseRecord():
                self._add_phrase(located, convert_phrase(record, load.names))
            case FormsRecord():
                self._forms.append((located, new_forms(record, load.names)))
            case FrequencyRecord():
                self._frequencies.append((located, convert_frequency(record, load.names)))
            case CardSetRecord():
                self._deferred.card_sets.append((located, convert_card_set(record, load.names)))
            case SourceRecord():
                load_source(load, record)
                load.sources.add(record.code)
                if record.code == LOCAL_SOURCE.code:
                    self._deferred.has_local_records = True
                    own_keys.add_aliases(load)
            case LanguageRecord():
                load_language(load, record, located)
            case ListItemRecord():
                self._deferred.list_items[record.list, load_list_item(load, record)] = located

    def _add_idea(self, located: LocatedRecord, idea: NewIdea) -> None:
        name = (idea.source_id, idea.key)
        if self.load.policy is ConflictPolicy.REPLACE and name in self._idea_names:
            self._start_idea_batch()
        self._idea_names.add(name)
        self._ideas.append((located, idea))
        self._word_count += len(idea.words)

    def _add_phrase(self, located: LocatedRecord, phrase: NewPhrase) -> None:
        # Source IDs are negated to distinguish the two kinds of names in one set.
        names = {(-phrase.source_id, phrase.key), (phrase.language_id, phrase.text)}
        if names & self._phrase_names:
            self._store_phrases()
        self._phrase_names |= names
        self._phrases.append((located, phrase))

    def _start_idea_batch(self) -> None:
        """Start computing the keys of this batch, and store the previous one."""
        if self._ideas:
            self.load.keys.start_batch([(word.text, word.language) for _, idea in self._ideas for word in idea.words])
        self._store_pending()
        self._pending_ideas, self._ideas = self._ideas, []
        self._idea_names.clear()
        self._word_count = 0

    def _store_pending(self) -> None:
        if self._pending_ideas:
            load_ideas(self.load, self._pending_ideas)
            self.load.file_word_count += sum(len(idea.words) for _, idea in self._pending_ideas)
            self._pending_ideas = []
            self._scattered_indexes.drop_if_worthwhile()

    def _store_ideas(self) -> None:
        self._start_idea_batch()
        self._store_pending()

    def _store_forms(self) -> None:
        # The words of the same file must be stored first.
        self._store_ideas()
        load_forms(self.load, self._forms)
        self._forms.clear()

    def _store_frequencies(self) -> None:
        if self._frequencies:
            # The words of the same file must be stored first.
            self._store_ideas()
            load_frequencies(self.load, self._frequencies)
            self._frequencies.clear()

    def _store_phrases(self) -> None:
        if self._phrases:
            load_phrases(self.load, self._phrases)
            self._phrases.clear()
            self._phrase_names.clear()


def _renew_derived_data(load: Load, deferred: DeferredWork) -> None:
    """Renew the derived data of changed records. Call it after all staged rows are stored."""
    definition_words.remove_deleted_keys(load.bulk, load.changes.removed_definitions)
    if load.changes.reclassified_ideas:
        words = load.bulk.rows_for_values(_WORDS_OF_IDEAS, "idea", sorted(load.changes.reclassified_ideas))
        PARTS_OF_SPEECH.update_rows(load.connection, [row[0] for row in words])
    for batch in chunks(sorted(load.changes.phrases), PHRASES_BATCH_SIZE):
        PHRASE_WORDS.update_batch(load.connection, batch)
    derived_columns.add_to_word_counts(load.connection, load.new_word_counts)
    load.loaded_words.write()
    _renew_completions(load, deferred)


def _renew_completions(load: Load, deferred: DeferredWork) -> None:
    """Renew the completion lists of new words, and of words whose frequency has changed."""
    previous_frequencies = load.previous_frequencies
    deferred.changed_word_count += len(load.new_word_ids) + len(previous_frequencies)
    if deferred.changed_word_count > (
        REBUILD_THRESHOLD_WORDS if load.bulk.is_sqlite else POSTGRESQL_REBUILD_THRESHOLD_WORDS
    ):
        completion_lists.disable(load.connection)
        return
    current_words = load_keyed_words(load.connection, {*load.new_word_ids, *previous_frequencies})
    changed_ids = previous_frequencies.keys() - {*load.new_word_ids}
    previous_words = [
        word._replace(frequency=previous_frequencies[word.id]) for word in current_words if word.id in changed_ids
    ]
    renew_completion_lists(load.connection, previous_words, current_words)


_WORDS_OF_IDEAS = per_list_size(
    lambda size: select(schema.sense.c.word_id).where(in_list(schema.sense.c.idea_id, "idea", size))
)
