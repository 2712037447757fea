"""Corrections: find the record of a correction, preview its changes, and apply them."""

from typing import NamedTuple

import msgspec

from abhidhan.contributions.model import RebaseResult, changed_since, rebase
from abhidhan.editing.service.editing import apply_changes
from abhidhan.editing.service.editor import Edited, EditSession
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import version_of
from abhidhan.editing.store.records import words
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import RecordRef, RecordState
from abhidhan.records.submission_payloads import CorrectionData


class ProposedChange(msgspec.Struct, frozen=True):
    """The state that a correction proposes (None: delete), and the fields with conflicting changes."""

    record: str
    current: RecordState
    proposed: RecordState | None
    clashes: tuple[str, ...]


class MergedCorrection(NamedTuple):
    """A correction merged into the current state of its record."""

    name: RecordRef
    current: RecordState
    rebased: RebaseResult


def corrected_record(editor: EditSession, data: CorrectionData) -> RecordRef:
    """Return the record that a correction changes. Raises InputError."""
    if data.sense is not None or data.unlink:
        return _corrected_link(editor, data)
    named = {
        kind: (record_id, changes)
        for kind, record_id, changes in (
            ("word", data.word_id, data.word),
            ("idea", data.idea_id, data.idea),
            ("phrase", data.phrase_id, data.phrase),
        )
        if record_id is not None or changes is not None
    }
    if len(named) != 1:
        raise InputError.of(
            "data",
            sentence(
                "A correction is about one record: give `word_id` and `word`, or `idea_id` and `idea`, and so on."
            ),
        )
    kind, (record_id, changes) = next(iter(named.items()))
    if record_id is None or changes is None:
        raise InputError.of(
            kind, sentence("Give both `%(kind)s_id` and `%(kind)s`: which record, and what should change.", kind=kind)
        )
    name = RecordRef(kind, str(record_id))
    if editor.recorder.current(name) is None:
        raise InputError.of(
            f"{kind}_id", sentence("There is no record with the ID %(record_id)s.", record_id=record_id)
        )
    return name


def _corrected_link(editor: EditSession, data: CorrectionData) -> RecordRef:
    """Return the sense that a correction changes or deletes. Raises InputError."""
    other_fields = (data.word, data.idea, data.phrase_id, data.phrase, data.sense if data.unlink else None)
    if data.word_id is None or data.idea_id is None or any(field is not None for field in other_fields):
        raise InputError.of(
            "data",
            sentence("To correct how a word is linked to an idea, give both IDs, and either `sense` or `unlink`."),
        )
    there = words.senses_of_word(editor.edit, data.word_id)
    link_id = next((sense_id for sense_id, sense in there.items() if sense.idea_id == data.idea_id), None)
    if link_id is None:
        raise InputError.of(
            "word_id",
            sentence(
                "The word %(word_id)s does not have the idea %(idea_id)s.", word_id=data.word_id, idea_id=data.idea_id
            ),
        )
    if data.unlink:
        # Reading the idea makes a concurrent edit that removes another word of it wait; otherwise, both edits would
        # see the other's word, and the idea could be left without any.
        editor.recorder.current(RecordRef("idea", str(data.idea_id)))
    if data.unlink and len(words.senses_of_idea(editor.edit, data.idea_id)) == 1:
        raise InputError.of(
            "unlink", sentence("This is the only word of its idea, so it cannot be removed from the idea.")
        )
    return RecordRef("sense", link_id)


def merge_correction(editor: EditSession, data: CorrectionData, seen: RecordState | None) -> MergedCorrection:
    """Merge a correction into its record. `seen_state` is the state of the record at submission. Raises InputError."""
    if data.comment:
        editor.draft.comment("comment", data.comment)
    name = corrected_record(editor, data)
    current, changes = editor.recorder.current(name), data.word or data.idea or data.phrase or data.sense
    if data.unlink and current is not None:
        return MergedCorrection(
            name, current, RebaseResult(None, changed_since(current, current if seen is None else seen))
        )
    if current is None or changes is None:
        raise InputError.of("data", sentence("The record that this correction is about no longer exists."))
    base = seen if type(seen) is type(current) and seen is not None else current
    return MergedCorrection(name, current, rebase(base, apply_changes(editor.draft, base, changes), current))


def apply_correction(editor: EditSession, data: CorrectionData, seen: RecordState | None) -> RecordRef:
    """Apply a correction; return the record that it concerns.

    Raises InputError, and ConflictError with both states if the same field has changed since the submission.
    """
    name, current, rebased = merge_correction(editor, data, seen)
    if rebased.clashes:
        version = version_of(editor.edit.connection, name)
        raise ConflictError(
            sentence(
                "The record has changed since this correction was sent: `current` is its present state, `proposed` "
                "its state after the correction."
            ),
            current=Edited(str(name), version, current),
            proposed=Edited(str(name), version, rebased.after),
        )
    if rebased.after is None:
        delete_sense(editor, name)
        return RecordRef("idea", str(data.idea_id))
    editor.recorder.apply(name, rebased.after)
    return RecordRef("word", str(data.word_id)) if name.kind == "sense" else name
