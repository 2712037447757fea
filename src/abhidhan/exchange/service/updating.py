"""Repeated import of a file: values from earlier imports are updated, users' edits stay."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple, cast

import msgspec

from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.dictionary.store.record_dependencies import (
    RecordDependencies,
    has_other_sources,
    list_imported_cards,
    list_senses_of_other_ideas,
    list_source_keys,
)
from abhidhan.editing.service.editor import EditSession, open_edit_session
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import HistoryEntry
from abhidhan.editing.store.records import words
from abhidhan.editing.store.records.edit_context import savepoint
from abhidhan.exchange.service.record_names import (
    DELETERS,
    KIND_NAMES,
    describe_dependent,
    describe_record,
    format_file_value,
    get_field_name,
    quote_value,
)
from abhidhan.exchange.store.loading.bulk_load import ImportEntry, UpdateStep
from abhidhan.exchange.store.loading.differences import ComparedPart, Differences, FileDifference
from abhidhan.exchange.store.loading.lift_entries import EntrySpool, build_entry_steps
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records import local_texts
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, quoted
from abhidhan.records.history import HistoryAction, IdeaState, RecordRef
from abhidhan.records.import_records import ConflictPolicy, RecordError, SourceDeletion, UnstoredValue
from abhidhan.records.people import Person, Role
from abhidhan.records.tombstones import Tombstones

REMOVAL_CONFIRMATION_DIVISOR: Final = 10
"""A mirror asks for confirmation before it removes more than this fraction (1/10) of the records of a source."""

UPDATE_BATCH_SIZE: Final = 50
"""Number of records changed in one transaction, which blocks other writers for less than half a second."""

IMPORT_USER: Final = Person(0, "import", Role.EDITOR, None, 0, None)
"""The user for whom an import edits records. There is no such account, so history entries name no user."""

IDEA_PARTS: Final = frozenset({"definition", "translation"})
"""Kinds of parts of ideas that an import never replaces once a user has edited them."""


class UpdateCounts(msgspec.Struct, frozen=True):
    """The effects of an import on existing records.

    `kept` counts values that stayed because users have edited them. Of the `there` records of the file's sources,
    `absent` are not in the file. `held` counts records that were not removed because user content depends on them.
    `refused` is true for a mirror that was not allowed to remove records. `entry` is the import's ID in the history.
    """

    kept: int = 0
    removed: int = 0
    held: int = 0
    absent: int = 0
    there: int = 0
    refused: bool = False
    entry: int | None = None


class RecordUpdater:
    """Updates the records of an earlier import to the values of the current one."""

    def __init__(  # noqa: PLR0913  # options, users' edits and callbacks
        self,
        edits: Tombstones,
        differences: Differences,
        policy: ConflictPolicy,
        *,
        mirror: bool,
        now: int,
        may_remove: Callable[[int, int], bool],
        on_report: Callable[[RecordError | str], None],
        on_lost: Callable[[UnstoredValue], None],
        deletions: Sequence[SourceDeletion],
        entries: EntrySpool | None = None,
    ) -> None:
        """Initialise; `may_remove` returns whether a mirror may remove records, given their number and the total.

        `on_report` is called with each record that was changed, kept or removed, `on_lost` with each value that is not
        stored. `deletions` are the records that the file marks as deleted, filled while it is read; `entries` are
        stored in their original form.
        """
        self.differences = differences
        self.rejected_count = 0
        """Number of rejected records of the file; if there are any, a mirror removes nothing."""
        self.edits, self._policy, self.now = edits, policy, now
        self._deletions, self._mirror, self._lift_entries = deletions, mirror, entries
        self._may_remove, self._on_report, self._on_lost = may_remove, on_report, on_lost
        self._counts: Counter[str] = Counter()
        self._refused = False
        self._removal_counts: list[tuple[int, int]] = []
        """For each source, the number of records that would be removed, and the number of all its records."""
        self._absent_refs: list[RecordRef] = []
        self._refs_to_remove: list[RecordRef] = []
        self._parts_to_remove: list[tuple[int, set[ComparedPart]]] = []
        self._entry_id: int | None = None

    @property
    def update_counts(self) -> UpdateCounts:
        """The counts of all changes so far."""
        return UpdateCounts(**self._counts, refused=self._refused, entry=self._entry_id)

    def iter_update_steps(self, is_last: bool) -> Iterator[UpdateStep]:  # noqa: FBT001  # a hook
        """Yield steps that apply the differences found in a transaction; at the end, also steps for absent records."""
        differences = sorted(self.differences.pop_all(), key=_record_key)
        by_record = [(name, list(group)) for name, group in groupby(differences, key=_record_key)]
        yield from self.split_into_steps(self._replace_fields, by_record)
        if is_last:
            yield from self.split_into_steps(self._remove_parts, sorted(self.differences.replaced_parts.items()))
            yield from self.split_into_steps(self._collect_absent, [()])
            self._choose_removals()
            yield from self.split_into_steps(self._remove_parts, self._parts_to_remove)
            yield from self.split_into_steps(self._remove_record, [(name,) for name in self._refs_to_remove])
            yield from self._entry_steps()

    def _entry_steps(self) -> Iterator[UpdateStep]:
        """Yield the steps that store the entries in their original form."""
        if self._lift_entries is not None:
            mirror = self._mirror and not self._refused
            yield from build_entry_steps(self._lift_entries, self._policy, self.edits.is_idea_deleted, mirror=mirror)

    def split_into_steps(self, action: Callable[..., None], items: Sequence[tuple[Any, ...]]) -> Iterator[UpdateStep]:
        """Yield steps that each call `action` for a batch of items, in a short transaction of their own."""

        def step(
            connection: WriteConnection, import_entry: ImportEntry, *, batch: Sequence[tuple[Any, ...]]
        ) -> dict[str, int]:
            context = StepContext(
                connection,
                TransactionRows(connection).catalogue,
                RecordDependencies(connection),
                import_entry,
                Counter(),
            )
            for item in batch:
                action(context, *item)
            return dict(context.counts)

        return (
            partial(step, batch=items[first : first + UPDATE_BATCH_SIZE])
            for first in range(0, len(items), UPDATE_BATCH_SIZE)
        )

    # --- fields of records --------------------------------------------------------------------------------------------

    def _replace_fields(
        self, context: "StepContext", record: tuple[str, int], differences: Iterable[FileDifference]
    ) -> None:
        """Replace the fields of a record that no user has edited; report the file's values of the others."""
        ref = RecordRef("idea" if record[0] in IDEA_PARTS else record[0], str(record[1]))
        editor = open_edit_session(context.connection, context.catalogue, IMPORT_USER, self.now)
        state = editor.recorder.get_current(ref)
        values: dict[str, Any] = {}
        for difference in differences:
            stored_value = values.get(difference.column, getattr(state, difference.column, None))
            file_value = _file_value(difference, stored_value)
            if stored_value == file_value:
                continue
            is_edited = self.edits.is_field_edited(difference.kind, difference.record_id, difference.column)
            if difference.is_first and (is_edited or (difference.kind in IDEA_PARTS and difference.is_own)):
                stored_text = (
                    "another one"
                    if difference.kind in IDEA_PARTS
                    else quote_value(context.catalogue, difference.column, stored_value)
                )
                file_text = quote_value(context.catalogue, difference.column, difference.file_value)
                label = describe_record(context.catalogue, editor, ref)
                self.report_kept(
                    RecordError(
                        difference.file,
                        difference.line,
                        f"{label} was kept: {get_field_name(difference.column)} is {stored_text} here, {file_text} in "
                        "the file.",
                    )
                )
            elif difference.is_first and self._may_replace(context, difference):
                values[difference.column] = file_value
            else:
                value = format_file_value(context.catalogue, difference.column, difference.file_value)
                self._on_lost(UnstoredValue(difference.file, difference.line, get_field_name(difference.column), value))
        if values and state is not None:
            with self.report_conflicts(context, editor, ref):
                editor.recorder.apply(ref, msgspec.structs.replace(state, **values))
                self.commit(context, editor, ref, f"has changed: {', '.join(map(get_field_name, values))}")
                context.counts["replaced"] += 1

    def _may_replace(self, context: "StepContext", difference: FileDifference) -> bool:
        """Return whether to replace a value: the policy is UPDATE, and it comes only from the file's sources."""
        if self._policy is not ConflictPolicy.UPDATE or not difference.is_own:
            return False
        return difference.kind != "word" or not has_other_sources(
            context.connection, difference.record_id, self.differences.sources
        )

    # --- parts of ideas -----------------------------------------------------------------------------------------------

    def _remove_parts(self, context: "StepContext", idea_id: int, parts: Iterable[ComparedPart]) -> None:
        """Remove the parts of an idea that the file no longer has, unless a user has added them."""
        ref = RecordRef("idea", str(idea_id))
        editor = open_edit_session(context.connection, context.catalogue, IMPORT_USER, self.now)
        state = editor.recorder.get_current(ref)
        if not isinstance(state, IdeaState):
            return
        removed_parts = {
            part for part in parts if part.kind != "sense" and not self._report_if_added(context, editor, ref, part)
        }
        after = msgspec.structs.replace(
            state,
            definitions=tuple(
                value for value in state.definitions if ComparedPart("definition", value) not in removed_parts
            ),
            examples=tuple(value for value in state.examples if ComparedPart("example", value) not in removed_parts),
            contexts=tuple(value for value in state.contexts if ComparedPart("context", (value,)) not in removed_parts),
        )
        with self.report_conflicts(context, editor, ref):
            removed_word_ids = {part.values[0] for part in parts if part.kind == "sense"}
            for sense_id, sense in words.read_senses_of_idea(editor.context, ref.number).items():
                if sense.word_id in removed_word_ids:
                    self._remove_word(context, editor, RecordRef("sense", sense_id))
            editor.recorder.apply(ref, after)
            if not editor.recorder.is_empty:
                self.commit(context, editor, ref, "has lost values that the file no longer gives")
                context.counts["replaced"] += 1

    def _report_if_added(self, context: "StepContext", editor: EditSession, ref: RecordRef, part: ComparedPart) -> bool:
        """Return whether a user has added a part, and report it."""
        is_added = self.edits.is_part_added(part.kind, ref.number, *part.values)
        if is_added:
            content = (
                format_file_value(context.catalogue, "context_id", part.values[-1])
                if part.kind == "context"
                else part.values[1]
            )
            label = describe_record(context.catalogue, editor, ref)
            self.report_kept(
                f"{label} was kept: its {part.kind} {quoted(content)} was edited here and is not in the file."
            )
        return is_added

    def _remove_word(self, context: "StepContext", editor: EditSession, ref: RecordRef) -> None:
        """Remove a word from an idea, unless user content depends on it."""
        dependent = describe_dependent(context.belongings, editor, ref)
        if dependent is None:
            delete_sense(editor, ref)
        else:
            label = describe_record(context.catalogue, editor, ref)
            self.report_kept(f"{label} was kept: {dependent} depends on it, and it is not in the file.")

    # --- whole records ------------------------------------------------------------------------------------------------

    def _collect_absent(self, context: "StepContext") -> None:
        """Collect the stored records of the file's sources that the file lacks or marks as deleted."""
        seen, ungiven = self.differences.seen, self.differences.omitted_parts
        for source_id in sorted(self.differences.sources):
            code = context.catalogue.sources[source_id].code
            keys = [
                (kind, *row) for kind in KIND_NAMES for row in list_source_keys(context.connection, kind, source_id)
            ]
            missing = [(kind, record_id, key) for kind, record_id, key in keys if record_id not in seen[kind]]
            for kind, _, key in missing:
                self._on_report(f"{KIND_NAMES[kind]} {code}:{key} is not in the file.")
            deleted = {row.part for row in self._deletions if row.source == code}
            self._refs_to_remove += (
                RecordRef(kind, str(record_id))
                for kind, record_id, key in missing
                if kind == "idea" and not deleted.isdisjoint(key.split("/"))
            )
            links = list_senses_of_other_ideas(context.connection, source_id)
            unlinked = [sense_id for sense_id, idea_id in links if idea_id not in seen["idea"]]
            absent_count, total = len(missing) + len(unlinked), len(keys) + len(links)
            self._counts.update(there=total, absent=absent_count)
            partial_count = sum(kind == "idea" and record_id in ungiven for kind, record_id, _ in keys)
            self._removal_counts.append((absent_count + partial_count, total))
            self._absent_refs += (RecordRef(kind, str(record_id)) for kind, record_id, _ in missing)
            self._absent_refs += (RecordRef("sense", str(sense_id)) for sense_id in unlinked)
        self._absent_refs += self._absent_cards(context)
        self._absent_refs += (
            RecordRef("relation", "-".join(map(str, row))) for row in self.differences.absent_relations
        )

    def _choose_removals(self) -> None:
        """Choose the records to remove. Call it outside a transaction, since it may wait for the user."""
        if self._policy in {ConflictPolicy.KEEP, ConflictPolicy.FILL}:
            self._refs_to_remove = []
        if not self._mirror or not (self._absent_refs or self.differences.omitted_parts):
            return
        self._refused = self.rejected_count > 0 or not all(
            gone * REMOVAL_CONFIRMATION_DIVISOR <= there or self._may_remove(gone, there)
            for gone, there in self._removal_counts
        )
        if not self._refused:
            self._refs_to_remove = list(dict.fromkeys((*self._refs_to_remove, *self._absent_refs)))
            self._parts_to_remove = sorted(self.differences.omitted_parts.items())

    def _absent_cards(self, context: "StepContext") -> Iterator[RecordRef]:
        """Yield the flashcards that the file lacks in the sets that it has."""
        for set_id in self.differences.seen["card_set"]:
            for card_id in list_imported_cards(context.connection, set_id):
                if card_id not in self.differences.seen["card"]:
                    yield RecordRef("card", str(card_id))

    def _remove_record(self, context: "StepContext", ref: RecordRef) -> None:
        """Remove a record, unless user content depends on it."""
        editor = open_edit_session(context.connection, context.catalogue, IMPORT_USER, self.now)
        if editor.recorder.get_current(ref) is None:
            return
        label = describe_record(context.catalogue, editor, ref)
        dependent = describe_dependent(context.belongings, editor, ref)
        if dependent is not None:
            self._counts["held"] += 1
            self._on_report(f"{label} was kept: {dependent} depends on it.")
            return
        with self.report_conflicts(context, editor, ref):
            DELETERS[ref.kind](editor, ref)
            self.commit(context, editor, ref, "was removed")
            self._counts["removed"] += 1
            context.counts["removed"] += 1

    # --- history and reports ------------------------------------------------------------------------------------------

    def commit(self, context: "StepContext", editor: EditSession, ref: RecordRef, outcome: str) -> None:
        """Write the changes of a record to the history, and report them with `outcome`, such as "was removed"."""
        codes = [context.catalogue.sources[source_id].code for source_id in sorted(self.differences.sources)]
        self._entry_id = context.import_entry.get_id(context.connection, codes)
        before = editor.recorder.get_original(ref)
        editor.recorder.commit(HistoryEntry(HistoryAction.IMPORTED, None, self.now, ref, self._entry_id))
        self._on_report(f"{describe_record(context.catalogue, editor, ref, before)} {outcome}.")

    def report_kept(self, detail: RecordError | str) -> None:
        """Count and report a value that was kept because a user has edited it."""
        self._counts["kept"] += 1
        self._on_report(detail)

    @contextmanager
    def report_conflicts(self, context: "StepContext", editor: EditSession, ref: RecordRef) -> Iterator[None]:
        """Roll back the block if a conflict occurs, and report the record as kept."""
        try:
            with savepoint(editor.context.connection):
                yield
        except (ConflictError, InputError) as error:
            self.report_kept(f"{describe_record(context.catalogue, editor, ref)} was kept: {error}")


class StepContext(NamedTuple):
    """The context of the steps of one transaction."""

    connection: WriteConnection
    catalogue: Catalogue
    belongings: RecordDependencies
    import_entry: ImportEntry
    counts: Counter[str]


def _record_key(difference: FileDifference) -> tuple[str, int]:
    return difference.kind, difference.record_id


def _file_value(difference: FileDifference, stored: Any) -> Any:  # noqa: ANN401  # any value of a state
    """Return the value to store; of a text in several languages, those that the file lacks are taken from `stored`."""
    if difference.column not in local_texts.LOCAL_TEXT_COLUMNS:
        return difference.file_value
    texts = local_texts.decode_texts(cast("str", difference.file_value))
    return tuple((dict(stored or ()) | dict(texts)).items())
