"""Repeated import of a file: values from earlier imports are updated, users' edits stay."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple, cast

import msgspec

from abhidhan.dictionary.store.belongings import (
    Belongings,
    cards_of_set,
    has_other_sources,
    keys_of_source,
    words_elsewhere,
)
from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.editing.service.editor import EditSession, open_editor
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import HistoryEntry
from abhidhan.editing.store.records import words
from abhidhan.editing.store.records.edit_context import savepoint
from abhidhan.exchange.service.record_names import (
    DELETERS,
    KIND_NAMES,
    field_name,
    find_dependent,
    format_value,
    record_label,
    text_of,
)
from abhidhan.exchange.store.loading.bulk_load import ImportEntry, UpdateStep
from abhidhan.exchange.store.loading.differences import ComparedPart, Differences, FileDifference
from abhidhan.exchange.store.loading.lift_entries import SpooledEntries, entry_steps
from abhidhan.platform.database.database import WriteConnection
from abhidhan.records import local_texts
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, quoted
from abhidhan.records.history import HistoryAction, IdeaState, RecordRef
from abhidhan.records.import_records import ConflictPolicy, Deletion, Loss, RecordError
from abhidhan.records.people import Person, Role
from abhidhan.records.tombstones import Tombstones

MAX_REMOVAL_DIVISOR: Final = 10
"""A mirror asks for confirmation before it removes more than this fraction (1/10) of the records of a source."""

UPDATE_BATCH_SIZE: Final = 50
"""Number of records changed in one transaction, which blocks other writers for less than half a second."""

IMPORT_USER: Final = Person(0, "import", Role.EDITOR, None, 0, None)
"""The user for whom an import edits records. There is no such account, so history entries name no user."""

PARTS: Final = frozenset({"definition", "translation"})
"""Kinds of parts of ideas that an import never replaces once a user has edited them."""


class UpdateCounts(msgspec.Struct, frozen=True):
    """The effects of an import on existing records.

    `kept` counts values that stayed because users have edited them. Of the `there` records of the file's sources,
    `absent` are not in the file. `held` counts records that were not removed because user content depends on them.
    `refused` is true for a mirror that was not allowed to remove records. `entry` is the ID of the import in the
    history.
    """

    kept: int = 0
    removed: int = 0
    held: int = 0
    absent: int = 0
    there: int = 0
    refused: bool = False
    entry: int | None = None


class Updater:
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
        on_lost: Callable[[Loss], None],
        deletions: Sequence[Deletion],
        entries: SpooledEntries | None = None,
    ) -> None:
        """Initialise; `may_remove` returns whether a mirror may remove records, given their number and the total.

        `on_report` is called with each record that was changed, kept or removed, `on_lost` with each value that is not
        stored. `deletions` are the records that the file marks as deleted, filled while it is read; `entries` are
        stored in their original form.
        """
        self.differences = differences
        self.rejected = 0
        """Number of rejected records of the file; if there are any, a mirror removes nothing."""
        self.edits, self._policy, self.now = edits, policy, now
        self._deletions, self._mirror, self._entries = deletions, mirror, entries
        self._may_remove, self._on_report, self._on_lost = may_remove, on_report, on_lost
        self._counts: Counter[str] = Counter()
        self._refused = False
        self._shares: list[tuple[int, int]] = []
        """For each source, the number of records that would be removed, and the number of all its records."""
        self._absent: list[RecordRef] = []
        self._to_remove: list[RecordRef] = []
        self._parts_to_remove: list[tuple[int, set[ComparedPart]]] = []
        self._entry: int | None = None

    @property
    def updated(self) -> UpdateCounts:
        """The counts of all changes so far."""
        return UpdateCounts(**self._counts, refused=self._refused, entry=self._entry)

    def update(self, is_last: bool) -> Iterator[UpdateStep]:  # noqa: FBT001  # a hook
        """Yield steps that apply the differences found in a transaction; at the end, also steps for absent records."""
        differences = sorted(self.differences.pop_all(), key=_record)
        by_record = [(name, list(group)) for name, group in groupby(differences, key=_record)]
        yield from self.steps(self._change, by_record)
        if is_last:
            yield from self.steps(self._remove_parts, sorted(self.differences.absent.items()))
            yield from self.steps(self._find_absent, [()])
            self._choose_removals()
            yield from self.steps(self._remove_parts, self._parts_to_remove)
            yield from self.steps(self._remove, [(name,) for name in self._to_remove])
            yield from self._entry_steps()

    def _entry_steps(self) -> Iterator[UpdateStep]:
        """Yield the steps that store the entries in their original form."""
        if self._entries is not None:
            mirror = self._mirror and not self._refused
            yield from entry_steps(self._entries, self._policy, self.edits.has_idea, mirror=mirror)

    def steps(self, do: Callable[..., None], items: Sequence[tuple[Any, ...]]) -> Iterator[UpdateStep]:
        """Yield steps that each call `action` for a batch of items, in a short transaction of their own."""

        def step(
            connection: WriteConnection, entry: ImportEntry, *, batch: Sequence[tuple[Any, ...]]
        ) -> dict[str, int]:
            work = Work(connection, TransactionRows(connection).catalogue, Belongings(connection), entry, Counter())
            for item in batch:
                do(work, *item)
            return dict(work.counts)

        return (
            partial(step, batch=items[first : first + UPDATE_BATCH_SIZE])
            for first in range(0, len(items), UPDATE_BATCH_SIZE)
        )

    # --- fields of records --------------------------------------------------------------------------------------------

    def _change(self, work: "Work", record: tuple[str, int], differences: Iterable[FileDifference]) -> None:
        """Replace the fields of a record that no user has edited; report the file's values of the others."""
        name = RecordRef("idea" if record[0] in PARTS else record[0], str(record[1]))
        editor = open_editor(work.connection, work.catalogue, IMPORT_USER, self.now)
        state = editor.recorder.current(name)
        values: dict[str, Any] = {}
        for difference in differences:
            here = values.get(difference.column, getattr(state, difference.column, None))
            file_value = _file_value(difference, here)
            if here == file_value:
                continue
            is_edited = self.edits.has_changed(difference.kind, difference.record_id, difference.column)
            if difference.is_first and (is_edited or (difference.kind in PARTS and difference.is_own)):
                stored_text = (
                    "another one" if difference.kind in PARTS else format_value(work.catalogue, difference.column, here)
                )
                file_text = format_value(work.catalogue, difference.column, difference.file_value)
                name_shown = record_label(work.catalogue, editor, name)
                self.report_kept(
                    RecordError(
                        difference.file,
                        difference.line,
                        f"{name_shown} was kept: {field_name(difference.column)} is {stored_text} here, {file_text} in "
                        "the file.",
                    )
                )
            elif difference.is_first and self._may_replace(work, difference):
                values[difference.column] = file_value
            else:
                value = text_of(work.catalogue, difference.column, difference.file_value)
                self._on_lost(Loss(difference.file, difference.line, field_name(difference.column), value))
        if values and state is not None:
            with self.reporting_conflicts(work, editor, name):
                editor.recorder.apply(name, msgspec.structs.replace(state, **values))
                self.commit(work, editor, name, f"has changed: {', '.join(map(field_name, values))}")
                work.counts["replaced"] += 1

    def _may_replace(self, work: "Work", difference: FileDifference) -> bool:
        """Return whether to replace a value: the policy is UPDATE, and it comes only from the file's sources."""
        if self._policy is not ConflictPolicy.UPDATE or not difference.is_own:
            return False
        return difference.kind != "word" or not has_other_sources(
            work.connection, difference.record_id, self.differences.sources
        )

    # --- parts of ideas -----------------------------------------------------------------------------------------------

    def _remove_parts(self, work: "Work", idea_id: int, parts: Iterable[ComparedPart]) -> None:
        """Remove the parts of an idea that the file no longer has, unless a user has added them."""
        name = RecordRef("idea", str(idea_id))
        editor = open_editor(work.connection, work.catalogue, IMPORT_USER, self.now)
        state = editor.recorder.current(name)
        if not isinstance(state, IdeaState):
            return
        gone = {part for part in parts if part.kind != "sense" and not self._is_added(work, editor, name, part)}
        after = msgspec.structs.replace(
            state,
            definitions=tuple(value for value in state.definitions if ComparedPart("definition", value) not in gone),
            examples=tuple(value for value in state.examples if ComparedPart("example", value) not in gone),
            contexts=tuple(value for value in state.contexts if ComparedPart("context", (value,)) not in gone),
        )
        with self.reporting_conflicts(work, editor, name):
            words_gone = {part.values[0] for part in parts if part.kind == "sense"}
            for sense_id, sense in words.senses_of_idea(editor.edit, name.number).items():
                if sense.word_id in words_gone:
                    self._unlink(work, editor, RecordRef("sense", sense_id))
            editor.recorder.apply(name, after)
            if not editor.recorder.is_empty:
                self.commit(work, editor, name, "has lost values that the file no longer gives")
                work.counts["replaced"] += 1

    def _is_added(self, work: "Work", editor: EditSession, name: RecordRef, part: ComparedPart) -> bool:
        """Return whether a user has added a part, and report it."""
        is_added = self.edits.has_added(part.kind, name.number, *part.values)
        if is_added:
            content = (
                text_of(work.catalogue, "context_id", part.values[-1]) if part.kind == "context" else part.values[1]
            )
            name_shown = record_label(work.catalogue, editor, name)
            self.report_kept(
                f"{name_shown} was kept: its {part.kind} {quoted(content)} was edited here and is not in the file."
            )
        return is_added

    def _unlink(self, work: "Work", editor: EditSession, name: RecordRef) -> None:
        """Remove a word from an idea, unless user content depends on it."""
        what = find_dependent(work.belongings, editor, name)
        if what is None:
            delete_sense(editor, name)
        else:
            name_shown = record_label(work.catalogue, editor, name)
            self.report_kept(f"{name_shown} was kept: {what} depends on it, and it is not in the file.")

    # --- whole records ------------------------------------------------------------------------------------------------

    def _find_absent(self, work: "Work") -> None:
        """Collect the stored records of the file's sources that the file lacks or marks as deleted."""
        seen, ungiven = self.differences.seen, self.differences.ungiven
        for source_id in sorted(self.differences.sources):
            code = work.catalogue.sources[source_id].code
            keys = [(kind, *row) for kind in KIND_NAMES for row in keys_of_source(work.connection, kind, source_id)]
            lacking = [(kind, record_id, key) for kind, record_id, key in keys if record_id not in seen[kind]]
            for kind, _, key in lacking:
                self._on_report(f"{KIND_NAMES[kind]} {code}:{key} is not in the file.")
            deleted = {row.part for row in self._deletions if row.source == code}
            self._to_remove += (
                RecordRef(kind, str(record_id))
                for kind, record_id, key in lacking
                if kind == "idea" and not deleted.isdisjoint(key.split("/"))
            )
            added = words_elsewhere(work.connection, source_id)
            unlinked = [sense_id for sense_id, idea_id in added if idea_id not in seen["idea"]]
            gone, there = len(lacking) + len(unlinked), len(keys) + len(added)
            self._counts.update(there=there, absent=gone)
            in_part = sum(kind == "idea" and record_id in ungiven for kind, record_id, _ in keys)
            self._shares.append((gone + in_part, there))
            self._absent += (RecordRef(kind, str(record_id)) for kind, record_id, _ in lacking)
            self._absent += (RecordRef("sense", str(sense_id)) for sense_id in unlinked)
        self._absent += self._absent_cards(work)
        self._absent += (RecordRef("relation", "-".join(map(str, row))) for row in self.differences.relations)

    def _choose_removals(self) -> None:
        """Choose the records to remove. Call it outside a transaction, since it may wait for the user."""
        if self._policy in {ConflictPolicy.KEEP, ConflictPolicy.FILL}:
            self._to_remove = []
        if not self._mirror or not (self._absent or self.differences.ungiven):
            return
        self._refused = self.rejected > 0 or not all(
            gone * MAX_REMOVAL_DIVISOR <= there or self._may_remove(gone, there) for gone, there in self._shares
        )
        if not self._refused:
            self._to_remove = list(dict.fromkeys((*self._to_remove, *self._absent)))
            self._parts_to_remove = sorted(self.differences.ungiven.items())

    def _absent_cards(self, work: "Work") -> Iterator[RecordRef]:
        """Yield the flashcards that the file lacks in the sets that it has."""
        for set_id in self.differences.seen["card_set"]:
            for card_id in cards_of_set(work.connection, set_id):
                if card_id not in self.differences.seen["card"]:
                    yield RecordRef("card", str(card_id))

    def _remove(self, work: "Work", name: RecordRef) -> None:
        """Remove a record, unless user content depends on it."""
        editor = open_editor(work.connection, work.catalogue, IMPORT_USER, self.now)
        if editor.recorder.current(name) is None:
            return
        name_shown = record_label(work.catalogue, editor, name)
        what = find_dependent(work.belongings, editor, name)
        if what is not None:
            self._counts["held"] += 1
            self._on_report(f"{name_shown} was kept: {what} depends on it.")
            return
        with self.reporting_conflicts(work, editor, name):
            DELETERS[name.kind](editor, name)
            self.commit(work, editor, name, "was removed")
            self._counts["removed"] += 1
            work.counts["removed"] += 1

    # --- history and reports ------------------------------------------------------------------------------------------

    def commit(self, work: "Work", editor: EditSession, name: RecordRef, what: str) -> None:
        """Write the changes of a record to the history, and report them with `outcome`, such as "was removed"."""
        codes = [work.catalogue.sources[source_id].code for source_id in sorted(self.differences.sources)]
        self._entry = work.entry.id_in(work.connection, codes)
        before = editor.recorder.original(name)
        editor.recorder.commit(HistoryEntry(HistoryAction.IMPORTED, None, self.now, name, self._entry))
        self._on_report(f"{record_label(work.catalogue, editor, name, before)} {what}.")

    def report_kept(self, detail: RecordError | str) -> None:
        """Count and report a value that was kept because a user has edited it."""
        self._counts["kept"] += 1
        self._on_report(detail)

    @contextmanager
    def reporting_conflicts(self, work: "Work", editor: EditSession, name: RecordRef) -> Iterator[None]:
        """Roll back the block if a conflict occurs, and report the record as kept."""
        try:
            with savepoint(editor.edit.connection):
                yield
        except (ConflictError, InputError) as error:
            self.report_kept(f"{record_label(work.catalogue, editor, name)} was kept: {error}")


class Work(NamedTuple):
    """The context of the steps of one transaction."""

    connection: WriteConnection
    catalogue: Catalogue
    belongings: Belongings
    entry: ImportEntry
    counts: Counter[str]


def _record(difference: FileDifference) -> tuple[str, int]:
    return difference.kind, difference.record_id


def _file_value(difference: FileDifference, stored: Any) -> Any:  # noqa: ANN401  # any value of a state
    """Return the value to store; of a text in several languages, those that the file lacks are taken from `stored`."""
    if difference.column not in local_texts.COLUMNS:
        return difference.file_value
    texts = local_texts.decode_texts(cast("str", difference.file_value))
    return tuple((dict(stored or ()) | dict(texts)).items())
