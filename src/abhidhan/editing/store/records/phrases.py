"""Proverbs as they are edited."""

from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.dictionary.store.indexes import phrase_words
from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_WORDS
from abhidhan.dictionary.store.indexes.stored_keys import KEYS_OF_PHRASES
from abhidhan.editing.store.records.edit_context import Edit
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import PhraseState
from abhidhan.records.local_texts import decode_texts, encode_texts
from abhidhan.schema import phrase

_OF_PHRASE = tuple(name for name in PhraseState.__struct_fields__ if name != "meanings")


def read_phrase(edit: Edit, record_id: str) -> PhraseState | None:
    """Read what a proverb holds now."""
    row = edit.connection.execute(select(phrase).where(phrase.c.id == int(record_id))).one_or_none()
    if row is None:
        return None
    return PhraseState(**{name: getattr(row, name) for name in _OF_PHRASE}, meanings=decode_texts(row.meanings))


def create_phrase(edit: Edit, after: PhraseState, record_id: str | None) -> str:
    """Make a proverb, and return its ID. Raises ConflictError when the language has it already."""
    try:
        with edit.connection.begin_nested():
            phrase_id = edit.insert(phrase, _phrase_values(edit, after), int(record_id) if record_id else None)
    except IntegrityError:
        raise ConflictError(sentence("The proverb %(text)s is already in this language.", text=after.text)) from None
    _renew(edit, phrase_id)
    return str(phrase_id)


def change_phrase(edit: Edit, record_id: str, before: PhraseState, after: PhraseState) -> None:
    """Change a proverb, and the pieces by which it is found."""
    del before
    phrase_id = int(record_id)
    try:
        with edit.connection.begin_nested():
            edit.connection.execute(update(phrase).where(phrase.c.id == phrase_id).values(_phrase_values(edit, after)))
    except IntegrityError:
        raise ConflictError(sentence("The proverb %(text)s is already in this language.", text=after.text)) from None
    _renew(edit, phrase_id)


def delete_phrase(edit: Edit, record_id: str) -> None:
    """Delete a proverb."""
    phrase_words.remove_phrase(edit.connection, int(record_id))
    PHRASE_WORDS.remove(edit.connection, int(record_id))
    edit.connection.execute(delete(phrase).where(phrase.c.id == int(record_id)))


def _renew(edit: Edit, phrase_id: int) -> None:
    phrase_words.renew_phrase(edit.connection, phrase_id)
    PHRASE_WORDS.renew(edit.connection, [phrase_id])


def _phrase_values(edit: Edit, state: PhraseState) -> dict[str, Any]:
    keys = KEYS_OF_PHRASES.of(state.text, edit.language_code(state.language_id))
    values = {name: getattr(state, name) for name in _OF_PHRASE}
    return values | {"meanings": encode_texts(state.meanings)} | keys
