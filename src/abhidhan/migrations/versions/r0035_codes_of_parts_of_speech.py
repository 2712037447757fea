"""Add short codes and seven new parts of speech, and list words without a part of speech."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0035"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

POS = "POS"
PARTS_OF_SPEECH = (
    (1, "Common Noun", "Noun", "N.com"),
    (2, "Proper Noun", "Noun", "N.pro"),
    (3, "Material Noun", "Noun", "N.mat"),
    (4, "Verbal Noun", "Noun", "N.vb"),
    (5, "Abstract Noun", "Noun", "N.abs"),
    (6, "Pronoun", "Pronoun", "PR"),
    (7, "Proper Adjective", "Adjective", "AJ.pr"),
    (8, "Verbal Adjective", "Adjective", "AJ.vb"),
    (9, "Adjective Adjective", "Adjective", "AJ.aj"),
    (10, "Adverb", "Adjective/Adverb", "ADV"),
    (11, "Transitive", "Verb", "V.tr"),
    (12, "Intransitive", "Verb", "V.int"),
    (13, "Adposition", "Others", "ADPO"),
    (14, "Interjection", "Others", "INTJ"),
    (15, "Conjunction", "Others", "CONJ"),
    (16, "Noun", "Noun", "N"),
    (17, "Verb", "Verb", "V"),
    (18, "Adjective", "Adjective", "AJ"),
    (19, "Prefix", "Others", "pfx"),
    (20, "Suffix", "Others", "sfx"),
    (21, "Other", "Others", "OTH"),
    (22, "Unassigned", "Others", "U"),
)
"""ID, value, major class and short code."""

FIRST_NEW_ID = 16
FIRST_REPLACEMENT_ID = 1001
"""The first ID for new values whose own ID an operator has already given to another value."""

Item = Mapping[str, Any]

item = sa.table(
    "list_item",
    *(sa.column(name) for name in ("list", "id", "value", "code", "position", "short")),
)


def upgrade() -> None:
    """Add the column with its codes, the new values, and the `word_pos` rows of words without a part of speech."""
    op.add_column("list_item", sa.Column("short", sa.Text))
    op.create_index("ix_list_item_list_short", "list_item", ["list", "short"], unique=True)
    connection = op.get_bind()
    rows = [row._asdict() for row in connection.execute(sa.select(item).where(item.c.list == POS))]
    # An empty list gets its values from the program's files, as in a new dictionary.
    if rows:
        _set_codes(connection, rows)
    # Cached ideas get their `lines` when they are rebuilt in their new form.
    op.add_column("idea_cache", sa.Column("lines", sa.LargeBinary))
    op.execute(
        "INSERT INTO word_pos (language_id, pos_id, sort_key, text, word_id) "
        "SELECT DISTINCT word.language_id, 0, word.sort_key, word.text, word.id "
        "FROM word JOIN sense ON sense.word_id = word.id JOIN idea ON idea.id = sense.idea_id "
        "WHERE idea.pos_id IS NULL"
    )


def _set_codes(connection: sa.Connection, rows: Sequence[Item]) -> None:
    """Set the codes and missing major classes of existing values, and insert the missing new ones."""
    by_name = {row["value"].casefold(): row for row in rows} | {row["value"]: row for row in rows}
    by_id = {row["id"]: row for row in rows}
    used_ids = {*by_id}
    position = max(row["position"] for row in rows)
    for item_id, value, major, short in PARTS_OF_SPEECH:
        row = by_name.get(value) or by_name.get(value.casefold()) or _match_renamed(by_id.get(item_id), item_id, major)
        if row is not None:
            values = {"short": short, "code": row["code"] or major}
            connection.execute(sa.update(item).where(item.c.list == POS, item.c.id == row["id"]).values(values))
        elif item_id >= FIRST_NEW_ID:
            position += 1
            free_id = max(*used_ids, FIRST_REPLACEMENT_ID - 1) + 1 if item_id in used_ids else item_id
            used_ids.add(free_id)
            new = {"list": POS, "id": free_id, "value": value, "code": major, "position": position, "short": short}
            connection.execute(sa.insert(item).values(new))


def _match_renamed(row: Item | None, item_id: int, major: str) -> Item | None:
    """Return the row if it is a renamed original value, by its ID and major class, else None."""
    if row is None or item_id >= FIRST_NEW_ID:
        return None
    names = {value.casefold() for _, value, _, _ in PARTS_OF_SPEECH}
    return row if row["code"] == major and row["value"].casefold() not in names else None
