"""Add meanings of proverbs, and names and descriptions of flashcard sets, in languages other than English."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0039"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the columns with NULL; the English texts stay in their own columns."""
    op.add_column("phrase", sa.Column("meanings", sa.Text))
    op.add_column("card_set", sa.Column("names", sa.Text))
    op.add_column("card_set", sa.Column("descriptions", sa.Text))
