"""Inflected forms that find their word. Only their exact keys are stored, and the key of a key is itself."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select

from abhidhan.dictionary.store.indexes.derived_table import DerivedTable, Source
from abhidhan.platform.database.compiled_queries import Row
from abhidhan.schema import word, word_form
from assamese.keys import exact_key


def derive(forms: Iterable[Row]) -> Iterable[tuple[str, int, str]]:
    """List forms, which are given as (form or its key, word's ID, tag), by their keys; of each key the first."""
    made: dict[tuple[str, int], str] = {}
    for form, word_id, tag in sorted(forms):
        made.setdefault((exact_key(form), word_id), tag)
    return ((key, word_id, tag) for (key, word_id), tag in made.items() if key)


WORD_FORMS = DerivedTable(
    word_form,
    "word_id",
    word,
    Source(
        select(word_form.c.key, word_form.c.word_id, word_form.c.tag).join(word, word.c.id == word_form.c.word_id),
        word_form.c.word_id,
    ),
    derive,
)


def write(connection: Connection, word_id: int, forms: Iterable[tuple[str, str]]) -> None:
    """Replace the forms (key, tag) of a word by these."""
    connection.execute(delete(word_form).where(word_form.c.word_id == word_id))
    rows = [{"key": key, "word_id": word_id, "tag": tag} for key, tag in forms]
    if rows:
        connection.execute(insert(word_form), rows)
