"""Add how many accounts an invitation still makes."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0040"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column: every ticket so far works once."""
    op.add_column("ticket", sa.Column("uses", sa.Integer, nullable=False, server_default="1"))
