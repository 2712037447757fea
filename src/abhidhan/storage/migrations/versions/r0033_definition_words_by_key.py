"""The words of definitions are found by the definitions of their ideas: the index on the idea goes.

So does the foreign key: SQLite would go through the table for it whenever an idea is deleted.
"""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0033"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Remove the index and the foreign key; the rows stay."""
    op.drop_index("ix_definition_word_idea_id", "definition_word")
    if op.get_bind().dialect.name == "sqlite":
        _make_anew()
    else:
        op.drop_constraint("fk_definition_word_idea_id", "definition_word")


def _make_anew() -> None:
    """Copy the rows into a table without the foreign key, in their order: SQLite removes none."""
    op.rename_table("definition_word", "definition_word_aside")
    op.create_table(
        "definition_word",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("idea_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", "idea_id", name="pk_definition_word"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO definition_word (key, idea_id) "
        "SELECT key, idea_id FROM definition_word_aside ORDER BY key, idea_id"
    )
    op.drop_table("definition_word_aside")
