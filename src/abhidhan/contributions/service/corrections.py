"""Corrections in the making: which record one is of, what it would change, and applying it."""

from typing import NamedTuple

import msgspec

from abhidhan.contributions.model import Rebased, changed_since, rebase
from abhidhan.editing.service.editing import apply_changes
from abhidhan.editing.service.editor import Edited, Editor
from abhidhan.editing.service.words import delete_sense
from abhidhan.editing.store.history import version_of
from abhidhan.editing.store.records import words
from abhidhan.records.errors import ConflictError, InputError, sentence
from abhidhan.records.history import AnyState, RecordName
from abhidhan.records.submission_payloads import CorrectionData


class ProposedChange(msgspec.Struct, frozen=True):
    """What a correction would make of its record (None: it would go), and what others have changed since."""

    record: str
    current: AnyState
    proposed: AnyState | None
    clashes: tuple[str, ...]


class Weighed(NamedTuple):
    """A correction held against its record as it is now."""

    name: RecordName
    current: AnyState
    rebased: Rebased


def corrected_record(editor: Editor, data: CorrectionData) -> RecordName:
    """Find out which record a correction is of. Raises InputError."""
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
            "data", sentence("Correct one record: give `word_id` and `word`, or `idea_id` and `idea`, and so on.")
        )
    kind, (record_id, changes) = next(iter(named.items()))
    if record_id is None or changes is None:
        raise InputError.of(
            kind, sentence("Give both `%(kind)s_id` and `%(kind)s`: which record, and what should change.", kind=kind)
        )
    name = RecordName(kind, str(record_id))
    if editor.ledger.current(name) is None:
        raise InputError.of(
            f"{kind}_id", sentence("There is no record with the ID %(record_id)s.", record_id=record_id)
        )
    return name


def _corrected_link(editor: Editor, data: CorrectionData) -> RecordName:
    """Find the link of a word to an idea that a correction is of. Raises InputError."""
    others = (data.word, data.idea, data.phrase_id, data.phrase, data.sense if data.unlink else None)
    if data.word_id is None or data.idea_id is None or any(each is not None for each in others):
        raise InputError.of(
            "data",
            sentence("To correct how a word is linked to an idea, give both IDs, and either `sense` or `unlink`."),
        )
    there = words.senses_of_word(editor.edit, data.word_id)
    found = next((sense_id for sense_id, sense in there.items() if sense.idea_id == data.idea_id), None)
    if found is None:
        raise InputError.of(
            "word_id",
            sentence(
                "The word %(word_id)s does not have the idea %(idea_id)s.", word_id=data.word_id, idea_id=data.idea_id
            ),
        )
    if data.unlink:
        # Whoever takes another word from this idea waits until this is done: else both would see the other's word.
        editor.ledger.current(RecordName("idea", str(data.idea_id)))
    if data.unlink and len(words.senses_of_idea(editor.edit, data.idea_id)) == 1:
        raise InputError.of("unlink", sentence("This is the only word of its idea: it cannot be taken from it."))
    return RecordName("sense", found)


def weigh(editor: Editor, data: CorrectionData, seen: AnyState | None) -> Weighed:
    """Hold a correction against its record; `seen` is what the record held when it was sent. Raises InputError."""
    if data.comment:
        editor.draft.comment("comment", data.comment)
    name = corrected_record(editor, data)
    current, changes = editor.ledger.current(name), data.word or data.idea or data.phrase or data.sense
    if data.unlink and current is not None:
        return Weighed(name, current, Rebased(None, changed_since(current, current if seen is None else seen)))
    if current is None or changes is None:
        raise InputError.of("data", sentence("The record that this correction is about no longer exists."))
    base = seen if type(seen) is type(current) and seen is not None else current
    return Weighed(name, current, rebase(base, apply_changes(editor.draft, base, changes), current))


def apply_correction(editor: Editor, data: CorrectionData, seen: AnyState | None) -> RecordName:
    """Change the record that a correction is of.

    Raises InputError, and ConflictError with both states when somebody has changed the same field since.
    """
    name, current, rebased = weigh(editor, data, seen)
    if rebased.clashes:
        version = version_of(editor.edit.connection, name)
        raise ConflictError(
            sentence(
                "What this correction is about has been changed since it was sent: `current` shows what stands there "
                "now, `proposed` what the correction would make of it."
            ),
            current=Edited(str(name), version, current),
            proposed=Edited(str(name), version, rebased.after),
        )
    if rebased.after is None:
        delete_sense(editor, name)
        return RecordName("idea", str(data.idea_id))
    editor.ledger.put(name, rebased.after)
    return RecordName("word", str(data.word_id)) if name.kind == "sense" else name
