"""Store the progress with flashcards with the saved lists of an account."""

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0044"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the column, which is NULL until a device sends its progress."""
    op.add_column("own_lists", sa.Column("cards", sa.Text))
