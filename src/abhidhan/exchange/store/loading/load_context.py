"""State of one transaction of a load: names, counts, errors, and the changes to existing records."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import cast

import msgspec
from sqlalchemy import Connection, Table, update

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration.words import NewWordNumbers
from abhidhan.dictionary.store.changes import log_renamed
from abhidhan.dictionary.store.indexes import phrase_words, record_changes
from abhidhan.dictionary.store.indexes.near_keys import WORD_FORMS
from abhidhan.exchange.store.loading.differences import Differences
from abhidhan.exchange.store.loading.parallel_keys import KeyMaker
from abhidhan.platform.database.bulk import BulkTransaction, IdAllocator
from abhidhan.platform.database.compiled_queries import SqlValue
from abhidhan.records import local_texts
from abhidhan.records.change_feed import Followed, TransactionChanges
from abhidhan.records.id_bitmap import IdSet
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, NameIds, RecordError
from abhidhan.records.tombstones import LOCAL_SOURCE_ID, Tombstones
from assamese.word_frequency import frequency_to_rarity

MAX_ERRORS = 1000
"""Maximum number of errors that are returned for display; further ones are only counted."""

LOCAL_SOURCE_CODE = "local"
"""The source code in files of records that were created in a dictionary."""

REBUILD_THRESHOLD_WORDS = 5000
"""Maximum number of new words for which completion lists are updated; for more, rebuilding all is cheaper."""

POSTGRESQL_REBUILD_THRESHOLD_WORDS = 500
"""The same in PostgreSQL, where rebuilding takes place outside the transaction."""


class LoadResult(msgspec.Struct, frozen=True):
    """The result of a load: counts of new, `filled` and `replaced` rows, by kind, and the rejected records.

    Of the records for existing ideas and phrases, `extended` added values, and `unchanged` did not.
    """

    counts: dict[str, int]
    errors: tuple[RecordError, ...]
    rejected: int
    sources: tuple[str, ...] = ()
    extended: int = 0
    unchanged: int = 0
    withheld: int = 0
    """Number of records with a part that was not restored, since a user has deleted or corrected it."""

    @property
    def has_changes(self) -> bool:
        """True if the database has changed."""
        return any(self.counts.values())

    def __add__(self, other: "LoadResult") -> "LoadResult":
        """Add the result of a later transaction of the same import."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return LoadResult(
            dict(counts),
            (*self.errors, *other.errors)[:MAX_ERRORS],
            self.rejected + other.rejected,
            tuple(sorted({*self.sources, *other.sources})),
            self.extended + other.extended,
            self.unchanged + other.unchanged,
            self.withheld + other.withheld,
        )


FormRow = tuple[str, int, str]
"""The exact key of an inflected form, the ID of its word, and its tag."""

IDS_BATCH_SIZE = 10_000


class LoadChanges(msgspec.Struct):
    """Existing records that a load has changed, whose derived data must be renewed."""

    ideas: IdSet = msgspec.field(default_factory=IdSet)
    """Ideas that have changed."""
    words: IdSet = msgspec.field(default_factory=IdSet)
    """Words that have gained values, which are shown with their ideas."""
    inflected_words: IdSet = msgspec.field(default_factory=IdSet)
    """Words that have gained inflected forms."""
    other_records: TransactionChanges = msgspec.field(default_factory=TransactionChanges)
    """Other changed records, whose values no other record displays."""
    removed_definitions: set[tuple[int, str]] = msgspec.field(default_factory=set)
    """Definitions removed from ideas, as the idea's ID and the text."""
    reclassified_ideas: set[int] = msgspec.field(default_factory=set)
    """Ideas with another part of speech."""
    phrases: set[int] = msgspec.field(default_factory=set)
    """Phrases that are new or have another meaning."""
    renamed_values: set[tuple[str, int]] = msgspec.field(default_factory=set)
    """Renamed list values (list, ID)."""
    renamed_languages: set[int] = msgspec.field(default_factory=set)
    """Renamed languages."""


class Load:
    """One transaction of a running load."""

    def __init__(  # noqa: PLR0913  # the state of one transaction
        self,
        connection: Connection,
        names: NameIds,
        now: int,
        policy: ConflictPolicy,
        keys: KeyMaker,
        *,
        on_reject: Callable[[RecordError], None],
        tombstones: Tombstones,
        on_remark: Callable[[RecordError], None],
        differences: Differences | None,
    ) -> None:
        """Initialise with the names in the database; `now` is the time of every new row.

        `on_reject` is called with each rejected record.
        """
        self.bulk, self.connection = BulkTransaction(connection), connection
        self.names, self.keys = names, keys
        self.now, self.policy = now, policy
        self.counts: Counter[str] = Counter()
        self.new_word_counts: Counter[int] = Counter()
        self.loaded_words = NewWordNumbers(connection)
        self.new_word_ids: list[int] = []
        """IDs of the new words, collected until `REBUILD_THRESHOLD_WORDS` is exceeded."""
        self.previous_frequencies: dict[int, float | None] = {}
        """Previous frequencies of changed words by ID, collected until `REBUILD_THRESHOLD_WORDS` is exceeded."""
        self.file_word_count = self.extended = self.unchanged = self.withheld = 0
        # A policy that replaces existing data also restores what was removed.
        self.tombstones = Tombstones() if policy is ConflictPolicy.REPLACE else tombstones
        self.sources: set[str] = set()
        self.differences = differences
        """Collector of differences; None if they are not needed."""
        self.changes = LoadChanges()
        self.list_item_ids: dict[tuple[str, int], int] = {}
        """The stored IDs of list items, by list and ID in the file."""
        tables = schema.idea, schema.word, schema.phrase, schema.card_set
        self.idea_ids, self.word_ids, self.phrase_ids, self.card_set_ids = (
            IdAllocator(connection, each) for each in tables
        )
        self.last_existing_idea_id = self.idea_ids.initial_last_id
        """The highest idea ID before the first transaction of the file."""
        self._on_reject = on_reject
        self._on_remark = on_remark
        self._faults: list[RecordError] = []
        self._rejected = 0

    def reject(self, fault: RecordError) -> None:
        """Count and report a rejected record."""
        self._rejected += 1
        self._on_reject(fault)
        if len(self._faults) < MAX_ERRORS:
            self._faults.append(fault)

    def withhold(self, file: str, line: int, detail: str) -> None:
        """Count and report a record with a part that is not stored because users have deleted or corrected it."""
        self.withheld += 1
        self.remark(file, line, detail)

    def remark(self, file: str, line: int, detail: str) -> None:
        """Report a record that is stored otherwise than in the file."""
        self._on_remark(RecordError(file, line, detail))

    def history_source_id(self, source_id: int) -> int:
        """Return the ID of a source in tombstones, where the source `local` has the ID `LOCAL_SOURCE_ID`."""
        return LOCAL_SOURCE_ID if source_id == self.names.sources.get(LOCAL_SOURCE_CODE) else source_id

    def time_or_now(self, timestamp: int | None) -> int:
        """Return the time of a record if it has one, else the time of the load."""
        return self.now if timestamp is None else timestamp

    def note_differences(  # noqa: PLR0913  # identifies a row
        self,
        located: LocatedRecord,
        table: Table,
        row_id: int,
        stored: Mapping[str, SqlValue],
        values: Mapping[str, SqlValue],
        *,
        is_own: bool = True,
    ) -> None:
        """Record where a record differs from a stored row; columns without a stored value are not compared."""
        if self.differences is not None and self.policy not in {ConflictPolicy.KEEP, ConflictPolicy.REPLACE}:
            current = {
                name: value
                if stored.get(name) is None and not self.tombstones.is_field_emptied(table.name, row_id, name)
                else stored.get(name)
                for name, value in values.items()
            }
            self.differences.note_fields(located, table.name, row_id, current, values, is_own=is_own)

    def note_omitted_text(self, located: LocatedRecord, kind: str, idea_id: int, text: str, *, is_own: bool) -> None:
        """Record a definition or a translation of an example that was not stored, since another one stays."""
        if self.differences is not None:
            self.differences.note_omitted_text(located, kind, idea_id, text, is_own=is_own)

    def note_seen(self, kind: str, record_id: int, *, is_new: bool = False) -> None:
        """Record that the file has a record, and whether the load has created it."""
        if self.differences is not None:
            self.differences.seen[kind].add(record_id)
            if is_new:
                self.differences.note_new(kind, record_id)

    def is_own_source(self, source_id: int | None) -> bool:
        """Return whether the file owns a source; False if differences are not collected."""
        return self.differences is not None and source_id in self.differences.sources

    def fill_row(
        self, table: Table, row_id: int, stored: Mapping[str, SqlValue], values: Mapping[str, SqlValue]
    ) -> bool:
        """Write a record's values into a stored row according to the policy; return whether it has changed."""
        allowed = {
            name: value
            for name, value in values.items()
            if not self.tombstones.is_field_emptied(table.name, row_id, name)
        }
        changed = self.values_to_write(stored, allowed)
        if not changed:
            return False
        if "updated" in table.columns:
            changed["updated"] = self.now
        if "frequency" in changed:
            changed["rarity"] = frequency_to_rarity(cast("float", changed["frequency"]))
        self.connection.execute(update(table).where(table.c.id == row_id).values(changed))
        if "frequency" in changed and len(self.previous_frequencies) <= REBUILD_THRESHOLD_WORDS:
            self.previous_frequencies.setdefault(row_id, cast("float | None", stored["frequency"]))
        return True

    def values_to_write(self, stored: Mapping[str, SqlValue], values: Mapping[str, SqlValue]) -> dict[str, SqlValue]:
        """Return the values that the policy writes into a stored row; count the row if there are any."""
        if self.policy is ConflictPolicy.KEEP:
            return {}
        replaces = self.policy is ConflictPolicy.REPLACE
        of_languages = values.keys() & local_texts.LOCAL_TEXT_COLUMNS
        texts = {name: _merge_texts(stored[name], values[name], replaces=replaces) for name in of_languages}
        changed: dict[str, SqlValue] = {
            name: value
            for name, value in values.items()
            if value is not None
            and name not in texts
            and (stored[name] is None or (replaces and stored[name] != value))
        } | {name: value for name, value in texts.items() if value != stored[name]}
        if changed:
            is_filled = all(stored[name] is None or (name in texts and not replaces) for name in changed)
            self.counts["filled" if is_filled else "replaced"] += 1
        return changed

    def stage_forms(self, rows: Sequence[FormRow]) -> None:
        """Stage inflected forms, and record the stored words that gain forms."""
        if self.phrase_ids.initial_last_id:
            stored = WORD_FORMS.load_stored_rows(self.connection, {word_id for _, word_id, _ in rows})
            existing = {(key, word_id) for key, word_id, _ in stored}
            self.changes.inflected_words.update(word_id for key, word_id, _ in rows if (key, word_id) not in existing)
        WORD_FORMS.stage(self.bulk, rows)

    def finish(self) -> LoadResult:
        """Store the last used IDs, invalidate caches, record changes, and return the result."""
        record_changes.save_changes(self.connection, self._collect_changes(), self.now)
        for ids in (self.idea_ids, self.word_ids, self.phrase_ids, self.card_set_ids):
            ids.advance_sequence()
        sources = tuple(sorted(self.sources))
        left_out = (tuple(self._faults), self._rejected)
        return LoadResult(dict(self.counts), *left_out, sources, self.extended, self.unchanged, self.withheld)

    def _collect_changes(self) -> TransactionChanges:
        """Invalidate cached ideas that have changed, and return all changes."""
        changes = self.changes.other_records
        log_renamed(self.connection, changes, self.changes.renamed_values, self.changes.renamed_languages)
        idea_cache.invalidate_by_list_values(self.connection, self.changes.renamed_values)
        if self.changes.renamed_languages:
            idea_cache.invalidate_all(self.connection)
        if self.changes.ideas or self.changes.words:
            touched = idea_cache.invalidate(self.connection, self.changes.ideas, self.changes.words)
            changes.add_changed(Followed.IDEA, touched)
            changes.add_changed(Followed.WORD, self.changes.words)
        changes.add_created_run(Followed.IDEA, self.idea_ids.allocated_run)
        changes.add_created_run(Followed.WORD, self.word_ids.allocated_run)
        changes.add_created_run(Followed.PHRASE, self.phrase_ids.allocated_run)
        if self.phrase_ids.initial_last_id:
            self._note_phrases(changes)
        return changes

    def _note_phrases(self, changes: TransactionChanges) -> None:
        """Record the phrases with words that are new, or have gained meanings or forms."""
        new = self.word_ids.allocated_run
        word_ids = iter(
            [*self.changes.words, *self.changes.inflected_words, *(range(new.first, new.last + 1) if new else ())]
        )
        while batch := [*islice(word_ids, IDS_BATCH_SIZE)]:
            spellings = {*phrase_words.iter_spellings(self.connection, batch)}
            changes.add_changed(Followed.PHRASE, phrase_words.find_phrases_with(self.connection, spellings))

    def count_existing(self, records: int, extended: int) -> None:
        """Count the records for existing ideas or phrases, and those of them that added something."""
        self.extended += extended
        self.unchanged += records - extended


def _merge_texts(stored: SqlValue, value: SqlValue, *, replaces: bool) -> str | None:
    """Merge a record's texts into the stored ones by language; with `replaces`, the record takes precedence."""
    stored_texts, file_texts = cast("str | None", stored), cast("str | None", value)
    return (
        local_texts.merge_texts(file_texts, stored_texts)
        if replaces
        else local_texts.merge_texts(stored_texts, file_texts)
    )
