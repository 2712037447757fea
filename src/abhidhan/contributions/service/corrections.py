"""Corrections: find the record of a correction, preview its changes, and apply them."""

from typing import NamedTuple

import msgspec

from abhidhan.contributions.model import RebaseResult, find_changed_fields, rebase
from abhidhan.editing.service.editing import apply_changes
from abhidhan.editing.service.editor import Edited, EditSession
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import find_version
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

    ref: RecordRef
    current: RecordState
    rebase_result: RebaseResult


def find_corrected_record(session: EditSession, data: CorrectionData) -> RecordRef:
    """Return the record that a correction changes. Raises InputError."""
    if data.sense is not None or data.unlink:
        return _find_corrected_sense(session, data)
    changes_by_kind = {
        kind: (record_id, changes)
        for kind, record_id, changes in (
            ("word", data.word_id, data.word),
            ("idea", data.idea_id, data.idea),
            ("phrase", data.phrase_id, data.phrase),
        )
        if record_id is not None or changes is not None
    }
    if len(changes_by_kind) != 1:
        raise InputError.of(
            "data",
            sentence(
                "A correction is about one record: give `word_id` and `word`, or `idea_id` and `idea`, and so on."
            ),
        )
    kind, (record_id, changes) = next(iter(changes_by_kind.items()))
    if record_id is None or changes is None:
        raise InputError.of(
            kind, sentence("Give both `%(kind)s_id` and `%(kind)s`: which record, and what should change.", kind=kind)
        )
    ref = RecordRef(kind, str(record_id))
    if session.recorder.get_current(ref) is None:
        raise InputError.of(
            f"{kind}_id", sentence("There is no record with the ID %(record_id)s.", record_id=record_id)
        )
    return ref


def _find_corrected_sense(session: EditSession, data: CorrectionData) -> RecordRef:
    """Return the sense that a correction changes or deletes. Raises InputError."""
    other_fields = (data.word, data.idea, data.phrase_id, data.phrase, data.sense if data.unlink else None)
    if data.word_id is None or data.idea_id is None or any(field is not None for field in other_fields):
        raise InputError.of(
            "data",
            sentence("To correct how a word is linked to an idea, give both IDs, and either `sense` or `unlink`."),
        )
    senses_by_id = words.read_senses_of_word(session.context, data.word_id)
    link_id = next((sense_id for sense_id, sense in senses_by_id.items() if sense.idea_id == data.idea_id), None)
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
        session.recorder.get_current(RecordRef("idea", str(data.idea_id)))
    if data.unlink and len(words.read_senses_of_idea(session.context, data.idea_id)) == 1:
        raise InputError.of(
            "unlink", sentence("This is the only word of its idea, so it cannot be removed from the idea.")
        )
    return RecordRef("sense", link_id)


def merge_correction(session: EditSession, data: CorrectionData, seen_state: RecordState | None) -> MergedCorrection:
    """Merge a correction into its record. `seen_state` is the state of the record at submission. Raises InputError."""
    if data.comment:
        session.validator.clean_comment("comment", data.comment)
    ref = find_corrected_record(session, data)
    current, changes = session.recorder.get_current(ref), data.word or data.idea or data.phrase or data.sense
    if data.unlink and current is not None:
        return MergedCorrection(
            ref,
            current,
            RebaseResult(None, find_changed_fields(current, current if seen_state is None else seen_state)),
        )
    if current is None or changes is None:
        raise InputError.of("data", sentence("The record that this correction is about no longer exists."))
    base = seen_state if type(seen_state) is type(current) and seen_state is not None else current
    return MergedCorrection(ref, current, rebase(base, apply_changes(session.validator, base, changes), current))


def apply_correction(session: EditSession, data: CorrectionData, seen_state: RecordState | None) -> RecordRef:
    """Apply a correction; return the record that it concerns.

    Raises InputError, and ConflictError with both states if the same field has changed since the submission.
    """
    ref, current, rebase_result = merge_correction(session, data, seen_state)
    if rebase_result.conflicts:
        version = find_version(session.context.connection, ref)
        raise ConflictError(
            sentence(
                "The record has changed since this correction was sent: `current` is its present state, `proposed` "
                "its state after the correction."
            ),
            current=Edited(str(ref), version, current),
            proposed=Edited(str(ref), version, rebase_result.after),
        )
    if rebase_result.after is None:
        delete_sense(session, ref)
        return RecordRef("idea", str(data.idea_id))
    session.recorder.apply(ref, rebase_result.after)
    return RecordRef("word", str(data.word_id)) if ref.kind == "sense" else ref
