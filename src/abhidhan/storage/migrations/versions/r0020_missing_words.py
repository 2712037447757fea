"""What people look for and do not find, and how many have told of a missing word."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0020"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

CODE_POINT_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table and the column; nothing is counted yet."""
    op.create_table(
        "missing_word",
        sa.Column("key", CODE_POINT_TEXT, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("searches", sa.Integer, nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("last_day", sa.Integer, nullable=False),
        sa.Column("left_out", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_missing_word"),
    )
    op.add_column("submission", sa.Column("times", sa.Integer))
