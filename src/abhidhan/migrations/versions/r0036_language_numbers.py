"""Renumber languages to the IDs that clients of XOBDO use.

Languages are identified by their codes. A language whose code is in `LANGUAGE_IDS` gets the ID listed there. Any other
language keeps its ID unless that is listed for another code; then it gets one from `FIRST_REPLACEMENT_ID` upwards. The
IDs are those in two public programs of 2026 that call XOBDO; 101 to 107 are this project's own.
"""

import logging
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0036"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

LANGUAGE_IDS = {
    "en": 1,
    "as": 2,
    "brx": 3,
    "mrg": 4,
    "kha": 5,
    "grt": 6,
    "mni": 7,
    "bpy": 8,
    "lus": 9,
    "mjw": 10,
    "trp": 12,
    "hmr": 13,
    "nag": 14,
    "dis": 15,
    "njo": 17,
    "aho": 19,
    "hi": 21,
    "bn": 22,
    "ne": 23,
    "rah": 24,
    "lax": 25,
    "sat": 31,
    "kht": 34,
    "try": 35,
    "sgp": 37,
    "pck": 39,
    "adi": 40,
    "apt": 101,
    "twm": 102,
    "ccp": 103,
    "tnv": 104,
    "der": 105,
    "phk": 106,
    "tvt": 107,
}
FIRST_REPLACEMENT_ID = 1001

NEW_LANGUAGES = (
    {"id": 39, "code": "pck", "iso639_3": "pck", "name": "Paite", "native_name": "Paite"},
    {"id": 40, "code": "adi", "iso639_3": "adi", "name": "Adi Bokar", "native_name": "Adi"},
)

LANGUAGE_ID_COLUMNS = (
    ("word", "language_id"),
    ("sense", "language_id"),
    ("definition", "language_id"),
    ("example", "language_id"),
    ("phrase", "language_id"),
    ("recording", "language_id"),
    ("card_set", "language_id"),
    ("card_set", "answer_language_id"),
    ("article", "language_id"),
    ("word_pos", "language_id"),
    ("phrase_gram", "language_id"),
    ("gram_count", "language_id"),
)
"""All columns with language IDs."""

JSON_COLUMNS = (("history", ("before", "after")), ("submission", ("payload", "seen")))
"""All JSON columns that contain language IDs."""

LANGUAGE_KEYS = frozenset({"language", "language_id", "answer_language", "answer_language_id"})
"""The keys in that JSON that refer to languages; `language` is an ID, as a number or a string, or a code."""

TEXT_LIST_KEYS = frozenset({"definitions", "examples"})
"""The keys in that JSON whose values list texts; a stored text is a list that begins with a language ID."""

IMPORT_ACTION_ID = 22
"""The history action of an import. Its JSON counts records by table, so its `language` is a count, not an ID."""

BATCH_SIZE = 1000
TEMPORARY_CODE = "moving"
"""The code of a language's new row until the old row is deleted."""

_log = logging.getLogger(__name__)


def upgrade() -> None:
    """Renumber languages, and invalidate clients' copies of the dictionary."""
    connection = op.get_bind()
    codes = {row.id: row.code for row in connection.execute(sa.text("SELECT id, code FROM language ORDER BY id"))}
    if not codes:
        return
    numbers = assign_ids(codes)
    for old, new in numbers.items():
        if codes[old] not in LANGUAGE_IDS:
            _log.warning(
                "The language %s has the number %d from now on: %d belongs to another language.", codes[old], new, old
            )
    for old, new in order_moves(numbers, set(codes)):
        _change_language_id(connection, old, new)
    _insert_new_languages(connection, set(codes.values()))
    for table, columns in JSON_COLUMNS:
        _renumber_states(connection, table, columns, numbers)
    _empty_packed_tables(connection)
    _restart_change_feed(connection)


def assign_ids(codes: Mapping[int, str]) -> dict[int, int]:
    """Return the new ID of each renumbered language, by its old ID."""
    reserved = set(LANGUAGE_IDS.values())
    free = (number for number in count(FIRST_REPLACEMENT_ID) if number not in codes)
    numbers = {}
    for old, code in codes.items():
        if code in LANGUAGE_IDS:
            numbers[old] = LANGUAGE_IDS[code]
        elif old in reserved:
            numbers[old] = next(free)
    return {old: new for old, new in numbers.items() if old != new}


def order_moves(numbers: Mapping[int, int], used_ids: set[int]) -> Iterator[tuple[int, int]]:
    """Yield moves from old to new IDs in an order in which each new ID is free when it is needed."""
    pending, used_ids = dict(numbers), set(used_ids)
    while pending:
        old = next((old for old, new in pending.items() if new not in used_ids), None)
        if old is None:
            # The remaining moves form cycles: move one of the languages to a temporary ID.
            old = next(iter(pending))
            new = max(*used_ids, *numbers.values(), FIRST_REPLACEMENT_ID) + 1
            pending[new] = pending.pop(old)
        else:
            new = pending.pop(old)
        used_ids = used_ids - {old} | {new}
        yield old, new


def _change_language_id(connection: sa.Connection, old: int, new: int) -> None:
    """Change the ID of a language, and all references to it, to a free one.

    Foreign keys are checked immediately and codes are unique, so the new row is inserted under a temporary code before
    the old one is deleted.
    """
    parameters = {"old": old, "new": new, "moving": TEMPORARY_CODE}
    other_columns = "iso639_3, name, native_name, script, direction, words"
    code = connection.execute(sa.text("SELECT code FROM language WHERE id = :old"), parameters).scalar_one()
    connection.execute(
        sa.text(
            f"INSERT INTO language (id, code, {other_columns}) "  # noqa: S608
            f"SELECT :new, :moving, {other_columns} FROM language WHERE id = :old"
        ),
        parameters,
    )
    for table, column in LANGUAGE_ID_COLUMNS:
        connection.execute(sa.text(f"UPDATE {table} SET {column} = :new WHERE {column} = :old"), parameters)  # noqa: S608
    # The marks that identify reports of the same missing word.
    marks = (
        "UPDATE submission SET once = :new_mark || substr(once, length(:old_mark) + 1) WHERE once LIKE :old_mark || '%'"
    )
    connection.execute(sa.text(marks), {"old_mark": f"missing:{old}:", "new_mark": f"missing:{new}:"})
    connection.execute(sa.text("DELETE FROM language WHERE id = :old"), parameters)
    connection.execute(sa.text("UPDATE language SET code = :code WHERE id = :new"), parameters | {"code": code})


def _insert_new_languages(connection: sa.Connection, codes: set[str]) -> None:
    for language in NEW_LANGUAGES:
        if language["code"] not in codes:
            connection.execute(
                sa.text(
                    "INSERT INTO language (id, code, iso639_3, name, native_name, script, direction) "
                    "VALUES (:id, :code, :iso639_3, :name, :native_name, 'Latn', 'ltr')"
                ),
                language,
            )


def _renumber_states(
    connection: sa.Connection, table: str, columns: tuple[str, ...], numbers: Mapping[int, int]
) -> None:
    """Renumber languages in JSON columns, in batches of rows."""
    condition = f"AND action_id <> {IMPORT_ACTION_ID}" if table == "history" else ""
    read = sa.text(
        f"SELECT id, {', '.join(columns)} FROM {table} "  # noqa: S608
        f"WHERE id > :after {condition} ORDER BY id LIMIT {BATCH_SIZE}"
    )
    write = sa.text(
        f"UPDATE {table} SET {', '.join(f'{column} = :{column}' for column in columns)} WHERE id = :id"  # noqa: S608
    )
    after = 0
    while rows := connection.execute(read, {"after": after}).mappings().all():
        after = rows[-1]["id"]
        changed = [dict(row) | {column: renumber_json(row[column], numbers) for column in columns} for row in rows]
        if changed := [new for new, old in zip(changed, rows, strict=True) if new != dict(old)]:
            connection.execute(write, changed)


def renumber_json(text: str | None, numbers: Mapping[int, int]) -> str | None:
    """Return JSON with its language IDs replaced; return invalid JSON unchanged."""
    if text is None:
        return None
    try:
        read = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    renumbered = _renumber_value(read, numbers)
    return text if renumbered == read else msgspec.json.encode(renumbered).decode()


def _renumber_value(value: Any, numbers: Mapping[int, int], key: str = "") -> Any:  # noqa: ANN401  # any JSON
    """Return the JSON value of a key with its language IDs replaced."""
    if key in LANGUAGE_KEYS:
        return _renumber_reference(value, numbers)
    if isinstance(value, list):
        return [
            _renumber_text(each, numbers) if key in TEXT_LIST_KEYS else _renumber_value(each, numbers) for each in value
        ]
    if isinstance(value, dict):
        return {name: _renumber_value(each, numbers, name) for name, each in value.items()}
    return value


def _renumber_text(value: Any, numbers: Mapping[int, int]) -> Any:  # noqa: ANN401  # any JSON
    if isinstance(value, list) and value:
        return [_renumber_reference(value[0], numbers), *value[1:]]
    return _renumber_value(value, numbers)


def _renumber_reference(reference: Any, numbers: Mapping[int, int]) -> Any:  # noqa: ANN401  # a number, its digits, a code or null
    if isinstance(reference, int):
        return numbers.get(reference, reference)
    if isinstance(reference, str) and (digits := reference.strip()).isascii() and digits.isdigit():
        return str(numbers.get(int(digits), int(digits)))
    return reference


def _empty_packed_tables(connection: sa.Connection) -> None:
    """Empty the tables with language IDs inside packed values; the server rebuilds them.

    Without words, the completion lists are already complete.
    """
    connection.execute(sa.text("DELETE FROM idea_cache"))
    connection.execute(sa.text("DELETE FROM completion WHERE EXISTS (SELECT 1 FROM word)"))


def _restart_change_feed(connection: sa.Connection) -> None:
    """Increment the data version and restart the change feed, which invalidates existing tokens."""
    connection.execute(sa.text("UPDATE state SET data_version = data_version + 1"))
    newest = connection.execute(sa.text("SELECT max(id) FROM record_change")).scalar() or 0
    connection.execute(
        sa.text(
            "INSERT INTO record_change (version, at, kind, first_id, last_id, became) "
            "SELECT data_version, 0, 'word', 1, 0, 'changed' FROM state"
        )
    )
    connection.execute(sa.text("DELETE FROM record_change WHERE id <= :newest"), {"newest": newest})
