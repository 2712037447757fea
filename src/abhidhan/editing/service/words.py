"""Words, their senses, and proverbs: add, delete and move them."""

from typing import NamedTuple

import msgspec

from abhidhan.editing.service.editor import Edited, Editor, detach_recordings, edited, existing, moved, unchanged
from abhidhan.editing.store.records import ideas, words
from abhidhan.records.errors import Problem, sentence
from abhidhan.records.history import Action, RecordName, SenseState, WordState
from abhidhan.records.submission_payloads import ProverbData, WordData


class PlacedWord(NamedTuple):
    """A word, and the idea to which it was linked."""

    name: RecordName
    idea_id: int


def place_word(editor: Editor, data: WordData, licence: str | None = None) -> PlacedWord:
    """Link a word and its translations to an idea, and return both; missing words and ideas are created.

    `licence` is the contributor's; it is stored with a new idea and with the links. Raises InputError.
    """
    draft, ledger = editor.draft, editor.ledger
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
    name = _named(editor, state)
    _link(editor, name, msgspec.structs.replace(link, idea_id=idea_id))
    for each in translations:
        _translate(editor, each, idea_id, licence)
    return PlacedWord(name, idea_id)


def _named(editor: Editor, state: WordState) -> RecordName:
    """Return the word with this language and spelling; create it if it does not exist."""
    known = words.find_word(editor.edit, state.language_id, state.text)
    return editor.ledger.create("word", state) if known is None else RecordName("word", str(known))


def _link(editor: Editor, name: RecordName, link: SenseState) -> None:
    """Link a word to an idea, as the last of its senses."""
    there = words.senses_of_word(editor.edit, name.number).values()
    position = 1 + max((one.position for one in there), default=0)
    editor.ledger.create("sense", msgspec.structs.replace(link, word_id=name.number, position=position))


def _translate(editor: Editor, state: WordState, idea_id: int, licence: str | None) -> None:
    """Link a translation to an idea, unless it is already linked."""
    name = _named(editor, state)
    if all(one.idea_id != idea_id for one in words.senses_of_word(editor.edit, name.number).values()):
        _link(editor, name, SenseState(name.number, idea_id, 1, editor.now, licence=licence))


def add_word(editor: Editor, data: WordData) -> Edited:
    """Add a word to an existing or new idea."""
    return edited(editor, Action.WORD_LINKED if data.idea_id else Action.IDEA_CREATED, place_word(editor, data).name)


def delete_word(editor: Editor, name: RecordName) -> None:
    """Delete a word with all its senses."""
    for sense_id in words.senses_of_word(editor.edit, name.number):
        editor.ledger.put(RecordName("sense", sense_id), None)
    _take_away(editor, name)


def delete_sense(editor: Editor, name: RecordName) -> None:
    """Delete a sense, and its word if it has no other."""
    state = editor.ledger.current(name)
    editor.ledger.put(name, None)
    if isinstance(state, SenseState) and not words.senses_of_word(editor.edit, state.word_id):
        _take_away(editor, RecordName("word", str(state.word_id)))


def move_word(editor: Editor, name: RecordName, steps: int) -> Edited:
    """Move the word of a sense by `steps` positions among the idea's words of its language."""
    state = _existing_link(editor, name)
    there = words.synonyms(editor.edit, name.id)
    for rank, sense_id in enumerate(moved(there, name.id, steps), 1):
        editor.ledger.put(RecordName("sense", sense_id), msgspec.structs.replace(there[sense_id], rank=rank))
    return _edited_if_changed(editor, Action.IDEA_EDITED, RecordName("idea", str(state.idea_id)))


def move_meaning(editor: Editor, name: RecordName, steps: int) -> Edited:
    """Move a sense by `steps` positions among those of its word."""
    state = _existing_link(editor, name)
    there = words.senses_of_word(editor.edit, state.word_id)
    for position, sense_id in enumerate(moved(there, name.id, steps), 1):
        editor.ledger.put(RecordName("sense", sense_id), msgspec.structs.replace(there[sense_id], position=position))
    return _edited_if_changed(editor, Action.WORD_EDITED, RecordName("word", str(state.word_id)))


def _existing_link(editor: Editor, name: RecordName) -> SenseState:
    state = existing(editor, name)
    if not isinstance(state, SenseState):
        raise TypeError(name)
    return state


def _edited_if_changed(editor: Editor, action: Action, name: RecordName) -> Edited:
    return unchanged(editor, name) if editor.ledger.is_empty else edited(editor, action, name)


def _take_away(editor: Editor, name: RecordName) -> None:
    detach_recordings(editor, name)
    editor.ledger.put(name, None)


def place_proverb(editor: Editor, data: ProverbData, licence: str | None = None) -> RecordName:
    """Create a proverb under the contributor's licence. Raises InputError, ConflictError."""
    state = editor.draft.phrase(data)
    editor.draft.finish()
    return editor.ledger.create("phrase", msgspec.structs.replace(state, licence=licence))


def add_proverb(editor: Editor, data: ProverbData) -> Edited:
    """Add a proverb. Raises InputError, ConflictError."""
    return edited(editor, Action.PROVERB_EDITED, place_proverb(editor, data))


def delete_phrase(editor: Editor, name: RecordName) -> None:
    """Delete a proverb."""
    detach_recordings(editor, name)
    editor.ledger.put(name, None)
