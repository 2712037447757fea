"""Proverbs have meanings, and sets of flashcards names and descriptions, in other languages than English too."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0039"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the columns, which are empty; the English texts stay where they are."""
    op.add_column("phrase", sa.Column("meanings", sa.Text))
    op.add_column("card_set", sa.Column("names", sa.Text))
    op.add_column("card_set", sa.Column("descriptions", sa.Text))
