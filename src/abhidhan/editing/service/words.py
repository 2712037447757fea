"""Words, their senses, and proverbs: add, delete and move them."""

from typing import NamedTuple

import msgspec

from abhidhan.editing.service.editor import (
    Edited,
    EditSession,
    commit_edit,
    current_result,
    detach_recordings,
    move_item,
    require_record,
)
from abhidhan.editing.store.records import ideas, words
from abhidhan.records.errors import Problem, sentence
from abhidhan.records.history import HistoryAction, RecordRef, SenseState, WordState
from abhidhan.records.submission_payloads import ProverbData, WordData


class InsertedWord(NamedTuple):
    """A word, and the idea to which it was linked."""

    name: RecordRef
    idea_id: int


def insert_word(editor: EditSession, data: WordData, licence: str | None = None) -> InsertedWord:
    """Link a word and its translations to an idea, creating those that are missing; return the word and the idea.

    `licence` is the contributor's; it is stored with a new idea and with the links. Raises InputError.
    """
    draft, ledger = editor.draft, editor.recorder
    meaning = None if data.idea_id else data.meaning
    state = draft.word(data)
    idea = msgspec.structs.replace(draft.idea(meaning), licence=licence) if meaning else None
    link = msgspec.structs.replace(draft.sense(data, 0, 0, 1), licence=licence)
    translations = draft.translations(data)
    if not data.idea_id and not meaning:
        draft.problems.append(Problem("idea_id", sentence("Give `idea_id`, or `meaning` to create a new idea.")))
    if data.idea_id and not ideas.idea_exists(editor.edit, data.idea_id):
        draft.problems.append(
            Problem("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
        )
    draft.finish()
    idea_id = ledger.create("idea", idea).number if idea else data.idea_id or 0
    name = _find_or_create_word(editor, state)
    _link(editor, name, msgspec.structs.replace(link, idea_id=idea_id))
    for translation in translations:
        _translate(editor, translation, idea_id, licence)
    return InsertedWord(name, idea_id)


def _find_or_create_word(editor: EditSession, state: WordState) -> RecordRef:
    """Return the word with this language and spelling; create it if it does not exist."""
    word_id = words.find_word(editor.edit, state.language_id, state.text)
    return editor.recorder.create("word", state) if word_id is None else RecordRef("word", str(word_id))


def _link(editor: EditSession, name: RecordRef, link: SenseState) -> None:
    """Link a word to an idea, as the last of its senses."""
    there = words.senses_of_word(editor.edit, name.number).values()
    position = 1 + max((sense.position for sense in there), default=0)
    editor.recorder.create("sense", msgspec.structs.replace(link, word_id=name.number, position=position))


def _translate(editor: EditSession, state: WordState, idea_id: int, licence: str | None) -> None:
    """Link a translation to an idea, unless it is already linked."""
    name = _find_or_create_word(editor, state)
    if all(sense.idea_id != idea_id for sense in words.senses_of_word(editor.edit, name.number).values()):
        _link(editor, name, SenseState(name.number, idea_id, 1, editor.now, licence=licence))


def add_word(editor: EditSession, data: WordData) -> Edited:
    """Add a word to an existing or new idea."""
    return commit_edit(
        editor,
        HistoryAction.WORD_LINKED if data.idea_id else HistoryAction.IDEA_CREATED,
        insert_word(editor, data).name,
    )


def delete_word(editor: EditSession, name: RecordRef) -> None:
    """Delete a word with all its senses."""
    for sense_id in words.senses_of_word(editor.edit, name.number):
        editor.recorder.apply(RecordRef("sense", sense_id), None)
    _detach_and_delete(editor, name)


def delete_sense(editor: EditSession, name: RecordRef) -> None:
    """Delete a sense, and its word if it has no other."""
    state = editor.recorder.current(name)
    editor.recorder.apply(name, None)
    if isinstance(state, SenseState) and not words.senses_of_word(editor.edit, state.word_id):
        _detach_and_delete(editor, RecordRef("word", str(state.word_id)))


def move_word(editor: EditSession, name: RecordRef, steps: int) -> Edited:
    """Move the word of a sense by `steps` positions among the idea's words of its language."""
    state = _existing_link(editor, name)
    there = words.synonyms(editor.edit, name.id)
    for rank, sense_id in enumerate(move_item(there, name.id, steps), 1):
        editor.recorder.apply(RecordRef("sense", sense_id), msgspec.structs.replace(there[sense_id], rank=rank))
    return _commit_if_changed(editor, HistoryAction.IDEA_EDITED, RecordRef("idea", str(state.idea_id)))


def move_meaning(editor: EditSession, name: RecordRef, steps: int) -> Edited:
    """Move a sense by `steps` positions among those of its word."""
    state = _existing_link(editor, name)
    there = words.senses_of_word(editor.edit, state.word_id)
    for position, sense_id in enumerate(move_item(there, name.id, steps), 1):
        editor.recorder.apply(RecordRef("sense", sense_id), msgspec.structs.replace(there[sense_id], position=position))
    return _commit_if_changed(editor, HistoryAction.WORD_EDITED, RecordRef("word", str(state.word_id)))


def _existing_link(editor: EditSession, name: RecordRef) -> SenseState:
    state = require_record(editor, name)
    if not isinstance(state, SenseState):
        raise TypeError(name)
    return state


def _commit_if_changed(editor: EditSession, action: HistoryAction, name: RecordRef) -> Edited:
    return current_result(editor, name) if editor.recorder.is_empty else commit_edit(editor, action, name)


def _detach_and_delete(editor: EditSession, name: RecordRef) -> None:
    detach_recordings(editor, name)
    editor.recorder.apply(name, None)


def insert_proverb(editor: EditSession, data: ProverbData, licence: str | None = None) -> RecordRef:
    """Create a proverb under the contributor's licence. Raises InputError, ConflictError."""
    state = editor.draft.phrase(data)
    editor.draft.finish()
    return editor.recorder.create("phrase", msgspec.structs.replace(state, licence=licence))


def add_proverb(editor: EditSession, data: ProverbData) -> Edited:
    """Add a proverb. Raises InputError, ConflictError."""
    return commit_edit(editor, HistoryAction.PROVERB_EDITED, insert_proverb(editor, data))


def delete_phrase(editor: EditSession, name: RecordRef) -> None:
    """Delete a proverb."""
    detach_recordings(editor, name)
    editor.recorder.apply(name, None)
