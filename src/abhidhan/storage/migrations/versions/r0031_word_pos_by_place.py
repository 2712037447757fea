"""The parts of speech of words are found by the words' places in the alphabet: the index on the word goes.

So does the foreign key: SQLite would go through the table for it whenever a word is deleted.
"""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0031"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Remove the index and the foreign key; the rows stay."""
    op.drop_index("ix_word_pos_word_id", "word_pos")
    if op.get_bind().dialect.name == "sqlite":
        _make_anew()
    else:
        op.drop_constraint("fk_word_pos_word_id", "word_pos")


def _make_anew() -> None:
    """Copy the rows into a table without the foreign key, in their order: SQLite removes none."""
    op.rename_table("word_pos", "word_pos_aside")
    op.create_table(
        "word_pos",
        sa.Column("language_id", sa.Integer, nullable=False),
        sa.Column("pos_id", sa.Integer, nullable=False),
        sa.Column("sort_key", sa.LargeBinary, nullable=False),
        sa.Column("text", CODE_POINT_TEXT, nullable=False),
        sa.Column("word_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("language_id", "pos_id", "sort_key", "text", "word_id", name="pk_word_pos"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO word_pos (language_id, pos_id, sort_key, text, word_id) "
        "SELECT language_id, pos_id, sort_key, text, word_id FROM word_pos_aside "
        "ORDER BY language_id, pos_id, sort_key, text, word_id"
    )
    op.drop_table("word_pos_aside")
