"""Words and senses as they are edited, with the keys, forms, counts and orders that are derived from them."""

from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from abhidhan.domain.history import SenseState, WordState
from abhidhan.domain.indexing import word_keys
from abhidhan.domain.records.fields import columns
from abhidhan.domain.records.word import WORD
from abhidhan.domain.text.keys import near_keys
from abhidhan.errors import ConflictError, sentence
from abhidhan.storage.editing.edit import Edit
from abhidhan.storage.tables import idea, language, near_key, sense, word, word_form, word_pos

_OF_WORD = ("language_id", *columns(WORD))
_OF_SENSE = SenseState.__struct_fields__


def read_word(edit: Edit, record_id: str) -> WordState | None:
    """Read what a word holds now."""
    row = edit.connection.execute(select(word).where(word.c.id == int(record_id)).with_for_update()).one_or_none()
    if row is None:
        return None
    forms = select(word_form.c.key, word_form.c.tag).where(word_form.c.word_id == row.id).order_by(word_form.c.key)
    values = {name: getattr(row, name) for name in _OF_WORD}
    found = edit.connection.execute(forms)
    return WordState(**values, created=row.created, forms=tuple((form[0], form[1]) for form in found))


def create_word(edit: Edit, after: WordState, record_id: str | None) -> str:
    """Make a word, and give its ID. Raises ConflictError when the language has it already."""
    values = _values(edit, after) | {"created": after.created, "updated": edit.now}
    try:
        with edit.connection.begin_nested():
            word_id = edit.insert(word, values, int(record_id) if record_id else None)
    except IntegrityError:
        raise _taken(after) from None
    _write_keys(edit, word_id, after)
    _count(edit, after.language_id, 1)
    return str(word_id)


def change_word(edit: Edit, record_id: str, before: WordState, after: WordState) -> None:
    """Change a word, and all that is derived from it. Raises ConflictError when it becomes one that is there."""
    word_id = int(record_id)
    values = _values(edit, after) | {"updated": edit.now}
    old_key = _loose_key(edit, word_id)
    try:
        with edit.connection.begin_nested():
            edit.connection.execute(update(word).where(word.c.id == word_id).values(values))
    except IntegrityError:
        raise _taken(after) from None
    _remove_keys(edit, word_id, old_key)
    _write_keys(edit, word_id, after)
    if before.language_id != after.language_id:
        edit.connection.execute(update(sense).where(sense.c.word_id == word_id).values(language_id=after.language_id))
        _count(edit, before.language_id, -1)
        _count(edit, after.language_id, 1)
    order_by_part_of_speech(edit, word_id)


def delete_word(edit: Edit, record_id: str) -> None:
    """Delete a word that has no meaning any more."""
    word_id = int(record_id)
    _remove_keys(edit, word_id, _loose_key(edit, word_id))
    edit.connection.execute(delete(word_pos).where(word_pos.c.word_id == word_id))
    gone = edit.connection.execute(delete(word).where(word.c.id == word_id).returning(word.c.language_id)).scalar()
    if gone is not None:
        _count(edit, gone, -1)


def _values(edit: Edit, state: WordState) -> dict[str, Any]:
    keys = word_keys(state.text, edit.codes[state.language_id])
    return {name: getattr(state, name) for name in _OF_WORD} | {
        "exact_key": keys.exact_key,
        "loose_key": keys.loose_key,
        "sound_key": keys.sound_key,
        "sort_key": keys.sort_key,
        "rule_roman": keys.rule_roman,
    }


def _write_keys(edit: Edit, word_id: int, state: WordState) -> None:
    near = sorted(near_keys(word_keys(state.text, edit.codes[state.language_id]).loose_key))
    if near:
        edit.connection.execute(insert(near_key), [{"key": key, "word_id": word_id} for key in near])
    if state.forms:
        rows = [{"key": key, "word_id": word_id, "tag": tag} for key, tag in state.forms]
        edit.connection.execute(insert(word_form), rows)


def _loose_key(edit: Edit, word_id: int) -> str:
    return edit.connection.execute(select(word.c.loose_key).where(word.c.id == word_id)).scalar_one_or_none() or ""


def _remove_keys(edit: Edit, word_id: int, loose_key: str) -> None:
    """Remove what leads to a word. Its near keys are found by the loose key that was stored with it."""
    near = near_key.c.key.in_(sorted(near_keys(loose_key)))
    edit.connection.execute(delete(near_key).where(near, near_key.c.word_id == word_id))
    edit.connection.execute(delete(word_form).where(word_form.c.word_id == word_id))


def _count(edit: Edit, language_id: int, more: int) -> None:
    edit.connection.execute(update(language).where(language.c.id == language_id).values(words=language.c.words + more))


def _taken(state: WordState) -> ConflictError:
    return ConflictError(
        sentence("The language has the word %(text)s already: give that word another meaning instead.", text=state.text)
    )


def find_word(edit: Edit, language_id: int, text: str) -> int | None:
    """Find the word of a language that is spelled so."""
    found = select(word.c.id).where(word.c.language_id == language_id, word.c.text == text)
    return edit.connection.execute(found).scalar_one_or_none()


def order_by_part_of_speech(edit: Edit, word_id: int) -> None:
    """Write anew under which parts of speech a word is listed."""
    edit.connection.execute(delete(word_pos).where(word_pos.c.word_id == word_id))
    edit.connection.execute(
        insert(word_pos).from_select(
            ["language_id", "pos_id", "sort_key", "text", "word_id"],
            select(word.c.language_id, idea.c.pos_id, word.c.sort_key, word.c.text, word.c.id)
            .distinct()
            .select_from(word.join(sense, sense.c.word_id == word.c.id).join(idea, idea.c.id == sense.c.idea_id))
            .where(word.c.id == word_id, idea.c.pos_id.is_not(None)),
        )
    )


# --- senses -------------------------------------------------------------------------------------------------------


def read_sense(edit: Edit, record_id: str) -> SenseState | None:
    """Read the link of a word to an idea."""
    row = edit.connection.execute(select(sense).where(sense.c.id == int(record_id)).with_for_update()).one_or_none()
    return SenseState(**{name: getattr(row, name) for name in _OF_SENSE}) if row else None


def create_sense(edit: Edit, after: SenseState, record_id: str | None) -> str:
    """Link a word to an idea, and give the link's ID. Raises ConflictError when they are linked."""
    try:
        with edit.connection.begin_nested():
            made = edit.insert(sense, _sense_values(edit, after), int(record_id) if record_id else None)
    except IntegrityError:
        raise ConflictError(sentence("This word has this meaning already.")) from None
    order_by_part_of_speech(edit, after.word_id)
    return str(made)


def change_sense(edit: Edit, record_id: str, before: SenseState, after: SenseState) -> None:
    """Change the link of a word to an idea."""
    edit.connection.execute(update(sense).where(sense.c.id == int(record_id)).values(_sense_values(edit, after)))
    for word_id in {before.word_id, after.word_id}:
        order_by_part_of_speech(edit, word_id)


def delete_sense(edit: Edit, record_id: str) -> None:
    """Take a meaning from a word."""
    gone = delete(sense).where(sense.c.id == int(record_id)).returning(sense.c.word_id)
    word_id = edit.connection.execute(gone).scalar()
    if word_id is not None:
        order_by_part_of_speech(edit, word_id)


def _sense_values(edit: Edit, state: SenseState) -> dict[str, Any]:
    language_id = edit.connection.execute(select(word.c.language_id).where(word.c.id == state.word_id)).scalar_one()
    return {name: getattr(state, name) for name in _OF_SENSE} | {"language_id": language_id}


def senses_of_word(edit: Edit, word_id: int) -> dict[str, SenseState]:
    """List the meanings of a word by the ID of the link, in their order."""
    return _senses(edit, sense.c.word_id == word_id)


def senses_of_idea(edit: Edit, idea_id: int) -> dict[str, SenseState]:
    """List the words of an idea by the ID of the link."""
    return _senses(edit, sense.c.idea_id == idea_id)


def _senses(edit: Edit, wanted: Any) -> dict[str, SenseState]:  # noqa: ANN401  # a condition of SQLAlchemy's
    rows = edit.connection.execute(select(sense).where(wanted).order_by(sense.c.position, sense.c.id))
    return {str(row.id): SenseState(**{name: getattr(row, name) for name in _OF_SENSE}) for row in rows}
