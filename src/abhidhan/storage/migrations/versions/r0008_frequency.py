"""Words have a frequency, and who counted it."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0008"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the columns; nobody has given any frequency yet."""
    op.add_column("word", sa.Column("frequency", sa.Double))
    op.add_column("word", sa.Column("frequency_source", sa.Text))
