"""Read and write words, senses and phrases in an edit, and update the rows derived from them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.dictionary.store.acceleration import words as accelerators
from abhidhan.dictionary.store.indexes import derived_columns, near_keys, phrase_words
from abhidhan.dictionary.store.indexes.near_keys import WORD_FORMS
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.dictionary.store.indexes.phrase_words import PHRASE_WORDS
from abhidhan.dictionary.store.indexes.stored_keys import PHRASE_TABLE_KEYS, WORD_TABLE_KEYS
from abhidhan.dictionary.store.keyed_words import KeyedWord, load_keyed_words
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.records.errors import ConflictError, sentence
from abhidhan.records.history import PhraseState, SenseState, WordState
from abhidhan.records.kinds.fields import list_columns
from abhidhan.records.kinds.word import ALL_WORD_FIELDS
from abhidhan.records.local_texts import decode_texts, encode_texts
from abhidhan.schema import phrase, sense, word, word_form
from assamese.word_frequency import find_word_rarity

_WORD_FIELDS = ("language_id", *list_columns(ALL_WORD_FIELDS))
_SENSE_FIELDS = SenseState.__struct_fields__


def read_word(context: EditContext, record_id: str) -> WordState | None:
    """Return the current state of a word, or None."""
    row = context.connection.execute(select(word).where(word.c.id == int(record_id))).one_or_none()
    if row is None:
        return None
    forms = select(word_form.c.key, word_form.c.tag).where(word_form.c.word_id == row.id).order_by(word_form.c.key)
    values = {name: getattr(row, name) for name in _WORD_FIELDS}
    rows = context.connection.execute(forms)
    return WordState(**values, created=row.created, forms=tuple((form[0], form[1]) for form in rows))


def create_word(context: EditContext, after: WordState, record_id: str | None) -> str:
    """Insert a word; return its ID. Raises ConflictError if the language already has it."""
    values = _build_word_row(context, after) | {"created": after.created, "updated": context.now}
    try:
        with context.connection.begin_nested():
            word_id = context.insert(word, values, int(record_id) if record_id else None)
    except IntegrityError:
        raise _build_duplicate_error(after) from None
    near_keys.replace_near_keys(BulkTransaction(context.connection), word_id, "", values["loose_key"])
    accelerators.update_accelerators(context.connection, (), load_keyed_words(context.connection, [word_id]))
    near_keys.write_word_forms(context.connection, word_id, after.forms)
    derived_columns.add_to_word_counts(context.connection, {after.language_id: 1})
    return str(word_id)


def change_word(context: EditContext, record_id: str, before: WordState, after: WordState) -> None:
    """Update a word and the rows derived from it. Raises ConflictError if the new spelling already exists."""
    word_id = int(record_id)
    if before.forms != after.forms:
        near_keys.write_word_forms(context.connection, word_id, after.forms)
    if _get_search_fields(before) != _get_search_fields(after):
        _respell_word(context, word_id, before, after)
    else:
        _update_word(context, word_id, after, {name: getattr(after, name) for name in _WORD_FIELDS})


def _get_search_fields(state: WordState) -> tuple[int, str, float | None]:
    """Return the fields of a word that determine its search keys and its order in results."""
    return state.language_id, state.text, state.frequency


def _respell_word(context: EditContext, word_id: int, before: WordState, after: WordState) -> None:
    """Update a word, its search keys, and all rows derived from them."""
    values = _build_word_row(context, after)
    old = load_keyed_words(context.connection, [word_id])
    pos_rows = PARTS_OF_SPEECH.load_stored_rows(context.connection, [word_id])
    _update_word(context, word_id, after, values)
    near_keys.replace_near_keys(BulkTransaction(context.connection), word_id, _get_loose_key(old), values["loose_key"])
    accelerators.update_accelerators(context.connection, old, load_keyed_words(context.connection, [word_id]))
    if before.language_id != after.language_id:
        derived_columns.update_sense_languages(context.connection, [word_id])
        derived_columns.add_to_word_counts(context.connection, {before.language_id: -1, after.language_id: 1})
    PARTS_OF_SPEECH.update_rows(context.connection, [word_id], pos_rows)


def _update_word(context: EditContext, word_id: int, after: WordState, values: dict[str, Any]) -> None:
    changed = values | {"updated": context.now}
    try:
        with context.connection.begin_nested():
            context.connection.execute(update(word).where(word.c.id == word_id).values(changed))
    except IntegrityError:
        raise _build_duplicate_error(after) from None


def delete_word(context: EditContext, record_id: str) -> None:
    """Delete a word without senses."""
    word_id = int(record_id)
    old = load_keyed_words(context.connection, [word_id])
    near_keys.replace_near_keys(BulkTransaction(context.connection), word_id, _get_loose_key(old), "")
    pos_rows = PARTS_OF_SPEECH.load_stored_rows(context.connection, [word_id])
    WORD_FORMS.remove(context.connection, word_id)
    language_id = context.connection.execute(
        delete(word).where(word.c.id == word_id).returning(word.c.language_id)
    ).scalar()
    accelerators.update_accelerators(context.connection, old, ())
    PARTS_OF_SPEECH.update_rows(context.connection, [word_id], pos_rows)
    if language_id is not None:
        derived_columns.add_to_word_counts(context.connection, {language_id: -1})


def _build_word_row(context: EditContext, state: WordState) -> dict[str, Any]:
    code = context.get_language_code(state.language_id)
    keys = WORD_TABLE_KEYS.compute(state.text, code)
    derived_values = keys | {"rarity": find_word_rarity(keys["exact_key"], state.frequency, code)}
    return {name: getattr(state, name) for name in _WORD_FIELDS} | derived_values


def _get_loose_key(stored: Sequence[KeyedWord]) -> str:
    return stored[0].loose_key if stored else ""


def _build_duplicate_error(state: WordState) -> ConflictError:
    return ConflictError(
        sentence(
            "The word %(text)s already exists in this language. Add another meaning to it instead.", text=state.text
        )
    )


def find_word(context: EditContext, language_id: int, text: str) -> int | None:
    """Return the ID of the word with this language and exact spelling, or None."""
    statement = select(word.c.id).where(word.c.language_id == language_id, word.c.text == text)
    return context.connection.execute(statement).scalar_one_or_none()


# --- senses -------------------------------------------------------------------------------------------------------


def read_sense(context: EditContext, record_id: str) -> SenseState | None:
    """Return the current state of a sense, or None."""
    row = context.connection.execute(select(sense).where(sense.c.id == int(record_id))).one_or_none()
    return SenseState(**{name: getattr(row, name) for name in _SENSE_FIELDS}) if row else None


def create_sense(context: EditContext, after: SenseState, record_id: str | None) -> str:
    """Insert a sense; return its ID. Raises ConflictError if the word and idea are already linked."""
    try:
        with context.connection.begin_nested():
            sense_id = context.insert(sense, _build_sense_row(context, after), int(record_id) if record_id else None)
    except IntegrityError:
        raise ConflictError(sentence("This word already has this meaning.")) from None
    PARTS_OF_SPEECH.update_rows(context.connection, [after.word_id])
    return str(sense_id)


def change_sense(context: EditContext, record_id: str, before: SenseState, after: SenseState) -> None:
    """Update a sense."""
    context.connection.execute(
        update(sense).where(sense.c.id == int(record_id)).values(_build_sense_row(context, after))
    )
    PARTS_OF_SPEECH.update_rows(context.connection, [before.word_id, after.word_id])


def delete_sense(context: EditContext, record_id: str) -> None:
    """Delete a sense."""
    statement = delete(sense).where(sense.c.id == int(record_id)).returning(sense.c.word_id)
    word_id = context.connection.execute(statement).scalar()
    if word_id is not None:
        PARTS_OF_SPEECH.update_rows(context.connection, [word_id])


def _build_sense_row(context: EditContext, state: SenseState) -> dict[str, Any]:
    language_id = derived_columns.find_word_language(context.connection, state.word_id)
    rank = _find_next_rank(context, state.idea_id, language_id) if state.rank is None else state.rank
    return {name: getattr(state, name) for name in _SENSE_FIELDS} | {"language_id": language_id, "rank": rank}


def _find_next_rank(context: EditContext, idea_id: int, language_id: int) -> int:
    """Return the rank after the last word of a language under an idea."""
    of_language = sense.c.idea_id == idea_id, sense.c.language_id == language_id
    return 1 + (context.connection.execute(select(func.max(sense.c.rank)).where(*of_language)).scalar() or 0)


def read_senses_of_word(context: EditContext, word_id: int) -> dict[str, SenseState]:
    """Return the senses of a word by ID, in their order."""
    return _read_senses(context, select(sense).where(sense.c.word_id == word_id).order_by(sense.c.position, sense.c.id))


def read_senses_of_idea(context: EditContext, idea_id: int) -> dict[str, SenseState]:
    """Return the senses of an idea by ID, sorted by language and rank."""
    order = sense.c.language_id, sense.c.rank, sense.c.word_id
    return _read_senses(context, select(sense).where(sense.c.idea_id == idea_id).order_by(*order))


def read_synonyms(context: EditContext, sense_id: str) -> dict[str, SenseState]:
    """Return the senses of the same idea and language as a sense, itself included, by ID and sorted by rank."""
    origin = sense.alias("one")
    same = (sense.c.idea_id == origin.c.idea_id) & (sense.c.language_id == origin.c.language_id)
    statement = select(sense).join(origin, same).where(origin.c.id == int(sense_id))
    return _read_senses(context, statement.order_by(sense.c.rank, sense.c.word_id))


def _read_senses(context: EditContext, statement: Select[Any]) -> dict[str, SenseState]:
    rows = context.connection.execute(statement)
    return {str(row.id): SenseState(**{name: getattr(row, name) for name in _SENSE_FIELDS}) for row in rows}


_PHRASE_FIELDS = tuple(name for name in PhraseState.__struct_fields__ if name != "meanings")


def read_phrase(context: EditContext, record_id: str) -> PhraseState | None:
    """Return the current state of a proverb, or None."""
    row = context.connection.execute(select(phrase).where(phrase.c.id == int(record_id))).one_or_none()
    if row is None:
        return None
    return PhraseState(**{name: getattr(row, name) for name in _PHRASE_FIELDS}, meanings=decode_texts(row.meanings))


def create_phrase(context: EditContext, after: PhraseState, record_id: str | None) -> str:
    """Insert a proverb; return its ID. Raises ConflictError if the language already has it."""
    try:
        with context.connection.begin_nested():
            phrase_id = context.insert(phrase, _build_phrase_row(context, after), int(record_id) if record_id else None)
    except IntegrityError:
        raise ConflictError(
            sentence("The proverb %(text)s already exists in this language.", text=after.text)
        ) from None
    _update_phrase_index(context, phrase_id)
    return str(phrase_id)


def change_phrase(context: EditContext, record_id: str, before: PhraseState, after: PhraseState) -> None:
    """Update a proverb and its search index. Raises ConflictError if the language already has the text."""
    del before
    phrase_id = int(record_id)
    try:
        with context.connection.begin_nested():
            context.connection.execute(
                update(phrase).where(phrase.c.id == phrase_id).values(_build_phrase_row(context, after))
            )
    except IntegrityError:
        raise ConflictError(
            sentence("The proverb %(text)s already exists in this language.", text=after.text)
        ) from None
    _update_phrase_index(context, phrase_id)


def delete_phrase(context: EditContext, record_id: str) -> None:
    """Delete a proverb."""
    phrase_words.remove_phrase_grams(context.connection, int(record_id))
    PHRASE_WORDS.remove(context.connection, int(record_id))
    context.connection.execute(delete(phrase).where(phrase.c.id == int(record_id)))


def _update_phrase_index(context: EditContext, phrase_id: int) -> None:
    phrase_words.update_phrase_grams(context.connection, phrase_id)
    PHRASE_WORDS.update_rows(context.connection, [phrase_id])


def _build_phrase_row(context: EditContext, state: PhraseState) -> dict[str, Any]:
    keys = PHRASE_TABLE_KEYS.compute(state.text, context.get_language_code(state.language_id))
    values = {name: getattr(state, name) for name in _PHRASE_FIELDS}
    return values | {"meanings": encode_texts(state.meanings)} | keys
