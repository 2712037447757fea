"""Update of the starter dictionary: a second import of the bundled files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from abhidhan.dictionary.store.belongings import has_ideas_of, has_other_sources, records_with
from abhidhan.editing.service.editor import EditSession, open_editor
from abhidhan.editing.service.ideas import merge_records
from abhidhan.editing.store.records import words
from abhidhan.editing.store.records.record_lookup import find_idea
from abhidhan.exchange.model import OnPhase, Phase, ignore_progress
from abhidhan.exchange.service.bundled_data import STARTER, merged_ideas, starter_records, with_renamed_values
from abhidhan.exchange.service.importing import ImportReport, Losses, OnReject, OnReport, import_records
from abhidhan.exchange.service.record_names import field_name, record_label
from abhidhan.exchange.service.updating import IMPORT_USER, Updater, Work
from abhidhan.exchange.store.database_copies import sandbox
from abhidhan.exchange.store.imports import read_tombstones
from abhidhan.exchange.store.loading.bulk_load import UpdateStep
from abhidhan.exchange.store.loading.differences import Differences, FileOrder
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError
from abhidhan.records.history import IdeaState, PhraseState, RecordRef, SenseState
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, RecordError
from abhidhan.records.kinds.fields import columns
from abhidhan.records.kinds.idea import IDEA_ROW, IdeaRef
from abhidhan.records.kinds.word import REMARKS
from abhidhan.records.tombstones import Tombstones

EMPTIED_FIELDS: Final = {
    "idea": columns(IDEA_ROW),
    "word": ("roman", "ipa", "origin", "plural", "definitive"),
    "phrase": ("roman",),
    "card": ("roman",),
}
"""Fields that are cleared if the starter no longer has a value for them, by kind of record."""


class StarterUpdate(msgspec.Struct, frozen=True):
    """The current starter dictionary, and the callbacks of an update."""

    records: Iterable[LocatedRecord | RecordError]
    merged: Mapping[IdeaRef, IdeaRef]
    """Ideas that newer versions of the starter have merged, each with the idea that replaces it."""
    on_phase: OnPhase = ignore_progress
    on_progress: Callable[[LoadResult], None] = lambda _: None
    on_reject: OnReject = lambda _: None
    on_report: OnReport = lambda _: None


def bundled_starter() -> StarterUpdate:
    """Return the bundled starter dictionary."""
    return StarterUpdate(starter_records(), merged_ideas())


def update_starter(database: Database, update: StarterUpdate, *, now: int, dry_run: bool = False) -> ImportReport:
    """Update the starter dictionary; a dry run works on a copy.

    Replaces values from the starter that no user has changed since. Raises ConflictError while an import runs, and for
    a dictionary without the starter.
    """
    _require_starter(database)
    if not dry_run:
        return _update(database, update, now)
    update.on_phase(Phase.COPYING, None)
    with sandbox(database) as copy:
        return _update(copy, update, now, is_trial=True)


def _require_starter(database: Database) -> None:
    if not database.read_now(partial(has_ideas_of, code=STARTER)):
        raise ConflictError("This dictionary was created without the starter dictionary: there is nothing to update.")


def _update(database: Database, update: StarterUpdate, now: int, *, is_trial: bool = False) -> ImportReport:
    losses = Losses()
    updating = StarterUpdater(
        database.read_now(read_tombstones), FileOrder(), losses, now=now, on_report=update.on_report
    )
    loaded = import_records(
        database,
        with_renamed_values(update.records, updating.edits.renamed),
        now=now,
        policy=ConflictPolicy.UPDATE,
        on_progress=update.on_progress,
        on_reject=update.on_reject,
        on_phase=update.on_phase,
        is_trial=is_trial,
        on_remark=update.on_report,
        removed=updating.edits,
        updating=updating,
        prepare=updating.merge(update.merged),
    )
    return ImportReport(loaded, (), {}, updated=updating.updated, lost=losses.fields)


class StarterUpdater(Updater):
    """Updater for the whole starter dictionary, which also merges ideas, reorders words and clears fields."""

    def __init__(
        self,
        edits: Tombstones,
        order: FileOrder,
        losses: Losses,
        *,
        now: int,
        on_report: Callable[[RecordError | str], None],
    ) -> None:
        """Initialise; `edits` are those of users, `on_report` is called with each record that was changed or kept."""
        super().__init__(
            edits,
            Differences(order=order),
            ConflictPolicy.UPDATE,
            mirror=False,
            now=now,
            may_remove=lambda _gone, _there: False,
            on_report=on_report,
            on_lost=losses.add,
            deletions=(),
        )
        self._order = order
        self._with_values: list[tuple[str, int]] = []

    def merge(self, merged: Mapping[IdeaRef, IdeaRef]) -> Iterator[UpdateStep]:
        """Yield steps that merge ideas; run them before the file is read, which updates the merged ideas."""
        return self.steps(self._merge, [*merged.items()])

    def update(self, is_last: bool) -> Iterator[UpdateStep]:  # noqa: FBT001  # a hook
        """Yield steps that apply differences; at the end, also clear fields and restore the order of words."""
        yield from super().update(is_last)
        if is_last:
            yield from self.steps(self._find_values, [()])
            yield from self.steps(self._empty, self._with_values)
            yield from self.steps(self._order_words, self._order.words())
            yield from self.steps(self._order_meanings, self._order.meanings())

    # --- merged ideas -------------------------------------------------------------------------------------------------

    def _merge(self, work: Work, merged: IdeaRef, target: IdeaRef) -> None:
        """Merge an idea into `target`; if that does not exist, change the source and key of the idea to its."""
        editor = self._editor(work)
        gone_id, target_id = (find_idea(editor.edit, ref.source, ref.key) for ref in (merged, target))
        name = RecordRef("idea", str(gone_id))
        state = editor.recorder.current(name) if gone_id is not None else None
        if gone_id == target_id or not isinstance(state, IdeaState) or state.external_key != merged.key:
            return
        name_shown = record_label(work.catalogue, editor, name)
        if work.belongings.has_submission(name):
            self.report_kept(f"{name_shown} was kept, and not merged: a pending submission depends on it.")
            return
        with self.reporting_conflicts(work, editor, name):
            if target_id is None:
                self._rename(work, editor, name, state, target)
            else:
                self._merge_into(work, editor, target_id, name, state)

    def _rename(self, work: Work, editor: EditSession, name: RecordRef, state: IdeaState, target: IdeaRef) -> None:
        source_id = next(
            (source.id for source in work.catalogue.sources.values() if source.code == target.source), None
        )
        if source_id is None or self.edits.has_idea(source_id, target.key):
            return
        alias = (state.source_id or 0, state.external_key or "")
        renamed = msgspec.structs.replace(
            state, source_id=source_id, external_key=target.key, aliases=tuple(sorted({*state.aliases, alias}))
        )
        editor.recorder.apply(name, renamed)
        self.commit(work, editor, name, f"has become {target.source}:{target.key}")
        work.counts["merged"] += 1

    def _merge_into(self, work: Work, editor: EditSession, target_id: int, gone: RecordRef, state: IdeaState) -> None:
        target = RecordRef("idea", str(target_id))
        self._move_remarks(editor, target_id, gone.number)
        merge_records(editor, target_id, gone.number)
        # A value that a user has entered in the merged idea replaces one that no user has changed.
        changed = {
            column: value
            for column in columns(IDEA_ROW)
            if (value := getattr(state, column)) is not None
            and self.edits.has_changed("idea", gone.number, column)
            and not self.edits.has_changed("idea", target_id, column)
        }
        together = editor.recorder.current(target)
        if changed and together is not None:
            editor.recorder.apply(target, msgspec.structs.replace(together, **changed))
        self.edits.apply_merges(editor.recorder.changes)
        self.commit(work, editor, gone, f"was merged into {record_label(work.catalogue, editor, target)}")
        work.counts["merged"] += 1

    def _move_remarks(self, editor: EditSession, target_id: int, merged_id: int) -> None:
        """Copy users' remarks on words that both ideas have to the target idea, before the links are deleted."""
        target_senses = {
            sense.word_id: sense_id for sense_id, sense in words.senses_of_idea(editor.edit, target_id).items()
        }
        for sense_id, sense in words.senses_of_idea(editor.edit, merged_id).items():
            name = RecordRef("sense", target_senses.get(sense.word_id, ""))
            state = editor.recorder.current(name) if name.id else None
            remarks = {
                column: value
                for column in columns(REMARKS)
                if (value := getattr(sense, column)) is not None
                and self.edits.has_changed("sense", int(sense_id), column)
            }
            lacking = {column: value for column, value in remarks.items() if getattr(state, column, "") is None}
            if state is not None and lacking:
                editor.recorder.apply(name, msgspec.structs.replace(state, **lacking))

    # --- fields without a value in the file ---------------------------------------------------------------------------

    def _find_values(self, work: Work) -> None:
        """Collect the stored records of the file that have a value in a field for which the file has none."""
        for kind, fields in EMPTIED_FIELDS.items():
            seen = self._order.word_ids if kind == "word" else self.differences.seen[kind]
            for record_id, filled_columns in records_with(work.connection, kind, fields):
                if record_id in seen and any(
                    not self.differences.is_in_file(kind, record_id, column) for column in filled_columns
                ):
                    self._with_values.append((kind, record_id))

    def _empty(self, work: Work, kind: str, record_id: int) -> None:
        """Clear the fields whose values came only from the starter, which no longer has them."""
        editor, name = self._editor(work), RecordRef(kind, str(record_id))
        state = editor.recorder.current(name)
        if isinstance(state, IdeaState | PhraseState) and state.source_id not in self.differences.sources:
            return
        if kind == "word" and has_other_sources(work.connection, record_id, self.differences.sources):
            return
        emptied = [
            column
            for column in EMPTIED_FIELDS[kind]
            if getattr(state, column, None) is not None
            and not self.differences.is_in_file(kind, record_id, column)
            and not self.edits.has_changed(kind, record_id, column)
        ]
        if emptied and state is not None:
            with self.reporting_conflicts(work, editor, name):
                editor.recorder.apply(name, msgspec.structs.replace(state, **dict.fromkeys(emptied)))
                self.commit(
                    work,
                    editor,
                    name,
                    f"has lost values that are no longer given: {', '.join(map(field_name, emptied))}",
                )
                work.counts["replaced"] += 1

    # --- order --------------------------------------------------------------------------------------------------------

    def _order_words(self, work: Work, of: tuple[int, int], word_ids: list[int]) -> None:
        """Order the words of an idea as in the file, followed by the other words."""
        if len(word_ids) > 1:
            editor, idea_id = self._editor(work), of[0]
            senses_of_idea = words.senses_of_idea(editor.edit, idea_id)
            first = next((sense_id for sense_id, sense in senses_of_idea.items() if sense.word_id == word_ids[0]), None)
            if first is not None:
                senses = words.synonyms(editor.edit, first)
                record_ids = {sense_id: sense.word_id for sense_id, sense in senses.items()}
                self._put_in_order(work, editor, RecordRef("idea", str(idea_id)), senses, record_ids, word_ids, "rank")

    def _order_meanings(self, work: Work, word_id: int, idea_ids: list[int]) -> None:
        """Order the meanings of a word as in the file, followed by the other meanings."""
        if len(idea_ids) > 1:
            editor = self._editor(work)
            senses = words.senses_of_word(editor.edit, word_id)
            record_ids = {sense_id: sense.idea_id for sense_id, sense in senses.items()}
            self._put_in_order(work, editor, RecordRef("word", str(word_id)), senses, record_ids, idea_ids, "position")

    def _put_in_order(  # noqa: PLR0913, PLR0917  # shared by both orders
        self,
        work: Work,
        editor: EditSession,
        name: RecordRef,
        senses: Mapping[str, SenseState],
        records: Mapping[str, int],
        order: list[int],
        column: str,
    ) -> None:
        ranks = {record_id: number for number, record_id in enumerate(order)}
        in_order = sorted(senses, key=lambda sense_id: ranks.get(records[sense_id], len(ranks)))
        if in_order == list(senses):
            return
        what = "words" if column == "rank" else "meanings"
        if any(self.edits.has_ordered(int(sense_id), column) for sense_id in senses):
            self.report_kept(
                f"{record_label(work.catalogue, editor, name)} was kept: the order of its {what} was edited here."
            )
            return
        for number, sense_id in enumerate(in_order, 1):
            editor.recorder.apply(
                RecordRef("sense", sense_id), msgspec.structs.replace(senses[sense_id], **{column: number})
            )
        self.commit(work, editor, name, f"has changed: order of {what}")
        work.counts["replaced"] += 1

    def _editor(self, work: Work) -> EditSession:
        return open_editor(work.connection, work.catalogue, IMPORT_USER, self.now)
