"""Update of the starter dictionary: a second import of the bundled files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from abhidhan.dictionary.store.record_dependencies import (
    has_ideas_from_source,
    has_other_sources,
    iter_records_with_values,
)
from abhidhan.editing.service.editor import EditSession, open_edit_session
from abhidhan.editing.service.ideas import merge_records
from abhidhan.editing.store.records import words
from abhidhan.editing.store.records.record_lookup import find_idea
from abhidhan.exchange.model import OnPhase, Phase, ignore_progress
from abhidhan.exchange.service.bundled_data import (
    STARTER_SOURCE,
    read_merged_ideas,
    read_starter_records,
    rename_values,
)
from abhidhan.exchange.service.importing import ImportReport, LossCollector, OnReject, OnReport, import_records
from abhidhan.exchange.service.record_names import describe_record, get_field_name
from abhidhan.exchange.service.updating import IMPORT_USER, RecordUpdater, StepContext
from abhidhan.exchange.store.database_copies import open_sandbox
from abhidhan.exchange.store.imports import read_tombstones
from abhidhan.exchange.store.loading.bulk_load import UpdateStep
from abhidhan.exchange.store.loading.differences import Differences, FileOrder
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError
from abhidhan.records.history import IdeaState, PhraseState, RecordRef, SenseState
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord, RecordError
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.idea import IDEA_ROW_FIELDS, IdeaRef
from abhidhan.records.kinds.word import REMARK_FIELDS
from abhidhan.records.tombstones import Tombstones

EMPTIED_FIELDS: Final = {
    "idea": list_columns(IDEA_ROW_FIELDS),
    "word": ("roman", "ipa", "origin", "plural", "definitive"),
    "phrase": ("roman",),
    "card": ("roman",),
}
"""Fields that are cleared if the starter no longer has a value for them, by kind of record."""


class StarterUpdate(msgspec.Struct, frozen=True):
    """The current starter dictionary, and the callbacks of an update."""

    records: Iterable[LocatedRecord | RecordError]
    merged_ideas: Mapping[IdeaRef, IdeaRef]
    """Ideas that newer versions of the starter have merged, each with the idea that replaces it."""
    on_phase: OnPhase = ignore_progress
    on_progress: Callable[[LoadResult], None] = lambda _: None
    on_reject: OnReject = lambda _: None
    on_report: OnReport = lambda _: None


def load_bundled_starter() -> StarterUpdate:
    """Return the bundled starter dictionary."""
    return StarterUpdate(read_starter_records(), read_merged_ideas())


def update_starter(database: Database, update: StarterUpdate, *, now: int, dry_run: bool = False) -> ImportReport:
    """Update the starter dictionary; a dry run works on a copy.

    Replaces values from the starter that no user has changed since. Raises ConflictError while an import runs, and for
    a dictionary without the starter.
    """
    _require_starter(database)
    if not dry_run:
        return _run_update(database, update, now)
    update.on_phase(Phase.COPYING, None)
    with open_sandbox(database) as copy:
        return _run_update(copy, update, now, is_trial=True)


def _require_starter(database: Database) -> None:
    if not database.read_now(partial(has_ideas_from_source, code=STARTER_SOURCE)):
        raise ConflictError("This dictionary was created without the starter dictionary: there is nothing to update.")


def _run_update(database: Database, update: StarterUpdate, now: int, *, is_trial: bool = False) -> ImportReport:
    losses = LossCollector()
    updater = StarterUpdater(
        database.read_now(read_tombstones), FileOrder(), losses, now=now, on_report=update.on_report
    )
    loaded = import_records(
        database,
        rename_values(update.records, updater.edits.current_value_names),
        now=now,
        policy=ConflictPolicy.UPDATE,
        on_progress=update.on_progress,
        on_reject=update.on_reject,
        on_phase=update.on_phase,
        is_trial=is_trial,
        on_remark=update.on_report,
        tombstones=updater.edits,
        updater=updater,
        preparation_steps=updater.build_merge_steps(update.merged_ideas),
    )
    return ImportReport(loaded, (), {}, update_counts=updater.update_counts, lost_fields=losses.fields)


class StarterUpdater(RecordUpdater):
    """Updater for the whole starter dictionary, which also merges ideas, reorders words and clears fields."""

    def __init__(
        self,
        edits: Tombstones,
        order: FileOrder,
        losses: LossCollector,
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
        self._filled_records: list[tuple[str, int]] = []

    def build_merge_steps(self, merged: Mapping[IdeaRef, IdeaRef]) -> Iterator[UpdateStep]:
        """Yield steps that merge ideas; run them before the file is read, which updates the merged ideas."""
        return self.split_into_steps(self._merge, [*merged.items()])

    def iter_update_steps(self, is_last: bool) -> Iterator[UpdateStep]:  # noqa: FBT001  # a hook
        """Yield steps that apply differences; at the end, also clear fields and restore the order of words."""
        yield from super().iter_update_steps(is_last)
        if is_last:
            yield from self.split_into_steps(self._collect_filled, [()])
            yield from self.split_into_steps(self._clear_fields, self._filled_records)
            yield from self.split_into_steps(self._order_words, self._order.list_words())
            yield from self.split_into_steps(self._order_meanings, self._order.list_meanings())

    # --- merged ideas -------------------------------------------------------------------------------------------------

    def _merge(self, context: StepContext, merged: IdeaRef, target: IdeaRef) -> None:
        """Merge an idea into `target`; if that does not exist, change the source and key of the idea to its."""
        editor = self._open_editor(context)
        merged_id, target_id = (find_idea(editor.context, ref.source, ref.key) for ref in (merged, target))
        merged_ref = RecordRef("idea", str(merged_id))
        state = editor.recorder.get_current(merged_ref) if merged_id is not None else None
        if merged_id == target_id or not isinstance(state, IdeaState) or state.external_key != merged.key:
            return
        label = describe_record(context.catalogue, editor, merged_ref)
        if context.belongings.has_pending_submission(merged_ref):
            self.report_kept(f"{label} was kept, and not merged: a pending submission depends on it.")
            return
        with self.report_conflicts(context, editor, merged_ref):
            if target_id is None:
                self._change_key(context, editor, merged_ref, state, target)
            else:
                self._merge_into(context, editor, target_id, merged_ref, state)

    def _change_key(
        self, context: StepContext, editor: EditSession, ref: RecordRef, state: IdeaState, target: IdeaRef
    ) -> None:
        source_id = next(
            (source.id for source in context.catalogue.sources.values() if source.code == target.source), None
        )
        if source_id is None or self.edits.is_idea_deleted(source_id, target.key):
            return
        alias = (state.source_id or 0, state.external_key or "")
        renamed = msgspec.structs.replace(
            state, source_id=source_id, external_key=target.key, aliases=tuple(sorted({*state.aliases, alias}))
        )
        editor.recorder.apply(ref, renamed)
        self.commit(context, editor, ref, f"has become {target.source}:{target.key}")
        context.counts["merged"] += 1

    def _merge_into(
        self, context: StepContext, editor: EditSession, target_id: int, merged: RecordRef, state: IdeaState
    ) -> None:
        target = RecordRef("idea", str(target_id))
        self._move_remarks(editor, target_id, merged.number)
        merge_records(editor, target_id, merged.number)
        # A value that a user has entered in the merged idea replaces one that no user has changed.
        changed = {
            column: value
            for column in list_columns(IDEA_ROW_FIELDS)
            if (value := getattr(state, column)) is not None
            and self.edits.is_field_edited("idea", merged.number, column)
            and not self.edits.is_field_edited("idea", target_id, column)
        }
        merged_state = editor.recorder.get_current(target)
        if changed and merged_state is not None:
            editor.recorder.apply(target, msgspec.structs.replace(merged_state, **changed))
        self.edits.apply_merges(editor.recorder.changes)
        self.commit(context, editor, merged, f"was merged into {describe_record(context.catalogue, editor, target)}")
        context.counts["merged"] += 1

    def _move_remarks(self, editor: EditSession, target_id: int, merged_id: int) -> None:
        """Copy users' remarks on words that both ideas have to the target idea, before the links are deleted."""
        target_senses = {
            sense.word_id: sense_id for sense_id, sense in words.read_senses_of_idea(editor.context, target_id).items()
        }
        for sense_id, sense in words.read_senses_of_idea(editor.context, merged_id).items():
            ref = RecordRef("sense", target_senses.get(sense.word_id, ""))
            state = editor.recorder.get_current(ref) if ref.id else None
            remarks = {
                column: value
                for column in list_columns(REMARK_FIELDS)
                if (value := getattr(sense, column)) is not None
                and self.edits.is_field_edited("sense", int(sense_id), column)
            }
            missing = {column: value for column, value in remarks.items() if getattr(state, column, "") is None}
            if state is not None and missing:
                editor.recorder.apply(ref, msgspec.structs.replace(state, **missing))

    # --- fields without a value in the file ---------------------------------------------------------------------------

    def _collect_filled(self, context: StepContext) -> None:
        """Collect the stored records of the file that have a value in a field for which the file has none."""
        for kind, fields in EMPTIED_FIELDS.items():
            seen = self._order.word_ids if kind == "word" else self.differences.seen[kind]
            for record_id, filled_columns in iter_records_with_values(context.connection, kind, fields):
                if record_id in seen and any(
                    not self.differences.is_in_file(kind, record_id, column) for column in filled_columns
                ):
                    self._filled_records.append((kind, record_id))

    def _clear_fields(self, context: StepContext, kind: str, record_id: int) -> None:
        """Clear the fields whose values came only from the starter, which no longer has them."""
        editor, ref = self._open_editor(context), RecordRef(kind, str(record_id))
        state = editor.recorder.get_current(ref)
        if isinstance(state, IdeaState | PhraseState) and state.source_id not in self.differences.sources:
            return
        if kind == "word" and has_other_sources(context.connection, record_id, self.differences.sources):
            return
        emptied = [
            column
            for column in EMPTIED_FIELDS[kind]
            if getattr(state, column, None) is not None
            and not self.differences.is_in_file(kind, record_id, column)
            and not self.edits.is_field_edited(kind, record_id, column)
        ]
        if emptied and state is not None:
            with self.report_conflicts(context, editor, ref):
                editor.recorder.apply(ref, msgspec.structs.replace(state, **dict.fromkeys(emptied)))
                self.commit(
                    context,
                    editor,
                    ref,
                    f"has lost values that are no longer given: {', '.join(map(get_field_name, emptied))}",
                )
                context.counts["replaced"] += 1

    # --- order --------------------------------------------------------------------------------------------------------

    def _order_words(self, context: StepContext, idea_and_language: tuple[int, int], word_ids: list[int]) -> None:
        """Order the words of an idea as in the file, followed by the other words."""
        if len(word_ids) > 1:
            editor, idea_id = self._open_editor(context), idea_and_language[0]
            senses_of_idea = words.read_senses_of_idea(editor.context, idea_id)
            first = next((sense_id for sense_id, sense in senses_of_idea.items() if sense.word_id == word_ids[0]), None)
            if first is not None:
                senses = words.read_synonyms(editor.context, first)
                record_ids = {sense_id: sense.word_id for sense_id, sense in senses.items()}
                self._reorder(context, editor, RecordRef("idea", str(idea_id)), senses, record_ids, word_ids, "rank")

    def _order_meanings(self, context: StepContext, word_id: int, idea_ids: list[int]) -> None:
        """Order the meanings of a word as in the file, followed by the other meanings."""
        if len(idea_ids) > 1:
            editor = self._open_editor(context)
            senses = words.read_senses_of_word(editor.context, word_id)
            record_ids = {sense_id: sense.idea_id for sense_id, sense in senses.items()}
            self._reorder(context, editor, RecordRef("word", str(word_id)), senses, record_ids, idea_ids, "position")

    def _reorder(  # noqa: PLR0913, PLR0917  # shared by both orders
        self,
        context: StepContext,
        editor: EditSession,
        ref: RecordRef,
        senses: Mapping[str, SenseState],
        record_ids: Mapping[str, int],
        order: list[int],
        column: str,
    ) -> None:
        ranks = {record_id: number for number, record_id in enumerate(order)}
        in_order = sorted(senses, key=lambda sense_id: ranks.get(record_ids[sense_id], len(ranks)))
        if in_order == list(senses):
            return
        what = "words" if column == "rank" else "meanings"
        if any(self.edits.is_sense_reordered(int(sense_id), column) for sense_id in senses):
            self.report_kept(
                f"{describe_record(context.catalogue, editor, ref)} was kept: the order of its {what} was edited here."
            )
            return
        for number, sense_id in enumerate(in_order, 1):
            editor.recorder.apply(
                RecordRef("sense", sense_id), msgspec.structs.replace(senses[sense_id], **{column: number})
            )
        self.commit(context, editor, ref, f"has changed: order of {what}")
        context.counts["replaced"] += 1

    def _open_editor(self, context: StepContext) -> EditSession:
        return open_edit_session(context.connection, context.catalogue, IMPORT_USER, self.now)
