"""Store the time of the last backup, which all servers of a database report."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0045"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column, which is NULL until the next backup."""
    op.add_column("state", sa.Column("backed_up_at", sa.BigInteger))
