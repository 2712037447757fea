"""Words, their senses, and proverbs: add, delete and move them."""

from typing import NamedTuple

import msgspec

from abhidhan.editing.service.editor import (
    Edited,
    EditSession,
    commit_edit,
    detach_recordings,
    move_item,
    read_current_result,
    require_record,
)
from abhidhan.editing.store.records import ideas, words
from abhidhan.records.errors import Problem, sentence
from abhidhan.records.history import HistoryAction, RecordRef, SenseState, WordState
from abhidhan.records.submission_payloads import ProverbData, WordData


class InsertedWord(NamedTuple):
    """A word, and the idea to which it was linked."""

    ref: RecordRef
    idea_id: int


def insert_word(session: EditSession, data: WordData, licence: str | None = None) -> InsertedWord:
    """Link a word and its translations to an idea, creating those that are missing; return the word and the idea.

    `licence` is the contributor's; it is stored with a new idea and with the links. Raises InputError.
    """
    draft, recorder = session.validator, session.recorder
    meaning = None if data.idea_id else data.meaning
    state = draft.create_word(data)
    idea = msgspec.structs.replace(draft.create_idea(meaning), licence=licence) if meaning else None
    link = msgspec.structs.replace(draft.create_sense(data, 0, 0, 1), licence=licence)
    translations = draft.create_translations(data)
    if not data.idea_id and not meaning:
        draft.problems.append(Problem("idea_id", sentence("Give `idea_id`, or `meaning` to create a new idea.")))
    if data.idea_id and not ideas.idea_exists(session.context, data.idea_id):
        draft.problems.append(
            Problem("idea_id", sentence("There is no idea with the ID %(idea_id)s.", idea_id=data.idea_id))
        )
    draft.raise_problems()
    idea_id = recorder.create("idea", idea).number if idea else data.idea_id or 0
    ref = _find_or_create_word(session, state)
    _create_link(session, ref, msgspec.structs.replace(link, idea_id=idea_id))
    for translation in translations:
        _link_translation(session, translation, idea_id, licence)
    return InsertedWord(ref, idea_id)


def _find_or_create_word(session: EditSession, state: WordState) -> RecordRef:
    """Return the word with this language and spelling; create it if it does not exist."""
    word_id = words.find_word(session.context, state.language_id, state.text)
    return session.recorder.create("word", state) if word_id is None else RecordRef("word", str(word_id))


def _create_link(session: EditSession, ref: RecordRef, link: SenseState) -> None:
    """Link a word to an idea, as the last of its senses."""
    senses = words.read_senses_of_word(session.context, ref.number).values()
    position = 1 + max((sense.position for sense in senses), default=0)
    session.recorder.create("sense", msgspec.structs.replace(link, word_id=ref.number, position=position))


def _link_translation(session: EditSession, state: WordState, idea_id: int, licence: str | None) -> None:
    """Link a translation to an idea, unless it is already linked."""
    ref = _find_or_create_word(session, state)
    if all(sense.idea_id != idea_id for sense in words.read_senses_of_word(session.context, ref.number).values()):
        _create_link(session, ref, SenseState(ref.number, idea_id, 1, session.now, licence=licence))


def add_word(session: EditSession, data: WordData) -> Edited:
    """Add a word to an existing or new idea."""
    return commit_edit(
        session,
        HistoryAction.WORD_LINKED if data.idea_id else HistoryAction.IDEA_CREATED,
        insert_word(session, data).ref,
    )


def delete_word(session: EditSession, ref: RecordRef) -> None:
    """Delete a word with all its senses."""
    for sense_id in words.read_senses_of_word(session.context, ref.number):
        session.recorder.apply(RecordRef("sense", sense_id), None)
    _detach_and_delete(session, ref)


def delete_sense(session: EditSession, ref: RecordRef) -> None:
    """Delete a sense, and its word if it has no other."""
    state = session.recorder.get_current(ref)
    session.recorder.apply(ref, None)
    if isinstance(state, SenseState) and not words.read_senses_of_word(session.context, state.word_id):
        _detach_and_delete(session, RecordRef("word", str(state.word_id)))


def move_word(session: EditSession, ref: RecordRef, steps: int) -> Edited:
    """Move the word of a sense by `steps` positions among the idea's words of its language."""
    state = _require_link(session, ref)
    senses_by_id = words.read_synonyms(session.context, ref.id)
    for rank, sense_id in enumerate(move_item(senses_by_id, ref.id, steps), 1):
        session.recorder.apply(RecordRef("sense", sense_id), msgspec.structs.replace(senses_by_id[sense_id], rank=rank))
    return _commit_if_changed(session, HistoryAction.IDEA_EDITED, RecordRef("idea", str(state.idea_id)))


def move_meaning(session: EditSession, ref: RecordRef, steps: int) -> Edited:
    """Move a sense by `steps` positions among those of its word."""
    state = _require_link(session, ref)
    senses_by_id = words.read_senses_of_word(session.context, state.word_id)
    for position, sense_id in enumerate(move_item(senses_by_id, ref.id, steps), 1):
        session.recorder.apply(
            RecordRef("sense", sense_id), msgspec.structs.replace(senses_by_id[sense_id], position=position)
        )
    return _commit_if_changed(session, HistoryAction.WORD_EDITED, RecordRef("word", str(state.word_id)))


def _require_link(session: EditSession, ref: RecordRef) -> SenseState:
    state = require_record(session, ref)
    if not isinstance(state, SenseState):
        raise TypeError(ref)
    return state


def _commit_if_changed(session: EditSession, action: HistoryAction, ref: RecordRef) -> Edited:
    return read_current_result(session, ref) if session.recorder.is_empty else commit_edit(session, action, ref)


def _detach_and_delete(session: EditSession, ref: RecordRef) -> None:
    detach_recordings(session, ref)
    session.recorder.apply(ref, None)


def insert_proverb(session: EditSession, data: ProverbData, licence: str | None = None) -> RecordRef:
    """Create a proverb under the contributor's licence. Raises InputError, ConflictError."""
    state = session.validator.create_phrase(data)
    session.validator.raise_problems()
    return session.recorder.create("phrase", msgspec.structs.replace(state, licence=licence))


def add_proverb(session: EditSession, data: ProverbData) -> Edited:
    """Add a proverb. Raises InputError, ConflictError."""
    return commit_edit(session, HistoryAction.PROVERB_EDITED, insert_proverb(session, data))


def delete_phrase(session: EditSession, ref: RecordRef) -> None:
    """Delete a proverb."""
    _detach_and_delete(session, ref)
