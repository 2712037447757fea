"""The records of one transaction, sorted by kind and stored in batches."""

from sqlalchemy import Connection, select

from abhidhan import schema
from abhidhan.dictionary.store.acceleration.completion_lists import filling as completion_lists
from abhidhan.dictionary.store.acceleration.completion_lists.renewal import renew as renew_completion_lists
from abhidhan.dictionary.store.indexes import definition_words, derived_columns, near_keys, phrase_words
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_WORDS
from abhidhan.dictionary.store.keyed_words import read_keyed_words
from abhidhan.exchange.model import LOCAL
from abhidhan.exchange.store.loading import own_keys
from abhidhan.exchange.store.loading.cards import load_card_sets
from abhidhan.exchange.store.loading.catalogue import load_language, load_list_item, load_source, orphaned_items
from abhidhan.exchange.store.loading.forms import NewForms, load_forms, load_frequencies, new_forms
from abhidhan.exchange.store.loading.ideas import load_ideas
from abhidhan.exchange.store.loading.index_rebuild import SMALL_LOAD, ScatteredIndexes
from abhidhan.exchange.store.loading.load_context import FEW_NEW_WORDS, FEW_NEW_WORDS_AT_ONCE, Load
from abhidhan.exchange.store.loading.phrases import load_phrases
from abhidhan.exchange.store.loading.relations import settle_relations
from abhidhan.platform.database.bulk import OF_NEW, ORDERED, Bulk, close_stage, open_stage, settle
from abhidhan.platform.database.compiled_queries import by_size, chunks, in_list
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import (
    Fault,
    NewCardSet,
    NewFrequency,
    NewIdea,
    NewPhrase,
    Placed,
    Policy,
    new_card_set,
    new_frequency,
    new_idea,
    new_phrase,
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
"""Number of words stored per batch: large enough to amortise a statement's cost, small enough for flat memory."""

BATCH_RECORDS = 4_000

PHRASES_AT_ONCE = 500
"""Number of phrases whose word keys are computed at a time; each takes about thirty rows."""

KNOWN_WORDS_AS_ONE = 10
"""Number of existing words that take as long as one new word."""


class Later:
    """Work deferred to the last transaction: relations (staged), flashcards, and the parents of list items."""

    def __init__(self) -> None:
        """Initialise without deferred work."""
        self.is_staged = False
        self.has_local_names = False
        """Whether the file has records that were written in some dictionary, perhaps in this one."""
        self.follows_many = False
        """Whether the previous transaction added so many words that their indexes were rebuilt."""
        self.card_sets: list[tuple[Placed, NewCardSet]] = []
        self.list_items: dict[tuple[str, int], Placed] = {}
        self.changed_words = 0
        """Number of words that are new or have another frequency."""
        self.unseen_words = 0
        """Number of words added since PostgreSQL last analysed its tables."""
        self.last_idea_before: int | None = None
        """The highest idea ID before the file; None until its first transaction begins."""

    def open(self, bulk: Bulk) -> None:
        """Create the table in which relations are staged, once."""
        if not self.is_staged:
            open_stage(bulk)
            self.is_staged = True

    def look_at_tables(self, connection: Connection) -> None:
        """Analyse the tables in PostgreSQL after a large number of new words; call it outside a transaction.

        Otherwise PostgreSQL plans for the tables as they were, often empty, until its next automatic analysis.
        """
        if self.unseen_words > SMALL_LOAD and connection.dialect.name != "sqlite":
            Bulk(connection).look_at_all()
            self.unseen_words = 0

    def store(self, load: Load) -> None:
        """Store the deferred work, and report references without a target."""
        settle_relations(load)
        load_card_sets(load, self.card_sets)
        for item in orphaned_items(load) if self.list_items else ():
            placed_item = self.list_items.get(item)
            if placed_item is not None:
                load.reject(Fault(placed_item.file, placed_item.line, "The parent of this list item does not exist."))
        close_stage(load.bulk)


class Loader:
    """Loader that sorts the records of one transaction into batches, and stores each batch when it is full."""

    def __init__(self, load: Load, later: Later) -> None:
        """Initialise the load of a transaction; `later` collects work for the last one."""
        self.load = load
        self._later = later
        if later.last_idea_before is None:
            later.last_idea_before = load.idea_ids.last_before
        load.last_idea_before = later.last_idea_before
        self._ideas: list[tuple[Placed, NewIdea]] = []
        self._begun: list[tuple[Placed, NewIdea]] = []
        self._idea_names: set[tuple[int, str]] = set()
        self._forms: list[tuple[Placed, NewForms]] = []
        self._frequencies: list[tuple[Placed, NewFrequency]] = []
        self._phrases: list[tuple[Placed, NewPhrase]] = []
        self._phrase_names: set[tuple[int, str]] = set()
        self._words = 0
        self.batch_words = BATCH_WORDS
        self._scattered = ScatteredIndexes(load, follows_many=later.follows_many)
        self.words_before = self._scattered.words_before
        later.open(load.bulk)

    @property
    def weight(self) -> int:
        """The amount stored so far, in units of new words."""
        counts = self.load.counts
        new = counts["word"] + counts["idea"] + counts["phrase"]
        return int(new + self.load.given_words // KNOWN_WORDS_AS_ONE)

    def take(self, record: Placed | Fault) -> None:
        """Accept the next record or fault."""
        if isinstance(record, Fault):
            self.load.reject(record)
            return
        try:
            self._sort(record)
        except InputError as error:
            self.load.reject(Fault.of(record, error))
        if self._words >= self.batch_words or len(self._ideas) >= BATCH_RECORDS:
            self._begin_ideas()
            if self.batch_words < BATCH_WORDS:
                # A transaction smaller than a batch ends with its batch.
                self._store_begun()
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
        load.counts[near_key.name] += near_keys.add_near_keys(load.bulk, load.word_ids.taken)
        for table in ORDERED:
            load.counts[table.name] += settle(load.bulk, table, all_new=table in OF_NEW)
        self._later.follows_many = self._scattered.rebuild()
        self._later.unseen_words += load.counts["word"]
        _renew(load, self._later)

    def _sort(self, placed: Placed) -> None:
        load, record = self.load, placed.record
        match record:
            case IdeaRecord():
                self._take_idea(placed, new_idea(record, load.names))
            case PhraseRecord():
                self._take_phrase(placed, new_phrase(record, load.names))
            case FormsRecord():
                self._forms.append((placed, new_forms(record, load.names)))
            case FrequencyRecord():
                self._frequencies.append((placed, new_frequency(record, load.names)))
            case CardSetRecord():
                self._later.card_sets.append((placed, new_card_set(record, load.names)))
            case SourceRecord():
                load_source(load, record)
                load.sources.add(record.code)
                if record.code == LOCAL.code:
                    self._later.has_local_names = True
                    own_keys.name_ideas(load)
            case LanguageRecord():
                load_language(load, record, placed)
            case ListItemRecord():
                self._later.list_items[record.list, load_list_item(load, record)] = placed

    def _take_idea(self, placed: Placed, idea: NewIdea) -> None:
        name = (idea.source_id, idea.key)
        if self.load.policy is Policy.REPLACE and name in self._idea_names:
            self._begin_ideas()
        self._idea_names.add(name)
        self._ideas.append((placed, idea))
        self._words += len(idea.words)

    def _take_phrase(self, placed: Placed, phrase: NewPhrase) -> None:
        # Negated source IDs keep the two kinds of names apart in one set.
        names = {(-phrase.source_id, phrase.key), (phrase.language_id, phrase.text)}
        if names & self._phrase_names:
            self._store_phrases()
        self._phrase_names |= names
        self._phrases.append((placed, phrase))

    def _begin_ideas(self) -> None:
        """Start computing the keys of this batch, and store the previous one."""
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


def _renew(load: Load, later: Later) -> None:
    """Renew the data derived from existing records, now that all staged rows are stored."""
    definition_words.forget(load.bulk, load.touched.gone_definitions)
    if load.touched.reclassified_ideas:
        words = load.bulk.rows_among(_WORDS_OF_IDEAS, "idea", sorted(load.touched.reclassified_ideas))
        PARTS_OF_SPEECH.renew(load.connection, [row[0] for row in words])
    for some in chunks(sorted(load.touched.phrases), PHRASES_AT_ONCE):
        PHRASE_WORDS.renew_some(load.connection, some)
    derived_columns.add_to_word_counts(load.connection, load.new_words)
    load.accelerated.write()
    _renew_completions(load, later)


def _renew_completions(load: Load, later: Later) -> None:
    """Renew the completion lists of new words, and of words whose frequency has changed."""
    before = load.frequencies_before
    later.changed_words += len(load.new_word_ids) + len(before)
    if later.changed_words > (FEW_NEW_WORDS if load.bulk.is_sqlite else FEW_NEW_WORDS_AT_ONCE):
        completion_lists.forget(load.connection)
        return
    now = read_keyed_words(load.connection, {*load.new_word_ids, *before})
    there = before.keys() - {*load.new_word_ids}
    gone = [one._replace(frequency=before[one.id]) for one in now if one.id in there]
    renew_completion_lists(load.connection, gone, now)


_WORDS_OF_IDEAS = by_size(
    lambda size: select(schema.sense.c.word_id).where(in_list(schema.sense.c.idea_id, "idea", size))
)
