"""By which rules the stored keys were made."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0004"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "key_rules",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_key_rules"),
    )
