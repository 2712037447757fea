"""Leases, which work through a pooler of connections too, where locks of sessions do not."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0027"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Make the table: nothing is held yet."""
    op.create_table(
        "lease",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_lease"),
    )
