"""Add the number of remaining uses of invitations."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0040"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column; all existing tickets have one use."""
    op.add_column("ticket", sa.Column("uses", sa.Integer, nullable=False, server_default="1"))
