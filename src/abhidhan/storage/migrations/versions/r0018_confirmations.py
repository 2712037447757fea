"""Which ideas somebody has read and found right."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0018"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table; no idea is confirmed."""
    op.create_table(
        "confirmation",
        sa.Column("idea_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("confirmed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("idea_id", name="pk_confirmation"),
        sa.ForeignKeyConstraint(["idea_id"], ["idea.id"], name="fk_confirmation_idea_id"),
    )
