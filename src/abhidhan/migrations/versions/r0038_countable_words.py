"""Add the countability of words, which decides whether their inflection tables have plurals."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0038"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column with NULL, for which the part of speech of the word decides."""
    op.add_column("word", sa.Column("countable", sa.Boolean))
