"""Under which licence people have given what they contributed."""

import sqlalchemy as sa
from alembic import op

from abhidhan.storage.migrations import REVISIONS

revision = "0019"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]


def upgrade() -> None:
    """Add the columns. Of what was given before, nobody has stated a licence; the idea cache is filled anew."""
    for table in ("submission", "photo", "idea", "sense", "phrase", "idea_cache"):
        op.add_column(table, sa.Column("licence", sa.Text))
