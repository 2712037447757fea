"""Near keys of words for "did you mean", and keys of inflected forms.

Near keys have no index on the word, which would double the size of their table: they are computed from its loose key.
Of inflected forms, only the exact keys are stored; the exact key of such a key is the key itself.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    Text,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    tuple_,
    union_all,
)

from abhidhan.dictionary.store.index import RebuildCursor, StepResult
from abhidhan.dictionary.store.indexes.derived_table import DerivationSource, DerivedTable
from abhidhan.dictionary.store.indexes.record_keys import RecordKey, RecordKeys
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.records.id_bitmap import IdRun
from abhidhan.schema import near_key, word, word_form
from assamese import keys
from assamese.keys import NEAR_KEY_LETTERS, exact_key

WORD_BATCH_SIZE: Final = 2000
NEAR_KEY_BATCH_SIZE: Final = 20_000

_FIRST: Final = bindparam("first", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)


def derive_near_keys(words: Iterable[Row]) -> Iterator[RecordKey]:
    """Yield the near keys of words, given as (ID, loose key)."""
    for word_id, loose_key in words:
        for key in keys.near_keys(loose_key):
            yield key, word_id


NEAR_KEYS: Final = RecordKeys(
    near_key, word, DerivationSource(select(word.c.id, word.c.loose_key), word.c.id), derive_near_keys
)


# --- some words -------------------------------------------------------------------------------------------------------


def add_near_keys(bulk: BulkTransaction, id_run: IdRun | None) -> int:
    """Write the near keys of new words, given as a run of IDs; return the number of keys.

    The database computes them: ten million take a third of the time of computing them here and inserting them.
    """
    if id_run is None:
        return 0
    statement = bulk.build_insert(near_key).from_select(near_key.columns.keys(), _select_keys_of_run())
    options = {"preserve_rowcount": True}
    return bulk.connection.execute(statement, id_run._asdict(), execution_options=options).rowcount


@cache
def _select_keys_of_run() -> Select[Any]:
    """Select the near keys of a run of words like `derive_near_keys`, each once and in the order of the table."""
    head = _loose_key_letters(1, NEAR_KEY_LETTERS)
    arms = [_select_keys(head, head != "")]
    for position in range(1, NEAR_KEY_LETTERS + 1):
        shorter = _loose_key_letters(1, position - 1).concat(
            _loose_key_letters(position + 1, NEAR_KEY_LETTERS - position)
        )
        # Leaving out any of several equal adjacent letters gives the same key; here the last one is left out.
        is_last = _loose_key_letters(position, 1) != _loose_key_letters(
            position + 1, 1 if position < NEAR_KEY_LETTERS else 0
        )
        arms.append(_select_keys(shorter, is_last, shorter != ""))
    union = union_all(*arms).subquery()
    # Ordered by the bare columns, SQLite would sort each arm separately and at the same time: nine times the memory.
    return select(*union.columns).order_by(union.c.key, union.c.id + literal_column("0", Integer))


def _loose_key_letters(first: int, count: int) -> ColumnElement[str]:
    """Return the expression for letters of a word's loose key, counted from 1, with literal numbers."""
    numbers = (literal_column(str(number), Integer) for number in (first, count))
    return func.substr(word.c.loose_key, *numbers, type_=word.c.loose_key.type)


def _select_keys(key: ColumnElement[str], *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(key.label("key"), word.c.id).where(word.c.id.between(_FIRST, _LAST), *conditions)


def replace_near_keys(bulk: BulkTransaction, word_id: int, old_loose_key: str, loose_key: str) -> None:
    """Replace the near keys of a word's old loose key; an empty loose key has none."""
    old, new = keys.near_keys(old_loose_key), keys.near_keys(loose_key)
    if old - new:
        is_old = near_key.c.key.in_(sorted(old - new))
        bulk.connection.execute(delete(near_key).where(is_old, near_key.c.word_id == word_id))
    if new - old:
        rows = [{"key": key, "word_id": word_id} for key in sorted(new - old)]
        bulk.connection.execute(bulk.build_insert(near_key).on_conflict_do_nothing(), rows)


# --- all words --------------------------------------------------------------------------------------------------------

_AFTER: Final = bindparam("after", type_=Integer)
_NEXT_WORDS = CompiledQuery(
    select(word.c.id, word.c.loose_key).where(word.c.id > _AFTER).order_by(word.c.id).limit(WORD_BATCH_SIZE)
)
_NEXT_NEAR_KEYS = CompiledQuery(
    select(near_key.c.key, near_key.c.word_id, word.c.loose_key)
    .join(word, word.c.id == near_key.c.word_id, isouter=True)
    .where(tuple_(near_key.c.key, near_key.c.word_id) > tuple_(bindparam("key", type_=Text), _AFTER))
    .order_by(near_key.c.key, near_key.c.word_id)
    .limit(NEAR_KEY_BATCH_SIZE)
)


def add_missing_near_keys(connection: Connection, after: RebuildCursor) -> StepResult:
    """Write the missing near keys of the next words."""
    bulk = BulkTransaction(connection)
    rows = bulk.rows(_NEXT_WORDS, {"after": after[1]})
    changed = NEAR_KEYS.add_missing(bulk, derive_near_keys(rows))
    return StepResult(len(rows), changed, ("", rows[-1][0]) if len(rows) == WORD_BATCH_SIZE else None)


def remove_stray_near_keys(connection: Connection, after: RebuildCursor) -> StepResult:
    """Scan the next near keys, and remove those that their words do not have."""
    rows = BulkTransaction(connection).rows(_NEXT_NEAR_KEYS, {"key": after[0], "after": after[1]})
    stray = [
        {"stray": key, "of": word_id} for key, word_id, loose_key in rows if key not in keys.near_keys(loose_key or "")
    ]
    if stray:
        condition = near_key.c.key == bindparam("stray"), near_key.c.word_id == bindparam("of")
        connection.execute(delete(near_key).where(*condition), stray)
    changed = len({row["of"] for row in stray})
    return StepResult(0, changed, (rows[-1][0], rows[-1][1]) if len(rows) == NEAR_KEY_BATCH_SIZE else None)


def derive_word_forms(forms: Iterable[Row]) -> Iterable[tuple[str, int, str]]:
    """Return the keys of forms, given as (form or key, word ID, tag); of equal keys, only the first."""
    tags: dict[tuple[str, int], str] = {}
    for form, word_id, tag in sorted(forms):
        tags.setdefault((exact_key(form), word_id), tag)
    return ((key, word_id, tag) for (key, word_id), tag in tags.items() if key)


WORD_FORMS = DerivedTable(
    word_form,
    "word_id",
    word,
    DerivationSource(
        select(word_form.c.key, word_form.c.word_id, word_form.c.tag).join(word, word.c.id == word_form.c.word_id),
        word_form.c.word_id,
    ),
    derive_word_forms,
)


def write_word_forms(connection: Connection, word_id: int, forms: Iterable[tuple[str, str]]) -> None:
    """Replace the stored forms of a word, given as (key, tag)."""
    connection.execute(delete(word_form).where(word_form.c.word_id == word_id))
    rows = [{"key": key, "word_id": word_id, "tag": tag} for key, tag in forms]
    if rows:
        connection.execute(insert(word_form), rows)
