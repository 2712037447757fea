"""Add whether a word is counted, which decides whether its tables have plurals."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0038"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column, empty: its part of speech decides for a word of which it says nothing."""
    op.add_column("word", sa.Column("countable", sa.Boolean))
