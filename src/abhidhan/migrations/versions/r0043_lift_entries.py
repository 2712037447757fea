"""Add the table of original LIFT entries."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0043"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

_code_point_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the empty table; the next import of the same file fills it."""
    op.create_table(
        "lift_entry",
        sa.Column("source_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("key", _code_point_text, nullable=False),
        sa.Column("language_id", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("ideas", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("source_id", "key", name="pk_lift_entry"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_lift_entry_source_id"),
        sa.ForeignKeyConstraint(["language_id"], ["language.id"], name="fk_lift_entry_language_id"),
    )
