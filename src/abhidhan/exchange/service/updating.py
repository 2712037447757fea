"""Second import of a file: values from the first one are updated, users' edits stay."""

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
from abhidhan.dictionary.store.index import OpenTransaction
from abhidhan.editing.service.editor import Editor, open_editor
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import Entry
from abhidhan.editing.store.records import words
from abhidhan.editing.store.records.edit_context import undone_by_conflicts
from abhidhan.exchange.service.record_names import CALLED, DELETE, called, field, shown, text_of, what_depends_on
from abhidhan.exchange.store.loading.bulk_load import ImportEntry, UpdateStep
from abhidhan.exchange.store.loading.differences import Difference, Differences, Part
from abhidhan.exchange.store.loading.lift_entries import SpooledEntries, entry_steps
from abhidhan.platform.database.database import Writer
from abhidhan.records import local_texts
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import ConflictError, InputError, quoted
from abhidhan.records.history import Action, IdeaState, RecordName
from abhidhan.records.import_records import Deletion, Fault, Loss, Policy
from abhidhan.records.people import Person, Role
from abhidhan.records.tombstones import Removed

MOST_GONE: Final = 10
"""Largest part of a source that a mirror removes without asking: one record in this number."""

AT_ONCE: Final = 50
"""Number of records changed in one transaction, which blocks other writers for less than half a second."""

THE_IMPORT: Final = Person(0, "import", Role.EDITOR, None, 0, None)
"""The editor in whose name an import edits; it has no account, so history entries name no user."""

PARTS: Final = frozenset({"definition", "translation"})
"""Parts of ideas of which a user's version stays."""


class Updated(msgspec.Struct, frozen=True):
    """The effects of an import on existing records.

    `kept` counts values that stayed because users have edited them. Of the `there` records of the file's sources,
    `absent`
    are not in the file. `held` counts records that were not removed because user content depends on them. `refused` is
    true for a mirror that was not allowed to remove records. `entry` is the import in the history.
    """

    kept: int = 0
    removed: int = 0
    held: int = 0
    absent: int = 0
    there: int = 0
    refused: bool = False
    entry: int | None = None


class Updating:
    """One import that updates the records of an earlier one."""

    def __init__(  # noqa: PLR0913  # options, users' edits and callbacks
        self,
        edits: Removed,
        differences: Differences,
        policy: Policy,
        *,
        mirror: bool,
        now: int,
        may_remove: Callable[[int, int], bool],
        on_told: Callable[[Fault | str], None],
        on_lost: Callable[[Loss], None],
        deletions: Sequence[Deletion],
        entries: SpooledEntries | None = None,
    ) -> None:
        """Initialise; `may_remove` decides whether a mirror may remove this many records of those that a source has.

        `on_told` is called with each record that was changed, kept or removed, `on_lost` with each value that is not
        stored.
        `deletions` are those that the file reports, filled while it is read; `entries` are stored in their original
        form.
        """
        self.differences = differences
        self.rejected = 0
        """Number of rejected records of the file; a mirror with any removes nothing."""
        self.edits, self._policy, self.now = edits, policy, now
        self._deletions, self._mirror, self._entries = deletions, mirror, entries
        self._may_remove, self._on_told, self._on_lost = may_remove, on_told, on_lost
        self._told: Counter[str] = Counter()
        self._refused = False
        self._shares: list[tuple[int, int]] = []
        """For each source, the number of records that would be removed, and the number that exist."""
        self._absent: list[RecordName] = []
        self._going: list[RecordName] = []
        self._parts_going: list[tuple[int, set[Part]]] = []
        self._entry: int | None = None

    @property
    def updated(self) -> Updated:
        """The effects so far."""
        return Updated(**self._told, refused=self._refused, entry=self._entry)

    def update(self, ended: bool) -> Iterator[UpdateStep]:  # noqa: FBT001  # a hook
        """Yield steps that apply the differences found in a transaction; at the end also those for absent records."""
        found = sorted(self.differences.take(), key=_record)
        by_record = [(name, list(some)) for name, some in groupby(found, key=_record)]
        yield from self.steps(self._change, by_record)
        if ended:
            yield from self.steps(self._take_parts, sorted(self.differences.absent.items()))
            yield from self.steps(self._find_absent, [()])
            self._choose()
            yield from self.steps(self._take_parts, self._parts_going)
            yield from self.steps(self._remove, [(name,) for name in self._going])
            yield from self._entry_steps()

    def _entry_steps(self) -> Iterator[UpdateStep]:
        """Yield the steps that store the entries in their original form."""
        if self._entries is not None:
            mirror = self._mirror and not self._refused
            yield from entry_steps(self._entries, self._policy, self.edits.has_idea, mirror=mirror)

    def steps(self, do: Callable[..., None], each: Sequence[tuple[Any, ...]]) -> Iterator[UpdateStep]:
        """Split work into steps, each of which becomes a short transaction."""

        def step(connection: Writer, entry: ImportEntry, *, some: Sequence[tuple[Any, ...]]) -> dict[str, int]:
            work = Work(connection, OpenTransaction(connection).catalogue, Belongings(connection), entry, Counter())
            for one in some:
                do(work, *one)
            return dict(work.counts)

        return (partial(step, some=each[first : first + AT_ONCE]) for first in range(0, len(each), AT_ONCE))

    # --- fields of records --------------------------------------------------------------------------------------------

    def _change(self, work: "Work", record: tuple[str, int], found: Iterable[Difference]) -> None:
        """Replace fields that no user has edited, and report the file's values of the others."""
        name = RecordName("idea" if record[0] in PARTS else record[0], str(record[1]))
        editor = open_editor(work.connection, work.catalogue, THE_IMPORT, self.now)
        state = editor.ledger.current(name)
        values: dict[str, Any] = {}
        for one in found:
            here = values.get(one.column, getattr(state, one.column, None))
            given_value = _given_value(one, here)
            if here == given_value:
                continue
            is_edited = self.edits.has_changed(one.kind, one.record_id, one.column)
            if one.is_first and (is_edited or (one.kind in PARTS and one.is_own)):
                there = "another one" if one.kind in PARTS else shown(work.catalogue, one.column, here)
                given = shown(work.catalogue, one.column, one.given)
                name_shown = called(work.catalogue, editor, name)
                self.keep(
                    Fault(
                        one.file,
                        one.line,
                        f"{name_shown} was kept: {field(one.column)} is {there} here, {given} in the file.",
                    )
                )
            elif one.is_first and self._may_replace(work, one):
                values[one.column] = given_value
            else:
                value = text_of(work.catalogue, one.column, one.given)
                self._on_lost(Loss(one.file, one.line, field(one.column), value))
        if values and state is not None:
            with self.reporting_conflicts(work, editor, name):
                editor.ledger.put(name, msgspec.structs.replace(state, **values))
                self.commit(work, editor, name, f"has changed: {', '.join(map(field, values))}")
                work.counts["replaced"] += 1

    def _may_replace(self, work: "Work", one: Difference) -> bool:
        """Return whether a value comes only from the file's sources; a word may have values of several sources."""
        if self._policy is not Policy.UPDATE or not one.is_own:
            return False
        return one.kind != "word" or not has_other_sources(work.connection, one.record_id, self.differences.sources)

    # --- parts of ideas -----------------------------------------------------------------------------------------------

    def _take_parts(self, work: "Work", idea_id: int, parts: Iterable[Part]) -> None:
        """Remove the parts of an idea that the file replaces by others."""
        name = RecordName("idea", str(idea_id))
        editor = open_editor(work.connection, work.catalogue, THE_IMPORT, self.now)
        state = editor.ledger.current(name)
        if not isinstance(state, IdeaState):
            return
        gone = {part for part in parts if part.kind != "sense" and not self._is_added(work, editor, name, part)}
        after = msgspec.structs.replace(
            state,
            definitions=tuple(one for one in state.definitions if Part("definition", one) not in gone),
            examples=tuple(one for one in state.examples if Part("example", one) not in gone),
            contexts=tuple(one for one in state.contexts if Part("context", (one,)) not in gone),
        )
        with self.reporting_conflicts(work, editor, name):
            words_gone = {part.values[0] for part in parts if part.kind == "sense"}
            for sense_id, sense in words.senses_of_idea(editor.edit, name.number).items():
                if sense.word_id in words_gone:
                    self._unlink(work, editor, RecordName("sense", sense_id))
            editor.ledger.put(name, after)
            if not editor.ledger.is_empty:
                self.commit(work, editor, name, "has lost values that the file no longer gives")
                work.counts["replaced"] += 1

    def _is_added(self, work: "Work", editor: Editor, name: RecordName, part: Part) -> bool:
        """Return whether a user has added a part, and report it."""
        is_added = self.edits.has_added(part.kind, name.number, *part.values)
        if is_added:
            said = text_of(work.catalogue, "context_id", part.values[-1]) if part.kind == "context" else part.values[1]
            name_shown = called(work.catalogue, editor, name)
            self.keep(f"{name_shown} was kept: its {part.kind} {quoted(said)} was edited here and is not in the file.")
        return is_added

    def _unlink(self, work: "Work", editor: Editor, name: RecordName) -> None:
        """Remove a word from an idea, unless user content depends on it."""
        what = what_depends_on(work.belongings, editor, name)
        if what is None:
            delete_sense(editor, name)
        else:
            name_shown = called(work.catalogue, editor, name)
            self.keep(f"{name_shown} was kept: {what} depends on it, and it is not in the file.")

    # --- whole records ------------------------------------------------------------------------------------------------

    def _find_absent(self, work: "Work") -> None:
        """Collect the records of the file's sources that it lacks, and those that it reports as deleted."""
        seen, ungiven = self.differences.seen, self.differences.ungiven
        for source_id in sorted(self.differences.sources):
            code = work.catalogue.sources[source_id].code
            keys = [(kind, *one) for kind in CALLED for one in keys_of_source(work.connection, kind, source_id)]
            lacking = [(kind, record_id, key) for kind, record_id, key in keys if record_id not in seen[kind]]
            for kind, _, key in lacking:
                self._on_told(f"{CALLED[kind]} {code}:{key} is not in the file.")
            deleted = {one.part for one in self._deletions if one.source == code}
            self._going += (
                RecordName(kind, str(record_id))
                for kind, record_id, key in lacking
                if kind == "idea" and not deleted.isdisjoint(key.split("/"))
            )
            added = words_elsewhere(work.connection, source_id)
            unlinked = [sense_id for sense_id, idea_id in added if idea_id not in seen["idea"]]
            gone, there = len(lacking) + len(unlinked), len(keys) + len(added)
            self._told.update(there=there, absent=gone)
            in_part = sum(kind == "idea" and record_id in ungiven for kind, record_id, _ in keys)
            self._shares.append((gone + in_part, there))
            self._absent += (RecordName(kind, str(record_id)) for kind, record_id, _ in lacking)
            self._absent += (RecordName("sense", str(sense_id)) for sense_id in unlinked)
        self._absent += self._absent_cards(work)
        self._absent += (RecordName("relation", "-".join(map(str, one))) for one in self.differences.relations)

    def _choose(self) -> None:
        """Choose the records to remove; runs outside a transaction, since the user may be asked."""
        if self._policy in {Policy.KEEP, Policy.FILL}:
            self._going = []
        if not self._mirror or not (self._absent or self.differences.ungiven):
            return
        self._refused = self.rejected > 0 or not all(
            gone * MOST_GONE <= there or self._may_remove(gone, there) for gone, there in self._shares
        )
        if not self._refused:
            self._going = list(dict.fromkeys((*self._going, *self._absent)))
            self._parts_going = sorted(self.differences.ungiven.items())

    def _absent_cards(self, work: "Work") -> Iterator[RecordName]:
        """Yield the flashcards that the file lacks in the sets that it has."""
        for set_id in self.differences.seen["card_set"]:
            for card_id in cards_of_set(work.connection, set_id):
                if card_id not in self.differences.seen["card"]:
                    yield RecordName("card", str(card_id))

    def _remove(self, work: "Work", name: RecordName) -> None:
        """Remove a record, unless user content depends on it."""
        editor = open_editor(work.connection, work.catalogue, THE_IMPORT, self.now)
        if editor.ledger.current(name) is None:
            return
        name_shown = called(work.catalogue, editor, name)
        what = what_depends_on(work.belongings, editor, name)
        if what is not None:
            self._told["held"] += 1
            self._on_told(f"{name_shown} was kept: {what} depends on it.")
            return
        with self.reporting_conflicts(work, editor, name):
            DELETE[name.kind](editor, name)
            self.commit(work, editor, name, "was removed")
            self._told["removed"] += 1
            work.counts["removed"] += 1

    # --- used by every step -------------------------------------------------------------------------------------------

    def commit(self, work: "Work", editor: Editor, name: RecordName, what: str) -> None:
        """Write the changes of a record into the history, and report them."""
        codes = [work.catalogue.sources[source_id].code for source_id in sorted(self.differences.sources)]
        self._entry = work.entry.id_in(work.connection, codes)
        before = editor.ledger.original(name)
        editor.ledger.commit(Entry(Action.IMPORTED, None, self.now, name, self._entry))
        self._on_told(f"{called(work.catalogue, editor, name, before)} {what}.")

    def keep(self, said: Fault | str) -> None:
        """Report a value that stays as users have edited it."""
        self._told["kept"] += 1
        self._on_told(said)

    @contextmanager
    def reporting_conflicts(self, work: "Work", editor: Editor, name: RecordName) -> Iterator[None]:
        """Roll back the block if a conflict occurs, and report the record as kept."""
        try:
            with undone_by_conflicts(editor.edit.connection):
                yield
        except (ConflictError, InputError) as error:
            self.keep(f"{called(work.catalogue, editor, name)} was kept: {error}")


class Work(NamedTuple):
    """The context of the steps of one transaction."""

    connection: Writer
    catalogue: Catalogue
    belongings: Belongings
    entry: ImportEntry
    counts: Counter[str]


def _record(one: Difference) -> tuple[str, int]:
    return one.kind, one.record_id


def _given_value(one: Difference, here: Any) -> Any:  # noqa: ANN401  # any value of a state
    """Return the value of a field as stored in states; texts in languages that the file lacks stay."""
    if one.column not in local_texts.COLUMNS:
        return one.given
    given = local_texts.decode_texts(cast("str", one.given))
    return tuple((dict(here or ()) | dict(given)).items())
